"""Every example under FMPy's own master: with and without event mode, with recorded and with interpolated inputs."""

import numpy as np
import pytest
from conftest import ROOT, export, mbfmu
from fmpy import read_model_description, simulate_fmu

NAMES = sorted(file.stem for file in (ROOT / "examples").glob("*.json"))
POINTS = 40


class Example:
    def __init__(self, name, folder):
        self.model = ROOT / f"examples/{name}.json"
        # Steps of the integrator end at communication points here and there; tight tolerances keep that small.
        self.settings = [part for key in ("rtol", "atol") for part in ("--set", f"solver.{key}=1e-9")]
        self.fmu = export(self.model, folder, *self.settings)
        description = read_model_description(str(self.fmu))
        self.inputs = [v for v in description.modelVariables if v.causality == "input"]
        self.outputs = [v.name for v in description.modelVariables
                        if v.causality == "output" and v.type == "Float64" and not v.name.startswith("solver.")]
        self.stop = 0.2 * float(description.defaultExperiment.stopTime)
        self.step = self.stop / POINTS

    def signals(self, times, jump=None):
        """A wave at each input, sampled at `times`; with a jump, one time comes twice."""
        columns = []
        for variable in self.inputs:
            start = float(variable.start)
            columns.append(start + 0.05 * max(1, abs(start)) * np.sin(7 * times / self.stop + len(columns)))
        if jump is not None:
            after = times > jump
            times = np.concatenate([times[~after], [jump], times[after]])
            columns = [np.concatenate([c[~after], [c[~after][-1] + 0.02], c[after] + 0.02]) for c in columns]
        names = ["time"] + [v.name for v in self.inputs]
        table = np.zeros(len(times), [(name, float) for name in names])
        for name, column in zip(names, [times, *columns]):
            table[name] = column
        return table

    def run(self, **options):
        result = simulate_fmu(str(self.fmu), stop_time=self.stop, output_interval=self.step, output=self.outputs,
                              validate=False, relative_tolerance=1e-9, **options)
        # In event mode an event gives a second row, with the values behind it.
        return result[np.unique(result["time"], return_index=True)[1]]


@pytest.fixture(scope="module", params=NAMES)
def example(request, tmp_path_factory):
    return Example(request.param, tmp_path_factory.mktemp(request.param))


def assert_same(one, other, bound=1e-6):
    assert len(one) == len(other)
    for name in one.dtype.names:
        size = max(1.0, np.max(np.abs(other[name])))
        assert np.max(np.abs(one[name] - other[name])) < bound * size, name


def test_event_mode_and_early_return_change_nothing(example):
    plain = example.run()
    assert len(plain) == POINTS + 1
    assert_same(example.run(use_event_mode=True, early_return_allowed=True), plain)


def test_interpolated_inputs_are_those_of_the_command_line(example, tmp_path):
    if not example.inputs:
        return  # nothing to set: the test above says it all
    table = example.signals(np.linspace(0, example.stop, 5))
    np.savetxt(tmp_path / "input.csv", np.array(table.tolist()), "%.17g", ",", comments="",
               header=",".join(table.dtype.names))
    done = mbfmu("simulate", example.model, *example.settings, "--input", tmp_path / "input.csv", "-q", "--stop-time",
                 example.stop, "--step", example.step, "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    expected = np.genfromtxt(tmp_path / "out.csv", delimiter=",", names=True, deletechars="")
    assert_same(example.run(input=table), expected, 1e-9)


def test_recorded_inputs_with_a_jump(example):
    if not example.inputs:
        return
    times = np.arange(POINTS + 1) * example.step
    table = example.signals(times, jump=times[17])
    plain = example.run(input=table)
    assert_same(example.run(input=table, use_event_mode=True), plain)
    assert_same(example.run(input=table, use_event_mode=True, early_return_allowed=True), plain)
    # The jump is felt.
    smooth = example.run(input=example.signals(times))
    assert any(np.max(np.abs(plain[name] - smooth[name])) > 1e-7 for name in example.outputs)
