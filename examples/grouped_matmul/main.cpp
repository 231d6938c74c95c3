// SPDX-License-Identifier: Apache-2.0
// The first half of a mixture-of-experts layer: a router sends each token to two of eight experts,
// the tokens are quantised (aclnnDynamicQuantV2), multiplied by their experts' weights and
// activated (aclnnGroupedMatmulSwigluQuantWeightNZ). Shows what INT8 and INT4 weights lose against
// the same layer in double precision.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "../device.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"
#include "anyacl/weight_nz.h"

namespace {

constexpr int64_t kTokens = 96;
constexpr int64_t kExperts = 8;
constexpr int64_t kTop = 2;  // experts of a token
constexpr int64_t kDepth = 512;
constexpr int64_t kColumns = 512;  // gate and up together
constexpr int64_t kHalf = kColumns / 2;
constexpr int64_t kRows = kTokens * kTop;
constexpr int64_t kGroup = 128;  // k that share a scale of INT4 weights
constexpr int64_t kGroups = kDepth / kGroup;

// The layer in floating point.
struct Layer {
  std::vector<float> tokens;   // [tokens, depth]
  std::vector<float> router;   // [experts, depth]
  std::vector<float> weights;  // [experts, depth, columns]
};

// Rows sorted by expert: which token each one is, and the row after the last one of each expert.
struct Routing {
  std::vector<int64_t> token;
  std::vector<int64_t> expert;
  std::vector<int64_t> bounds;
};

Layer RandomLayer() {
  std::mt19937 engine(11);
  std::normal_distribution<float> normal;
  Layer layer;
  layer.tokens.resize(kTokens * kDepth);
  layer.router.resize(kExperts * kDepth);
  layer.weights.resize(kExperts * kDepth * kColumns);
  // Tokens as the device gets them, in half precision.
  for (float& value : layer.tokens) value = aclFloat16ToFloat(aclFloatToFloat16(normal(engine)));
  for (float& value : layer.router) value = normal(engine);
  for (float& value : layer.weights) value = 0.05f * normal(engine);
  return layer;
}

// Each token goes to the experts with its largest logits.
Routing Route(const Layer& layer) {
  std::vector<std::vector<int64_t>> tokens_of(kExperts);
  for (int64_t t = 0; t < kTokens; ++t) {
    std::vector<double> logits(kExperts);
    for (int64_t e = 0; e < kExperts; ++e) {
      logits[e] = std::inner_product(&layer.tokens[t * kDepth], &layer.tokens[t * kDepth] + kDepth,
                                     &layer.router[e * kDepth], 0.0);
    }
    std::vector<int64_t> order(kExperts);
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + kTop, order.end(),
                      [&](int64_t a, int64_t b) { return logits[a] > logits[b]; });
    for (int64_t i = 0; i < kTop; ++i) tokens_of[order[i]].push_back(t);
  }
  Routing routing;
  for (int64_t e = 0; e < kExperts; ++e) {
    for (int64_t token : tokens_of[e]) {
      routing.token.push_back(token);
      routing.expert.push_back(e);
    }
    routing.bounds.push_back(static_cast<int64_t>(routing.token.size()));
  }
  return routing;
}

// swish(x W_gate) * (x W_up) of every row.
std::vector<double> Reference(const Layer& layer, const Routing& routing) {
  std::vector<double> result(kRows * kHalf);
  std::vector<double> c(kColumns);
  for (int64_t r = 0; r < kRows; ++r) {
    std::fill(c.begin(), c.end(), 0.0);
    for (int64_t k = 0; k < kDepth; ++k) {
      const double x = layer.tokens[routing.token[r] * kDepth + k];
      const float* w = &layer.weights[(routing.expert[r] * kDepth + k) * kColumns];
      for (int64_t n = 0; n < kColumns; ++n) c[n] += x * w[n];
    }
    for (int64_t j = 0; j < kHalf; ++j) {
      result[r * kHalf + j] = c[j] / (1 + std::exp(-c[j])) * c[kHalf + j];
    }
  }
  return result;
}

