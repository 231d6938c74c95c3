# SPDX-License-Identifier: Apache-2.0
# The libraries. Each shared library exports exactly its section of abi/symbols.txt.

include(cmake/isa.cmake)

set(ANYACL_BASE_SOURCES
  src/base/cpu.cc
  src/base/dtype.cc
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

set(ANYACL_DUMP_SOURCES src/dump/dump.cc)
set(ANYACL_SECUREC_SOURCES src/securec/securec.cc)
set(ANYACL_DRIVER_SOURCES src/driver/driver.cc)
set(ANYACL_PROFILER_SOURCES src/profiler/profiler.cc)
# Each of the two libraries has its own queues.
set(ANYACL_TDT_SOURCES src/tdt/mem_queue.cc)
set(ANYACL_TDT_CHANNEL_SOURCES
  src/tdt/channel.cc
  src/tdt/dataset.cc)
set(ANYACL_TDT_QUEUE_SOURCES
  src/tdt/queue.cc
  src/tdt/queue_objects.cc)

set(ANYACL_NNOP_SOURCES
  src/nnop/executor.cc
  src/nnop/executor_api.cc
  src/nnop/framework_hooks.cc
  src/nnop/object_api.cc
  src/nnop/objects.cc)

set(ANYACL_OPS_SOURCES
  src/dispatch.cc
  src/attention/attend.cc
  src/attention/bias.cc
  src/attention/bind.cc
  src/attention/cache.cc
  src/attention/plan.cc
  src/attention/results.cc
  src/attention/views.cc
  src/gemm/list.cc
  src/gemm/multiply.cc
  src/gemm/normal_form.cc
  src/gemm/panels.cc
  src/gemm/plan.cc
  src/gemm/unfold.cc
  src/nnop/copy.cc
  src/nnop/ordered_plan.cc
  src/nnop/output_mask.cc
  src/nnop/phases.cc
  src/nnop/operand_checks.cc
  src/nnop/operand_dims.cc
  src/nnop/operands.cc
  src/nnop/promotion.cc
  src/nnop/scalar.cc
  src/nnop/view.cc
  src/ops/inner_call.cc
  src/ops/operators.cc
  src/ops/single_op_call.cc
  src/ops/single_operators.cc
  src/ops/distance/distance.cc
  src/ops/recurrent/gru.cc
  src/ops/recurrent/layer.cc
  src/ops/recurrent/lstm.cc
  src/ops/recurrent/weight_gradients.cc
  src/ops/blocks/blocks.cc
  src/ops/blocks/convert.cc
  src/ops/blocks/images.cc
  src/ops/batch_norm/backward.cc
  src/ops/batch_norm/channels.cc
  src/ops/batch_norm/checks.cc
  src/ops/batch_norm/forward.cc
  src/ops/batch_norm/gather.cc
  src/ops/convolution/channel.cc
  src/ops/convolution/checks.cc
  src/ops/convolution/plan.cc
  src/ops/convolution/product.cc
  src/ops/convolution/relation.cc
  src/ops/convolution/weight_gradient.cc
  src/ops/dynamic_quant/checks.cc
  src/ops/dynamic_quant/plan.cc
  src/ops/elementwise/ascend_quant.cc
  src/ops/elementwise/build.cc
  src/ops/elementwise/chain.cc
  src/ops/elementwise/complex.cc
  src/ops/elementwise/parts.cc
  src/ops/elementwise/quantize.cc
  src/ops/elementwise/shift.cc
  src/ops/elementwise/plan.cc
  src/ops/elementwise/prelu.cc
  src/ops/elementwise/prepare.cc
  src/ops/elementwise/prepare_complex.cc
  src/ops/elementwise/prepare_parameters.cc
  src/ops/elementwise/rotary.cc
  src/ops/afd/attention_to_ffn.cc
  src/ops/afd/batching.cc
  src/ops/afd/busy_contexts.cc
  src/ops/afd/checks.cc
  src/ops/afd/combine.cc
  src/ops/afd/context.cc
  src/ops/afd/ffn_to_attention.cc
  src/ops/afd/polls.cc
  src/ops/afd/schedulers.cc
  src/ops/afd/slots.cc
  src/ops/afd/sources.cc
  src/ops/afd/window_checks.cc
  src/ops/moe_distribute/checks.cc
  src/ops/moe_distribute/combine.cc
  src/ops/moe_distribute/dispatch.cc
  src/ops/moe_distribute/parcels.cc
  src/ops/ranks/waiter.cc
  src/ops/ranks/windows.cc
  src/ops/grid_sample/affine.cc
  src/ops/grid_sample/sample.cc
  src/ops/group_norm/backward.cc
  src/ops/group_norm/checks.cc
  src/ops/group_norm/forward.cc
  src/ops/grouped_matmul/checks.cc
  src/ops/grouped_matmul/plan.cc
  src/ops/grouped_matmul/weight_nz.cc
  src/ops/reduction/arg.cc
  src/ops/reduction/checks.cc
  src/ops/reduction/elements.cc
  src/ops/reduction/fold.cc
  src/ops/reduction/foreach_norm.cc
  src/ops/reduction/layout.cc
  src/ops/reduction/moments.cc
  src/ops/reduction/renorm.cc
  src/ops/foreach/plan.cc
  src/ops/foreach/prepare.cc
  src/ops/foreach/sum.cc
  src/ops/gated_delta_rule/plan.cc
  src/ops/generators/arange.cc
  src/ops/generators/bernoulli.cc
  src/ops/generators/dropout.cc
  src/ops/generators/eye.cc
  src/ops/generators/integers.cc
  src/ops/generators/linspace.cc
  src/ops/generators/normal.cc
  src/ops/generators/random.cc
  src/ops/generators/randperm.cc
  src/ops/generators/rrelu.cc
  src/ops/generators/uniform.cc
  src/ops/moe/finalize_routing.cc
  src/ops/moe/gating.cc
  src/ops/moe/gating_top_k.cc
  src/ops/moe/init_routing.cc
  src/ops/moe/init_routing_v3.cc
  src/ops/moe/update_expert.cc
  src/ops/movement/format_cast.cc
  src/ops/indexing/access.cc
  src/ops/indexing/advanced.cc
  src/ops/indexing/along_dim.cc
  src/ops/indexing/combine.cc
  src/ops/indexing/elements.cc
  src/ops/indexing/embedding.cc
  src/ops/indexing/embedding_bag.cc
  src/ops/indexing/masked.cc
  src/ops/indexing/nonzero.cc
  src/ops/indexing/plan.cc
  src/ops/indexing/positions.cc
  src/ops/indexing/scatter_rows.cc
  src/ops/indexing/scatter_singles.cc
  src/ops/indexing/single_index.cc
  src/ops/sorting/counts.cc
  src/ops/sorting/entries.cc
  src/ops/sorting/multinomial.cc
  src/ops/sorting/search.cc
  src/ops/sorting/select.cc
  src/ops/sorting/sort.cc
  src/ops/sorting/unique.cc
  src/ops/sorting/unique_slices.cc
  src/ops/cumulative/checks.cc
  src/ops/cumulative/scan.cc
  src/ops/stft/stft.cc
  src/ops/windows/columns.cc
  src/ops/windows/fold.cc
  src/ops/windows/pads.cc
  src/ops/max_pool/forward.cc
  src/ops/max_pool/prepare.cc
  src/ops/max_pool/scatter.cc
  src/ops/movement/gather.cc
  src/ops/movement/move.cc
  src/ops/movement/nodes.cc
  src/ops/movement/pad.cc
  src/ops/movement/repeat.cc
  src/ops/movement/triangle.cc
  src/ops/movement/views.cc
  src/ops/linalg/cross.cc
  src/ops/linalg/factors.cc
  src/ops/linalg/qr.cc
  src/ops/linalg/svd.cc
  src/ops/linalg/triangular_solve.cc
  src/ops/matmul/numbers.cc
  src/ops/loss/ctc.cc
  src/ops/loss/multilabel.cc
  src/ops/loss/nll.cc
  src/ops/loss/pointwise.cc
  src/ops/matmul/grouped.cc
  src/ops/matmul/grouped_checks.cc
  src/ops/matmul/grouped_types.cc
  src/ops/matmul/finish.cc
  src/ops/matmul/left.cc
  src/ops/matmul/int4.cc
  src/ops/matmul/plan.cc
  src/ops/matmul/quant.cc
  src/ops/matmul/quant_checks.cc
  src/ops/matmul/quant_group_checks.cc
  src/ops/matmul/quant_groups.cc
  src/ops/matmul/quant_parameter.cc
  src/ops/matmul/quantise.cc
  src/ops/matmul/weight.cc
  src/ops/matmul/weight_quant.cc
  src/ops/matmul_collective/all_to_all.cc
  src/ops/matmul_collective/checks.cc
  src/ops/matmul_collective/experts.cc
  src/ops/matmul_collective/grid.cc
  src/ops/matmul_collective/plan.cc
  src/ops/matmul_collective/steps.cc
  src/ops/optimizer/adam.cc
  src/ops/optimizer/scale.cc
  src/ops/rowwise/cross_entropy.cc
  src/ops/rowwise/layer_norm_backward.cc
  src/ops/resampling/plan.cc
  src/ops/resampling/prepare.cc
  src/ops/resampling/tables.cc
  src/ops/rowwise/norm.cc
  src/ops/rowwise/row_checks.cc
  src/ops/rowwise/rows.cc
  src/ops/rowwise/softmax.cc
  src/ops/rowwise/swiglu.cc
  src/ops/flash_attention/checks.cc
  src/ops/flash_attention/gradient.cc
  src/ops/flash_attention/normalize.cc
  src/ops/flash_attention/plan.cc
  src/ops/fused_infer_attention/check.cc
  src/ops/fused_infer_attention/normalize.cc
  src/ops/fused_infer_attention/problem.cc
  src/ops/fused_infer_attention/rules_antiquant.cc
  src/ops/fused_infer_attention/rules_extended.cc
  src/ops/fused_infer_attention/rules_lengths.cc
  src/ops/fused_infer_attention/rules_mask.cc
  src/ops/fused_infer_attention/rules_quant.cc
  src/ops/fused_infer_attention/rules_shapes.cc
  src/ops/fused_infer_attention/rules_types.cc)

# The C functions of the operators, made from their declarations.
set(ANYACL_ENTRY_SOURCES
  src/ops/dynamic_quant/api.cc
  src/ops/elementwise/api.cc
  src/ops/elementwise/api_2.cc
  src/ops/elementwise/api_3.cc
  src/ops/elementwise/api_4.cc
  src/ops/elementwise/api_5.cc
  src/ops/elementwise/api_6.cc
  src/ops/elementwise/api_7.cc
  src/ops/elementwise/api_8.cc
  src/ops/afd/api.cc
  src/ops/matmul_collective/api.cc
  src/ops/moe_distribute/api.cc
  src/ops/flash_attention/api.cc
  src/ops/fused_infer_attention/api.cc
  src/ops/group_norm/api.cc
  src/ops/grouped_matmul/api.cc
  src/ops/reduction/api.cc
  src/ops/indexing/api.cc
  src/ops/sorting/api.cc
  src/ops/cumulative/api.cc
  src/ops/stft/api.cc
  src/ops/windows/api.cc
  src/ops/movement/api.cc
  src/ops/distance/api.cc
  src/ops/linalg/api.cc
  src/ops/movement/format_cast_size.cc
  src/ops/matmul/api.cc
  src/ops/rowwise/api.cc
  src/ops/generators/api.cc
  src/ops/batch_norm/api.cc
  src/ops/foreach/api.cc
  src/ops/foreach/api_2.cc
  src/ops/gated_delta_rule/api.cc
  src/ops/moe/api.cc
  src/ops/loss/api.cc
  src/ops/optimizer/api.cc
  src/ops/convolution/api.cc
  src/ops/grid_sample/api.cc
  src/ops/max_pool/api.cc
  src/ops/resampling/api.cc
  src/ops/resampling/api_2.cc)

# Compiled once per tier.
set(ANYACL_KERNEL_SOURCES
  src/kernels_table.cc
  src/attention/kernel.cc
  src/attention/kernel_convert.cc
  src/attention/kernel_decode.cc
  src/attention/kernel_place.cc
  src/attention/kernel_prefill.cc
  src/gemm/kernel.cc
  src/gemm/kernel_bf16.cc
  src/gemm/kernel_finish.cc
  src/gemm/kernel_fp32.cc
  src/gemm/kernel_in_place.cc
  src/gemm/kernel_int4.cc
  src/gemm/kernel_int8.cc
  src/gemm/kernel_list.cc
  src/gemm/kernel_scale.cc
  src/ops/batch_norm/kernel.cc
  src/ops/blocks/kernel.cc
  src/ops/convolution/kernel.cc
  src/ops/dynamic_quant/kernel.cc
  src/ops/elementwise/kernel_activation.cc
  src/ops/elementwise/kernel_arithmetic.cc
  src/ops/elementwise/kernel_comparison.cc
  src/ops/elementwise/kernel_elementary.cc
  src/ops/elementwise/kernel_functions.cc
  src/ops/elementwise/kernel_piecewise.cc
  src/ops/elementwise/kernel_rounding.cc
  src/ops/elementwise/kernel_ternary.cc
  src/ops/flash_attention/kernel.cc
  src/ops/flash_attention/kernel_gradient.cc
  src/ops/gated_delta_rule/kernel.cc
  src/ops/generators/kernel.cc
  src/ops/group_norm/kernel.cc
  src/ops/grouped_matmul/kernel.cc
  src/ops/loss/kernel.cc
  src/ops/optimizer/kernel.cc
  src/ops/max_pool/kernel.cc
  src/ops/reduction/kernel_arg.cc
  src/ops/reduction/kernel_fold.cc
  src/ops/resampling/kernel.cc
  src/ops/rowwise/kernel.cc)

function(anyacl_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  # The public headers mark their functions visible only where this is defined.
  target_compile_definitions(${name} PRIVATE FUNC_VISIBILITY)
  target_compile_options(${name} PRIVATE ${ANYACL_COVERAGE_OPTIONS})
  target_link_libraries(${name} PUBLIC anyacl_options Threads::Threads
    fmt::fmt-header-only nlohmann_json::nlohmann_json)
  # Half a second of each unit, of 1.4; the preset debug compiles without.
  if(name STREQUAL "anyacl_base")
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <atomic> <cmath> <cstring>
      <functional> <limits> <map> <memory> <mutex> <optional> <span> <string> <thread> <vector>)
  else()
    target_precompile_headers(${name} REUSE_FROM anyacl_base)
  endif()
endfunction()

anyacl_objects(anyacl_base ${ANYACL_BASE_SOURCES})
anyacl_objects(anyacl_runtime ${ANYACL_RUNTIME_SOURCES})
anyacl_objects(anyacl_single_op ${ANYACL_SINGLE_OP_SOURCES})
anyacl_objects(anyacl_op_compiler ${ANYACL_OP_COMPILER_SOURCES})
anyacl_objects(anyacl_dump ${ANYACL_DUMP_SOURCES})
anyacl_objects(anyacl_driver ${ANYACL_DRIVER_SOURCES})
anyacl_objects(anyacl_profiler ${ANYACL_PROFILER_SOURCES})
anyacl_objects(anyacl_securec ${ANYACL_SECUREC_SOURCES})
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
list(TRANSFORM ANYACL_ISA_TIERS PREPEND anyacl_kernels_ OUTPUT_VARIABLE ANYACL_KERNEL_OBJECTS)
if(ANYACL_MATRIX_TIER)
  list(GET ANYACL_ISA_TIERS -1 extended)
  anyacl_tier_objects(anyacl_kernels_${ANYACL_MATRIX_TIER} ${ANYACL_MATRIX_TIER}
    "ANYACL_ISA=${ANYACL_MATRIX_TIER}"
    src/attention/kernel_prefill_matrix.cc
    src/gemm/kernel_fp32.cc src/gemm/kernel_matrix.cc src/gemm/kernel_scale.cc
    src/ops/flash_attention/kernel_gradient_matrix.cc)
  anyacl_tier_objects(anyacl_tables_${ANYACL_MATRIX_TIER} ${extended}
    "ANYACL_ISA=${extended};ANYACL_TIER=${ANYACL_MATRIX_TIER}"
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
    BUILD_RPATH $ORIGIN INSTALL_RPATH $ORIGIN)
endfunction()

anyacl_shared_library(ascendcl OBJECTS anyacl_base anyacl_runtime anyacl_single_op)
# torch_npu looks aclrtCtxSetSysParamOpt up through this one's handle.
anyacl_shared_library(acl_op_compiler OBJECTS anyacl_base anyacl_op_compiler NEEDS ascendcl ${CMAKE_DL_LIBS})
anyacl_shared_library(acl_tdt_channel OBJECTS anyacl_base anyacl_tdt anyacl_tdt_channel NEEDS ascendcl)
anyacl_shared_library(acl_tdt_queue OBJECTS anyacl_base anyacl_tdt anyacl_tdt_queue NEEDS ascendcl)
anyacl_shared_library(ascend_dump OBJECTS anyacl_base anyacl_dump NEEDS ascendcl)
anyacl_shared_library(ascend_hal OBJECTS anyacl_base anyacl_driver NEEDS ascendcl)
anyacl_shared_library(c_sec OBJECTS anyacl_securec)
include(${CMAKE_CURRENT_LIST_DIR}/hccl.cmake)
anyacl_shared_library(msprofiler OBJECTS anyacl_base anyacl_profiler NEEDS ascendcl)
anyacl_shared_library(nnopbase OBJECTS anyacl_base anyacl_nnop NEEDS ascendcl)
anyacl_shared_library(opapi OBJECTS anyacl_base anyacl_ops anyacl_entries ${ANYACL_KERNEL_OBJECTS} NEEDS nnopbase ascendcl)

# Makes the files that follow from the operators' declarations, which it reads without calling an
# operator: it is linked without their code, so that a new row needs no kernels to be built.
add_executable(operator_files EXCLUDE_FROM_ALL
  tools/operator_files/declarations.cc
  tools/operator_files/main.cc
  tools/operator_files/support.cc
  src/ops/operators.cc
  src/ops/single_operators.cc
  src/nnop/operand_checks.cc
  $<TARGET_OBJECTS:anyacl_base>)
target_link_options(operator_files PRIVATE -no-pie -Wl,--unresolved-symbols=ignore-all)
target_include_directories(operator_files PRIVATE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(operator_files PRIVATE anyacl_options Threads::Threads
  fmt::fmt-header-only nlohmann_json::nlohmann_json)
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
  fmt::fmt-header-only nlohmann_json::nlohmann_json)
