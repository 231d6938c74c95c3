// SPDX-License-Identifier: Apache-2.0
// Calls of the three versions of aclnnFFN under one signature, and what they compute, in double
// precision from the documents' formulas.
#pragma once

#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "aclnnop/aclnn_ffn.h"
#include "aclnnop/aclnn_ffn_v2.h"
#include "aclnnop/aclnn_ffn_v3.h"
#include "ops/grouped_integers_case.h"

namespace anyacl::test::feed_forward {

using grouped::Numbers;
using grouped::Sizes;

// The tensors of a call by the names of the first version; absent ones are null.
using NamedTensors = std::map<std::string_view, std::unique_ptr<Tensor>>;

struct Call {
  Sizes tokens = {};  // of experts; none: null
  const char* activation = "relu";
  int64_t precise = 0;
  bool ends = false;
  int version = 1;
};

class Phases {
 public:
  Phases(const Call& call, const NamedTensors& tensors) : call_(call), tensors_(tensors) {
    if (call.tokens.empty()) return;
    host_ = aclCreateIntArray(call.tokens.data(), call.tokens.size());
    device_ = std::make_unique<Tensor>(
        Layout{.dims = {static_cast<int64_t>(call.tokens.size())}, .dtype = ACL_INT64});
    device_->Write(call.tokens);
  }
  ~Phases() {
    if (host_ != nullptr) aclDestroyIntArray(host_);
  }
  Phases(const Phases&) = delete;
  Phases& operator=(const Phases&) = delete;

  aclnnStatus First(uint64_t* size, aclOpExecutor** executor) const {
    const auto t = [&](std::string_view name) -> aclTensor* {
      const auto found = tensors_.find(name);
      return found == tensors_.end() ? nullptr : found->second->handle();
    };
    const aclTensor* const device = device_ == nullptr ? nullptr : device_->handle();
    if (call_.version == 1) {
      return aclnnFFNGetWorkspaceSize(t("x"), t("weight1"), t("weight2"), host_, t("bias1"),
                                      t("bias2"), t("scale"), t("offset"), t("deqScale1"),
                                      t("deqScale2"), t("antiquantScale1"), t("antiquantScale2"),
                                      t("antiquantOffset1"), t("antiquantOffset2"),
                                      call_.activation, call_.precise, t("y"), size, executor);
    }
    if (call_.version == 2) {
      return aclnnFFNV2GetWorkspaceSize(
          t("x"), t("weight1"), t("weight2"), host_, t("bias1"), t("bias2"), t("scale"),
          t("offset"), t("deqScale1"), t("deqScale2"), t("antiquantScale1"), t("antiquantScale2"),
          t("antiquantOffset1"), t("antiquantOffset2"), call_.activation, call_.precise, call_.ends,
          t("y"), size, executor);
    }
    return aclnnFFNV3GetWorkspaceSize(
        t("x"), t("weight1"), t("weight2"), device, t("bias1"), t("bias2"), t("scale"), t("offset"),
        t("deqScale1"), t("deqScale2"), t("antiquantScale1"), t("antiquantScale2"),
        t("antiquantOffset1"), t("antiquantOffset2"), call_.activation, call_.precise, call_.ends,
        t("y"), size, executor);
  }
  Phase2 Second() const {
    return call_.version == 1 ? aclnnFFN : call_.version == 2 ? aclnnFFNV2 : aclnnFFNV3;
  }

 private:
  const Call& call_;
  const NamedTensors& tensors_;
  aclIntArray* host_ = nullptr;
  std::unique_ptr<Tensor> device_;
};

inline std::string InSmallLetters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) letter = static_cast<char>(std::tolower(letter));
  return small;
}
inline bool IsGated(std::string_view activation) {
  return InSmallLetters(activation).ends_with("glu");
}
inline double Activated(double v, std::string_view activation) {
  const std::string name = InSmallLetters(activation);
  const int64_t type = name == "relu" || name == "reglu"   ? 1
                       : name == "gelu" || name == "geglu" ? 2
                       : name == "fastgelu"                ? 4
                                                           : 5;
  return grouped::Activated(v, type);
}

