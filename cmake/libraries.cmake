# SPDX-License-Identifier: Apache-2.0
# The libraries. Each shared library exports exactly its section of abi/symbols.txt.

include(cmake/isa.cmake)

set(ANYACL_BASE_SOURCES
  src/base/cpu.cc
  src/base/dtype.cc
  src/base/fork_locks.cc
  src/base/format.cc
  src/base/status.cc
  src/base/thread.cc)

set(ANYACL_RUNTIME_SOURCES
  src/runtime/allocator_api.cc
  src/runtime/below_acl.cc
  src/runtime/cache_api.cc
  src/runtime/callback.cc
  src/runtime/capture.cc
  src/runtime/clock.cc
  src/runtime/condition.cc
  src/runtime/config.cc
  src/runtime/control_groups.cc
  src/runtime/copy.cc
  src/runtime/copy_batch.cc
  src/runtime/core_limits.cc
  src/runtime/cpus.cc
  src/runtime/device.cc
  src/runtime/device_api.cc
  src/runtime/error_log.cc
  src/runtime/event.cc
  src/runtime/event_api.cc
  src/runtime/exception_info.cc
  src/runtime/flag.cc
  src/runtime/float16.cc
  src/runtime/graph.cc
  src/runtime/graph_api.cc
  src/runtime/graph_info.cc
  src/runtime/init_api.cc
  src/runtime/ipc_memory_api.cc
  src/runtime/kernel_api.cc
  src/runtime/log.cc
  src/runtime/managed_memory_api.cc
  src/runtime/memory.cc
  src/runtime/memory_api.cc
  src/runtime/memory_info_api.cc
  src/runtime/model_api.cc
  src/runtime/model_build.cc
  src/runtime/model_label.cc
  src/runtime/notify_api.cc
  src/runtime/parallel.cc
  src/runtime/profile.cc
  src/runtime/profile_api.cc
  src/runtime/profile_marks.cc
  src/runtime/random_api.cc
  src/runtime/random_numbers.cc
  src/runtime/rank_group.cc
  src/runtime/reduce.cc
  src/runtime/reduce_api.cc
  src/runtime/settings.cc
  src/runtime/shared_extent.cc
  src/runtime/shared_records.cc
  src/runtime/state_callbacks.cc
  src/runtime/stream.cc
  src/runtime/stream_api.cc
  src/runtime/stream_config_api.cc
  src/runtime/stream_wait.cc
  src/runtime/stream_worker.cc
  src/runtime/system_api.cc
  src/runtime/task_group.cc
  src/runtime/value_api.cc
  src/runtime/version_api.cc
  src/runtime/virtual_memory.cc
  src/runtime/virtual_memory_api.cc
  src/runtime/write_barrier.cc)

set(ANYACL_SINGLE_OP_SOURCES
  src/single_op/attributes.cc
  src/single_op/data_buffer.cc
  src/single_op/execute.cc
  src/single_op/tensor_desc.cc)

set(ANYACL_OP_COMPILER_SOURCES
  src/op_compiler/compile.cc
  src/op_compiler/channel_blocks.cc
  src/op_compiler/format_change.cc
  src/op_compiler/operators.cc
  src/op_compiler/options.cc)

set(ANYACL_ATB_SOURCES
  src/atb/attention.cc
  src/atb/context.cc
  src/atb/elewise.cc
  src/atb/fused_add_topk_div.cc
  src/atb/group_topk.cc
  src/atb/grouped_matmul_inplace_add.cc
  src/atb/host_lengths.cc
  src/atb/latent_attention.cc
  src/atb/launched.cc
  src/atb/linear.cc
  src/atb/reshape_and_cache.cc
  src/atb/paged_cache_load.cc
  src/atb/ring_mla.cc
  src/atb/rms_norm.cc
  src/atb/rope.cc
  src/atb/utils.cc)
set(ANYACL_DUMP_SOURCES src/dump/dump.cc)
set(ANYACL_SECUREC_SOURCES src/securec/securec.cc)
set(ANYACL_DRIVER_SOURCES src/driver/driver.cc)
set(ANYACL_PROFILER_SOURCES src/profiler/profiler.cc)
set(ANYACL_GRAPH_SOURCES src/graph_engine/graph.cc)
set(ANYACL_GE_RUNNER_SOURCES
  src/graph_engine/error_message.cc
  src/graph_engine/session.cc)
