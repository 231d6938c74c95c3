// SPDX-License-Identifier: Apache-2.0
// What the reductions mean, in double and in plain loops: the oracle of the tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "acl/acl.h"

namespace anyacl::test {

// The elements of one result, in the order of self, and what they give.
using ReductionOracle = double (*)(const std::vector<double>& elements);
ReductionOracle OracleOf(const std::string& name);

// How far a result may be from the oracle, beyond the rounding to its type: 21 additions in fp32.
double BoundOf(const std::string& name, const std::vector<double>& elements);

// The elements of each result. Bit i of `reduce`: dimension i is reduced.
std::vector<std::vector<double>> Grouped(const std::vector<int64_t>& dims,
                                         const std::vector<double>& values, uint32_t reduce);

}  // namespace anyacl::test
