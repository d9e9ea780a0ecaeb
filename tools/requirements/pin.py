#!/usr/bin/env python3
"""Write NAME.txt from NAME.in: every package that pip would install, pinned, with the digests of its wheels.

    python3 tools/requirements/pin.py            # from the root of the repository; needs pip 22.2 or newer

pip itself resolves, once for each Python and machine below, and reports what it would install; nothing is
installed. The digests of all of them end up in one file, so one `pip install --require-hashes -r NAME.txt`
does for each. Run it to move to newer versions; read the difference before committing it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]  # those that the compiler's wheels exist for
MACHINES = ["x86_64", "aarch64"]
MANYLINUX = [f"_2_{n}" for n in range(28, 4, -1)] + ["2014", "2010", "1"]  # what may be installed on a manylinux_2_28 system
WITH_DEPENDENCIES = {"compiler": True, "runtime": True, "demo-model": False, "xla": True, "peers": True}
SINCE = {"xla": "3.11", "peers": "3.11"}  # where that is not the first of PYTHONS
UNTIL = {"peers": "3.13"}  # likewise the last
MACHINES_OF = {"peers": ["x86_64"]}  # likewise MACHINES
# torch asks for these and does without them on a CPU. It does not start without the other libraries of CUDA.
UNUSED = {"peers": {"cuda-bindings", "cuda-pathfinder", "cuda-toolkit", "nvidia-cuda-cccl", "nvidia-nvtx", "pillow", "torchvision", "triton"}}


def resolve(source, dependencies, python, machine):
    """Gives {package: (version, sha256 of its wheel)} as pip resolves it for that Python and machine."""
    with tempfile.TemporaryDirectory() as tmp:
        report = pathlib.Path(tmp, "report.json")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed",
                   "--report", str(report), "--target", str(pathlib.Path(tmp, "unused")),
                   "--python-version", python, "--implementation", "cp", "--only-binary=:all:", "-r", str(source)]
        command += [f"--platform=manylinux{m}_{machine}" for m in MANYLINUX]
        if not dependencies:
            command.append("--no-deps")
        subprocess.run(command, check=True)
        items = json.loads(report.read_text())["install"]
    return {i["metadata"]["name"].lower().replace("_", "-"):
            (i["metadata"]["version"], i["download_info"]["archive_info"]["hashes"]["sha256"]) for i in items}


def marker(pythons, supported):
    """The environment marker for a run of neighbours in supported; empty when it is all of them."""
    first, last = supported.index(pythons[0]), supported.index(pythons[-1])
    if pythons != supported[first:last + 1]:
        raise SystemExit(f"versions do not follow the order of Python's: {pythons}")
    bounds = []
    if first > 0:
        bounds.append(f'python_version >= "{pythons[0]}"')
    if last + 1 < len(supported):
        bounds.append(f'python_version < "{PYTHONS[last + 1]}"')
    return " ; " + " and ".join(bounds) if bounds else ""


def pin(name):
    supported = PYTHONS[PYTHONS.index(SINCE.get(name, PYTHONS[0])):PYTHONS.index(UNTIL.get(name, PYTHONS[-1])) + 1]
    found = {}  # package -> version -> (Pythons in order, digests)
    for python in supported:
        for machine in MACHINES_OF.get(name, MACHINES):
            for package, (version, digest) in resolve(HERE / f"{name}.in", WITH_DEPENDENCIES[name], python, machine).items():
                if package in UNUSED.get(name, ()):
                    continue
                pythons, digests = found.setdefault(package, {}).setdefault(version, ([], set()))
                if python not in pythons:
                    pythons.append(python)
                digests.add(digest)
    lines = [f"# Written by tools/requirements/pin.py from {name}.in; do not edit."]
    for package in sorted(found):
        for version, (pythons, digests) in found[package].items():
            lines.append(f"{package}=={version}{marker(pythons, supported)} \\")
            lines += [f"    --hash=sha256:{d} \\" for d in sorted(digests)]
            lines[-1] = lines[-1][:-2]
    (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return {(package, version) for package in found for version in found[package]}


def main():
    # The compiler and the stock runtime share one virtual environment: they must agree.
    shared = pin("compiler") | pin("runtime")
    pin("demo-model")
    pin("xla")
    pin("peers")
    for package in {p for p, _ in shared}:
        print(package, *sorted(v for p, v in shared if p == package))


if __name__ == "__main__":
    main()
