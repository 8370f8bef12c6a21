"""Broken model files: one line each that names the file and the place, exit code 1, and no FMU."""

import json
import os
import re

import pytest
from conftest import TWO_LINK, mbfmu


def changed(change):
    """The two-link manipulator with one thing broken, as text."""
    text = re.sub(r"^\s*//.*$", "", TWO_LINK.read_text(), flags=re.MULTILINE)
    model = json.loads(text)
    change(model)
    return json.dumps(model, indent=2)


def first(section):
    """The first entry that is not ground."""
    return next(name for name in section if name != "ground")


def misspelt_key(model):
    body = model["bodies"][first(model["bodies"])]
    body["mas"] = body.pop("mass")


def unknown_body(model):
    joint = model["joints"][first(model["joints"])]
    joint["between"][1] = "nobody.A"


def mass(value):
    def change(model):
        model["bodies"][first(model["bodies"])]["mass"] = value
    return change


def duplicate_name(model):
    """One name for an input and an output, which would be one variable in the FMU."""
    model["outputs"][next(iter(model["inputs"]))] = next(iter(model["outputs"].values()))


CASES = {
    "empty": ("", r"."),
    "invalid_json": ('{\n  "name": "x",\n  "bodies": [}\n', r":3:14|line 3.*column 14"),
    "cut_off": ('{"name": "x"', r"line|:1:"),
    "not_an_object": ("[1, 2]", r"object"),
    "unknown_key": (misspelt_key, r"/bodies/\w+.*mas.*mass"),
    "unknown_body": (unknown_body, r"/joints/\w+/between/1.*nobody"),
    "negative_mass": (mass(-1), r"/bodies/\w+/mass"),
    "nan_mass": (mass("0/0"), r"/bodies/\w+/mass"),
    "unknown_solver_option": (lambda model: model["solver"].update(rtoll=3), r"/solver.*rtoll.*known"),
    "solver_option_out_of_range": (lambda model: model["solver"].update(r=9), r'/solver.*r: must be a whole number, 2 to 8, not "9"'),
    "duplicate_name": (duplicate_name, r"/(out|in)puts/torque1"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("command", ["export", "simulate", "check"])
def test_bad_model(tmp_path, name, command):
    content, message = CASES[name]
    file = tmp_path / f"{name}.json"
    file.write_text(content if isinstance(content, str) else changed(content))
    done = mbfmu(command, file, cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert done.stdout == ""
    assert f"{name}.json" in done.stderr and re.search(message, done.stderr), done.stderr
    if command == "export":
        assert all(f"{name}.json" in line for line in done.stderr.splitlines()), done.stderr
    assert os.listdir(tmp_path) == [f"{name}.json"]


def test_literal_nan(tmp_path):
    file = tmp_path / "nan.json"
    file.write_text(re.sub(r'"mass":\s*[^,}]+', '"mass": NaN', TWO_LINK.read_text(), count=1))
    done = mbfmu("export", file, cwd=tmp_path)
    assert done.returncode == 1 and re.search(r"nan\.json:\d+:\d+|line \d+", done.stderr), done.stderr


def test_one_name_twice_in_a_section(tmp_path):
    file = tmp_path / "twice.json"
    file.write_text('{"name": "twice", "bodies": {"a": {"mass": 1, "inertia": 1}, "a": {"mass": 1, "inertia": 1}}}')
    done = mbfmu("export", file, cwd=tmp_path)
    assert done.returncode == 1 and "/bodies" in done.stderr and '"a"' in done.stderr, done.stderr


@pytest.mark.parametrize("command", ["export", "simulate", "check"])
def test_missing_file(tmp_path, command):
    done = mbfmu(command, tmp_path / "missing.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "missing.json" in done.stderr and done.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["export", "simulate", "check"])
def test_folder(tmp_path, command):
    done = mbfmu(command, tmp_path, cwd=tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}: is a folder" in done.stderr and done.stderr.count("\n") == 1


def test_everything_wrong_is_reported_at_once(tmp_path):
    def change(model):
        mass(-1)(model)
        unknown_body(model)

    file = tmp_path / "two.json"
    file.write_text(changed(change))
    done = mbfmu("check", file)
    assert done.returncode == 1
    assert "/mass" in done.stderr and "nobody" in done.stderr
