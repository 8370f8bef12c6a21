"""Drives the FMU of any example with FMPy and plots its outputs.

    python simulate.py crane.fmu [--set force=500 ...] [--plot crane.png]
"""

import argparse

from fmpy import read_model_description, simulate_fmu


def simulate(fmu, rtol=None, stop_time=None, step=None, **values):
    """All outputs of the model at the communication points; `values` are inputs and parameters by name."""
    outputs = [v.name for v in read_model_description(str(fmu)).modelVariables
               if v.causality == "output" and not v.name.startswith("solver.")]
    return simulate_fmu(str(fmu), stop_time=stop_time, output_interval=step, relative_tolerance=rtol,
                        start_values=values, output=outputs)


def plot(result, file):
    """One small diagram per output over time."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names = [name for name in result.dtype.names if name != "time"]
    columns = min(3, len(names))
    rows = -(-len(names) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(3.6 * columns, 2.2 * rows), sharex=True, squeeze=False,
                                layout="constrained")
    for axis, name in zip(axes.flat, names):
        axis.plot(result["time"], result[name], linewidth=1.1, color="#3b528b")
        axis.set_title(name, fontsize=9)
        axis.grid(alpha=0.25)
        axis.ticklabel_format(useOffset=False)
    for axis in axes.flat[len(names):]:
        axis.set_axis_off()
    for axis in axes[-1]:
        axis.set_xlabel("time / s")
    figure.savefig(file, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fmu")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="input or parameter")
    parser.add_argument("--plot", help="picture to write")
    arguments = parser.parse_args()
    outcome = simulate(arguments.fmu, **{name: float(value) for name, value in (text.split("=") for text in arguments.set)})
    for output in outcome.dtype.names:
        print(f"{output:<20} {outcome[output][0]:22.15g} -> {outcome[output][-1]:22.15g}")
    if arguments.plot:
        plot(outcome, arguments.plot)
