"""The two-link manipulator through FMPy against the quadruple-precision reference."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "examples"))
import two_link as example  # noqa: E402


@pytest.fixture(scope="module")
def result(two_link):
    return example.simulate(str(two_link), rtol=1e-8)


def test_one_row_per_communication_point(result):
    assert len(result) == example.POINTS + 1
    assert result["time"][0] == 0 and result["time"][-1] == pytest.approx(example.STOP_TIME)


@pytest.mark.parametrize("time, bound", [(1.0, 1e-6), (2.0, 1e-5)])
def test_coordinates(result, time, bound):
    assert example.deviations(result)[time] < bound


def test_energy_drift(result):
    assert result["energy"][0] == pytest.approx(12.743564, abs=1e-6)
    assert example.energy_drift(result) < 1e-5


def test_plot_and_table(result, tmp_path, capsys):
    example.print_table(result)
    assert "energy drift" in capsys.readouterr().out
    example.plot(result, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 10_000
