#!/usr/bin/env python3
"""Print the config.json of every fixture as transformers 5 saves it, one line each.

    python3 tools/oracles/configs.py > arch/families/testdata/transformers5.jsonl

Keys then have other names and places (rope_parameters, layer_types, dtype), and all defaults are written out.
Fixtures whose class transformers does not have are left out.
"""
import json
import pathlib

import transformers

FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures" / "tiny"


def main():
    for path in sorted(FIXTURES.glob("*/config.json")):
        published = json.loads(path.read_text())
        if published["model_type"] not in transformers.CONFIG_MAPPING:
            continue
        config = transformers.AutoConfig.from_pretrained(path.parent)
        config.architectures = published["architectures"]
        print(json.dumps({"fixture": path.parent.name, "config": json.loads(config.to_json_string())}))


if __name__ == "__main__":
    main()
