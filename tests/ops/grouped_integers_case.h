// SPDX-License-Identifier: Apache-2.0
// Products of groups with factors: a case, its tensors in every layout, and its result in double
// precision from the document's formulas.
#pragma once

#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "ops/grouped_calls.h"
#include "reference/product.h"
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
  // Of `rows` rows from `first` on, which are the group's.
  static std::vector<Exact> ExactOf(const Case& c, const Problem& p, int64_t group, int64_t first,
                                    int64_t rows) {
    const auto at = [](const Numbers& numbers, int64_t i) {
      return numbers[static_cast<size_t>(i)];
    };
    const int64_t parts = std::max<int64_t>(1, c.factor_groups), depth = c.k / parts;
    Numbers x(p.x.begin() + first * c.k, p.x.begin() + (first + rows) * c.k), sums_of_x;
    for (int64_t row = 0; row < rows; ++row) {
      sums_of_x.push_back(std::accumulate(x.begin() + row * c.k, x.begin() + (row + 1) * c.k, 0.0));
    }
    Numbers weight(p.weight.begin() + group * c.k * c.n,
                   p.weight.begin() + (group + 1) * c.k * c.n);
    const bool scaled = p.antiquant.empty() && IsInt4(c.weight) && !p.scale.empty();
    for (int64_t i = 0; i < c.k * c.n; ++i) {
      const int64_t factor = (group * parts + i / c.n / depth) * c.n + i % c.n;
      double& w = weight[static_cast<size_t>(i)];
      if (!p.antiquant_offset.empty()) w += at(p.antiquant_offset, factor);
      if (!p.antiquant.empty()) w *= at(p.antiquant, factor);
      if (scaled) w *= at(p.scale, factor);
    }
    if (scaled && Shifted(c)) {
      for (double& value : x) value -= 8;
    }
    const ProductSums product = ProductOf(x, weight, rows, c.k, c.n);
    std::vector<Exact> exact;
    for (int64_t i = 0; i < rows * c.n; ++i) {
      const int64_t row = i / c.n, n = i % c.n;
      Exact e = {at(product.sums, i), at(product.sizes, i)};
      const bool before = c.bias == ACL_INT32 || Shifted(c) || !IsInteger(c.x);
      const double bias = p.bias.empty() ? 0 : at(p.bias, group * c.n + n);
      if (before) e.value += bias;
      if (Shifted(c) && !p.offset.empty()) {
        const double shift = at(p.offset, group * c.n + n) * at(sums_of_x, row);
        e.value += shift;
        e.size += std::fabs(shift);
      }
      e.size += std::fabs(bias);
      double factor = 1;
      if (!IsInt4(c.weight) && !p.scale.empty()) factor *= at(p.scale, group * c.n + n);
      if (!p.row_scale.empty()) factor *= at(p.row_scale, first + row);
      e.value *= factor;
      e.size *= factor;
      if (!before) e.value += bias, e.size += std::fabs(bias);
      exact.push_back(e);
    }
    return exact;
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
    std::vector<Expected> expected;
    for (size_t i = 0; i < order.size(); ++i) {
      const int64_t size = c.sizes[static_cast<size_t>(order[i])];
      for (const Exact& e : ExactOf(c, p, order[i], firsts[i], size)) {
        expected.push_back(ExpectedOf(c, e));
      }
    }
    const auto run = [&](const auto& first, Phase2 second) {
      Tensors ys;
      ys.push_back(Made({rows, c.n}, c.y, {}));
      const TensorList y(ys);
      a.out = y.handle();
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return first(a, s, e); }, second);
      Compare(c, expected, *ys[0]);
    };
    if (!c.swapped) run(V4, aclnnGroupedMatmulV4);
    run(V5, aclnnGroupedMatmulV5);
    run(Nz, aclnnGroupedMatmulWeightNz);
    aclDestroyIntArray(tuning);
  }

  // The result, and what it may differ by.
  struct Expected {
    double value = 0, bound = 0;
  };
  static Expected ExpectedOf(const Case& c, const Exact& e) {
    if (c.y == ACL_INT32) return {e.value, 0};
    if (c.y == ACL_INT8) {
      return {std::fmin(std::fmax(e.value, -128), 127), 0.5 + 4 * 0x1p-24 * e.size};
    }
    const double value = Activated(e.value, c.activation);
    return {value, (static_cast<double>(c.k) + 8) * 0x1p-24 * e.size +
                       1.01 * HalfUnitOf(c.y, value) + 0x1p-22};
  }

  // Of the rows of groups, which are the first.
  static void Compare(const Case& c, const std::vector<Expected>& expected, const Tensor& y) {
    const Numbers results = ReadAs(y);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i].value, expected[i].bound)
          << "row " << static_cast<int64_t>(i) / c.n << ", " << static_cast<int64_t>(i) % c.n;
    }
    EXPECT_TRUE(y.GuardsIntact());
    const std::vector<uint8_t> bytes = y.ElementBytes();
    for (size_t i = expected.size() * static_cast<size_t>(BitsOf(c.y)) / 8; i < bytes.size(); ++i) {
      ASSERT_EQ(bytes[i], Tensor::kCanary) << i;
    }
  }
};

}  // namespace anyacl::test::grouped
