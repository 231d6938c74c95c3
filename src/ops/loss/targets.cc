// SPDX-License-Identifier: Apache-2.0
#include "ops/loss/targets.h"

#include "ops/blocks/walk.h"
#include "runtime/parallel.h"

namespace anyacl::loss {

Status Targets::Read(const Bindings& bindings, int64_t* to) const {
  const auto load = blocks::Loader(Element::kInt64, view.dtype);
  const int64_t count = view.elements();
  constexpr int64_t kBlock = blocks::kWalkBlock;
  ParallelFor((count + kBlock - 1) / kBlock, 8, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      blocks::Walk::ForTiles(bindings, view, b, [&](const blocks::Tile& tile, int64_t at) {
        load(tile, to + b * kBlock + at);
      });
    }
  });
  for (int64_t row = 0; row < count; ++row) {
    int64_t& target = to[row];
    if (target == ignore) {
      target = -1;
    } else if (target < 0 || target >= classes) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{}[{}] = {}, expected 0 to {}: there are {} classes", name, row, target,
                  classes - 1, classes);
    }
  }
  return {};
}

}  // namespace anyacl::loss
