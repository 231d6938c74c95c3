# SPDX-License-Identifier: Apache-2.0
"""Makes the Python wheel of a prefix that is installed already, without compiling anything again: the
package's metadata and its Python files are those of `pip wheel`, the libraries those of the prefix,
laid out as cmake/install.cmake lays them out for a wheel (which has neither links nor empty folders).

usage: wheel_of_prefix.py PREFIX FOLDER   in the root of the repository; prints the wheel's name
"""

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile


def without_links(prefix):
    """The prefix's files as {path in it: file}, and its links as the lines of links.txt."""
    files, links = {}, []
    for folder, folders, names in os.walk(prefix):
        for name in folders + names:
            path = pathlib.Path(folder, name)
            inside = path.relative_to(prefix)
            if inside.parts[0] == "python":
                continue
            if path.is_symlink():
                links.append(f"{inside} -> {os.readlink(path)}\n")
            elif path.is_file():
                files[str(inside)] = path
    return files, links


def hcomm(prefix, folder):
    """A library of that name that needs the one which has its functions."""
    library = pathlib.Path(folder, "libhcomm.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, "packaging/stub.c",
                    "-Wl,-soname,libhcomm.so", "-Wl,--no-as-needed", f"-L{prefix}/lib64", "-lhccl",
                    "-Wl,-rpath,$ORIGIN"], check=True)
    return library


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    prefix, out = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir",
                        folder, "--config-settings=wheel.cmake=false",
                        f"--config-settings=build-dir={folder}/build", "."], check=True)
        made, = pathlib.Path(folder).glob("*.whl")
        files, links = without_links(prefix)
        files["lib64/libhcomm.so"] = hcomm(prefix, folder)
        for name in ("version.info", "opp/version.info", "runtime/version.info",
                     "compiler/version.info"):
            files[name] = prefix / "share/info/toolkit/version.info"
            links = [line for line in links if not line.startswith(f"{name} ")]
        list_of_links = pathlib.Path(folder, "links.txt")
        list_of_links.write_text("".join(sorted(links)), encoding="utf-8")
        files["share/anyacl/links.txt"] = list_of_links
        added = {f"anyacl/{name}": path for name, path in files.items()}
        for name in ("anyacl.pth", "_anyacl_hook.py"):
            added[name] = pathlib.Path("python", name)
        wheel = out / made.name
        with zipfile.ZipFile(made) as old, zipfile.ZipFile(wheel, "w") as new:
            for name in old.namelist():
                if not name.endswith("/RECORD"):
                    new.writestr(name, old.read(name))
            record, = (name for name in old.namelist() if name.endswith("/RECORD"))
            lines = old.read(record).decode()
            for name, path in added.items():
                data = path.read_bytes()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
                lines += f"{name},sha256={digest.decode()},{len(data)}\n"
                new.write(path, name)
            new.writestr(record, lines)
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
