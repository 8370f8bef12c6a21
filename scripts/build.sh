#!/usr/bin/env bash
# Configures and builds one preset; shows the full output only when something fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:-release}
log=build/$preset.log
mkdir -p build

report() {
  cat "$log" >&2
  echo "build: $1 of preset $preset failed" >&2
  exit 1
}

echo "building build/$preset"
cmake --preset "$preset" >"$log" 2>&1 || report configuration
cmake --build --preset "$preset" --parallel "$(nproc)" >"$log" 2>&1 || report compilation
