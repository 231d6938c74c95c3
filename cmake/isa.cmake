# SPDX-License-Identifier: Apache-2.0
# The tiers of instruction sets and their compiler flags. A tier's flags say what base/cpu.cc must
# find on the machine; a file compiled with them must keep all code inside namespace
# anyacl::<tier> (tests/simd: isa_objects).

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(ANYACL_ISA_TIERS base avx2 avx512 avx512_bf16)
  # Adds matrix registers to the last one, with kernels of its own for matrix products alone.
  set(ANYACL_MATRIX_TIER amx)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(ANYACL_ISA_TIERS base neon)
else()
  set(ANYACL_ISA_TIERS base)
endif()

set(ANYACL_FLAGS_base)
list(LENGTH ANYACL_ISA_TIERS tiers)
if(tiers GREATER 1)
  # For machines that have none of the others; its emulated vectors take twice as long to compile
  # with -O3, and tests of its products no less to run.
  set(ANYACL_FLAGS_base $<$<CONFIG:Release>:-O2>)
endif()
set(ANYACL_FLAGS_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2)
set(ANYACL_FLAGS_avx512 ${ANYACL_FLAGS_avx2}
  -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mavx512vbmi
  # GCC 12 warns about its own intrinsics (bug 105593).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
set(ANYACL_FLAGS_avx512_bf16 ${ANYACL_FLAGS_avx512} -mavx512bf16)
# What it adds concerns products alone: it takes the plain kernels of the tier below.
set(ANYACL_PLAIN_avx512_bf16 avx512)
set(ANYACL_FLAGS_amx ${ANYACL_FLAGS_avx512_bf16} -mamx-tile -mamx-bf16 -mamx-int8)
set(ANYACL_FLAGS_neon -march=armv8.2-a+dotprod+fp16)

# anyacl_tier_objects(<target> <flags' tier> <namespaces> <source>...): an object library.
function(anyacl_tier_objects target tier namespaces)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE ${namespaces})
  # Nobody asks for the flags that comparisons and conversions leave behind, nor for errno: a loop of
  # these becomes one of vectors, with the same results (2^20 numbers cast to INT32: 0.1 instead of
  # 0.6 ms).
  target_compile_options(${target} PRIVATE
    ${ANYACL_FLAGS_${tier}} -fno-trapping-math -fno-math-errno)
  target_link_libraries(${target} PRIVATE anyacl_options)
endfunction()

# anyacl_isa_objects(<prefix> <source>...): an object library <prefix>_<tier> per tier.
function(anyacl_isa_objects prefix)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_tier_objects(${prefix}_${tier} ${tier} "ANYACL_ISA=${tier}" ${ARGN})
  endforeach()
endfunction()
