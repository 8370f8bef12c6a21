"""Force elements and driven motion against motions known in closed form."""

import json

import numpy as np
import pytest
from conftest import mbfmu

GROUND = {"markers": {"O": [0, 0]}}
SLIDE = {"type": "prismatic", "between": ["ground.O", "block"], "axis": [1, 0]}


def simulate(folder, bodies, outputs, stop=1.0, solver=None, table=None, **sections):
    """The model at 100 communication points; `table` is a CSV of inputs."""
    model = {"name": "element", "space": "planar", "bodies": {"ground": GROUND, **bodies}, "outputs": outputs,
             "solver": {"rtol": 1e-8, "atol": 1e-9, **(solver or {})}, "experiment": {"stop": stop, "step": stop / 100}, **sections}
    file = folder / "element.json"
    file.write_text(json.dumps(model))
    arguments = []
    if table:
        (folder / "input.csv").write_text(table)
        arguments = ["--input", folder / "input.csv"]
    done = mbfmu("simulate", file, "-q", "-o", folder / "element.csv", *arguments)
    assert done.returncode == 0, done.stderr
    return np.genfromtxt(folder / "element.csv", delimiter=",", names=True, deletechars="")


# Where steps are kept to the communication step, a test is about an element and not about the integrator's
# interpolation of accelerations within a long step, or about a short impact that a long step meets.
def test_actuator(tmp_path):
    force = {"type": "actuator", "joint": "slide", "time_constant": 0.2, "limit": 2, "value": {"input": "u"}}
    result = simulate(tmp_path, {"block": {"mass": 4, "inertia": 1}}, {"f": "motor.value", "a": "slide.acceleration"},
                      joints={"slide": SLIDE}, forces={"motor": force}, inputs={"u": {"start": 5}},
                      solver={"maxStep": 0.01})
    assert result["f"] == pytest.approx(2 * (1 - np.exp(-result["time"] / 0.2)), abs=1e-7)
    assert result["a"] == pytest.approx(result["f"] / 4, abs=1e-7)


def test_coulomb_friction_stops_the_block(tmp_path):
    slide = {**SLIDE, "start": {"position": 0, "rate": 2}, "friction": {"coulomb": 6, "speed": 1e-4}}
    result = simulate(tmp_path, {"block": {"mass": 3, "inertia": 1}}, {"x": "slide.position", "v": "slide.rate"},
                      stop=2.0, joints={"slide": slide})
    # Decelerates by 2 m/s2 and stops after 1 s and 1 m.
    assert result["x"][50] == pytest.approx(1, abs=1e-3) and result["x"][-1] == pytest.approx(1, abs=1e-3)
    assert result["v"][25] == pytest.approx(1, abs=1e-4) and abs(result["v"][-1]) < 1e-6


def test_spring_law_and_table_agree_with_the_linear_spring(tmp_path):
    bodies = {"block": {"mass": 2, "inertia": 1}}
    joints = {"slide": {**SLIDE, "start": {"position": 1.5}}}
    springs = [{"stiffness": 50, "length": 1}, {"force": "-50*(s.length - 1)"}, {"table": [[0, 50], [1, 0], [2, -50]]}]
    results = [simulate(tmp_path, bodies, {"x": "slide.position", "f": "s.value"}, joints=joints,
                        forces={"s": {"type": "spring", "between": ["ground.O", "block"], **spring}})
               for spring in springs]
    exact = 1 + 0.5 * np.cos(5 * results[0]["time"])
    for result in results:
        assert result["x"] == pytest.approx(exact, abs=1e-6)
        assert result["f"] == pytest.approx(-50 * (exact - 1), abs=1e-4)


def contact(**values):
    return {"type": "contact", "between": ["ground.O", "ball"], "radius": 0.1, "stiffness": 1e5, **values}


def test_ball_bounces(tmp_path):
    def run(damping):
        return simulate(tmp_path, {"ball": {"mass": 1, "inertia": 0.004, "pose": {"position": [0, 1.1]}}},
                        {"y": "ball.y", "v": "ball.vy", "n": "c.value"}, stop=0.8, gravity=[0, -9.81],
                        forces={"c": contact(damping=damping)}, solver={"maxStep": 0.008})

    # Without damping the speed returns; the fall of 1 m takes 0.45 s.
    elastic = run(0)
    assert np.max(elastic["v"]) == pytest.approx(np.sqrt(2 * 9.81), abs=0.1)
    energy = elastic["v"]**2 / 2 + 9.81 * elastic["y"]
    free = elastic["n"] == 0
    assert energy[free] == pytest.approx(9.81 * 1.1, abs=1e-5)
    assert np.max(run(0.2)["v"]) < 0.8 * np.sqrt(2 * 9.81) and np.min(run(0.2)["n"]) >= 0


