# SPDX-License-Identifier: Apache-2.0
"""Run at every start of Python (anyacl.pth), so it does next to nothing: puts a finder in front of
the others that waits for `import torch_npu`, which needs CANN's libraries. ANYACL_HOOK=0: not even
that."""

import os
import sys


class _Finder:
    """Finds what the finders behind it find: a question (importlib.util.find_spec) changes nothing,
    and the import of torch_npu has the libraries before its first line runs."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "torch_npu":
            return None
        # It stays where it is: importlib is going through this list.
        for finder in sys.meta_path[sys.meta_path.index(_Finder) + 1:]:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None else None
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader:
    """The loader of torch_npu, after that of the libraries."""

    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        # What looks at the module later finds what would be there without us.
        module.__spec__.loader = module.__loader__ = self._loader
        from anyacl import _loader
        _loader.provide()
        self._loader.exec_module(module)


if os.environ.get("ANYACL_HOOK") != "0":
    sys.meta_path.insert(0, _Finder)
