"""Events of finished FMUs: early return with event mode, handling inside without it, discrete inputs."""

import fmpy
import fmpy.fmi1
import fmpy.validation
import numpy as np
import pytest
from conftest import ROOT, export
from slave import Slave


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    return export(ROOT / "examples/bouncing_ball.json", tmp_path_factory.mktemp("ball"))


@pytest.fixture(scope="module")
def clutch(tmp_path_factory):
    return export(ROOT / "examples/clutch.json", tmp_path_factory.mktemp("clutch"))


def start(fmu, folder, event_mode):
    return Slave(fmu, folder, eventModeUsed=event_mode, earlyReturnAllowed=event_mode)


def update(slave):
    *_, next_defined, next_time = slave.slave.updateDiscreteStates()
    return next_defined, next_time


def test_both_ways_to_handle_events_give_the_same_bits(ball, tmp_path):
    inside, outside = start(ball, tmp_path / "a", False), start(ball, tmp_path / "b", True)
    inside.initialise()
    outside.initialise()
    update(outside)
    outside.slave.enterStepMode()
    names, stops, time = ["y", "vy", "force", "energy"], [], 0.0
    for i in range(1, 101):
        end = 0.05 * i
        inside.step(inside_time := 0.05 * (i - 1), end)
        while time < end:
            event, stop, early, last = outside.slave.doStep(time, end - time)
            assert not stop and early == (last < end) and (event or last == end)
            if event:
                stops.append(last)
                outside.slave.enterEventMode()
                update(outside)
                outside.slave.enterStepMode()
            time = last
        assert inside.get(names) == outside.get(names), inside_time
    assert len(stops) > 20
    assert stops[0] == pytest.approx(np.sqrt(1 / 9.81), abs=1e-9)  # half way down: the event of the model file
    assert stops[1] == pytest.approx(np.sqrt(2 / 9.81), abs=1e-9)
    for slave in inside, outside:
        assert slave.get(["solver.events", "solver.lastEventTime"]) == [len(stops), stops[-1]]
    inside.close()
    outside.close()


def test_boolean_inputs_change_in_event_mode(clutch, tmp_path):
    slave = start(clutch, tmp_path, True)
    on, locked = slave.references["engaged"], slave.references["locked"]
    slave.slave.setBoolean([on], [False])
    slave.initialise()
    update(slave)
    slave.slave.enterStepMode()
    slave.slave.doStep(0, 0.5)
    assert slave.get(["motor_speed", "load_speed"]) == pytest.approx([100, 0], abs=1e-9)
    slave.slave.enterEventMode()
    slave.slave.setBoolean([on], [True])
    update(slave)
    slave.slave.enterStepMode()
    # Slips with 8 N.m until both turn at 100 J1 / (J1 + J2).
    event, _, early, time = slave.slave.doStep(0.5, 3)
    assert event and early
    assert time == pytest.approx(0.5 + 100 / (8 / 0.5 + 8 / 0.2), abs=1e-9)
    slave.slave.enterEventMode()
    update(slave)
    assert slave.slave.getBoolean([locked])[0]
    assert slave.get(["momentum"])[0] == pytest.approx(50, abs=1e-9)
    assert slave.get(["motor_speed", "load_speed"]) == pytest.approx([50 / 0.7] * 2, abs=1e-9)
    slave.slave.enterStepMode()
    with pytest.raises(fmpy.fmi1.FMICallException):
        slave.slave.setBoolean([on], [False])


def test_discrete_variables_are_declared_so(clutch, ball):
    description = fmpy.read_model_description(str(clutch))
    kinds = {v.name: (v.type, v.variability) for v in description.modelVariables}
    assert kinds["engaged"] == ("Boolean", "discrete") and kinds["locked"] == ("Boolean", "discrete")
    assert kinds["torque"] == ("Float64", "continuous")
    kinds = {v.name: (v.type, v.variability) for v in fmpy.read_model_description(str(ball)).modelVariables}
    assert kinds["falls"] == ("Int64", "discrete") and kinds["resting"] == ("Boolean", "discrete")


@pytest.mark.parametrize("name", ["bouncing_ball", "stick_slip", "clutch"])
def test_examples_are_valid_and_run_in_fmpy(name, tmp_path):
    fmu = export(ROOT / f"examples/{name}.json", tmp_path)
    assert fmpy.validation.validate_fmu(str(fmu)) == []
    result = fmpy.simulate_fmu(str(fmu), stop_time=2, output_interval=0.01)
    assert np.all(np.isfinite(result["energy"]))
