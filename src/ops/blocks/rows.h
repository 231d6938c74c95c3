// SPDX-License-Identifier: Apache-2.0
// Functions of contiguous fp32 numbers: out[i] = op(a[i], b[i], c[i]; p).
#pragma once

#include <cstdint>

#include "kernels.h"

namespace anyacl::blocks {

class Rows {
 public:
  explicit Rows(int64_t count) : count_(count) {}
  void operator()(elementwise::Op op, float* out, const float* a, const float* b = nullptr,
                  const float* c = nullptr, float p = 1) const {
    elementwise::Block block = {};
    block.in[0] = a;
    block.in[1] = b;
    block.in[2] = c;
    for (int64_t& step : block.step) step = 1;
    block.out = out;
    block.count = count_;
    block.p = {p, static_cast<double>(p), 0};  // rows are fp32: nobody reads an integer
    anyacl::Kernels().elementwise.Find(op, Element::kFp32)(block);
  }

 private:
  int64_t count_;
};

}  // namespace anyacl::blocks
