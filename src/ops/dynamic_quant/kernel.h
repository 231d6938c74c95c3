// SPDX-License-Identifier: Apache-2.0
// The kernel's contract. For a row of v[j] = x[j], or x[j] * smooth[j] in fp32:
//   symmetric:   scale = max|v| / Q,                            y = sat(rint(v / scale))
//   asymmetric:  scale = max((max v - min v) / R, 1e-12f),
//                offset = Q - max v / scale,                    y = sat(rint(v / scale + offset))
// in fp32 throughout, rint to even, Q = 127 and R = 255 for INT8, 7 and 15 for 4 bits. A NaN in the
// row makes scale (and offset) NaN; whatever has no quotient becomes y = 0, as does a row whose
// symmetric scale is 0.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::dynamic_quant {

// The variants that are compiled apart.
struct Form {
  Element source = Element::kFp16;  // or bf16
  Element target = Element::kInt8;  // or int4
  bool asymmetric = false;
  bool smooth = false;
};

struct Row {
  const uint16_t* x;
  int64_t x_step;  // in elements, from column to column
  const uint16_t* smooth;
  int64_t smooth_step;
  int64_t cols;
  // INT8: column j at y[j * y_step]. 4 bits: columns 8w to 8w+7 fill the four bytes at
  // y[4 * w * y_step], lower nibble first; a last word may be cut short.
  unsigned char* y;
  int64_t y_step;
  float* scale;
  float* offset;  // asymmetric only
  // Write y past the caches; taken up where y is dense and aligned to 64 bytes.
  bool past_caches;
};

using RowKernel = void (*)(const Row& row);
struct KernelSet {
  RowKernel (*select_row)(const Form& form);
};

}  // namespace anyacl::dynamic_quant

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const dynamic_quant::KernelSet kDynamicQuantKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
