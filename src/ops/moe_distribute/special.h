// SPDX-License-Identifier: Apache-2.0
// What experts that no rank has return for one token: nothing, the token as it was, or both it and
// a constant vector, a x + b v with (a, b) = softmax(alpha1 . x, alpha2 . x).
#pragma once

#include <array>
#include <cstdint>

#include "ops/moe_distribute/parcels.h"

namespace anyacl::moe_distribute {

class SpecialRows {
 public:
  SpecialRows(const CombineParams& params, const Bindings& bindings, const Active& active,
              int64_t token);

  // Columns `first` and on of the row at a place; false if there is none, or it is zero.
  bool Load(int64_t place, int64_t first, int64_t count, float* row) const;

 private:
  struct Mix {
    bool given = false;
    int64_t constant = -1;  // which; -1: the token alone
    float of_token = 1, of_constant = 0;
  };

  Mix MixOf(int64_t expert) const;
  // The product of a constant expert's row of alphas with the token, summed in fp64.
  double Product(const TensorView& alphas, int64_t constant) const;
  void LoadColumns(const TensorView& view, int64_t index, int64_t first, int64_t count,
                   float* to) const;

  const CombineParams& p_;
  const Bindings& bindings_;
  const int64_t token_;
  std::array<Mix, kMaxChosen> mixes_;
};

}  // namespace anyacl::moe_distribute