// Weights as integers with a scale for each column of `group` k.
struct QuantisedWeights {
  std::vector<int8_t> values;  // [experts, depth, columns]
  std::vector<float> scales;   // [experts, depth / group, columns]
};

QuantisedWeights Quantise(const Layer& layer, int64_t group, int limit) {
  QuantisedWeights result;
  result.values.resize(layer.weights.size());
  for (int64_t first = 0; first < kExperts * kDepth; first += group) {
    for (int64_t n = 0; n < kColumns; ++n) {
      float largest = 0;
      for (int64_t k = first; k < first + group; ++k) {
        largest = std::max(largest, std::abs(layer.weights[k * kColumns + n]));
      }
      const float scale = largest / static_cast<float>(limit);
      for (int64_t k = first; k < first + group; ++k) {
        const float value = layer.weights[k * kColumns + n] / scale;
        result.values[k * kColumns + n] = static_cast<int8_t>(std::lrint(value));
      }
      result.scales.push_back(scale);
    }
  }
  return result;
}

// The rows' tokens as INT8, with a scale for each row.
void QuantiseTokens(const Layer& layer, const Routing& routing, const DeviceTensor& x,
                    const DeviceTensor& x_scale, aclrtStream stream) {
  std::vector<aclFloat16> gathered;
  for (int64_t token : routing.token) {
    for (int64_t k = 0; k < kDepth; ++k) {
      gathered.push_back(aclFloatToFloat16(layer.tokens[token * kDepth + k]));
    }
  }
  const DeviceTensor tokens(ACL_FLOAT16, {kRows, kDepth}, gathered);
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnDynamicQuantV2GetWorkspaceSize(tokens.get(), nullptr, nullptr, ACL_INT8, x.get(),
                                            x_scale.get(), nullptr, &workspace_size, &executor),
        "aclnnDynamicQuantV2GetWorkspaceSize");
  RunAndWait("aclnnDynamicQuantV2", aclnnDynamicQuantV2, workspace_size, executor, stream);
}

// What the document calls the auxiliary matrix of INT4 weights: 8 times the scaled column sums.
std::vector<float> AuxiliaryMatrix(const QuantisedWeights& weights) {
  std::vector<float> result(kExperts * kColumns);
  for (int64_t k = 0; k < kExperts * kDepth; ++k) {
    for (int64_t n = 0; n < kColumns; ++n) {
      result[k / kDepth * kColumns + n] +=
          8 * weights.scales[k / kGroup * kColumns + n] * weights.values[k * kColumns + n];
    }
  }
  return result;
}

// Weights in the operator's order.
std::vector<uint8_t> Packed(const void* rows, size_t bytes, aclDataType dtype) {
  std::vector<uint8_t> packed(bytes);
  Check(anyaclPackWeightNz(rows, packed.data(), kExperts, kDepth, kColumns, dtype),
        "anyaclPackWeightNz");
  return packed;
}

std::vector<uint8_t> Nibbles(const std::vector<int8_t>& values) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < values.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>((values[i] & 15) | (values[i + 1] & 15) << 4));
  }
  return bytes;
}

// A scale of INT4 weights is the lower half of 64 bits.
std::vector<uint64_t> Widened(const std::vector<float>& scales) {
  std::vector<uint64_t> words;
  for (float scale : scales) {
    uint32_t bits;
    std::memcpy(&bits, &scale, sizeof bits);
    words.push_back(bits);
  }
  return words;
}

