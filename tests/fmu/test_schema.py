"""The schema of the model file: complete, in step with the reader, and the source of the reference page."""

import copy
import json
import random
import re
import subprocess
import sys

import pytest
from conftest import ROOT, mbfmu
from jsonschema import Draft202012Validator

SCHEMA = json.loads((ROOT / "multibody/mbfmu.schema.json").read_text(encoding="utf-8"))
EXAMPLES = sorted((ROOT / "examples").glob("*.json"))
EVERY_KEY = sorted((ROOT / "tests/multibody/models").glob("*_every_key.json"))
BROKEN = ROOT / "tests/multibody/broken"

# What multibody/structure.cpp follows, and what is for people and editors.
FOLLOWED = {"$ref", "type", "enum", "const", "minLength", "properties", "additionalProperties", "required", "items",
            "minItems", "maxItems", "allOf", "if", "then", "else"}
WORDS = {"$schema", "$id", "$defs", "title", "description", "default", "errorMessage"}


def document(file):
    return json.loads(re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE))


def places(rules, path=()):
    """Every schema inside a schema, with its path."""
    yield path, rules
    for key in ("items", "additionalProperties", "if", "then", "else"):
        if isinstance(rules.get(key), dict):
            yield from places(rules[key], (*path, key))
    for key in ("properties", "$defs"):
        for name, member in rules.get(key, {}).items():
            yield from places(member, (*path, key, name))
    for i, member in enumerate(rules.get("allOf", [])):
        yield from places(member, (*path, "allOf", i))


def test_printed_schema_is_valid_and_knows_the_integrators():
    done = mbfmu("schema")
    assert done.returncode == 0 and done.stderr == ""
    printed = json.loads(done.stdout)
    Draft202012Validator.check_schema(printed)
    solver = printed["$defs"]["solver"]
    listed = mbfmu("integrators").stdout
    assert solver["properties"]["integrator"]["enum"] == re.findall(r"^([\w-]+): ", listed, re.MULTILINE)
    assert set(re.findall(r"^  (\w+) \(", listed, re.MULTILINE)) <= set(solver["properties"])
    for file in EXAMPLES:
        assert list(Draft202012Validator(printed).iter_errors(document(file))) == []


def test_only_keywords_that_the_reader_follows():
    for path, rules in places(SCHEMA):
        assert set(rules) <= FOLLOWED | WORDS, path
    definitions = {f"#/$defs/{name}" for name in SCHEMA["$defs"]}
    assert {rules["$ref"] for _, rules in places(SCHEMA) if "$ref" in rules} == definitions


def test_every_key_is_described():
    for path, rules in places(SCHEMA):
        if len(path) > 1 and path[-2] == "properties" and not {"if", "else"} & set(path) and path[-3:-2] != ("then",):
            target = SCHEMA["$defs"][rules["$ref"].removeprefix("#/$defs/")] if "$ref" in rules else {}
            assert rules.get("description") or target.get("description"), path


@pytest.mark.parametrize("file", [*EXAMPLES, *EVERY_KEY], ids=lambda file: file.stem)
def test_good_models(file):
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document(file))] == []
    done = mbfmu("check", file)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", sorted(BROKEN.glob("*/*.json")), ids=lambda file: file.stem)
def test_broken_models(file):
    """What is wrong by its structure is refused by any validator, the rest by the reader alone."""
    wrong = not Draft202012Validator(SCHEMA).is_valid(document(file))
    assert wrong == (file.parent.name == "structure") or file.stem.startswith("faults_of_all")


def test_every_key_is_in_a_model_that_the_reader_takes():
    """With a key taken out of the schema, the models that use every key are refused."""
    models = [document(file) for file in EVERY_KEY]
    for path, rules in places(SCHEMA):
        if {"if"} & set(path) or path[-2:-1] == ("then",):
            continue
        closed = rules.get("additionalProperties") is False
        for key in rules.get("properties", {}) if closed else ():
            changed = copy.deepcopy(SCHEMA)
            place = changed
            for step in path:
                place = place[step]
            del place["properties"][key]
            validator = Draft202012Validator(changed)
            assert not all(validator.is_valid(model) for model in models), (*path, key)


def test_reference_page_is_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "scripts/model_reference.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def nodes(node, path=()):
    yield path
    if isinstance(node, (dict, list)):
        for key, member in node.items() if isinstance(node, dict) else enumerate(node):
            yield from nodes(member, (*path, key))


VALUES = [None, True, False, [], {}, "", "x", -1, 0, 1, 1e308, -1e308, 1e-308, "1e999", "1/0", "((((", [[[[[1]]]]], {"input": "u"},
          "ground", "ground.O", ["ground", "ground"], "é\u0000", 10**40, "time", "-" * 200]


def mutated(model, chance):
    """One to three changes anywhere."""
    model = copy.deepcopy(model)
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([path for path in nodes(model) if path])
        parent = model
        for step in path[:-1]:
            parent = parent[step]
        action = chance.randrange(4)
        if action == 0:
            del parent[path[-1]]
        elif action == 1 and isinstance(parent, dict):
            parent[path[-1] + chance.choice("x_. ")] = parent.pop(path[-1])
        elif action == 2:
            parent[path[-1]] = copy.deepcopy(chance.choice(VALUES))
        else:
            other = model
            for step in chance.choice([path for path in nodes(model) if path]):
                other = other[step]
            parent[path[-1]] = copy.deepcopy(other)
    return model


@pytest.mark.parametrize("file", [*EXAMPLES, *EVERY_KEY], ids=lambda file: file.stem)
def test_mutations_never_crash_the_command_line(file, tmp_path):
    """Done or refused with a message; what a validator refuses, mbfmu refuses too."""
    chance = random.Random(file.stem)
    validator = Draft202012Validator(SCHEMA)
    model = document(file)
    for i in range(12):
        changed = mutated(model, chance)
        target = tmp_path / f"mutant{i}.json"
        target.write_text(json.dumps(changed), encoding="utf-8")
        done = mbfmu("check", target)
        assert done.returncode in (0, 1), (done.returncode, changed)
        if done.returncode == 1:
            assert all(line.startswith(str(target)) for line in done.stderr.splitlines()) and done.stderr, changed
        else:
            assert validator.is_valid(changed), changed
