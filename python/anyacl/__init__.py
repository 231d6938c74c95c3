# SPDX-License-Identifier: Apache-2.0
"""anyacl: CANN's libraries on ordinary CPUs, for torch_npu and other programs.

    import torch            # with anyacl, torch and torch_npu installed and no CANN set up,
    x = torch.ones(3).npu() # this runs: the libraries are loaded when torch_npu is imported

`python -m anyacl info` shows what is used. ANYACL_HOOK=0 switches the loading off.
"""

from ._loader import load, prefix

__all__ = ["load", "prefix"]
