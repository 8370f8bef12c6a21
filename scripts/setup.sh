#!/usr/bin/env bash
# Installs what the build and the tests need, and says in one line each what. Quick when nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(cmake ninja-build g++ libeigen3-dev nlohmann-json3-dev libcli11-dev libpugixml-dev libzip-dev zlib1g-dev
          libsundials-dev libgtest-dev libbenchmark-dev libxml2-utils python3-venv clang-format qemu-user)

stop() {
  printf 'setup: %s\nsetup: run this and try again:\n  %s\n' "$1" "$2" >&2
  exit 1
}

install_debian_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    [[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null || stop "missing Debian packages: ${missing[*]}" "sudo apt-get install -y ${missing[*]}"
    as_root=(sudo -n)
  fi
  echo "setup: installing Debian packages: ${missing[*]}"
  local install=(apt-get install -y --no-install-recommends "${missing[@]}") log
  log=$(mktemp)
  # A fresh machine has no package lists yet.
  if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}"; } \
       >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    local sudo=${as_root:+sudo }
    stop "could not install the Debian packages" "${sudo}apt-get update && $sudo${install[*]}"
  fi
  rm -f "$log"
}

make_venv() {
  rm -rf .venv
  local python
  for python in /usr/bin/python3 python3; do
    "$python" -m venv .venv >/dev/null 2>&1 && return 0
    rm -rf .venv
  done
  return 1
}

install_python_packages() {
  local stamp=.venv/requirements.stamp
  cmp -s scripts/requirements.txt "$stamp" && [[ -x .venv/bin/python ]] && return 0
  echo "setup: installing Python packages into .venv: $(tr '\n' ' ' <scripts/requirements.txt)"
  if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    make_venv || stop "could not make a Python environment in .venv" "python3 -m venv .venv"
  fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r scripts/requirements.txt ||
    stop "could not install the Python packages" ".venv/bin/python -m pip install -r scripts/requirements.txt"
  cp scripts/requirements.txt "$stamp"
}

command -v dpkg-query >/dev/null ||
  stop "this is not a Debian system; install the equivalents of: ${packages[*]}" "apt-get install ${packages[*]}"
install_debian_packages
install_python_packages