# Each of the two libraries has its own queues.
set(ANYACL_TDT_SOURCES src/tdt/mem_queue.cc)
set(ANYACL_TDT_CHANNEL_SOURCES
  src/tdt/channel.cc
  src/tdt/dataset.cc)
set(ANYACL_TDT_QUEUE_SOURCES
  src/tdt/queue.cc
  src/tdt/queue_objects.cc)

set(ANYACL_NNOP_SOURCES
  src/nnop/call_cache.cc
  src/nnop/executor.cc
  src/nnop/executor_api.cc
  src/nnop/framework_hooks.cc
  src/nnop/object_api.cc
  src/nnop/objects.cc)

include(cmake/operators.cmake)

# fmt's declarations; src/base/format.cc compiles what they leave open. As headers alone it cost each
# unit another 0.4 s, and as a library every client would need it.
add_library(anyacl_fmt INTERFACE)
target_include_directories(anyacl_fmt SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)

function(anyacl_objects name)
  add_library(${name} OBJECT ${ARGN})
  # A folder's files as one unit share what each of them reads and instantiates.
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE / _ folder ${folder})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${ANYACL_UNITS} UNITY_BUILD_MODE GROUP)
  target_include_directories(${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  # The public headers mark their functions visible only where this is defined.
  target_compile_definitions(${name} PRIVATE FUNC_VISIBILITY)
  # Kernels compute, and are compiled with -O3; here that cost a quarter of the time of compiling and
  # gained none of a call's (16 numbers: Add and Softmax 1.7 us, Mm 2.0 with either). Loops become
  # vectors of 16 bytes all the same, which -O2 of g++ 12 leaves alone where it has to look whether
  # memory overlaps: 0.5 % more library, no longer to compile.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O2>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-fvect-cost-model=dynamic>
    ${ANYACL_COVERAGE_OPTIONS})
  target_link_libraries(${name} PUBLIC anyacl_options Threads::Threads
    anyacl_fmt nlohmann_json::nlohmann_json)
  # Half a second of each unit, of 1.4; the preset debug compiles without.
  if(name STREQUAL "anyacl_base")
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <atomic> <cmath> <cstring>
      <functional> <limits> <map> <memory> <mutex> <optional> <span> <string> <thread> <vector>
      <fmt/core.h>)
  else()
    target_precompile_headers(${name} REUSE_FROM anyacl_base)
  endif()
endfunction()

