"""A model with C++ functions, built outside the main tree with the installed package."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import MBFMU, ROOT, export
from fmpy import simulate_fmu
from fmpy.fmi3 import FMICallException
from fmpy.validation import validate_fmu
from slave import Slave

EXAMPLE = ROOT / "examples/cpp"
LAW = "-(k*current^2 + brake*guide.rate)/(guide.position + 1e-4)^2"

FAULTS = """
#include <mbfmu/function.h>
#include <cmath>
#include <stdexcept>
template <class T> T cliff(T s) { return s < 0.004 ? T(std::nan("")) : 0 * s; }
template <class T> T bomb(T s) {
  if (s < 0.004) throw std::runtime_error("the armature touches the pole");
  return 0 * s;
}
MBFMU_FUNCTION(cliff, 1)
MBFMU_FUNCTION(bomb, 1)
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def model_with(law, name):
    text = re.sub(r"^\s*//.*$", "", (EXAMPLE / "magnet.json").read_text(), flags=re.MULTILINE)
    model = json.loads(text)
    model["name"] = name
    model["forces"]["pull"]["value"] = law
    return json.dumps(model)


@pytest.fixture(scope="module")
def built(tmp_path_factory, sanitized):
    if sanitized:
        pytest.skip("an FMU with a sanitizer needs a host with it")
    folder = tmp_path_factory.mktemp("cpp")
    run("cmake", "--install", Path(MBFMU).parent, "--prefix", folder / "installed")
    project = folder / "project"
    shutil.copytree(EXAMPLE, project)
    (project / "faults.cpp").write_text(FAULTS)
    for name in ("cliff", "bomb"):
        (project / f"{name}.json").write_text(model_with(f"{LAW} + {name}(guide.position)", name))
        with (project / "CMakeLists.txt").open("a") as file:
            file.write(f"mbfmu_add_fmu({name} SOURCES faults.cpp)\n")
    # Only what is installed: neither this source tree nor the libraries it is made from.
    run("cmake", "-S", project, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder}/installed")
    run("cmake", "--build", folder / "build")
    return folder


def mbfmu(built, *arguments):
    command = [built / "installed/bin/mbfmu", *arguments]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120)


def test_equals_the_same_law_as_an_expression(built, tmp_path):
    (tmp_path / "written.json").write_text(model_with(LAW, "written"))
    written = export(tmp_path / "written.json", tmp_path)
    compiled = built / "build/magnet.fmu"
    assert validate_fmu(str(compiled)) == []
    options = {"start_values": {"current": 5.0}, "output": ["gap", "rate", "acceleration", "pull", "solver.jacobians"]}
    a, b = simulate_fmu(str(compiled), **options), simulate_fmu(str(written), **options)
    assert len(a) > 100 and np.ptp(a["gap"]) > 1e-3
    for name in ("gap", "rate", "acceleration", "pull"):
        assert np.max(np.abs(a[name] - b[name])) < 1e-9 * np.max(np.abs(b[name])), name
    # Exact derivatives: as many Jacobians as with the built-in law.
    assert a["solver.jacobians"][-1] == b["solver.jacobians"][-1]


def test_derivatives_are_exact(built, tmp_path):
    slave = Slave(built / "build/magnet.fmu", tmp_path)
    slave.initialise(current=5.0)
    slave.step(0.0, 0.01)
    gap, rate, = slave.get(["gap", "rate"])
    references = slave.references
    k, m = 2e-6, 0.05
    found = slave.slave.getDirectionalDerivative([references["acceleration"]], [references["current"]], [1.0])
    assert found[0] == pytest.approx(-2 * k * 5.0 / (gap + 1e-4)**2 / m, rel=1e-9)
    slave.close()


def test_the_binary_is_like_any_other(built):
    binary = built / "build/magnet_binary.so"
    symbols = run("nm", "-D", "--defined-only", binary).stdout
    assert len(symbols.splitlines()) == 75 and all(line.split()[-1].startswith("fmi3") for line in symbols.splitlines())
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", binary).stdout))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
    done = mbfmu(built, "--plugin", built / "build/magnet_plugin.so", "check", built / "build/magnet.fmu")
    assert done.returncode == 0, done.stderr


def test_the_command_line_runs_the_same_code(built, tmp_path):
    plugin = built / "build/magnet_plugin.so"
    done = mbfmu(built, "--plugin", plugin, "simulate", EXAMPLE / "magnet.json", "--stop-time", "0.02",
                 "-o", tmp_path / "out.csv")
    assert done.returncode == 0, done.stderr
    last = (tmp_path / "out.csv").read_text().splitlines()[-1].split(",")
    slave = Slave(built / "build/magnet.fmu", tmp_path / "fmu")
    slave.initialise(stop_time=0.02)
    for i in range(20):
        slave.step(i * 0.001, min((i + 1) * 0.001, 0.02))
    assert slave.get(["gap", "rate"]) == [float(last[1]), float(last[2])]
    slave.close()


def test_without_the_plugin_the_function_is_unknown(built):
    done = mbfmu(built, "simulate", EXAMPLE / "magnet.json")
    assert done.returncode == 1
    assert "/forces/pull/value" in done.stderr and 'unknown function "magnet"' in done.stderr and "--plugin" in done.stderr
    done = mbfmu(built, "--plugin", EXAMPLE / "magnet.cpp", "simulate", EXAMPLE / "magnet.json")
    assert done.returncode == 1 and "magnet.cpp: cannot be loaded" in done.stderr
    done = mbfmu(built, "--plugin", built / "build/magnet_binary.so", "integrators")
    assert done.returncode == 1 and "not a plugin" in done.stderr


def test_a_wrong_number_of_arguments(built, tmp_path):
    (tmp_path / "wrong.json").write_text(model_with("magnet(1, 2)", "wrong"))
    done = mbfmu(built, "--plugin", built / "build/magnet_plugin.so", "check", tmp_path / "wrong.json")
    assert done.returncode == 1 and "magnet takes 5 arguments" in done.stderr


@pytest.mark.parametrize("name, status, message", [("cliff", 2, "fmi3DoStep"), ("bomb", 3, "the armature touches the pole")])
def test_errors_of_the_code_stay_inside(built, tmp_path, name, status, message):
    """NaN makes a step that cannot be done (discard), an exception an error; the process goes on in both."""
    messages = []
    slave = Slave(built / f"build/{name}.fmu", tmp_path, messages=messages)
    slave.initialise(current=14.0)
    reached = 0.0
    with pytest.raises(FMICallException) as failure:
        for i in range(200):
            slave.step(i * 0.001, (i + 1) * 0.001)
            reached = slave.get(["gap"])[0]
    assert failure.value.status == status
    assert reached < 0.01
    assert any(message in text for text in messages), messages
    slave.slave.freeInstance()
