"""Instances of the two-link manipulator, driven call by call."""

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import TWO_LINK, export, mbfmu
from fmpy import simulate_fmu
from go_on import go_on
from slave import Slave

OUTPUTS = ("x1", "y1", "theta1", "x2", "y2", "theta2", "energy")


def run(fmu, folder, torque, times):
    slave = Slave(fmu, folder)
    slave.initialise(torque1=torque)
    rows = [slave.get(OUTPUTS)]
    for start, stop in zip(times, times[1:]):
        slave.step(start, stop)
        rows.append(slave.get(OUTPUTS))
    slave.close()
    return rows


def test_path_with_spaces_and_other_letters(two_link, tmp_path):
    folder = tmp_path / "Gelenk é 机构 with spaces"
    folder.mkdir()
    fmu = folder / "zwei Glieder ü.fmu"
    shutil.copy(two_link, fmu)
    result = simulate_fmu(str(fmu), stop_time=0.1, output=["x1"])
    assert np.isfinite(result["x1"]).all()
    assert run(fmu, folder / "öffnen", 0.0, [0.0, 0.1])[-1][0] == pytest.approx(result["x1"][-1], abs=1e-5)


def test_interleaved_instances_equal_single_ones(two_link, tmp_path):
    times = [i * 0.01 for i in range(101)]
    alone = [run(two_link, tmp_path / f"alone{torque}", torque, times) for torque in (0.0, 2.5)]
    pair = [Slave(two_link, tmp_path / name, name) for name in ("first", "second")]
    for slave, torque in zip(pair, (0.0, 2.5)):
        slave.initialise(torque1=torque)
    rows = [[slave.get(OUTPUTS)] for slave in pair]
    for start, stop in zip(times, times[1:]):
        for slave, collected in zip(pair, rows):
            slave.step(start, stop)
            collected.append(slave.get(OUTPUTS))
    for slave in pair:
        slave.close()
    assert rows == alone
    assert alone[0] != alone[1]


def test_a_state_goes_on_in_another_process(two_link, tmp_path):
    slave = Slave(two_link, tmp_path / "first")
    slave.initialise()
    slave.step(0.0, 0.37)
    state = slave.slave.getFMUState()
    (tmp_path / "state.bin").write_bytes(bytes(slave.slave.serializeFMUState(state)))
    slave.slave.freeFMUState(state)
    done = subprocess.run([sys.executable, Path(__file__).with_name("go_on.py"), two_link, tmp_path / "state.bin",
                           "0.37", "20"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(go_on(slave, 0.37, 20))
    slave.close()


def torque_at(t):
    """The table written below, interpolated as the command line does: to the last bit."""
    if t >= 1.0:
        return -1.0
    start, low, high = (0.0, 0.0, 3.0) if t < 0.5 else (0.5, 3.0, -1.0)
    return low + (t - start) / 0.5 * (high - low)


@pytest.mark.parametrize("with_input", [False, True])
def test_command_line_and_fmu_give_equal_bits(tmp_path, with_input):
    fmu = export(TWO_LINK, tmp_path, "--set", "solver.rtol=1e-8")
    arguments = ["--rtol", "1e-8", "--stop-time", "2", "--step", "0.01"]
    if with_input:
        (tmp_path / "input.csv").write_text("time,torque1\n0,0\n0.5,3\n1,-1\n")
        arguments += ["--input", tmp_path / "input.csv"]
    done = mbfmu("simulate", TWO_LINK, *arguments, "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    with open(tmp_path / "out.csv", newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    assert header == ["time", *OUTPUTS]
    table = [[float(cell) for cell in row] for row in rows]
    assert len(table) == 201

    slave = Slave(fmu, tmp_path / "unpacked")
    slave.initialise(stop_time=2.0, torque1=torque_at(0.0) if with_input else 0.0)
    assert slave.get(OUTPUTS) == table[0][1:]
    for row, following in zip(table, table[1:]):
        if with_input:
            slave.set(torque1=torque_at(row[0]))
        slave.step(row[0], following[0])
        assert slave.get(OUTPUTS) == following[1:]
    slave.close()
