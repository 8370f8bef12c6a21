"""Restores a state from bytes in this process, goes on and prints the outputs digit by digit.

    python go_on.py FMU STATE_FILE TIME STEPS
"""

import sys
import tempfile
from pathlib import Path

from slave import Slave


def go_on(slave, time, steps):
    names = ("x1", "y1", "theta1", "x2", "y2", "theta2", "energy")
    rows = []
    for k in range(steps):
        slave.set(torque1=0.5 * (k % 3))
        slave.step(time, time + 0.02)
        time += 0.02
        rows.append([value.hex() for value in slave.get(names)])
    return rows


if __name__ == "__main__":
    fmu, state, time, steps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        instance = Slave(fmu, folder)
        pointer = instance.slave.deserializeFMUState(Path(state).read_bytes())
        instance.slave.setFMUState(pointer)
        print(go_on(instance, float(time), int(steps)))
        instance.close()
