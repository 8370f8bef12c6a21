#!/usr/bin/env bash
# Runs a command with the libraries of MBFMU_PRELOAD loaded first. Python itself leaks by design, so leaks are not asked.
if [[ -n "${MBFMU_PRELOAD:-}" ]]; then
  export LD_PRELOAD=$MBFMU_PRELOAD ASAN_OPTIONS=detect_leaks=0
fi
exec "$@"
