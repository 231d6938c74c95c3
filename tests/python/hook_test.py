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

QUESTION = """
import importlib.util
spec = importlib.util.find_spec("torch_npu")
answer = [spec.name, spec.loader.get_source("torch_npu") is not None]
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
module = sys.modules.get("torch_npu")
loaders = [type(loader).__name__ for loader in (module.__loader__, module.__spec__.loader)] \\
    if module else None
question = sys.modules.get("question")
maps = sorted({line.split()[-1] for line in open("/proc/self/maps") if "/lib" in line})
print(json.dumps({"before": before, "error": error, "maps": maps, "loaders": loaders,
                  "question": question and question.answer, "anyacl": "anyacl" in sys.modules,
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
        (site / "question.py").write_text(QUESTION)
        (cls.folder / "editable.py").write_text(TORCH_NPU)
        venv.create(cls.folder / "without", with_pip=False)
        cls.python_without_torch_npu = cls.folder / "without" / "bin" / "python"
        without = next((cls.folder / "without" / "lib").glob("python*")) / "site-packages"
        for name in ("anyacl.pth", "_anyacl_hook.py", "anyacl"):
            (without / name).symlink_to(site / name)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def start(self, *arguments, python=None, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("ASCEND", "ANYACL", "LD_", "PYTHON"))}
        environment.update({name: str(value) for name, value in variables.items()})
        return subprocess.run([python or self.python, *arguments], env=environment, cwd=self.folder,
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

    def test_a_question_changes_nothing(self):
        found = self.probe("question")
        self.assertEqual(found["question"], ["torch_npu", True])
        self.assertEqual(found["before"], {"ctypes": False, "anyacl": False})
        self.assertFalse(found["anyacl"])
        self.assertFalse(self.ours(found))
        self.assertIsNone(found["home"])

    def test_the_module_looks_as_without_us(self):
        found = self.probe("torch_npu")
        self.assertEqual(found["loaders"], ["SourceFileLoader"] * 2)

    def test_nothing_without_torch_npu(self):
        done = self.start("-c", """
import importlib.util, os, sys
assert importlib.util.find_spec("torch_npu") is None
try:
    import torch_npu
except ModuleNotFoundError as error:
    assert error.name == "torch_npu"
else:
    raise SystemExit("found")
assert "anyacl" not in sys.modules and "ASCEND_HOME_PATH" not in os.environ
""", python=self.python_without_torch_npu)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_behind_an_editable_install(self):
        """The first import finds what a finder of another package finds, and the libraries."""
        done = self.start("-c", """
import importlib.util, os, sys
class Editable:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "torch_npu":
            return importlib.util.spec_from_file_location(name, sys.argv[1])
hook = next(i for i, finder in enumerate(sys.meta_path) if finder.__module__ == "_anyacl_hook")
sys.meta_path.insert(hook + 1, Editable)
import torch_npu
assert torch_npu.__file__ == sys.argv[1], torch_npu.__file__
assert os.environ["ASCEND_HOME_PATH"]
""", self.folder / "editable.py", python=self.python_without_torch_npu)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_switched_off(self):
        found = self.probe("torch_npu", ANYACL_HOOK=0)
        self.assertIn("libopapi.so", found["error"])
        self.assertFalse(self.ours(found))
        self.assertIsNone(found["home"])

    def test_variables_of_the_user_stay(self):
        mine = self.folder / "mine"
        mine.mkdir()
        linked = self.folder / "linked"
        linked.symlink_to(self.home)
        found = self.probe("torch_npu", ASCEND_OPP_PATH=mine, ASCEND_HOME_PATH=linked)
        self.assertTrue(self.ours(found))
        self.assertEqual(found["opp"], str(mine))
        self.assertEqual(found["home"], str(linked))

    def test_stays_away_from_the_cann_of_ascend_home_path(self):
        home = self.cann("named", None)
        found = self.probe("torch_npu", ASCEND_HOME_PATH=home)
        self.assertIn("libopapi.so", found["error"])
        self.assertFalse(self.ours(found))
        self.assertEqual(found["home"], str(home))
        self.assertIsNone(found["opp"])

    def test_a_home_without_libraries_is_replaced(self):
        """torch_npu ends its import where the home has no runtime/ and compiler/."""
        empty = self.folder / "empty"
        (empty / "opp").mkdir(parents=True)
        for home, opp in ((empty, empty / "opp"), (self.folder / "gone", self.folder / "gone/opp"),
                          (empty, "")):
            found = self.probe("torch_npu", ASCEND_HOME_PATH=home, ASCEND_OPP_PATH=opp)
            self.assertTrue(self.ours(found))
            self.assertEqual(found["home"], str(self.home))
            self.assertEqual(found["opp"], str(self.home / "opp"))

    def test_the_home_of_another_anyacl_is_replaced(self):
        """A program of one environment starts a Python of another."""
        other = self.cann("other_environment", None)
        (other / "opp").mkdir()
        (other / "share/anyacl").mkdir(parents=True)
        (other / "share/anyacl/operators.json").write_text("[]")
        found = self.probe("torch_npu", ASCEND_HOME_PATH=other, ASCEND_OPP_PATH=other / "opp")
        self.assertIsNone(found["error"])
        self.assertTrue(self.ours(found))
        self.assertEqual(found["home"], str(self.home))
        self.assertEqual(found["opp"], str(self.home / "opp"))

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
        self.assertEqual(lines["libraries"], "15 of 15 load")
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
        others = self.folder / "wheel" / "anyacl.libs"  # as auditwheel makes it
        others.mkdir()
        (others / "libucp-1.so.0.0.0").write_bytes(b"")
        cann = self.folder / "laid_out"
        done = self.start("-m", "anyacl", "prefix", cann, PYTHONPATH=package.parent)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("set_env.sh", done.stdout)
        self.assertTrue((cann / "lib64" / "libopapi_nn.so").samefile(PREFIX / "lib64/libopapi.so"))
        self.assertTrue((cann / "lib64/libucp-1.so.0.0.0").samefile(others / "libucp-1.so.0.0.0"))
        self.assertTrue((cann / "runtime" / "include" / "acl" / "acl.h").exists())
        shell = subprocess.run(
            ["sh", "-c", f". {cann}/set_env.sh && echo $ASCEND_HOME_PATH"],
            capture_output=True, text=True, check=True)
        self.assertEqual(shell.stdout.strip(), str(cann.resolve()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
