"""mbfmu check on damaged FMUs: everything wrong is named at once."""

import re
import shutil
import zipfile

import pytest
from conftest import TWO_LINK, export, mbfmu

BINARY = "binaries/x86_64-linux/two_link.so"


def repacked(fmu, target, change):
    """The FMU with its entries changed: a dictionary of names and contents."""
    with zipfile.ZipFile(fmu) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in entries.items():
            archive.writestr(name, contents)
    return target


def without(*names):
    def change(entries):
        for name in names:
            del entries[name]
    return change


def replaced(entry, old, new):
    def change(entries):
        assert old in entries[entry]
        entries[entry] = entries[entry].replace(old, new)
    return change


def cut_binary(entries):
    entries[BINARY] = entries[BINARY][:5000]


def foreign_binary(entries):
    entries[BINARY] = b"MZ" + entries[BINARY][2:]


def outside(entries):
    entries["../evil.txt"] = b"x"


CASES = {
    "whole": (lambda entries: None, []),
    "no_description": (without("modelDescription.xml"), ["modelDescription.xml: missing"]),
    "no_model": (without("resources/model.json"), ["resources/model.json: missing"]),
    "no_binary": (without(BINARY), [f"{BINARY}: missing"]),
    "several": (without(BINARY, "terminalsAndIcons/icon.png", "documentation/index.html"),
                [f"{BINARY}: missing", "icon.png: missing", "index.html: missing"]),
    "cut_binary": (cut_binary, [f"{BINARY}: not a shared object, or cut off"]),
    "foreign_binary": (foreign_binary, [f"{BINARY}: not a shared object"]),
    "symbol": (replaced(BINARY, b"fmi3DoStep\0", b"fmi3DoStop\0"),
               ["does not define fmi3DoStep", "shows fmi3DoStop"]),
    "library": (replaced(BINARY, b"libm.so.6\0", b"libq.so.6\0"), ["needs libq.so.6"]),
    "token": (replaced("modelDescription.xml", b'instantiationToken="{', b'instantiationToken="{0'),
              ["instantiationToken does not belong to resources/model.json"]),
    "reference": (replaced("modelDescription.xml", b'name="m1" valueReference="3000002"',
                           b'name="m1" valueReference="3"'),
                  [r'Float64 "m1": valueReference is "3", expected "3000002"']),
    "variable": (replaced("modelDescription.xml", b'name="theta1"', b'name="angle1"'),
                 ['ModelVariables: Float64 "theta1" is missing', 'ModelVariables: unexpected Float64 "angle1"']),
    "xml": (replaced("modelDescription.xml", b"</ModelVariables>", b""), ["not well-formed"]),
    "terminals": (replaced("terminalsAndIcons/terminalsAndIcons.xml", b'variableName="torque1"',
                           b'variableName="torque2"'), [r"terminalsAndIcons.xml: .*torque1.* is missing"]),
    "model": (replaced("resources/model.json", b'"mass": "m1"', b'"mass": "-m1"'), ["resources/model.json: .*mass"]),
    "outside": (outside, [r"\.\./evil.txt: leads out of the FMU"]),
}


@pytest.mark.parametrize("name", CASES)
def test_damaged(two_link, tmp_path, name):
    change, messages = CASES[name]
    fmu = repacked(two_link, tmp_path / "two_link.fmu", change)
    done = mbfmu("check", fmu)
    assert done.returncode == (1 if messages else 0), done.stderr
    for message in messages:
        assert re.search(message, done.stderr), done.stderr
    assert all(line.startswith(str(fmu)) for line in done.stderr.splitlines()), done.stderr
    if not messages:
        assert "17 files" in done.stdout


def test_arrays_are_no_fault(tmp_path):
    fmu = export(TWO_LINK.parent / "pendulum.json", tmp_path, "--arrays")
    done = mbfmu("check", fmu)
    assert done.returncode == 0, done.stderr


def test_a_damaged_archive(two_link, tmp_path):
    fmu = tmp_path / "two_link.fmu"
    shutil.copy(two_link, fmu)
    with zipfile.ZipFile(fmu) as archive:
        place = archive.getinfo(BINARY).header_offset + 100_000
    contents = bytearray(fmu.read_bytes())
    contents[place] ^= 1
    fmu.write_bytes(contents)
    done = mbfmu("check", fmu)
    assert done.returncode == 1
    assert f"{BINARY}: cannot be unpacked" in done.stderr
    for size in (0, 10, len(contents) // 2):
        fmu.write_bytes(contents[:size])
        done = mbfmu("check", fmu)
        assert done.returncode == 1 and "archive" in done.stderr, done.stderr
