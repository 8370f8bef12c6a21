#!/usr/bin/env bash
# Builds the release, exports the two-link manipulator as an FMU and drives it with FMPy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

scripts/setup.sh
scripts/build.sh release
build/release/mbfmu export examples/two_link.json -o build/release/two_link.fmu
.venv/bin/python examples/two_link.py build/release/two_link.fmu --plot build/release/two_link.png
