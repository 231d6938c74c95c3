# SPDX-License-Identifier: Apache-2.0
# The matrix engine, from the inside: many operators sit on it.
add_executable(gemm_bench
  ../tests/reference/gemm.cc
  ../tests/support/element.cc
  ../tests/support/half.cc
  ceilings.cc
  compute_peaks.cc
  gemm_bench.cc
  machine.cc
  memory_loops.cc
  pinned_team.cc
  report.cc)
target_link_libraries(gemm_bench PRIVATE anyacl_static benchmark::benchmark anyacl_options)
target_include_directories(gemm_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
