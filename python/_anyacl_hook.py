# SPDX-License-Identifier: Apache-2.0
"""Run at every start of Python (anyacl.pth), so it does next to nothing: puts a finder in front of
the others that waits for `import torch_npu`, which needs CANN's libraries. ANYACL_HOOK=0: not even
that."""

import os
import sys


class _Finder:
    """Finds nothing itself. The import of torch_npu goes on once the libraries are there."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "torch_npu":
            sys.meta_path.remove(_Finder)
            from anyacl import _loader
            _loader.provide()
        return None


if os.environ.get("ANYACL_HOOK") != "0":
    sys.meta_path.insert(0, _Finder)
