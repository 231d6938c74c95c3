// SPDX-License-Identifier: Apache-2.0
// What a call of SwiGlu and quantisation comes to.
#pragma once

#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"

namespace anyacl::swiglu_quant {

// How the activated number and its factor become one.
enum class Form : uint8_t { kPlain, kBiased, kHeld };

struct Params {
  // Rows of x and y; factors of rows, numbers of groups or none.
  TensorView x{}, weight_scale{}, activation_scale{}, bias{}, scale{}, offset{}, groups{};
  TensorView y{}, scale_out{};
  int64_t rows = 0;
  int64_t length = 0;  // H
  bool activate_left = true;
  bool neighbours = false;  // a and b alternate
  Form form = Form::kPlain;
  float limit = 0, alpha = 1, glu_bias = 0;
  bool by_column = false;  // scale and offset have a number for each column
  bool dynamic = false;
  bool divides = false;  // static: by the scale; dynamic: scale_out is max / most
  bool ends = false;     // groups are where their rows end, else how many they are
  bool packs = false;    // two INT4 in a byte
  float most = 127;      // the largest result
};

std::shared_ptr<const Plan> MakePlan(const Params& params);

}  // namespace anyacl::swiglu_quant