def test_circle_rolls(tmp_path):
    """On a plane tilted by 0.2 rad it rolls without slip: a = g sin / (1 + J / (m r^2))."""
    tilt, g, r, mass, inertia = 0.2, 9.81, 0.1, 1.0, 0.005
    sink = (mass * g * np.cos(tilt) / 1e5)**(2 / 3)
    normal = np.array([np.sin(tilt), np.cos(tilt)])
    start = (normal * (r - sink)).tolist()
    result = simulate(tmp_path, {"ball": {"mass": mass, "inertia": inertia, "pose": {"position": start}}},
                      {"x": "ball.x", "y": "ball.y", "turn": "ball.angle", "n": "c.value", "t": "c.friction"},
                      gravity=[0, -g], forces={"c": contact(normal=normal.tolist(), damping=0.5, friction=0.8, speed=1e-4)})
    path = result["x"] * np.cos(tilt) - result["y"] * np.sin(tilt)
    expected = g * np.sin(tilt) / (1 + inertia / (mass * r**2)) * result["time"]**2 / 2
    assert path == pytest.approx(expected, abs=1e-3)
    assert -r * result["turn"] == pytest.approx(expected, abs=1e-3)
    assert result["n"][-1] == pytest.approx(mass * g * np.cos(tilt), rel=1e-3)


def test_no_degree_of_freedom_left(tmp_path):
    """A body on a prescribed circle: its reaction is the centripetal force and the weight."""
    joints = {"path": {"type": "driven_point", "between": ["ground.O", "block"], "x": "cos(3*time)", "y": "sin(3*time)"}}
    result = simulate(tmp_path, {"block": {"type": "point", "mass": 2}},
                      {"x": "block.x", "fx": "path.force.x", "fy": "path.force.y"}, stop=2.0, gravity=[0, -10],
                      joints=joints)
    time = result["time"]
    assert result["x"] == pytest.approx(np.cos(3 * time), abs=1e-7)
    assert result["fx"] == pytest.approx(-2 * 9 * np.cos(3 * time), abs=1e-4)
    assert result["fy"] == pytest.approx(20 - 2 * 9 * np.sin(3 * time), abs=1e-4)


@pytest.mark.parametrize("integrator", ["lstable", "bdf", "generalized-alpha", "explicit"])
def test_motion_follows_an_input(tmp_path, integrator):
    """The setpoint is critically damped: after a step of the input at 0.11 s it is there without overshoot, and the drive
    is the mass times its acceleration."""
    slide = {**SLIDE, "motion": {"input": "u", "time_constant": 0.1}}
    result = simulate(tmp_path, {"block": {"mass": 2, "inertia": 1}},
                      {"x": "slide.position", "v": "slide.rate", "a": "slide.acceleration", "drive": "slide.drive"},
                      joints={"slide": slide}, inputs={"u": {"start": 0.5}}, table="time,u\n0,0.5\n0.1,0.5\n0.11,1.5\n",
                      solver={"integrator": integrator, "maxStep": 0.01})
    s = np.maximum(result["time"] - 0.11, 0) / 0.1
    bound = 1e-6
    assert result["x"] == pytest.approx(0.5 + 1 - (1 + s) * np.exp(-s), abs=bound)
    assert result["v"] == pytest.approx(s * np.exp(-s) / 0.1, abs=10 * bound)
    after = result["time"] > 0.115
    assert result["drive"][after] == pytest.approx((2 * (1 - s) * np.exp(-s) / 0.01)[after], abs=2000 * bound)
    assert result["drive"] == pytest.approx(2 * result["a"], abs=1e-6)


def test_driven_point_follows_inputs(tmp_path):
    """A body led along a path that only the master knows; the constraint holds with all its derivatives."""
    path = {"type": "driven_point", "between": ["ground.O", "block"], "x": {"input": "u", "time_constant": 0.02}, "y": "time"}
    result = simulate(tmp_path, {"block": {"type": "point", "mass": 2}}, {"x": "block.x", "y": "block.y", "fx": "path.force.x"},
                      joints={"path": path}, inputs={"u": {"start": 0}}, table="time,u\n0,0\n1,1\n", solver={"maxStep": 0.01})
    # Behind a ramp by twice the time constant, and by half a communication step since inputs are held.
    assert result["x"][-1] == pytest.approx(1 - 2 * 0.02 - 0.005, abs=1e-3)
    assert result["y"] == pytest.approx(result["time"], abs=1e-7)
