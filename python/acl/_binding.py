# SPDX-License-Identifier: Apache-2.0
"""How a C function becomes a Python one: conversions of arguments, results as pyACL gives them.

ctypes and not an extension module: a prefix then serves every version of Python, and needs none
to be built. A call costs about a microsecond, and the interpreter lock is not held meanwhile.
"""

import ctypes
import operator
import pathlib


def _load(name):
    """The library of this prefix, or of the package anyacl beside this one, or the one that the
    system finds."""
    here = pathlib.Path(__file__).resolve()
    for folder in (here.parents[3], here.parents[1] / "anyacl"):
        library = folder / "lib64" / f"lib{name}.so"
        if library.exists():
            return ctypes.CDLL(str(library))
    return ctypes.CDLL(f"lib{name}.so")


_libraries = {}


def function(name, library="ascendcl"):
    """The C function; raises AttributeError where the library has none of that name."""
    if library not in _libraries:
        _libraries[library] = _load(library)
    return getattr(_libraries[library], name)


class _Number:
    """An argument that is a whole number; numpy's numbers are as good as Python's."""

    def __init__(self, ctype, low, high):
        self.ctype, self.low, self.high = ctype, low, high

    def from_param(self, value):
        number = operator.index(value)
        if not self.low <= number <= self.high:
            raise OverflowError(f"{number} is outside {self.low}..{self.high}")
        return self.ctype(number)


class _Address:
    """An address or a handle: a number; None is null."""

    ctype = ctypes.c_void_p

    @staticmethod
    def from_param(value):
        return ctypes.c_void_p(None if value is None else operator.index(value))


class _Text:
    ctype = ctypes.c_char_p

    @staticmethod
    def from_param(value):
        if value is None or isinstance(value, bytes):
            return ctypes.c_char_p(value)
        if isinstance(value, str):
            return ctypes.c_char_p(value.encode())
        raise TypeError(f"expected str, not {type(value).__name__}")


class _Real:
    ctype = ctypes.c_float

    @staticmethod
    def from_param(value):
        return ctypes.c_float(float(value))


I32 = _Number(ctypes.c_int32, -(2**31), 2**31 - 1)
U8 = _Number(ctypes.c_uint8, 0, 2**8 - 1)
U16 = _Number(ctypes.c_uint16, 0, 2**16 - 1)
U32 = _Number(ctypes.c_uint32, 0, 2**32 - 1)
I64 = _Number(ctypes.c_int64, -(2**63), 2**63 - 1)
U64 = _Number(ctypes.c_uint64, 0, 2**64 - 1)
SIZE = _Number(ctypes.c_size_t, 0, ctypes.c_size_t(-1).value)
ADDRESS = _Address
TEXT = _Text
REAL = _Real


def _described(wrapper, name):
    wrapper.__name__ = wrapper.__qualname__ = name
    wrapper.__doc__ = f"{name} of AscendCL."
    return wrapper


def code(name, *kinds, defaults=(), library="ascendcl"):
    """A function that returns only its error code: ret = f(...)."""
    return value(name, ctypes.c_int32, *kinds, defaults=defaults, library=library)


def value(name, result, *kinds, defaults=(), library="ascendcl"):
    """A function that returns what the C function returns; result None: nothing."""
    target = function(name, library)
    target.restype = result
    required = len(kinds) - len(defaults)

    def call(*arguments):
        if not required <= len(arguments) <= len(kinds):
            raise TypeError(f"{name} takes {len(kinds)} arguments ({len(arguments)} given)")
        arguments += tuple(defaults[len(arguments) - required:])
        found = target(*(kind.from_param(x) for kind, x in zip(kinds, arguments)))
        return 0 if found is None and result is ctypes.c_void_p else found

    return _described(call, name)


def outputs(name, kinds, results, first=True, library="ascendcl"):
    """A function with numbers to write: *results, ret = f(...). In C they stand before the
    arguments (first) or behind them. They are 0 after a failure."""
    target = function(name, library)
    target.restype = ctypes.c_int32
    ctypes_of_results = [getattr(kind, "ctype", kind) for kind in results]

    def call(*arguments):
        if len(arguments) != len(kinds):
            raise TypeError(f"{name} takes {len(kinds)} arguments ({len(arguments)} given)")
        written = [ctype() for ctype in ctypes_of_results]
        pointers = [ctypes.byref(one) for one in written]
        given = [kind.from_param(x) for kind, x in zip(kinds, arguments)]
        ret = target(*(pointers + given if first else given + pointers))
        return (*(0 if one.value is None else one.value for one in written), ret)

    return _described(call, name)


def array(kind, values):
    """A C array of a list's or a numpy array's numbers, and its length."""
    numbers = [kind.from_param(x).value for x in values]
    return (kind.ctype * max(1, len(numbers)))(*numbers), len(numbers)
