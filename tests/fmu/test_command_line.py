"""The contract of the command line: exit codes, streams, files."""

import contextlib
import json
import os
import pty
import re
import zipfile

import pytest
from conftest import MBFMU, TWO_LINK, mbfmu

STATS = {"steps", "rejected_steps", "newton_iterations", "jacobian_evaluations", "factorizations",
         "residual_evaluations", "events", "restarts", "warm_restarts", "cpu_seconds", "min_step_size",
         "max_step_size"}


@pytest.mark.parametrize("command", ["", "export", "simulate", "check", "integrators"])
def test_help(command):
    done = mbfmu(*command.split(), "--help")
    assert done.returncode == 0
    assert command in done.stdout and done.stderr == ""


@pytest.mark.parametrize("arguments", [
    [], ["exprot"], ["export"], ["export", TWO_LINK, "--wrong"], ["simulate", TWO_LINK, "--step", "0"],
    ["simulate", TWO_LINK, "--step", "-1"], ["simulate", TWO_LINK, "--step", "nan"],
    ["simulate", TWO_LINK, "--rtol", "0"], ["simulate", TWO_LINK, "--atol", "abc"],
    ["simulate", TWO_LINK, "--stop-time", "x"], ["export", TWO_LINK, "--integrator", "nonsense"],
    ["export", TWO_LINK, "--set", "no_equals_sign"]])
