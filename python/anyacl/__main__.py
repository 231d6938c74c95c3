# SPDX-License-Identifier: Apache-2.0
"""usage: python -m anyacl info            what there is, and whether torch_npu would use it
       python -m anyacl prefix FOLDER   lays out a CANN installation in a new folder, to build
                                        programs in C and C++ with: links to this package"""

import ctypes
import json
import os
import pathlib
import shutil
import sys

from . import _loader


def _version_of(name):
    from importlib import metadata
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _chip(home):
    runtime = ctypes.CDLL(str(home / "lib64" / "libascendcl.so"))
    runtime.aclrtGetSocName.restype = ctypes.c_char_p
    devices = ctypes.c_uint32()
    code = runtime.aclrtGetDeviceCount(ctypes.byref(devices))
    name = runtime.aclrtGetSocName()
    return "none" if code != 0 or name is None else f"{devices.value} x {name.decode()}"


def info():
    home = _loader.prefix()
    print(f"anyacl       {_version_of('anyacl')} in {home}")
    # Before ours is loaded, which the loader would find.
    other = _loader.other_cann()
    missing = []
    for name in _loader.LIBRARIES:
        try:
            ctypes.CDLL(str(home / "lib64" / f"lib{name}.so"))
        except OSError as error:
            missing.append(str(error))
    print(f"libraries    {len(_loader.LIBRARIES) - len(missing)} of {len(_loader.LIBRARIES)} load")
    for text in missing:
        print(f"             {text}")
    if not missing:
        print(f"devices      {_chip(home)}")
        operators = json.loads((home / "share/anyacl/operators.json").read_text("utf-8"))
        print(f"operators    {len(operators)}")
    print(f"torch        {_version_of('torch')}")
    print(f"torch_npu    {_version_of('torch_npu')}")
    if os.environ.get("ANYACL_HOOK") == "0":
        hook = "off: ANYACL_HOOK=0"
    elif "_anyacl_hook" not in sys.modules:
        hook = "off: anyacl.pth is not in a site-packages folder of this Python"
    elif os.environ.get("ANYACL_HOOK") == "force":
        hook = "on: ANYACL_HOOK=force"
    else:
        hook = "on" if other is None else f"stays away: {other}"
    print(f"import hook  {hook}")
    return 1 if missing else 0


def lay_out(folder):
    """Files of the package and links to its libraries, so that both are the same libraries."""
    home = _loader.prefix()
    links = home / "share" / "anyacl" / "links.txt"
    if not links.exists():
        print(f"anyacl: {home} is a whole CANN prefix already", file=sys.stderr)
        return 2
    folder.mkdir(parents=True)

    def left_out(inside, names):
        # The package's own files lie beside those of the prefix.
        python = ("*.py",) if pathlib.Path(inside) == home else ()
        return shutil.ignore_patterns("*.so", "*.pyc", "__pycache__", *python)(inside, names)

    shutil.copytree(home, folder, dirs_exist_ok=True, ignore=left_out)
    for line in links.read_text("utf-8").splitlines():
        path, target = line.split(" -> ")
        link = folder / path
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(target)
    # A wheel for other machines brings the libraries of others beside the package, and ours look for
    # them from the folder in which they are found, which is that of the links.
    others = home.parent / f"{home.name}.libs"
    for library in [*sorted((home / "lib64").glob("*.so")), *sorted(others.glob("*.so*"))]:
        link = folder / "lib64" / library.name
        if not os.path.lexists(link):
            link.symlink_to(library)
    print(f"source {folder.resolve()}/set_env.sh")
    return 0


def main():
    arguments = sys.argv[1:]
    if arguments == ["info"]:
        return info()
    if len(arguments) == 2 and arguments[0] == "prefix":
        folder = pathlib.Path(arguments[1])
        if not folder.exists():
            return lay_out(folder)
        print(f"anyacl: {folder} exists, expected a new folder", file=sys.stderr)
        return 2
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