// One expert: its numbers as they are held.
struct Expert {
  int64_t k1 = 0, n1 = 0, k2 = 0;
  aclDataType x = ACL_FLOAT16, y = ACL_FLOAT16;
  std::string_view activation;
  Numbers weight1, weight2, bias1, bias2, dequant1, dequant2;  // biases and dequants may be none
  Numbers scale;                                               // of each column, or of all
  double offset = 0;
};

// A number and what fp32 may make it differ by.
struct Near {
  double value = 0, error = 0;
};

// x, [rows, k], and what its numbers may differ by, or nothing, times w, [k, n], with a bias and a
// factor of each column, or none.
inline std::vector<Near> SumsOf(const Numbers& x, const Numbers& errors, int64_t rows,
                                const Numbers& w, int64_t k, int64_t n, const Numbers& bias,
                                const Numbers& dequant) {
  const ProductSums product = ProductOf(x, w, rows, k, n);
  Numbers lost(product.sums.size());
  if (!errors.empty()) lost = ProductOf(errors, w, rows, k, n).sizes;
  const double roundings = 2 * static_cast<double>(k) + 16;
  std::vector<Near> sums;
  for (size_t i = 0; i < product.sums.size(); ++i) {
    const size_t column = i % static_cast<size_t>(n);
    const double added = bias.empty() ? 0 : bias[column];
    const double factor = dequant.empty() ? 1 : dequant[column];
    const double size = product.sizes[i] + std::fabs(added);
    sums.push_back({(product.sums[i] + added) * factor,
                    (lost[i] + roundings * 0x1p-24 * size) * std::fabs(factor)});
  }
  return sums;
}

// What is held of a number that is not known exactly: an error of 0 unless it may be two.
inline Near Held(aclDataType type, const Near& number) {
  const auto hold = [&](double v) {
    return type == ACL_INT8 ? std::fmin(std::fmax(std::nearbyint(v), -128), 127) : AsHeld(type, v);
  };
  const double value = hold(number.value);
  return {value, std::fmax(hold(number.value + number.error) - value,
                           value - hold(number.value - number.error))};
}

// Rows of x, [rows, k1], through the expert: [rows, k1] of y.
inline std::vector<Near> Forward(const Expert& e, const Numbers& x, int64_t rows) {
  Numbers between, errors;
  // Integers' steps are FLOAT16 beside FLOAT16 results.
  const aclDataType steps = e.x == ACL_INT8 && e.y == ACL_FLOAT16 ? ACL_FLOAT16 : ACL_FLOAT;
  const auto step = [&](const Near& number) {
    return steps == ACL_FLOAT ? number : Held(steps, number);
  };
  const std::vector<Near> sums = SumsOf(x, {}, rows, e.weight1, e.k1, e.n1, e.bias1, e.dequant1);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t n = 0; n < e.k2; ++n) {
      const auto sum = [&](int64_t column) {
        return sums[static_cast<size_t>(row * e.n1 + column)];
      };
      const bool gated = IsGated(e.activation);
      const Near v = step(sum(gated ? e.k2 + n : n));
      Near h = {Activated(v.value, e.activation), 1.2 * v.error};  // slopes are at most 1.13
      h.error += 8 * 0x1p-24 * std::fabs(h.value) + 0x1p-22 * std::fmin(1, std::fabs(v.value));
      if (gated) {
        const Near gate = sum(n);
        h = {h.value * gate.value, std::fabs(h.value) * gate.error +
                                       h.error * std::fabs(gate.value) + h.error * gate.error};
      }
      h = step(h);
      if (!e.scale.empty()) {
        const double scale =
            AsHeld(steps, e.scale[e.scale.size() == 1 ? 0 : static_cast<size_t>(n)]);
        const double offset = AsHeld(steps, e.offset);
        h = step(
            {h.value * scale, h.error * std::fabs(scale) + 0x1p-23 * std::fabs(h.value * scale)});
        h = step({h.value + offset, h.error + 0x1p-23 * std::fabs(h.value + offset)});
      }
      const Near held = Held(e.x, h);
      between.push_back(held.value);
      errors.push_back(held.error);
    }
  }
  std::vector<Near> results =
      SumsOf(between, errors, rows, e.weight2, e.k2, e.k1, e.bias2, e.dequant2);
  for (Near& y : results) {
    y.error += 1.01 * HalfUnitOf(e.y, std::fabs(y.value) + y.error) + 0x1p-25;
  }
  return results;
}

}  // namespace anyacl::test::feed_forward