# Their precompiled form has no implementation.
set_source_files_properties(src/base/format.cc PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
anyacl_objects(anyacl_base ${ANYACL_BASE_SOURCES})
anyacl_objects(anyacl_runtime ${ANYACL_RUNTIME_SOURCES})
anyacl_objects(anyacl_single_op ${ANYACL_SINGLE_OP_SOURCES})
anyacl_objects(anyacl_op_compiler ${ANYACL_OP_COMPILER_SOURCES})
anyacl_objects(anyacl_atb ${ANYACL_ATB_SOURCES})
anyacl_objects(anyacl_dump ${ANYACL_DUMP_SOURCES})
anyacl_objects(anyacl_driver ${ANYACL_DRIVER_SOURCES})
anyacl_objects(anyacl_profiler ${ANYACL_PROFILER_SOURCES})
anyacl_objects(anyacl_securec ${ANYACL_SECUREC_SOURCES})
anyacl_objects(anyacl_graph ${ANYACL_GRAPH_SOURCES})
anyacl_objects(anyacl_ge_runner ${ANYACL_GE_RUNNER_SOURCES})
set_source_files_properties(src/graph_engine/error_message.cc PROPERTIES
  COMPILE_DEFINITIONS _GLIBCXX_USE_CXX11_ABI=0
  SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
anyacl_objects(anyacl_tdt ${ANYACL_TDT_SOURCES})
anyacl_objects(anyacl_tdt_channel ${ANYACL_TDT_CHANNEL_SOURCES})
anyacl_objects(anyacl_tdt_queue ${ANYACL_TDT_QUEUE_SOURCES})
anyacl_objects(anyacl_nnop ${ANYACL_NNOP_SOURCES})
anyacl_objects(anyacl_ops ${ANYACL_OPS_SOURCES})
target_link_libraries(anyacl_ops PRIVATE Eigen3::Eigen)
# Eigen loads a complex<float>, which is aligned to 4 bytes, as a double: the instruction takes any
# address.
if(ANYACL_SANITIZE MATCHES "undefined")
  set_source_files_properties(
    src/ops/linalg/factors.cc src/ops/linalg/qr.cc src/ops/linalg/svd.cc
    src/ops/linalg/triangular_solve.cc
    PROPERTIES COMPILE_OPTIONS -fno-sanitize=alignment)
endif()
anyacl_objects(anyacl_entries ${ANYACL_ENTRY_SOURCES})
anyacl_isa_objects(anyacl_kernels ${ANYACL_KERNEL_SOURCES})
foreach(tier IN LISTS ANYACL_ISA_TIERS)
  if(ANYACL_PLAIN_${tier})
    target_compile_definitions(anyacl_kernels_${tier} PRIVATE ANYACL_PLAIN=${ANYACL_PLAIN_${tier}})
  else()
    target_sources(anyacl_kernels_${tier} PRIVATE ${ANYACL_PLAIN_KERNEL_SOURCES})
  endif()
  # GCC's intrinsics take 0.3 s for each file. To clang 14 va_list would be ambiguous behind them.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT tier STREQUAL "base")
    target_precompile_headers(anyacl_kernels_${tier} PRIVATE src/simd/simd.h)
  endif()
endforeach()
list(TRANSFORM ANYACL_ISA_TIERS PREPEND anyacl_kernels_ OUTPUT_VARIABLE ANYACL_KERNEL_OBJECTS)
if(ANYACL_MATRIX_TIER)
  list(GET ANYACL_ISA_TIERS -1 extended)
  anyacl_tier_objects(anyacl_kernels_${ANYACL_MATRIX_TIER} ${ANYACL_MATRIX_TIER}
    "ANYACL_ISA=${ANYACL_MATRIX_TIER}"
    src/attention/kernel_prefill_matrix.cc
    src/gemm/kernel_fp32.cc src/gemm/kernel_matrix.cc src/gemm/kernel_scale.cc
    src/ops/flash_attention/kernel_gradient_matrix.cc)
  anyacl_tier_objects(anyacl_tables_${ANYACL_MATRIX_TIER} ${extended}
    "ANYACL_ISA=${extended};ANYACL_PLAIN=${ANYACL_PLAIN_${extended}};ANYACL_TIER=${ANYACL_MATRIX_TIER}"
    src/attention/kernel.cc src/gemm/kernel.cc src/kernels_table.cc
    src/ops/flash_attention/kernel.cc)
  list(APPEND ANYACL_KERNEL_OBJECTS
    anyacl_kernels_${ANYACL_MATRIX_TIER} anyacl_tables_${ANYACL_MATRIX_TIER})
endif()

# Writes the linker version script of one library: its allow-list is global, the rest local.
function(anyacl_export_script library script)
  set(lists ${PROJECT_SOURCE_DIR}/abi/symbols.txt ${PROJECT_SOURCE_DIR}/abi/operators.txt)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lists})
  set(lines "")
  foreach(list IN LISTS lists)
    file(STRINGS ${list} more)
    list(APPEND lines ${more})
  endforeach()
  set(active FALSE)
  set(names "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^# ?" OR line STREQUAL "")
      continue()
    elseif(line MATCHES "^lib(.*):$")
      string(COMPARE EQUAL "${CMAKE_MATCH_1}" "${library}" active)
    elseif(active)
      string(APPEND names "    ${line};\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${script} CONTENT "{\n  global:\n${names}  local: *;\n};\n")
endfunction()

# nodelete: a stream thread may still run our code after a client's dlclose.
# no-as-needed: clients look symbols of the lower libraries up through the handle of the upper one.
function(anyacl_shared_library name)
  cmake_parse_arguments(arg "" "" "OBJECTS;NEEDS" ${ARGN})
  add_library(${name} SHARED)
  foreach(objects IN LISTS arg_OBJECTS)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  set(script ${PROJECT_BINARY_DIR}/${name}.map)
  anyacl_export_script(${name} ${script})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${script})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_options(${name} PRIVATE
    -Wl,--version-script=${script} -Wl,-z,nodelete -Wl,--no-as-needed)
  if(NOT ANYACL_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:anyacl_options> Threads::Threads)
  target_link_libraries(${name} PUBLIC ${arg_NEEDS})
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib64
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH $ORIGIN)
endfunction()

