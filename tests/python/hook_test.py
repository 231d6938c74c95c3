# SPDX-License-Identifier: Apache-2.0
"""The import hook of the Python package, in fresh processes, with a torch_npu of three lines that
asks for CANN's libraries as the real one does.

usage: hook_test.py PREFIX PYTHON_SOURCES
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv

PREFIX, SOURCES = (pathlib.Path(path).resolve() for path in sys.argv[1:3])

TORCH_NPU = """
import ctypes
opapi = ctypes.CDLL("libopapi.so")
hal = ctypes.CDLL("libascend_hal.so")
"""

# Imports what it is told to and tells what came of it.
PROBE = """
import json, os, sys
before = {"ctypes": "ctypes" in sys.modules, "anyacl": "anyacl" in sys.modules}
error = None
try:
    for name in sys.argv[1:]:
        __import__(name)
except OSError as caught:
    error = str(caught)
maps = sorted({line.split()[-1] for line in open("/proc/self/maps") if "/lib" in line})
print(json.dumps({"before": before, "error": error, "maps": maps,
                  "home": os.environ.get("ASCEND_HOME_PATH"),
                  "opp": os.environ.get("ASCEND_OPP_PATH")}))
"""


class HookTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        venv.create(cls.folder / "venv", with_pip=False)
        cls.python = cls.folder / "venv" / "bin" / "python"
        site = next((cls.folder / "venv" / "lib").glob("python*")) / "site-packages"
        for name in ("anyacl.pth", "_anyacl_hook.py"):
            shutil.copy(SOURCES / name, site)
        # As the wheel lies: the package is the prefix.
        shutil.copytree(SOURCES / "anyacl", site / "anyacl")
        cls.home = site / "anyacl"
        for folder in ("lib64", "opp", "share", "set_env.sh"):
            (cls.home / folder).symlink_to(PREFIX / folder)
        (site / "torch_npu.py").write_text(TORCH_NPU)
        (site / "innocent.py").write_text("value = 1\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def start(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("ASCEND", "ANYACL", "LD_", "PYTHON"))}
        environment.update({name: str(value) for name, value in variables.items()})
        return subprocess.run([self.python, *arguments], env=environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=300, check=False)

    def probe(self, *modules, **variables):
        done = self.start("-c", PROBE, *modules, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def ours(self, found):
        library = (PREFIX / "lib64" / "libascendcl.so").resolve()
        return str(library) in found["maps"]

    def cann(self, name, content):
        home = self.folder / name
        (home / "lib64").mkdir(parents=True)
        if content is None:
            (home / "lib64" / "libascendcl.so").write_bytes(b"not a library")
        else:
            shutil.copy(content, home / "lib64" / "libascendcl.so")
        return home

    def test_import_of_torch_npu_loads_the_libraries(self):
        found = self.probe("torch_npu")
        self.assertIsNone(found["error"])
        self.assertTrue(self.ours(found))
        self.assertEqual(found["home"], str(self.home))
        self.assertEqual(found["opp"], str(self.home / "opp"))

    def test_nothing_happens_before(self):
        found = self.probe("innocent")
        self.assertEqual(found["before"], {"ctypes": False, "anyacl": False})
        self.assertFalse(self.ours(found))
        self.assertIsNone(found["home"])

    def test_switched_off(self):
        found = self.probe("torch_npu", ANYACL_HOOK=0)
        self.assertIn("libopapi.so", found["error"])
        self.assertFalse(self.ours(found))
        self.assertIsNone(found["home"])

    def test_variables_of_the_user_stay(self):
        found = self.probe("torch_npu", ASCEND_OPP_PATH="/mine", ASCEND_HOME_PATH=self.home)
        self.assertTrue(self.ours(found))
        self.assertEqual(found["opp"], "/mine")
        self.assertEqual(found["home"], str(self.home))

    def test_stays_away_from_the_cann_of_ascend_home_path(self):
        home = self.cann("named", None)
        found = self.probe("torch_npu", ASCEND_HOME_PATH=home)
        self.assertIn("libopapi.so", found["error"])
        self.assertFalse(self.ours(found))
        self.assertEqual(found["home"], str(home))
        self.assertIsNone(found["opp"])

    def test_a_home_without_libraries_is_no_cann(self):
        empty = self.folder / "empty"
        empty.mkdir()
        found = self.probe("torch_npu", ASCEND_HOME_PATH=empty)
        self.assertTrue(self.ours(found))
        self.assertEqual(found["home"], str(empty))

    def test_stays_away_from_a_cann_that_the_loader_finds(self):
        home = self.cann("found", PREFIX / "lib64" / "libc_sec.so")
        found = self.probe("torch_npu", LD_LIBRARY_PATH=home / "lib64")
        self.assertIn("libopapi.so", found["error"])
        self.assertFalse(self.ours(found))
        self.assertIsNone(found["home"])

    def test_stays_away_from_a_cann_that_does_not_load(self):
        home = self.cann("broken", None)
        found = self.probe("torch_npu", LD_LIBRARY_PATH=home / "lib64")
        self.assertIn("libopapi.so", found["error"])
        self.assertFalse(self.ours(found))

    def test_forced_beside_another_cann(self):
        home = self.cann("beside", None)
        found = self.probe("torch_npu", ASCEND_HOME_PATH=home, ANYACL_HOOK="force")
        self.assertIsNone(found["error"])
        self.assertTrue(self.ours(found))
        self.assertEqual(found["home"], str(self.home))

    def test_info(self):
        done = self.start("-m", "anyacl", "info", ANYACL_DEVICES=3, ANYACL_SOC_NAME="Ascend910B1")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = {line[:13].strip(): line[13:] for line in done.stdout.splitlines()}
        self.assertEqual(lines["libraries"], "11 of 11 load")
        self.assertEqual(lines["devices"], "3 x Ascend910B1")
        self.assertGreater(int(lines["operators"]), 100)
        self.assertEqual(lines["import hook"], "on")
        for variables, word in (({"ANYACL_HOOK": 0}, "off"),
                                ({"LD_LIBRARY_PATH": PREFIX / "lib64"}, "stays away")):
            done = self.start("-m", "anyacl", "info", **variables)
            self.assertIn(word, done.stdout.splitlines()[-1])

    def test_wrong_arguments(self):
        for arguments in ((), ("other",), ("prefix",), ("prefix", self.folder)):
            done = self.start("-m", "anyacl", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_lays_out_a_prefix(self):
        shutil.rmtree(self.folder / "wheel", ignore_errors=True)
        package = self.folder / "wheel" / "anyacl"
        shutil.copytree(SOURCES / "anyacl", package)
        (package / "lib64").mkdir()
        for library in (PREFIX / "lib64").glob("*.so"):
            if not library.is_symlink():
                (package / "lib64" / library.name).symlink_to(library)
        shutil.copytree(PREFIX / "include", package / "include")
        (package / "share" / "anyacl").mkdir(parents=True)
        (package / "share" / "anyacl" / "links.txt").write_text(
            "lib64/libopapi_nn.so -> libopapi.so\nruntime/include -> ../include\n")
        shutil.copy(PREFIX / "set_env.sh", package)
        cann = self.folder / "laid_out"
        done = self.start("-m", "anyacl", "prefix", cann, PYTHONPATH=package.parent)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("set_env.sh", done.stdout)
        self.assertTrue((cann / "lib64" / "libopapi_nn.so").samefile(PREFIX / "lib64/libopapi.so"))
        self.assertTrue((cann / "runtime" / "include" / "acl" / "acl.h").exists())
        shell = subprocess.run(
            ["sh", "-c", f". {cann}/set_env.sh && echo $ASCEND_HOME_PATH"],
            capture_output=True, text=True, check=True)
        self.assertEqual(shell.stdout.strip(), str(cann.resolve()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
