// SPDX-License-Identifier: Apache-2.0
// What tests of losses of pairs of elements share.
#pragma once

#include <functional>

#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::loss {

class LossCase : public DeviceTest {
 protected:
  // Index of an element of `dims` in a tensor that broadcasts to it.
  static size_t At(size_t i, const std::vector<int64_t>& dims, const std::vector<int64_t>& own) {
    size_t at = 0, step = 1;
    for (size_t k = own.size(); k-- > 0;) {
      const auto size = static_cast<size_t>(dims[dims.size() - own.size() + k]);
      if (own[k] != 1) at += i % size * step;
      step *= static_cast<size_t>(own[k]);
      i /= size;
    }
    return at;
  }

  std::vector<double> Drawn(Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(tensor.layout().dtype, random().Uniform(-2, 2)));
    }
    WriteAs(tensor, values);
    return values;
  }
  std::vector<double> Run(const std::function<aclnnStatus(uint64_t*, aclOpExecutor**)>& phase1,
                          Phase2 phase2, const Tensor& out) {
    RunTwoPhase(phase1, phase2);
    return ReadAs(out);
  }
};

}  // namespace anyacl::test::loss
