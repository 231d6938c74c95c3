// SPDX-License-Identifier: Apache-2.0
// Some of the elements that are true, in random order: those of the largest random keys.
#include <algorithm>
#include <random>
#include <vector>

#include "ops/generators/operators.h"
#include "ops/steps.h"

namespace anyacl::generators {

// Keys repeat for a seed, whatever the threads; without a seed they are those of one drawn when the
// call is made.
Status PrepareChoice(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims shape = operands[kSelf].shape();
  const int64_t wanted = operands.Size("K"), rank = operands.Size("R");
  if (operands.Int(kCount) != wanted || rank != static_cast<int64_t>(shape.rank())) {
    return Fail(operands.spec().codes.shape,
                "y.shape = {}, expected [{}, {}]: count, and the rank of x",
                operands[kOut].shape().ToString(), operands.Int(kCount), shape.rank());
  }
  for (int64_t size : shape) {
    if (size <= INT32_MAX) continue;
    return Fail(operands.spec().codes.shape, "x.shape = {}, expected sizes of at most {}",
                shape.ToString(), INT32_MAX);
  }
  if (operands[kMask].IsEmpty()) return {};
  int64_t seed = operands.Int(kSeed);
  const int64_t offset = operands.Int(kOffset);
  if (seed == 0 && offset == 0) seed = static_cast<int64_t>(std::random_device()());
  const int64_t count = *ElementCount(shape);
  Steps steps(operands);
  InnerTensor x;
  const InnerTensor keys = steps.Piece("keys", ACL_INT64, {count});
  if (Status s = steps.ContiguousAs(kSelf, ACL_BOOL, &x); !s.ok()) return s;
  if (count > 0) {
    if (Status s =
            steps.Call("aclnnInplaceRandom", {keys, int64_t{0}, int64_t{INT64_MAX}, seed, offset});
        !s.ok()) {
      return s;
    }
  }
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_INT32);
  const InnerTensor mask = steps.ContiguousResultAs(kMask, ACL_BOOL);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* given = reinterpret_cast<const uint8_t*>(x.Address(bindings));
    const auto* key = reinterpret_cast<const int64_t*>(keys.Address(bindings));
    std::vector<int64_t> chosen;
    for (int64_t i = 0; i < count; ++i) {
      if (given[i] != 0) chosen.push_back(i);
    }
    const auto found = std::min<int64_t>(wanted, static_cast<int64_t>(chosen.size()));
    std::partial_sort(
        chosen.begin(), chosen.begin() + found, chosen.end(),
        [&](int64_t a, int64_t b) { return key[a] != key[b] ? key[a] > key[b] : a < b; });
    auto* index = reinterpret_cast<int32_t*>(out.Address(bindings));
    auto* valid = reinterpret_cast<uint8_t*>(mask.Address(bindings));
    for (int64_t i = 0; i < wanted; ++i) {
      int64_t left = i < found ? chosen[static_cast<size_t>(i)] : 0;
      for (int64_t dim = rank - 1; dim >= 0; --dim) {
        const int64_t size = std::max<int64_t>(shape[static_cast<size_t>(dim)], 1);
        index[i * rank + dim] = static_cast<int32_t>(left % size);
        left /= size;
      }
      valid[i] = i < found ? 1 : 0;
    }
    return {};
  });
  return steps.Finish(call);
}

}  // namespace anyacl::generators
