"""Fails when a folder includes one that it may not, or when a library leaves the folder it belongs to."""

import re
import sys
from pathlib import Path

# What each folder may include of ours, itself apart.
ALLOWED = {
    "integrators": [],
    "multibody": ["integrators"],
    "model_description": ["integrators", "multibody"],
    "fmu_src": ["integrators", "multibody", "model_description"],
    "build_fmu": ["integrators", "multibody", "model_description", "fmu_src"],
    "cpp_models": ["multibody"],
}

# Libraries that only some folders may use: the runtime has to compile unchanged everywhere.
RESTRICTED = {
    "pugixml": ["build_fmu"],
    "zip": ["build_fmu"],
    "CLI": ["build_fmu"],
    "fmi3": ["fmu_src"],
    "fmi2": ["fmu_src"],
    "sundials": [],
    "ida": [],
    "nlohmann": ["multibody", "model_description", "fmu_src", "build_fmu"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def library(path):
    """The restricted library that an include belongs to, or None."""
    name = path.split("/")[0]
    for known in RESTRICTED:
        if name == known or re.fullmatch(known + r"\w*\.(h|hpp)", name):
            return known
    return None


def faults_of(folder, included):
    """What is wrong with one include in one folder, or None."""
    first = included.split("/")[0]
    if first in ALLOWED and first != folder and first not in ALLOWED[folder]:
        return f"{folder} may not include {first}"
    used = library(included)
    if used and folder not in RESTRICTED[used]:
        return f"{folder} may not use {used}"
    if included.startswith("."):
        return "include paths start at the project's root"
    return None


def check(root):
    faults = []
    for folder in ALLOWED:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".hpp", ".cpp", ".c"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                fault = match and faults_of(folder, match.group(1))
                if fault:
                    faults.append(f"{file.relative_to(root)}:{number}: {fault}: {match.group(1)}")
    return faults


if __name__ == "__main__":
    found = check(Path(__file__).resolve().parents[2])
    print("\n".join(found) or "includes go one way")
    sys.exit(1 if found else 0)
