// SPDX-License-Identifier: Apache-2.0
// Products of groups with factors: a case, its tensors in every layout, and its result in double
// precision from the document's formulas.
#pragma once

#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "ops/grouped_calls.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test::grouped {

using Sizes = std::vector<int64_t>;
using Numbers = std::vector<double>;

enum class Order { kPlain, kTransposed, kPanels, kTransposedPanels };

struct Case {
  aclDataType x = ACL_INT8, weight = ACL_INT8, y = ACL_BF16;
  aclDataType scale = ACL_FLOAT, bias = ACL_DT_UNDEFINED;
  bool row_scale = true;
  Sizes sizes = {3, 0, 5, 1};  // rows of each group
  int64_t k = 24, n = 22;
  int64_t factor_groups = 0;  // of k; 0: factors of columns
  bool offset = false;
  int64_t activation = 0;
  bool separate = false;  // weights, and what goes with them
  int64_t listing = 0;
  Order order = Order::kPlain;
  bool swapped = false;  // tuningConfigOptional[1]
  int64_t rest = 0;      // rows behind the last group
  // Of INT4 in panels that are called INT32: the last size of their storage. A tensor that PyTorch
  // sees as INT32 after it was put into panels as INT8 keeps theirs, 32.
  int64_t int32_storage = 0;
};

inline bool IsInt4(aclDataType type) { return type == ACL_INT4; }
inline bool IsInteger(aclDataType type) { return type == ACL_INT8 || type == ACL_INT4; }
inline bool Shifted(const Case& c) { return c.x == ACL_INT8 && c.weight == ACL_INT4; }

// The names of the document, in double precision.
inline double Activated(double v, int64_t type) {
  switch (type) {
    case 1:
      return v > 0 ? v : 0;
    case 2:
      return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
    case 4:
      return v / (1 + std::exp(-1.702 * v));
    case 5:
      return v / (1 + std::exp(-v));
    default:
      return v;
  }
}

