# SPDX-License-Identifier: Apache-2.0
# The worker scheduler. Its kernel is measured from the inside: a take is shorter than a task.
add_executable(ffn_worker_scheduler_bench ffn_worker_scheduler_bench.cc)
target_link_libraries(ffn_worker_scheduler_bench PRIVATE
  anyacl_static benchmark::benchmark anyacl_options)
