"""One binary for every x86-64 processor: fast code where there is AVX2, the same motion on a processor of 2008.

The old processor is emulated by qemu, which refuses every instruction that a Nehalem does not have.
"""

import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import MBFMU, TWO_LINK, export
from fmpy import extract, read_model_description

RUN_FMU = Path(MBFMU).parent / "run_fmu"
OLD = ["qemu-x86_64", "-cpu", "Nehalem"]
NEW = ["qemu-x86_64", "-cpu", "max"]
VARIABLES = ["x1", "y1", "theta1", "x2", "y2", "theta2"]

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="code for newer processors is for x86-64 alone")


@pytest.fixture(autouse=True)
def not_sanitized(sanitized):
    if sanitized:
        pytest.skip("the emulator does not run the sanitizers")


def states(fmu, folder, processor, end=0.5):
    """The variables at the end of a run of the FMU's own binary on the given processor."""
    assert shutil.which("qemu-x86_64"), "qemu-user is missing; scripts/setup.sh installs it"
    unzipped = Path(extract(str(fmu), str(folder)))
    description = read_model_description(str(fmu))
    references = {v.name: v.valueReference for v in description.modelVariables}
    library = next((unzipped / "binaries/x86_64-linux").glob("*.so"))
    done = subprocess.run(
        [*processor, RUN_FMU, library, f"{unzipped / 'resources'}/", description.guid, str(end),
         *(str(references[name]) for name in VARIABLES)],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [float.fromhex(line) for line in done.stdout.split()]


def test_the_emulated_processor_has_no_avx(tmp_path):
    """Otherwise the test below would prove nothing."""
    source = tmp_path / "avx.c"
    source.write_text("int main(void) { __asm__ volatile(\"vzeroupper\"); return 0; }\n")
    program = tmp_path / "avx"
    subprocess.run(["cc", source, "-o", program], check=True)
    assert subprocess.run([*NEW, program]).returncode == 0
    assert subprocess.run([*OLD, program], capture_output=True).returncode != 0


def test_runs_on_an_old_processor(two_link, tmp_path):
    old = states(two_link, tmp_path / "old", OLD)
    here = states(two_link, tmp_path / "here", [])
    assert old == pytest.approx(here, abs=1e-9)


def test_the_baseline_can_be_forced(tmp_path):
    """Without the fast code nothing depends on the processor but the C library's sine and cosine."""
    fmu = export(TWO_LINK, tmp_path, "--set", "solver.kernel=baseline")
    forced = states(fmu, tmp_path / "here", [])
    assert forced == pytest.approx(states(fmu, tmp_path / "old", OLD), abs=1e-12)
