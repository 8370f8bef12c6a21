"""test.sh in a folder where every part it calls is a stand-in: totals, last line and exit code in every outcome."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def junit(passed, failed):
    cases = '<testcase name="good"/>' * passed + '<testcase name="bad"><failure/></testcase>' * failed
    return f"<testsuites><testsuite>{cases}</testsuite></testsuites>"


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/usr/bin/env bash\n" + text + "\n", encoding="utf-8")
    path.chmod(0o755)


class TestSh(unittest.TestCase):
    """Every part is (exit code, JUnit text or None for no file)."""

    def outcome(self, setup=0, build=0, ctest=(0, junit(3, 0)), pytest=(0, junit(2, 0)), formatting=0, arguments=()):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            shutil.copy(ROOT / "test.sh", root)
            for name in ("count_results.py", "with_preload.sh"):
                (root / "scripts").mkdir(exist_ok=True)
                shutil.copy(ROOT / "scripts" / name, root / "scripts")
            script(root / "scripts/setup.sh", f"exit {setup}")
            script(root / "scripts/build.sh", f"exit {build}")
            script(root / "scripts/check_format.sh", f"exit {formatting}")
            # Both write the file that their last option names; python also counts results.
            write = 'for a in "$@"; do last=$a; done\n'
            script(root / "bin/ctest", write + self.results(*ctest))
            script(root / ".venv/bin/python",
                   'if [[ "$1" == scripts/* ]]; then exec python3 "$@"; fi\n' + write + self.results(*pytest))
            environment = {**os.environ, "PATH": f"{root / 'bin'}:{os.environ['PATH']}"}
            done = subprocess.run(["./test.sh", *arguments], cwd=root, env=environment, capture_output=True, text=True,
                                  timeout=60, check=False)
            lines = done.stdout.splitlines()
            return done.returncode, lines[-1] if lines else ""

    def results(self, code, text):
        # ctest's own log, which test.sh shows after a failure, goes beside the results.
        write = f'mkdir -p "$(dirname "$last")"; echo \'{text}\' >"$last"; : >"$(dirname "$last")/ctest.log"\n'
        return ("" if text is None else write) + f"exit {code}"

    def test_all_good(self):
        self.assertEqual((0, "6 passed, 0 failed"), self.outcome())

    def test_a_failing_test(self):
        self.assertEqual((1, "5 passed, 1 failed"), self.outcome(ctest=(8, junit(2, 1))))
        self.assertEqual((1, "5 passed, 1 failed"), self.outcome(pytest=(1, junit(1, 1))))
        # Results decide even if the part forgets to say so, and the other way round.
        self.assertEqual((1, "5 passed, 1 failed"), self.outcome(pytest=(0, junit(1, 1))))
        self.assertEqual((1, "6 passed, 1 failed"), self.outcome(pytest=(1, junit(2, 0))))

    def test_a_part_that_breaks_down(self):
        self.assertEqual((1, "4 passed, 1 failed"), self.outcome(pytest=(4, None)))
        self.assertEqual((1, "3 passed, 1 failed"), self.outcome(ctest=(1, None)))
        self.assertEqual((1, "4 passed, 1 failed"), self.outcome(pytest=(5, junit(0, 0))))
        self.assertEqual((1, "4 passed, 1 failed"), self.outcome(pytest=(139, "<testsuites><test")))

    def test_formatting(self):
        self.assertEqual((1, "5 passed, 1 failed"), self.outcome(formatting=1))

    def test_no_tests_without_a_build(self):
        self.assertEqual((1, "0 passed, 1 failed"), self.outcome(build=1))
        self.assertEqual((1, "0 passed, 1 failed"), self.outcome(setup=1))

    def test_wrong_usage(self):
        self.assertEqual(2, self.outcome(arguments=["--prset", "asan"])[0])


if __name__ == "__main__":
    unittest.main()
