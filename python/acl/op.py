# SPDX-License-Identifier: Apache-2.0
"""acl.op: single operators by name. Attributes are objects; running one returns 100024, because
anyacl's operators are aclnn functions, and acl.get_recent_err_msg() names what was asked for."""

import ctypes

from ._binding import ADDRESS, I32, I64, REAL, SIZE, TEXT, U8, array, code, function, value

create_attr = value("aclopCreateAttr", ctypes.c_void_p)
destroy_attr = value("aclopDestroyAttr", None, ADDRESS)
set_attr_bool = code("aclopSetAttrBool", ADDRESS, TEXT, U8)
set_attr_int = code("aclopSetAttrInt", ADDRESS, TEXT, I64)
set_attr_float = code("aclopSetAttrFloat", ADDRESS, TEXT, REAL)
set_attr_string = code("aclopSetAttrString", ADDRESS, TEXT, TEXT)
set_attr_data_type = code("aclopSetAttrDataType", ADDRESS, TEXT, I32)
set_model_dir = code("aclopSetModelDir", TEXT)
load = code("aclopLoad", ADDRESS, SIZE)
set_max_op_queue_num = code("aclopSetMaxOpQueueNum", SIZE)
cast = code("aclopCast", ADDRESS, ADDRESS, ADDRESS, ADDRESS, U8, ADDRESS)


def _list_setter(name, kind):
    def call(attr, attr_name, *values):
        # Documents count the values first; programs leave that out.
        numbers, count = array(kind, values[-1])
        return function(name)(ADDRESS.from_param(attr), TEXT.from_param(attr_name), count, numbers)

    call.__doc__ = f"ret = {name} of AscendCL, with a list or an array."
    return call


set_attr_list_bool = _list_setter("aclopSetAttrListBool", U8)
set_attr_list_int = _list_setter("aclopSetAttrListInt", I64)
set_attr_list_float = _list_setter("aclopSetAttrListFloat", REAL)
set_attr_list_string = _list_setter("aclopSetAttrListString", TEXT)
set_attr_list_data_type = _list_setter("aclopSetAttrListDataType", I32)


def set_attr_list_list_int(attr, attr_name, *values):
    """ret = set_attr_list_list_int(attr, attr_name, [[...], ...])."""
    rows = [array(I64, row) for row in values[-1]]
    counts, number = array(I32, [count for _, count in rows])
    pointers = (ctypes.c_void_p * max(1, number))(*(ctypes.addressof(row) for row, _ in rows))
    return function("aclopSetAttrListListInt")(
        ADDRESS.from_param(attr), TEXT.from_param(attr_name), number, counts, pointers)


def _tensors(descs, buffers):
    if len(descs) != len(buffers):
        raise TypeError(f"{len(descs)} descriptions for {len(buffers)} buffers")
    return (len(descs), array(ADDRESS, descs)[0], array(ADDRESS, buffers)[0])


def execute_v2(op_type, input_desc, inputs, output_desc, outputs, attr, stream=0):
    """ret = execute_v2(...): 100024."""
    return function("aclopExecuteV2")(
        TEXT.from_param(op_type), *_tensors(input_desc, inputs), *_tensors(output_desc, outputs),
        ADDRESS.from_param(attr), ADDRESS.from_param(stream))


execute = execute_v2


def update_params(op_type, input_desc, output_desc, attr):
    """ret = update_params(...): 100024."""
    inputs, input_count = array(ADDRESS, input_desc)
    outputs, output_count = array(ADDRESS, output_desc)
    return function("aclopUpdateParams")(
        TEXT.from_param(op_type), input_count, inputs, output_count, outputs,
        ADDRESS.from_param(attr))


def create_handle(op_type, input_desc, output_desc, attr):
    """handle, ret = create_handle(...): 0, 100024."""
    inputs, input_count = array(ADDRESS, input_desc)
    outputs, output_count = array(ADDRESS, output_desc)
    handle = ctypes.c_void_p()
    ret = function("aclopCreateHandle")(
        TEXT.from_param(op_type), input_count, inputs, output_count, outputs,
        ADDRESS.from_param(attr), ctypes.byref(handle))
    return handle.value or 0, ret


def compile(op_type, input_desc, output_desc, attr, engine_type=0, compile_flag=0, op_path=None):
    """ret = compile(...): 100024."""
    inputs, input_count = array(ADDRESS, input_desc)
    outputs, output_count = array(ADDRESS, output_desc)
    return function("aclopCompile", "acl_op_compiler")(
        TEXT.from_param(op_type), input_count, inputs, output_count, outputs,
        ADDRESS.from_param(attr), I32.from_param(engine_type), I32.from_param(compile_flag),
        TEXT.from_param(op_path))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"acl.op.{name} is not offered by anyacl")
