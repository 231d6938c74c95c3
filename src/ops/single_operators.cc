// SPDX-License-Identifier: Apache-2.0
#include "ops/single_operators.h"

#include <array>
#include <span>

#include "ops/distance/operators.h"
#include "ops/elementwise/operators.h"
#include "ops/generators/operators.h"
#include "ops/linalg/operators.h"
#include "ops/movement/operators.h"
#include "ops/recurrent/operators.h"
#include "ops/reduction/operators.h"

namespace anyacl {
namespace {

// Names of aclnn operators: what the nodes have as tensors, the functions have as arrays.
constexpr auto kReverseSources = std::to_array({Input(0), InputValues(1), Output(0)});
constexpr auto kTransposeSources = std::to_array({Input(0), InputValues(1), Output(0)});
constexpr auto kConcatSources =
    std::to_array({InputList(0), IntAttribute("concat_dim", 0), Output(0)});
constexpr auto kSumSources = std::to_array(
    {Input(0), InputValues(1), IntAttribute("keep_dims", 0), OutputType(0), Output(0)});
constexpr const char* kConcatIgnored[] = {"N"};

constexpr SingleOpSpec kMapped[] = {
    {"ReverseV2", &Find(movement::kOperators, "aclnnFlip"), kReverseSources},
    {"Transpose", &Find(movement::kOperators, "aclnnPermute"), kTransposeSources},
    {"ConcatD", &Find(movement::kOperators, "aclnnCat"), kConcatSources, kConcatIgnored},
    {"ReduceSum", &Find(reduction::kOperators, "aclnnReduceSum"), kSumSources},
};

constexpr std::span<const SingleOpSpec> kTables[] = {
    kMapped,
    distance::kSingleOperators,
    elementwise::kSingleOperators,
    generators::kSingleOperators,
    linalg::kSingleOperators,
    recurrent::kSingleOperators,
};

}  // namespace

std::span<const std::span<const SingleOpSpec>> SingleOperatorTables() { return kTables; }

const SingleOpSpec* FindSingleOperator(std::string_view type) {
  for (const auto table : kTables) {
    for (const SingleOpSpec& spec : table) {
      if (type == spec.type) return &spec;
    }
  }
  return nullptr;
}

}  // namespace anyacl
