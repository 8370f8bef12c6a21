"""Initial values as a user meets them: what is found, said, and simulated."""

import json

import fmpy
import numpy as np
import pytest
from conftest import export, mbfmu

G = 9.81
LINK = {"mass": 1, "inertia": "1/12", "markers": {"l": [-0.5, 0], "r": [0.5, 0]}}


def parallelogram(cranks, angle, rate):
    """Cranks of equal length side by side under one bar: one degree of freedom, and more than two cranks are redundant."""
    bodies = {"ground": {"markers": {f"o{i}": [i, 0] for i in range(cranks)}}, "bar": {
        "mass": 1, "inertia": 1, "markers": {f"p{i}": [i, 0] for i in range(cranks)}}}
    joints = {}
    for i in range(cranks):
        bodies[f"crank{i}"] = dict(LINK)
        joints[f"hip{i}"] = {"type": "revolute", "between": [f"ground.o{i}", f"crank{i}.l"], "start": {"angle": angle, "rate": rate}}
        start = {"start": {"angle": -angle, "rate": -rate}} if i == 0 else {}
        joints[f"knee{i}"] = {"type": "revolute", "between": [f"crank{i}.r", f"bar.p{i}"], **start}
    return {"name": "parallelogram", "space": "planar", "gravity": [0, -G], "bodies": bodies, "joints": joints,
            "outputs": {"x": "bar.p0.x", "y": "bar.p0.y", "angle": f"hip{cranks - 1}.angle", "tilt": "bar.angle", "energy": "energy.total"},
            "solver": {"rtol": 1e-8, "atol": 1e-8}, "experiment": {"stop": 2, "step": 0.02}}


def written(folder, model):
    file = folder / f"{model['name']}.json"
    file.write_text(json.dumps(model))
    return file


def pendulum(cranks, angle, rate, times):
    """The one degree of freedom, by small Runge-Kutta steps."""
    inertia, weight = cranks * (1 / 12 + 1 / 4) + 1, (cranks / 2 + 1) * G
    f = lambda y: np.array([y[1], -weight / inertia * np.cos(y[0])])  # noqa: E731
    y, rows = np.array([angle, rate], float), [angle]
    for begin, end in zip(times[:-1], times[1:]):
        for _ in range(20):
            h = (end - begin) / 20
            k1 = f(y)
            k2 = f(y + h / 2 * k1)
            k3 = f(y + h / 2 * k2)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))
        rows.append(y[0])
    return np.array(rows)


def test_redundant_constraints_are_named_and_left_out(tmp_path):
    file = written(tmp_path, parallelogram(4, 1.0, -4.0))
    done = mbfmu("check", file)
    assert done.returncode == 0, done.stderr
    assert "degrees of freedom: 1\n" in done.stdout and "constraints: 16\n" in done.stdout
    assert done.stdout.count("note: redundant constraint left out: ") == 2
    assert "which follows from" in done.stdout and "singular" not in done.stdout
    done = mbfmu("simulate", file, "-o", tmp_path / "out.csv")
    assert done.returncode == 0 and done.stderr.count("note: redundant constraint left out: ") == 2
    assert mbfmu("simulate", file, "--quiet", "-o", tmp_path / "out.csv").stderr == ""
    result = np.genfromtxt(tmp_path / "out.csv", delimiter=",", names=True)
    angle = pendulum(4, 1.0, -4.0, result["time"])
    assert np.max(np.abs(result["angle"] - angle)) < 1e-6 and np.max(np.abs(result["x"] - np.cos(angle))) < 1e-6


def test_redundant_constraints_are_in_the_log_of_the_fmu(tmp_path):
    fmu = export(written(tmp_path, parallelogram(3, 1.0, -2.0)), tmp_path)
    lines = []
    fmpy.simulate_fmu(str(fmu), stop_time=0.1, debug_logging=True,
                      logger=lambda environment, status, category, message: lines.append(message.decode()))
    assert sum("redundant constraint left out: " in line for line in lines) == 1


def test_singular_start_is_reported_and_stays_on_its_branch(tmp_path):
    """The cranks lie along the ground; the bar could also turn over."""
    file = written(tmp_path, parallelogram(2, 0.0, -3.0))
    done = mbfmu("check", file)
    assert done.returncode == 0 and "initial pose: singular, assembles" in done.stdout
    assert "degrees of freedom: 1\n" in done.stdout and "redundant: none\n" in done.stdout
    done = mbfmu("simulate", file, "-o", tmp_path / "out.csv")
    assert done.returncode == 0 and "note: the initial pose is singular" in done.stderr
    result = np.genfromtxt(tmp_path / "out.csv", delimiter=",", names=True)
    angle = pendulum(2, 0.0, -3.0, result["time"])
    assert np.max(np.abs(result["angle"] - angle)) < 1e-5 and np.max(np.abs(result["tilt"])) < 1e-6


@pytest.mark.parametrize("change, message", [
    (lambda m: m["bodies"]["crank1"].update(markers={"l": [-5, 0], "r": [5, 0]}), "cannot be assembled: "),
    (lambda m: m["joints"].update(rod={"type": "rod", "between": ["ground.o0", "bar.p0"], "length": 1.2}), "contradict each other: "),
    (lambda m: m["joints"]["hip0"].update(motion="1 + time"), "")])
def test_what_cannot_be_fulfilled(tmp_path, change, message):
    model = parallelogram(2, 1.0, -2.0)
    change(model)
    file = written(tmp_path, model)
    done = mbfmu("check", file)
    if not message:
        assert done.returncode == 0 and "degrees of freedom: 0\n" in done.stdout
        return
    assert done.returncode == 1 and message in done.stderr and "is violated by" in done.stderr
    assert "initial pose: does not assemble" in done.stdout
    assert mbfmu("simulate", file).returncode == 1


def test_every_path_is_listed(tmp_path):
    """What `check` lists can be an output, and what it does not mark as outputs only can be in a force."""
    model = parallelogram(2, 1.0, -2.0)
    file = written(tmp_path, model)
    listing = mbfmu("check", file).stdout.split("in outputs only):\n", 1)[1]
    paths = []
    for line in listing.splitlines():
        owner, _, names = line.strip().rpartition(": ")
        paths += [(f"{owner}.{name}" if owner else name) for name in names.split(", ")]
    assert {"crank0.angle", "crank0.l.vx", "hip0.rate", "hip0.force.x*", "energy.total*", "time"} <= set(paths)
    model["outputs"] = {f"o{i}": path.rstrip("*") for i, path in enumerate(paths)}
    model["forces"] = {f"f{i}": {"type": "torque", "body": "bar", "value": f"0*{path}"}
                       for i, path in enumerate(paths) if not path.endswith("*")}
    done = mbfmu("check", written(tmp_path, model))
    assert done.returncode == 0, done.stderr
