# SPDX-License-Identifier: Apache-2.0
"""Finds anyacl's libraries and loads them where no CANN is set up."""

import os
import pathlib

# Those below first. torch_npu names them without a folder; a library that is loaded is found by its
# SONAME.
LIBRARIES = (
    "ascendcl", "nnopbase", "opapi", "acl_op_compiler", "acl_tdt_channel", "msprofiler",
    "ms_tools_ext",
    "ascend_hal", "graph", "ge_runner", "fmk_parser", "ascend_protobuf", "hccl", "hcomm", "atb",
)
# Where CANN's installations have libascendcl.so below ASCEND_HOME_PATH.
_CANN_FOLDERS = ("lib64", "runtime/lib64", "fwkacllib/lib64", "acllib/lib64",
                 f"{os.uname().machine}-linux/lib64")


def prefix():
    """The folder that is laid out as a CANN installation: the package itself, or the prefix in
    which it lies."""
    package = pathlib.Path(__file__).resolve().parent
    for folder in (package, *list(package.parents)[2:3]):
        if (folder / "lib64" / "libascendcl.so").exists():
            return folder
    raise FileNotFoundError(f"no lib64/libascendcl.so in {package} nor in the prefix around it")


def is_ours(home):
    """Whether a home has the libraries of this package: they may be reached by another path, or by
    the links of `python -m anyacl prefix`."""
    library = pathlib.Path(home, "lib64", "libascendcl.so")
    return os.path.exists(library) and library.samefile(prefix() / "lib64" / "libascendcl.so")


def other_cann():
    """Why anyacl stays away, or None: a CANN that the environment names, or one that the system's
    loader finds. Another anyacl is no CANN: a program of its environment that starts one of ours
    hands its ASCEND_HOME_PATH down."""
    home = os.environ.get("ASCEND_HOME_PATH")
    if home and not os.path.exists(os.path.join(home, "share/anyacl/operators.json")):
        for folder in _CANN_FOLDERS:
            library = pathlib.Path(home, folder, "libascendcl.so")
            if os.path.exists(library):
                return f"ASCEND_HOME_PATH is {home}, which has {folder}/libascendcl.so"
    import ctypes
    try:
        ctypes.CDLL("libascendcl.so")
    except OSError as error:
        # Another text: a library that is there and does not load, which is for its owner to mend.
        if str(error).startswith("libascendcl.so: cannot open"):
            return None
        return f"the system's loader finds a libascendcl.so: {error}"
    return f"the system's loader finds {_path_of_loaded()}"


def _path_of_loaded():
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            if line.rstrip().endswith("/libascendcl.so"):
                return line[line.index("/"):].rstrip()
    return "a libascendcl.so"


def load():
    """Loads the libraries. Whatever asks for CANN's libraries afterwards gets these.

    ASCEND_HOME_PATH becomes the folder of these libraries: torch_npu ends its import where that is
    not there or has no runtime/ and compiler/. ASCEND_OPP_PATH stays where it names a folder that
    is there, outside the home that was replaced.

    torch_npu's queue hides what a launch costs on a device; here a launch takes a microsecond, and
    the two threads of the queue take the CPUs from the operators: generating text of a small model
    took half as long again and more with it on two CPUs. Without it, errors also belong to the call
    that made them."""
    import ctypes
    home = prefix()
    for name in LIBRARIES:
        ctypes.CDLL(str(home / "lib64" / f"lib{name}.so"), mode=ctypes.RTLD_GLOBAL)
    replaced = os.environ.get("ASCEND_HOME_PATH") or None
    if replaced is not None and is_ours(replaced):
        replaced = None
    else:
        os.environ["ASCEND_HOME_PATH"] = str(home)
    operators = os.environ.get("ASCEND_OPP_PATH")
    if not operators or not os.path.isdir(operators) or replaced is not None and \
            pathlib.Path(replaced).resolve() in pathlib.Path(operators).resolve().parents:
        os.environ["ASCEND_OPP_PATH"] = str(home / "opp")
    os.environ.setdefault("TASK_QUEUE_ENABLE", "0")
    # torch_npu's profiler starts `msprof`.
    tools = str(home / "tools/profiler/bin")
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if tools not in path:
        os.environ["PATH"] = os.pathsep.join([tools, *path])


def provide():
    """What happens when torch_npu is imported. ANYACL_HOOK=force: beside another CANN, too."""
    if os.environ.get("ANYACL_HOOK") == "force":
        for variable in ("ASCEND_HOME_PATH", "ASCEND_OPP_PATH"):
            os.environ.pop(variable, None)
        load()
    elif other_cann() is None:
        load()
