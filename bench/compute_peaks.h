// SPDX-License-Identifier: Apache-2.0
// Loops of one arithmetic instruction on independent registers: the peaks of the CPU's units.
#pragma once

#include <cstdint>
#include <vector>

namespace anyacl::bench {

struct ComputePeak {
  const char* name;
  double operations_per_loop;  // An addition and a multiplication count as one each.
  void (*run)(int64_t loops);
};

// The peaks that this CPU can show; the first is its clock, one operation per cycle.
std::vector<ComputePeak> ComputePeaks();

// Of int8 dot products with the instructions of the tier that ANYACL_ISA names.
ComputePeak Int8DotPeak();

}  // namespace anyacl::bench
