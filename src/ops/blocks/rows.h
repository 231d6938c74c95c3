// SPDX-License-Identifier: Apache-2.0
// Functions of contiguous fp32 numbers, or of elements of another form: out[i] = op(a[i], b[i],
// c[i]; p).
#pragma once

#include <cstdint>

#include "kernels.h"

namespace anyacl::blocks {

class Rows {
 public:
  explicit Rows(int64_t count, Element form = Element::kFp32) : count_(count), form_(form) {}
  void operator()(elementwise::Op op, void* out, const void* a, const void* b = nullptr,
                  const void* c = nullptr, float p = 1) const {
    elementwise::Block block = {};
    block.in[0] = a;
    block.in[1] = b;
    block.in[2] = c;
    for (int64_t& step : block.step) step = 1;
    block.out = out;
    block.count = count_;
    block.p = {p, static_cast<double>(p), 0};  // of integers nobody has one
    anyacl::Kernels().elementwise.Find(op, form_)(block);
  }

 private:
  int64_t count_;
  Element form_;
};

}  // namespace anyacl::blocks