// Runs the operator; `bias` is null for INT8 weights. Returns output * outputScale.
std::vector<double> Multiply(const DeviceTensor& x, const DeviceTensor& x_scale,
                             const DeviceTensor& weight, const DeviceTensor* bias,
                             const DeviceTensor& scale, const Routing& routing,
                             aclrtStream stream) {
  const DeviceTensor bounds(ACL_INT64, {kExperts}, routing.bounds);
  DeviceTensor output(ACL_INT8, {kRows, kHalf});
  DeviceTensor output_scale(ACL_FLOAT, {kRows});
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
            x.get(), weight.get(), bias != nullptr ? bias->get() : nullptr, nullptr, scale.get(),
            x_scale.get(), bounds.get(), output.get(), output_scale.get(), nullptr, &workspace_size,
            &executor),
        "aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize");
  RunAndWait("aclnnGroupedMatmulSwigluQuantWeightNZ", aclnnGroupedMatmulSwigluQuantWeightNZ,
             workspace_size, executor, stream);
  const std::vector<int8_t> q = output.Download<int8_t>();
  const std::vector<float> scales = output_scale.Download<float>();
  std::vector<double> result(q.size());
  for (size_t i = 0; i < q.size(); ++i) result[i] = static_cast<double>(q[i]) * scales[i / kHalf];
  return result;
}

// The error relative to the values, both as root mean square.
double RelativeError(const std::vector<double>& actual, const std::vector<double>& expected) {
  double error = 0;
  double size = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(error / size);
}

bool Report(const char* name, double error, double limit) {
  std::printf("%-44s %6.2f %%   (limit %.0f %%)\n", name, 100 * error, 100 * limit);
  if (error <= limit) return true;
  std::fprintf(stderr, "FAILED: %s loses more than it should\n", name);
  return false;
}

}  // namespace

int main() {
  const Device device;
  const Layer layer = RandomLayer();
  const Routing routing = Route(layer);
  std::printf("%d tokens, %d of %d experts each; rows per expert:", static_cast<int>(kTokens),
              static_cast<int>(kTop), static_cast<int>(kExperts));
  for (int64_t e = 0; e < kExperts; ++e) {
    std::printf(" %d", static_cast<int>(routing.bounds[e] - (e > 0 ? routing.bounds[e - 1] : 0)));
  }
  std::printf("\n\n");

  const DeviceTensor x(ACL_INT8, {kRows, kDepth});
  const DeviceTensor x_scale(ACL_FLOAT, {kRows});
  QuantiseTokens(layer, routing, x, x_scale, device.stream());
  const std::vector<double> expected = Reference(layer, routing);

  const QuantisedWeights int8 = Quantise(layer, kDepth, 127);
  const DeviceTensor weight8(ACL_INT8, {kExperts, kColumns / 32, kDepth / 16, 16, 32},
                             Packed(int8.values.data(), int8.values.size(), ACL_INT8));
  const DeviceTensor scale8(ACL_FLOAT, {kExperts, kColumns}, int8.scales);
  const std::vector<double> result8 =
      Multiply(x, x_scale, weight8, nullptr, scale8, routing, device.stream());

  const QuantisedWeights int4 = Quantise(layer, kGroup, 7);
  const std::vector<uint8_t> nibbles = Nibbles(int4.values);
  const DeviceTensor weight4(ACL_INT4, {kExperts, kColumns / 64, kDepth / 16, 16, 64},
                             Packed(nibbles.data(), nibbles.size(), ACL_INT4));
  const DeviceTensor scale4(ACL_UINT64, {kExperts, kGroups, kColumns}, Widened(int4.scales));
  const DeviceTensor bias4(ACL_FLOAT, {kExperts, kColumns}, AuxiliaryMatrix(int4));
  const std::vector<double> result4 =
      Multiply(x, x_scale, weight4, &bias4, scale4, routing, device.stream());

  std::printf("error against the layer in double precision, relative, root mean square\n");
  // Quantising x and the result costs about 1 % each, INT8 weights another. INT4 weights are wrong
  // by 12 %, and the result is a product of two columns.
  bool right = Report("INT8 weights, a scale per column", RelativeError(result8, expected), 0.03);
  right &=
      Report("INT4 weights, a scale per column and 128 k", RelativeError(result4, expected), 0.2);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