def test_wrong_usage(arguments, tmp_path):
    done = mbfmu(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr and done.stdout == ""
    assert os.listdir(tmp_path) == []


def test_default_output_is_the_model_name(tmp_path):
    done = mbfmu("export", TWO_LINK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert os.listdir(tmp_path) == ["two_link.fmu"]
    assert "two_link.fmu" in done.stdout and done.stderr == ""


def test_quiet(tmp_path):
    done = mbfmu("export", TWO_LINK, "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = mbfmu("--quiet", "simulate", TWO_LINK, "--stop-time", "0.1", "-o", "out.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def on_a_terminal(*arguments):
    """What the command line writes when its streams are a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(MBFMU, [MBFMU, *map(str, arguments)])
    written = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while part := os.read(terminal, 4096):
            written += part
    assert os.waitpid(child, 0)[1] == 0
    return written.decode()


def test_progress_on_a_terminal_only(tmp_path):
    # Runs of a bit more than a second on a fast machine.
    long = ["simulate", TWO_LINK, "--stop-time", "4000", "--step", "0.5", "-o", tmp_path / "out.csv"]
    written = on_a_terminal(*long)
    assert re.search(r"\r\[#*\.+\] +\d+ %", written) and "points" in written
    assert re.search(r"\] +\d+ %", on_a_terminal(*long, "--quiet")) is None
    assert re.search(r"\] +\d+ %", on_a_terminal(*long[:3], "0.1", *long[4:])) is None
    done = mbfmu(*long)
    assert done.returncode == 0 and done.stderr == ""


def test_integrators():
    done = mbfmu("integrators")
    assert done.returncode == 0
    assert "lstable" in done.stdout and "rtol" in done.stdout


def test_check_model():
    done = mbfmu("check", TWO_LINK)
    assert done.returncode == 0, done.stderr
    for line in ("degrees of freedom: 2", "constraints: 4", "redundant: none", "initial pose: assembles"):
        assert line in done.stdout


def test_check_fmu(two_link):
    done = mbfmu("check", two_link)
    assert done.returncode == 0, done.stderr


def damaged(two_link, target, change):
    """A copy of the FMU with its entries passed through `change`."""
    source = zipfile.ZipFile(two_link)
    entries = change({name: source.read(name) for name in source.namelist()})
    with zipfile.ZipFile(target, "w") as archive:
        for name, contents in entries.items():
            archive.writestr(name, contents)
    return target


@pytest.mark.parametrize("name, change, message", [
    ("no_binary", lambda e: {k: v for k, v in e.items() if not k.startswith("binaries/")}, "binaries/"),
    ("no_xml", lambda e: {k: v for k, v in e.items() if k != "modelDescription.xml"}, "modelDescription.xml"),
    ("bad_xml", lambda e: {**e, "modelDescription.xml": b"<fmi"}, "modelDescription.xml"),
    ("no_model", lambda e: {k: v for k, v in e.items() if k != "resources/model.json"}, "resources/model.json"),
    ("bad_model", lambda e: {**e, "resources/model.json": b"{"}, "resources/model.json"),
    ("other_model", lambda e: {**e, "resources/model.json":
                               e["resources/model.json"].replace(b"9.81", b"9.80")}, "instantiationToken")])
def test_check_finds_damage(two_link, tmp_path, name, change, message):
    done = mbfmu("check", damaged(two_link, tmp_path / f"{name}.fmu", change))
    assert done.returncode == 1
    assert message in done.stderr


def test_check_of_something_else(tmp_path):
    (tmp_path / "text.fmu").write_text("not a zip archive")
    done = mbfmu("check", tmp_path / "text.fmu")
    assert done.returncode == 1 and "text.fmu" in done.stderr


def test_simulate_writes_table_and_stats(tmp_path):
    done = mbfmu("simulate", TWO_LINK, "--stop-time", "1", "--step", "0.3", "--stats", "stats.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    header, *rows = done.stdout.splitlines()
    assert header == "time,x1,y1,theta1,x2,y2,theta2,energy"
    assert [float(row.split(",")[0]) for row in rows] == pytest.approx([0, 0.3, 0.6, 0.9, 1.0])
    stats = json.loads((tmp_path / "stats.json").read_text())
    assert STATS <= set(stats)
    assert stats["steps"] > 0 and 0 < stats["min_step_size"] <= stats["max_step_size"]


@pytest.mark.parametrize("text, message", [
    ("", "empty"), ("t,torque1\n0,0\n", "time"), ("time,torque2\n0,0\n", "torque2"), ("time,torque1\n0\n", ":2"),
    ("time,torque1\n0,abc\n", "abc"), ("time,torque1\n0,nan\n", "nan"), ("time,torque1\n1,0\n1,0\n", "increase"),
    ("time,torque1\n", "no rows")])
def test_bad_input_table(tmp_path, text, message):
    (tmp_path / "input.csv").write_text(text)
    done = mbfmu("simulate", TWO_LINK, "--input", tmp_path / "input.csv", "-o", tmp_path / "out.csv")
    assert done.returncode == 1
    assert "input.csv" in done.stderr and message in done.stderr and done.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == ["input.csv"]


@pytest.mark.parametrize("command", ["export", "simulate"])
def test_unwritable_output(tmp_path, command):
    done = mbfmu(command, TWO_LINK, "-o", tmp_path / "missing" / "out")
    assert done.returncode == 1
    assert str(tmp_path / "missing" / "out") in done.stderr and done.stderr.count("\n") == 1
    (tmp_path / "folder").mkdir()
    done = mbfmu(command, TWO_LINK, "-o", tmp_path / "folder")
    assert done.returncode == 1 and "folder" in done.stderr
    assert os.listdir(tmp_path) == ["folder"] and os.listdir(tmp_path / "folder") == []


def test_a_device_stays_a_device(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = mbfmu("export", TWO_LINK, "-o", pipe)
    assert done.returncode == 1 and "pipe: cannot write: not a file" in done.stderr
    assert pipe.is_fifo()
    done = mbfmu("simulate", TWO_LINK, "--stop-time", "0.1", "-o", "/dev/full")
    assert done.returncode == 1 and "/dev/full: cannot write" in done.stderr


def test_a_failed_export_keeps_the_older_fmu(tmp_path):
    old = tmp_path / "two_link.fmu"
    old.write_text("older")
    (tmp_path / "broken.json").write_text("{")
    assert mbfmu("export", tmp_path / "broken.json", "-o", old).returncode == 1
    assert old.read_text() == "older"
