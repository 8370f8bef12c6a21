"""Drives the two-link manipulator's FMU with FMPy and compares it with a reference of 20 digits.

    python two_link.py two_link.fmu [--plot two_link.png]
"""

import argparse

import numpy as np
from fmpy import read_model_description, simulate_fmu

STOP_TIME = 10.0
POINTS = 1000
NAMES = ("x1", "y1", "theta1", "x2", "y2", "theta2")

# Computed in quadruple precision, in minimal and in absolute coordinates, which agree to more digits than these.
REFERENCE = {
    1.0: (-0.41071315069920414, -0.28515733874956266, -2.5347037625900243,
          -0.85545533526966479, -1.4356712657642109, -1.6100997888282857),
    2.0: (-0.48271496571754094, -0.13033135414133191, -2.8778840757175505,
          -0.10618046850946558, -0.15254073798041704, -6.1580101748929477),
    5.0: (-0.37589044845029954, -0.32970649184362855, -2.4215549946810343,
          -1.5993904716741776, -0.48176724421638358, -15.914557377447329),
}


def simulate(fmu, rtol=1e-8):
    """The outputs over 10 s at 1000 communication points, and the integrator's work counts."""
    counts = [v.name for v in read_model_description(fmu).modelVariables if v.name in ("solver.steps", "solver.jacobians")]
    return simulate_fmu(fmu, stop_time=STOP_TIME, output_interval=STOP_TIME / POINTS, relative_tolerance=rtol,
                        output=[*NAMES, "energy", *counts])


def deviations(result):
    """Time -> largest difference to the reference over all coordinates."""
    found = {}
    for time, expected in REFERENCE.items():
        row = result[np.argmin(np.abs(result["time"] - time))]
        found[time] = max(abs(row[name] - value) for name, value in zip(NAMES, expected))
    return found


def energy_drift(result):
    return float(np.max(np.abs(result["energy"] - result["energy"][0])))


def tip(result):
    """The free end of the second link, which is sqrt(3) m long."""
    half = np.sqrt(3) / 2
    return result["x2"] + half * np.cos(result["theta2"]), result["y2"] + half * np.sin(result["theta2"])


def print_table(result):
    print("two-link manipulator through FMPy, 10 s, 1000 communication points, rtol 1e-8")
    print(f"{'t / s':>6}  {'x2 / m':>19}  {'reference':>19}  {'largest deviation':>17}")
    differences = deviations(result)
    for time, expected in REFERENCE.items():
        row = result[np.argmin(np.abs(result["time"] - time))]
        print(f"{time:6.1f}  {row['x2']:19.15f}  {expected[3]:19.15f}  {differences[time]:17.1e}")
    print(f"energy drift  {energy_drift(result):.1e} J")
    for name, label in (("solver.steps", "steps"), ("solver.jacobians", "Jacobians")):
        if name in result.dtype.names:
            print(f"{label:<12}  {int(result[name][-1])}")


def plot(result, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
                         "axes.grid": True, "grid.alpha": 0.25, "axes.titleweight": "bold", "axes.titlesize": 10})
    figure = plt.figure(figsize=(10, 4.8), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.25))
    time = result["time"]

    path = figure.add_subplot(grid[:, 0])
    x, y = tip(result)
    points = np.column_stack([x, y]).reshape(-1, 1, 2)
    lines = matplotlib.collections.LineCollection(np.concatenate([points[:-1], points[1:]], axis=1), cmap="viridis",
                                                  array=time[:-1], linewidth=1.1, alpha=0.9)
    path.add_collection(lines)
    elbow = 2 * result["x1"], 2 * result["y1"]
    for index, shade in ((0, 0.35), (-1, 1.0)):
        path.plot([0, elbow[0][index], x[index]], [0, elbow[1][index], y[index]], "o-", color="black", linewidth=2.2,
                  markersize=5, alpha=shade, solid_capstyle="round", label="start" if index == 0 else "end")
    path.set(aspect="equal", xlabel="x / m", ylabel="y / m", title="Path of the tip", xlim=(-3, 3), ylim=(-3, 2.2))
    path.legend(loc="upper right", frameon=False)
    figure.colorbar(lines, ax=path, label="time / s", shrink=0.75, pad=0.02)

    angles = figure.add_subplot(grid[0, 1])
    angles.plot(time, result["theta1"], color="#3b528b", label="first link")
    angles.plot(time, result["theta2"], color="#d1495b", label="second link")
    for instant, expected in REFERENCE.items():
        angles.plot([instant] * 2, [expected[2], expected[5]], "o", color="black", markersize=4, fillstyle="none",
                    label="reference" if instant == 1.0 else None)
    angles.set(ylabel="angle / rad", title="Angles of the links", xlim=(0, STOP_TIME))
    angles.legend(frameon=False, ncols=3, loc="lower left")

    energy = figure.add_subplot(grid[1, 1], sharex=angles)
    error = np.abs(result["energy"] - result["energy"][0])
    energy.semilogy(time[1:], np.maximum(error[1:], 1e-16), color="#2a788e", linewidth=1)
    energy.set(xlabel="time / s", ylabel="|energy error| / J", title="Energy error")

    figure.savefig(file, dpi=130)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fmu")
    parser.add_argument("--plot", help="picture to write")
    arguments = parser.parse_args()
    outcome = simulate(arguments.fmu)
    print_table(outcome)
    if arguments.plot:
        plot(outcome, arguments.plot)
        print(f"plot          {arguments.plot}")