class GroupedIntegersTest : public DeviceTest {
 protected:
  Numbers Draw(aclDataType type, int64_t count, double most) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(type == ACL_INT8    ? static_cast<double>(random().Int(-128, 127))
                       : type == ACL_INT4  ? static_cast<double>(random().Int(-8, 7))
                       : type == ACL_INT32 ? static_cast<double>(random().Int(-5000, 5000))
                                           : AsHeld(type, random().Uniform(-most, most)));
    }
    return values;
  }
  // Numbers that factors of the type hold, and the tensor of them.
  Numbers DrawFactors(aclDataType type, int64_t count, double most) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) {
      const double value = random().Uniform(most / 8, most);
      values.push_back(AsHeld(type == ACL_UINT64 || type == ACL_INT64 ? ACL_FLOAT : type, value));
    }
    return values;
  }
  static std::unique_ptr<Tensor> Made(const Sizes& dims, aclDataType type, const Numbers& values) {
    auto tensor = std::make_unique<Tensor>(Layout{.dims = dims, .dtype = type});
    if (type == ACL_UINT64 || type == ACL_INT64) {
      std::vector<uint64_t> bits;
      for (double value : values)
        bits.push_back(std::bit_cast<uint32_t>(static_cast<float>(value)));
      if (!bits.empty()) tensor->Write(bits);
    } else if (!values.empty()) {
      WriteAs(*tensor, values);
    }
    return tensor;
  }

  // [E, ...] as one tensor, or a tensor for each group.
  static Tensors Of(const Case& c, const Sizes& dims, aclDataType type, const Numbers& values) {
    Tensors tensors;
    const auto groups = static_cast<int64_t>(c.sizes.size());
    if (!c.separate) {
      Sizes all = dims;
      all.insert(all.begin(), groups);
      tensors.push_back(Made(all, type, values));
      return tensors;
    }
    const size_t each = values.size() / c.sizes.size();
    for (size_t i = 0; i < c.sizes.size(); ++i) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * each);
      tensors.push_back(Made(dims, type, {from, from + static_cast<std::ptrdiff_t>(each)}));
    }
    return tensors;
  }

  // Weights as they lie, and handles that show them as [.., K, N].
  struct Weights {
    Tensors memory;
    std::vector<const aclTensor*> handles;  // the list's, which end with it
    aclTensorList* list = nullptr;
    ~Weights() { aclDestroyTensorList(list); }
  };
  void MakeWeights(const Case& c, const Numbers& values, Weights* weights) {
    const bool turned = c.order == Order::kTransposed || c.order == Order::kTransposedPanels;
    const bool panels = c.order == Order::kPanels || c.order == Order::kTransposedPanels;
    const bool lies_turned = turned || c.swapped;
    Numbers lying = values;
    const int64_t rows = lies_turned ? c.n : c.k, columns = lies_turned ? c.k : c.n;
    if (lies_turned) {
      for (size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        const int64_t group = at / (c.k * c.n), k = at / c.n % c.k, n = at % c.n;
        lying[static_cast<size_t>(group * c.k * c.n + n * c.k + k)] = values[i];
      }
    }
    weights->memory = Of(c, {rows, columns}, c.weight, lying);
    std::vector<const aclTensor*>& handles = weights->handles;
    for (std::unique_ptr<Tensor>& plain : weights->memory) {
      const Sizes lying_dims = plain->layout().dims;
      Sizes dims = lying_dims, strides = ContiguousStrides(lying_dims), storage = lying_dims;
      if (panels) plain = PanelsOf(*plain, lying_dims, &storage);
      const size_t last = dims.size() - 1;
      if (turned) {
        std::swap(dims[last], dims[last - 1]);
        std::swap(strides[last], strides[last - 1]);
      }
      const bool int32 = c.int32_storage > 0;
      if (int32) {
        dims[last] /= 8;
        strides = ContiguousStrides(dims);
        storage.back() = c.int32_storage;
      }
      handles.push_back(aclCreateTensor(dims.data(), dims.size(), int32 ? ACL_INT32 : c.weight,
                                        strides.data(), 0,
                                        panels ? ACL_FORMAT_FRACTAL_NZ : ACL_FORMAT_ND,
                                        storage.data(), storage.size(), plain->data()));
    }
    weights->list = aclCreateTensorList(handles.data(), handles.size());
  }

  // C0 is 32 bytes of INT8, 64 numbers of INT4. By hand: the document of the format.
  static std::unique_ptr<Tensor> PanelsOf(const Tensor& plain, const Sizes& dims, Sizes* storage) {
    const aclDataType type = plain.layout().dtype;
    const int64_t width = type == ACL_INT4 ? 64 : type == ACL_INT8 ? 32 : 16;
    const size_t last = dims.size() - 1;
    const int64_t rows = dims[last - 1], columns = dims[last];
    const int64_t across = (columns + width - 1) / width, down = (rows + 15) / 16;
    *storage = Sizes(dims.begin(), dims.end() - 2);
    for (int64_t size : {across, down, int64_t{16}, width}) storage->push_back(size);
    const Numbers values = ReadAs(plain);
    const int64_t matrix = across * down * 16 * width;
    const int64_t count = static_cast<int64_t>(values.size()) / (rows * columns);
    Numbers moved(static_cast<size_t>(matrix * count));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const int64_t row = at / columns % rows, column = at % columns;
      moved[static_cast<size_t>(at / (rows * columns) * matrix +
                                column / width * down * 16 * width + row * width +
                                column % width)] = values[i];
    }
    return Made(*storage, type, moved);
  }

  struct Problem {
    Numbers x, weight, bias, scale, offset, antiquant, antiquant_offset, row_scale;
  };

  // The sum of an element and of its terms' sizes, after all factors.
  struct Exact {
    double value = 0, size = 0;
  };
  static Exact ExactOf(const Case& c, const Problem& p, int64_t group, int64_t row, int64_t n) {
    const auto at = [](const Numbers& numbers, int64_t i) {
      return numbers[static_cast<size_t>(i)];
    };
    const int64_t parts = std::max<int64_t>(1, c.factor_groups), depth = c.k / parts;
    Exact e;
    double sum_x = 0;
    for (int64_t k = 0; k < c.k; ++k) {
      double x = at(p.x, row * c.k + k), w = at(p.weight, (group * c.k + k) * c.n + n);
      sum_x += x;
      const int64_t factor = (group * parts + k / depth) * c.n + n;
      if (!p.antiquant.empty()) {
        if (!p.antiquant_offset.empty()) w += at(p.antiquant_offset, factor);
        w *= at(p.antiquant, factor);
      } else if (IsInt4(c.weight) && !p.scale.empty()) {
        w *= at(p.scale, factor);
        if (Shifted(c)) x -= 8;
      }
      e.value += x * w;
      e.size += std::fabs(x * w);
    }
    const bool before = c.bias == ACL_INT32 || Shifted(c) || !IsInteger(c.x);
    const double bias = p.bias.empty() ? 0 : at(p.bias, group * c.n + n);
    if (before) e.value += bias;
    if (Shifted(c) && !p.offset.empty()) {
      e.value += at(p.offset, group * c.n + n) * sum_x;
      e.size += std::fabs(at(p.offset, group * c.n + n) * sum_x);
    }
    e.size += std::fabs(bias);
    double factor = 1;
    if (!IsInt4(c.weight) && !p.scale.empty()) factor *= at(p.scale, group * c.n + n);
    if (!p.row_scale.empty()) factor *= at(p.row_scale, row);
    e.value *= factor;
    e.size = e.size * factor;
    if (!before) e.value += bias, e.size += std::fabs(bias);
    return e;
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << "x " << c.x << " weight " << c.weight << " y " << c.y << " scale " << c.scale
                 << " bias " << c.bias << " groups of k " << c.factor_groups << " offset "
                 << c.offset << " act " << c.activation << " separate " << c.separate << " listing "
                 << c.listing << " order " << static_cast<int>(c.order) << " swapped "
                 << c.swapped);
    const auto groups = static_cast<int64_t>(c.sizes.size());
    int64_t rows = c.rest;
    for (int64_t size : c.sizes) rows += size;
    const bool factors = !IsInteger(c.x);
    const int64_t parts = std::max<int64_t>(1, c.factor_groups);
    Problem p;
    p.x = Draw(c.x, rows * c.k, 1);
    p.weight = Draw(c.weight, groups * c.k * c.n, 1);
    if (c.bias != ACL_DT_UNDEFINED) p.bias = Draw(c.bias, groups * c.n, 2);
    if (factors) {
      p.antiquant = DrawFactors(c.x, groups * parts * c.n, 0.02);
      if (c.offset) {
        for (int64_t i = 0; i < groups * parts * c.n; ++i) {
          p.antiquant_offset.push_back(static_cast<double>(random().Int(-4, 4)));
        }
      }
    } else if (c.y != ACL_INT32) {
      p.scale = DrawFactors(c.scale, groups * parts * c.n, IsInt4(c.weight) ? 0.02 : 0.001);
      if (c.offset) p.offset = Draw(ACL_FLOAT, groups * c.n, 0.05);
      if (c.row_scale) p.row_scale = DrawFactors(ACL_FLOAT, rows, 2);
    }

    Tensors xs, row_scales, biases, scales, offsets, antiquants, antiquant_offsets;
    xs.push_back(Made({rows, c.k}, c.x, p.x));
    if (c.row_scale && !p.scale.empty()) {
      row_scales.push_back(Made({rows, 1}, ACL_FLOAT, p.row_scale));
    }
    if (!p.bias.empty()) biases = Of(c, {c.n}, c.bias, p.bias);
    const Sizes of_columns = c.factor_groups > 0 ? Sizes{parts, c.n} : Sizes{c.n};
    if (!p.scale.empty()) scales = Of(c, of_columns, c.scale, p.scale);
    if (!p.offset.empty()) offsets = Of(c, {1, c.n}, ACL_FLOAT, p.offset);
    if (factors) antiquants = Of(c, of_columns, c.x, p.antiquant);
    if (!p.antiquant_offset.empty()) antiquant_offsets = Of(c, of_columns, c.x, p.antiquant_offset);
    Weights weights;
    MakeWeights(c, p.weight, &weights);

    // Groups in another order where they are named.
    std::vector<int64_t> order, numbers, firsts;
    for (int64_t i = 0; i < groups; ++i) order.push_back(c.listing == 2 ? (i + 1) % groups : i);
    int64_t end = 0;
    for (int64_t group : order) {
      const int64_t size = c.sizes[static_cast<size_t>(group)];
      firsts.push_back(end);
      end += size;
      if (c.listing == 2) numbers.push_back(group);
      numbers.push_back(c.listing == 0 ? end : size);
    }
    Tensor list({.dims = c.listing == 2 ? Sizes{groups, 2} : Sizes{groups}, .dtype = ACL_INT64});
    list.Write(numbers);

    const TensorList x(xs), row_scale(row_scales), bias(biases), scale(scales), offset(offsets),
        antiquant(antiquants), antiquant_offset(antiquant_offsets);
    const std::vector<int64_t> hints = {std::min<int64_t>(1, rows), c.swapped ? 1 : 0, -1};
    aclIntArray* const tuning = aclCreateIntArray(hints.data(), hints.size());
    const auto optional = [](const TensorList& made, const Tensors& tensors) {
      return tensors.empty() ? nullptr : made.handle();
    };
    Arguments a = {.x = x.handle(),
                   .weight = weights.list,
                   .bias = optional(bias, biases),
                   .scale = optional(scale, scales),
                   .offset = optional(offset, offsets),
                   .antiquant_scale = optional(antiquant, antiquants),
                   .antiquant_offset = optional(antiquant_offset, antiquant_offsets),
                   .row_scale = optional(row_scale, row_scales),
                   .list = list.handle(),
                   .split = 3,
                   .listing = c.listing,
                   .activation = c.activation,
                   .tuning = tuning,
                   .group = Shifted(c) && !c.offset ? c.k / parts : 0};
    const auto run = [&](const auto& first, Phase2 second) {
      Tensors ys;
      ys.push_back(Made({rows, c.n}, c.y, {}));
      const TensorList y(ys);
      a.out = y.handle();
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return first(a, s, e); }, second);
      Compare(c, p, order, firsts, end, *ys[0]);
    };
    if (!c.swapped) run(V4, aclnnGroupedMatmulV4);
    run(V5, aclnnGroupedMatmulV5);
    run(Nz, aclnnGroupedMatmulWeightNz);
    aclDestroyIntArray(tuning);
  }

  static void Compare(const Case& c, const Problem& p, const std::vector<int64_t>& order,
                      const std::vector<int64_t>& firsts, int64_t end, const Tensor& y) {
    const Numbers results = ReadAs(y);
    for (size_t i = 0; i < order.size(); ++i) {
      for (int64_t m = 0; m < c.sizes[static_cast<size_t>(order[i])]; ++m) {
        for (int64_t n = 0; n < c.n; ++n) {
          const int64_t row = firsts[i] + m;
          const Exact e = ExactOf(c, p, order[i], row, n);
          const double result = results[static_cast<size_t>(row * c.n + n)];
          double expected = e.value, bound = 0;
          if (c.y == ACL_INT8) {
            expected = std::fmin(std::fmax(e.value, -128), 127);
            bound = 0.5 + 4 * 0x1p-24 * e.size;
          } else if (c.y != ACL_INT32) {
            expected = Activated(e.value, c.activation);
            bound = (static_cast<double>(c.k) + 8) * 0x1p-24 * e.size +
                    1.01 * HalfUnitOf(c.y, expected) + 0x1p-22;
          }
          ASSERT_NEAR(result, expected, bound) << "group " << order[i] << " row " << m << ", " << n;
        }
      }
    }
    EXPECT_TRUE(y.GuardsIntact());
    const std::vector<uint8_t> bytes = y.ElementBytes();
    for (size_t i = static_cast<size_t>(end * c.n * BitsOf(c.y) / 8); i < bytes.size(); ++i) {
      ASSERT_EQ(bytes[i], Tensor::kCanary) << i;
    }
  }
};

}  // namespace anyacl::test::grouped
