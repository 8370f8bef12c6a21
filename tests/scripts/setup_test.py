"""setup.sh where something is missing and cannot be installed: it stops with the command to run."""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534


class Setup(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.root.chmod(0o777)
        (self.root / "scripts").mkdir()
        for name in ("setup.sh", "requirements.txt"):
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts")
        self.command("dpkg-query", '[[ "${!#}" == "$MISSING" ]] || echo -n installed')
        self.command("apt-get", 'echo "$*" >>"$APT_LOG"; exit "${APT_CODE:-0}"')
        self.command("sudo", "exit 1")
        # What a finished set-up leaves behind.
        python = self.root / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.symlink_to("/usr/bin/python3")
        shutil.copy(self.root / "scripts/requirements.txt", self.root / ".venv/requirements.stamp")

    def command(self, name, text):
        path = self.root / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/bash\n" + text + "\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)

    def run_setup(self, root=False, **variables):
        log = self.root / "apt.log"
        log.touch()
        log.chmod(0o666)
        environment = {**os.environ, "PATH": f"{self.root / 'bin'}:/usr/bin:/bin", "APT_LOG": str(log), **variables}
        user = NOBODY if os.geteuid() == 0 and not root else None
        done = subprocess.run(["scripts/setup.sh"], cwd=self.root, env=environment, capture_output=True, text=True,
                              timeout=60, user=user, check=False)
        return done.returncode, done.stdout, done.stderr, log.read_text(encoding="utf-8")

    def test_silent_when_nothing_is_missing(self):
        self.assertEqual((0, "", "", ""), self.run_setup(MISSING="none"))

    def test_user_without_root(self):
        code, _, err, apt = self.run_setup(MISSING="libzip-dev")
        self.assertEqual(1, code)
        self.assertIn("sudo apt-get install -y libzip-dev\n", err)
        self.assertEqual("", apt)

    def test_user_with_sudo(self):
        self.command("sudo", 'while [[ "$1" == -n ]]; do shift; done; [[ "$1" == env ]] && shift 2; exec "$@"')
        code, out, err, apt = self.run_setup(MISSING="libzip-dev")
        self.assertEqual((0, ""), (code, err))
        self.assertIn("installing Debian packages: libzip-dev", out)
        self.assertIn("libzip-dev", apt)

    def test_packages_that_cannot_be_installed(self):
        self.command("sudo", 'while [[ "$1" == -n ]]; do shift; done; exec "$@"')
        for root, sudo in ((False, "sudo "), (True, "")):
            if root and os.geteuid() != 0:
                continue
            code, _, err, _ = self.run_setup(root=root, MISSING="ninja-build", APT_CODE="100")
            self.assertEqual(1, code)
            install = "apt-get install -y --no-install-recommends ninja-build"
            self.assertIn(f"  {sudo}apt-get update && {sudo}{install}\n", err)

    def test_python_packages_that_cannot_be_installed(self):
        (self.root / ".venv/requirements.stamp").unlink()
        shutil.rmtree(self.root / ".venv/bin")
        (self.root / ".venv/bin").mkdir()
        python = self.root / ".venv/bin/python"
        python.write_text('#!/bin/bash\n[[ "$*" == *--version ]]\n', encoding="utf-8")
        python.chmod(0o755)
        code, out, err, _ = self.run_setup(MISSING="none")
        self.assertEqual(1, code)
        self.assertIn("installing Python packages into .venv: fmpy==", out)
        self.assertIn(".venv/bin/python -m pip install -r scripts/requirements.txt\n", err)

    def test_another_system(self):
        shutil.rmtree(self.root / "bin")
        tools = self.root / "tools"
        tools.mkdir()
        for name in ("bash", "dirname", "env"):
            (tools / name).symlink_to(shutil.which(name))
        code, _, err, _ = self.run_setup(PATH=str(tools))
        self.assertEqual(1, code)
        self.assertIn("not a Debian system", err)


if __name__ == "__main__":
    unittest.main()