anyacl_shared_library(ascendcl OBJECTS anyacl_base anyacl_runtime anyacl_single_op)
# torch_npu looks aclrtCtxSetSysParamOpt up through this one's handle.
anyacl_shared_library(acl_op_compiler OBJECTS anyacl_base anyacl_op_compiler NEEDS ascendcl ${CMAKE_DL_LIBS})
anyacl_shared_library(acl_tdt_channel OBJECTS anyacl_base anyacl_tdt anyacl_tdt_channel NEEDS ascendcl)
anyacl_shared_library(acl_tdt_queue OBJECTS anyacl_base anyacl_tdt anyacl_tdt_queue NEEDS ascendcl)
anyacl_shared_library(ascend_dump OBJECTS anyacl_base anyacl_dump NEEDS ascendcl)
anyacl_shared_library(ascend_hal OBJECTS anyacl_base anyacl_driver NEEDS ascendcl)
anyacl_shared_library(c_sec OBJECTS anyacl_securec)
# torch_npu's compiler of graphs finds dumps and string functions behind this one.
anyacl_shared_library(graph OBJECTS anyacl_base anyacl_graph NEEDS ascend_dump c_sec ascendcl)
anyacl_shared_library(ge_runner OBJECTS anyacl_base anyacl_ge_runner NEEDS graph ascendcl)
include(${CMAKE_CURRENT_LIST_DIR}/hccl.cmake)
anyacl_shared_library(msprofiler OBJECTS anyacl_base anyacl_profiler NEEDS ascendcl)
# Clients look marks up through this one, and find them in libascendcl.
add_library(ms_tools_ext SHARED packaging/stub.c)
target_link_libraries(ms_tools_ext PRIVATE ascendcl)
target_link_options(ms_tools_ext PRIVATE LINKER:--no-as-needed)
set_target_properties(ms_tools_ext PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib64
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH $ORIGIN)
anyacl_shared_library(nnopbase OBJECTS anyacl_base anyacl_nnop NEEDS ascendcl)
anyacl_shared_library(opapi OBJECTS anyacl_base anyacl_ops anyacl_entries ${ANYACL_KERNEL_OBJECTS} NEEDS nnopbase ascendcl)
# Operations of transformers in C++, which clients reach beside the aclnn API.
anyacl_shared_library(atb OBJECTS anyacl_base anyacl_atb NEEDS opapi nnopbase ascendcl)

# Makes the files that follow from the operators' declarations, which it reads without calling an
# operator: it is linked without their code, so that a new row needs no kernels to be built.
add_executable(operator_files EXCLUDE_FROM_ALL
  tools/operator_files/declarations.cc
  tools/operator_files/json.cc
  tools/operator_files/main.cc
  tools/operator_files/support.cc
  src/ops/operators.cc
  src/ops/single_operators.cc
  src/nnop/operand_checks.cc
  $<TARGET_OBJECTS:anyacl_base>)
# It runs for 0.4 s, and took 8 for each file to compile.
target_compile_options(operator_files PRIVATE -O0)
set_target_properties(operator_files PROPERTIES
  UNITY_BUILD ${ANYACL_UNITS} UNITY_BUILD_BATCH_SIZE 0)
target_link_options(operator_files PRIVATE -no-pie -Wl,--unresolved-symbols=ignore-all)
target_compile_definitions(operator_files PRIVATE FMT_HEADER_ONLY=1)
target_include_directories(operator_files PRIVATE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(operator_files PRIVATE anyacl_options Threads::Threads
  anyacl_fmt nlohmann_json::nlohmann_json)
add_custom_target(update_operator_files
  COMMAND operator_files ${PROJECT_SOURCE_DIR} VERBATIM)

# Everything in one archive, for tests of the inside.
add_library(anyacl_static STATIC EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:anyacl_base> $<TARGET_OBJECTS:anyacl_runtime>
  $<TARGET_OBJECTS:anyacl_single_op> $<TARGET_OBJECTS:anyacl_op_compiler>
  $<TARGET_OBJECTS:anyacl_nnop> $<TARGET_OBJECTS:anyacl_ops>
  $<TARGET_OBJECTS:anyacl_entries>)
foreach(objects IN LISTS ANYACL_KERNEL_OBJECTS)
  target_sources(anyacl_static PRIVATE $<TARGET_OBJECTS:${objects}>)
endforeach()
target_include_directories(anyacl_static PUBLIC
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(anyacl_static PUBLIC anyacl_options Threads::Threads
  anyacl_fmt nlohmann_json::nlohmann_json)
