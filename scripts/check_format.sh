#!/usr/bin/env bash
# Names every C++ file that clang-format would change; with --fix changes them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -d '' files < <(find integrators multibody model_description fmu_src build_fmu cpp_models tests benchmarks examples \
  \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z)
((${#files[@]})) || { echo "format: no files found" >&2; exit 1; }

if [[ "${1:-}" == --fix ]]; then
  exec clang-format --style=file -i "${files[@]}"
fi
wrong=0
for file in "${files[@]}"; do
  clang-format --style=file --dry-run -Werror "$file" 2>/dev/null || { echo "format: $file" >&2; wrong=1; }
done
exit $wrong
