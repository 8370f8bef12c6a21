"""The code for newer processors must share nothing with the rest: what several object files define, the linker merges into
one, and an old processor would meet instructions that it does not have.

Usage: check_kernel_symbols.py OBJECT: lists with nm what the object defines for others, and fails if that is more than the
table of kernels.
"""

import subprocess
import sys


def shared_symbols(lines):
    """The names that an object defines for others: global (upper case) or weak, from the output of nm -C."""
    names = []
    for line in lines:
        _, kind, name = line.split(maxsplit=2)
        if kind.isupper() or kind in "vwu":
            names.append(name)
    return names


def main(object_file):
    done = subprocess.run(["nm", "-C", "--defined-only", object_file], capture_output=True, text=True, check=True)
    names = shared_symbols(done.stdout.splitlines())
    expected = ["mbfmu::kernel_avx2::kernels"]
    if names != expected:
        print(f"{object_file}: defines {names}, expected {expected} alone")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
