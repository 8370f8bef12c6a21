#!/usr/bin/env bash
# Builds and runs every test: GoogleTest through ctest, pytest on finished FMUs, formatting.
# The last line says how many passed and failed; the exit code is 0 only if none failed and all three parts ran.
#   ./test.sh [--preset release|dev|asan|tsan]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

preset=release
if [[ "${1:-}" == --preset && -n "${2:-}" ]]; then
  preset=$2
elif (($#)); then
  echo "usage: ./test.sh [--preset release|dev|asan|tsan]" >&2
  exit 2
fi

passed=0
failed=0
finish() {
  echo "$passed passed, $failed failed"
  ((failed == 0))
  exit
}
# A part that broke down counts as one failure even if it reports none itself.
broken() {
  echo "test: $1" >&2
  failed=$((failed + 1))
}

scripts/setup.sh || { broken "the set-up failed"; finish; }
scripts/build.sh "$preset" || { broken "the build failed"; finish; }
results=build/$preset/results
rm -rf "$results"
mkdir -p "$results"

# Adds the counts of a JUnit file to the totals; the part's own exit code decides where the two disagree.
count() {
  local part=$1 code=$2 file=$3 counts good bad
  if ! counts=$(.venv/bin/python scripts/count_results.py "$file"); then
    broken "$part left no results"
    return
  fi
  read -r good bad <<<"$counts"
  passed=$((passed + good))
  failed=$((failed + bad))
  if ((good + bad == 0)); then
    broken "$part ran no tests"
  elif ((code != 0 && bad == 0)); then
    broken "$part ended with exit code $code"
  fi
}

echo "ctest"
ctest --preset "$preset" --parallel "$(nproc)" --quiet --output-log "$results/ctest.log" \
  --output-junit "$PWD/$results/ctest.xml"
code=$?
((code == 0)) || cat "$results/ctest.log"
count ctest "$code" "$results/ctest.xml"

echo "pytest"
# A sanitized FMU is loaded into a Python that is not: the sanitizer's library has to be there first.
preload=""
case $preset in
  asan) preload="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so)" ;;
  tsan) preload="$(g++ -print-file-name=libtsan.so)" ;;
esac
MBFMU="$PWD/build/$preset/mbfmu" MBFMU_PRESET=$preset MBFMU_PRELOAD=$preload PYTHONDONTWRITEBYTECODE=1 \
  scripts/with_preload.sh .venv/bin/python -m pytest tests/fmu -q -p no:cacheprovider --junit-xml "$results/pytest.xml"
count pytest $? "$results/pytest.xml"

echo "format"
if scripts/check_format.sh; then
  passed=$((passed + 1))
else
  broken "clang-format would change files; run scripts/check_format.sh --fix"
fi

finish
