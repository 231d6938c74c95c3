# SPDX-License-Identifier: Apache-2.0
"""pyACL, the Python interface of AscendCL, on anyacl.

    import acl
    ret = acl.init()
    ret = acl.rt.set_device(0)
    pointer, ret = acl.rt.malloc(1024, 0)

As in pyACL, a function returns an error code (ret, 0 for success), or values and then the code;
objects and addresses are numbers. After a failure acl.get_recent_err_msg() says why. Arguments of
a wrong type raise TypeError, numbers that do not fit raise OverflowError. What is not offered
(acl.mdl, acl.media, acl.prof, ...) raises AttributeError and says so.
"""

import ctypes

from . import op, rt, util
from ._binding import (
    ADDRESS, I32, I64, REAL, SIZE, TEXT, U16, array, code, function, outputs, value,
)

_POINTER = ctypes.c_void_p

init = code("aclInit", TEXT, defaults=(None,))
finalize = code("aclFinalize")

data_type_size = value("aclDataTypeSize", ctypes.c_size_t, I32)
float_to_float16 = value("aclFloatToFloat16", ctypes.c_uint16, REAL)
float16_to_float = value("aclFloat16ToFloat", ctypes.c_float, U16)

create_data_buffer = value("aclCreateDataBuffer", _POINTER, ADDRESS, SIZE)
destroy_data_buffer = code("aclDestroyDataBuffer", ADDRESS)
update_data_buffer = code("aclUpdateDataBuffer", ADDRESS, ADDRESS, SIZE)
get_data_buffer_addr = value("aclGetDataBufferAddr", _POINTER, ADDRESS)
get_data_buffer_size = value("aclGetDataBufferSize", ctypes.c_uint32, ADDRESS)
get_data_buffer_size_v2 = value("aclGetDataBufferSizeV2", ctypes.c_size_t, ADDRESS)

destroy_tensor_desc = value("aclDestroyTensorDesc", None, ADDRESS)
get_tensor_desc_type = value("aclGetTensorDescType", ctypes.c_int, ADDRESS)
get_tensor_desc_format = value("aclGetTensorDescFormat", ctypes.c_int, ADDRESS)
get_tensor_desc_size = value("aclGetTensorDescSize", ctypes.c_size_t, ADDRESS)
get_tensor_desc_element_count = value("aclGetTensorDescElementCount", ctypes.c_size_t, ADDRESS)
get_tensor_desc_num_dims = value("aclGetTensorDescNumDims", ctypes.c_size_t, ADDRESS)
get_tensor_desc_dim = value("aclGetTensorDescDim", ctypes.c_int64, ADDRESS, SIZE)
get_tensor_desc_dim_v2 = outputs("aclGetTensorDescDimV2", (ADDRESS, SIZE), (I64,), first=False)
set_tensor_desc_name = value("aclSetTensorDescName", None, ADDRESS, TEXT)
set_tensor_format = code("aclSetTensorFormat", ADDRESS, I32)
set_tensor_storage_format = code("aclSetTensorStorageFormat", ADDRESS, I32)
set_tensor_origin_format = code("aclSetTensorOriginFormat", ADDRESS, I32)
set_tensor_dynamic_input = code("aclSetTensorDynamicInput", ADDRESS, TEXT)
set_tensor_const = code("aclSetTensorConst", ADDRESS, ADDRESS, SIZE)
set_tensor_place_ment = code("aclSetTensorPlaceMent", ADDRESS, I32)
trans_tensor_desc_format = outputs(
    "aclTransTensorDescFormat", (ADDRESS, I32), (ADDRESS,), first=False)

set_compileopt = code("aclSetCompileopt", I32, TEXT, library="acl_op_compiler")
get_device_capability = outputs("aclGetDeviceCapability", (I32, I32), (I64,), first=False)


def get_recent_err_msg():
    """The messages of this thread's failures since the last call, or None."""
    target = function("aclGetRecentErrMsg")
    target.restype = ctypes.c_char_p
    text = target()
    return None if text is None else text.decode(errors="replace")


def get_tensor_desc_name(desc):
    """The name of the description; "" if it has none."""
    target = function("aclGetTensorDescName")
    target.restype = ctypes.c_char_p
    return target(ADDRESS.from_param(desc)).decode(errors="replace")


def create_tensor_desc(data_type, dims, format):
    """desc = create_tensor_desc(...); 0 for a shape that is none."""
    target = function("aclCreateTensorDesc")
    target.restype = _POINTER
    sizes, rank = array(I64, dims)
    return target(I32.from_param(data_type), rank, sizes, I32.from_param(format)) or 0


def _shape_setter(name):
    def call(desc, dims):
        sizes, rank = array(I64, dims)
        return function(name)(ADDRESS.from_param(desc), rank, sizes)

    call.__doc__ = f"ret = {name} of AscendCL, with a list of sizes."
    return call


set_tensor_shape = _shape_setter("aclSetTensorShape")
set_tensor_storage_shape = _shape_setter("aclSetTensorStorageShape")
set_tensor_origin_shape = _shape_setter("aclSetTensorOriginShape")


def set_tensor_shape_range(desc, dims_range):
    """ret = set_tensor_shape_range(desc, [[smallest, largest], ...])."""
    pairs, count = array(I64, [number for pair in dims_range for number in pair])
    if count != 2 * len(dims_range):
        raise TypeError("dims_range: expected pairs of numbers")
    return function("aclSetTensorShapeRange")(
        ADDRESS.from_param(desc), SIZE.from_param(len(dims_range)), pairs)


def get_tensor_desc_dim_range(desc, index, dim_range_num=2):
    """[smallest, largest], ret = get_tensor_desc_dim_range(desc, index)."""
    pair = (ctypes.c_int64 * 2)()
    ret = function("aclGetTensorDescDimRange")(
        ADDRESS.from_param(desc), SIZE.from_param(index), SIZE.from_param(dim_range_num), pair)
    return list(pair), ret


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"acl.{name} is not offered by anyacl")
