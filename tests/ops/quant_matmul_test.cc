// SPDX-License-Identifier: Apache-2.0
// Products of integers with factors against sums of integers: aclnnQuantMatmulV3 to V5 and
// aclnnQuantMatmulWeightNz, which all compute the same.
#include <cmath>
#include <cstring>

#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_quant_param_v2.h"
#include "ops/quant_matmul_calls.h"
#include "reference/product.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::quant_matmul {
namespace {

using Shape = std::vector<int64_t>;

constexpr aclDataType kNone = ACL_DT_UNDEFINED;

// One call; what is kNone is null.
struct Call {
  int64_t m, k, n;
  aclDataType x, out, scale, bias = kNone;
  bool of_columns = true;  // the scale
  bool rows = false;       // have factors
  bool offset = false;
  Shape x_batch = {}, weight_batch = {}, out_batch = {};
  bool long_bias = false;  // [batch, 1, N]
};

// How the matrices lie.
enum class Order { kPlain, kViews, kFlags, kPanels, kTurnedPanels };

Shape With(Shape batch, int64_t rows, int64_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

int64_t Count(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

// Which matrix of `batch` belongs to a matrix of `whole`.
int64_t Matrix(int64_t index, const Shape& whole, const Shape& batch) {
  int64_t at = 0, step = 1;
  for (size_t i = 0; i < whole.size(); ++i) {
    const int64_t place = index % whole[whole.size() - 1 - i];
    index /= whole[whole.size() - 1 - i];
    if (i >= batch.size()) continue;
    const int64_t size = batch[batch.size() - 1 - i];
    at += (size == 1 ? 0 : place) * step;
    step *= size;
  }
  return at;
}

// The same memory under another handle.
class Seen {
 public:
  Seen(const Tensor& memory, const Shape& dims, const Shape& strides, aclDataType type,
       aclFormat format, const Shape& storage)
      : handle_(aclCreateTensor(dims.data(), dims.size(), type, strides.data(), 0, format,
                                storage.data(), storage.size(), memory.data())) {}
  Seen(const Seen&) = delete;
  ~Seen() { aclDestroyTensor(handle_); }
  aclTensor* handle() const { return handle_; }

 private:
  aclTensor* handle_;
};

class QuantMatmulTest : public DeviceTest {
 protected:
  // Matrices [.., rows, columns] in memory, turned or not; INT32 packs eight INT4 of a line.
  Tensor Held(const std::vector<double>& values, Shape batch, int64_t rows, int64_t columns,
              aclDataType type, bool turned) {
    std::vector<double> lines(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const int64_t matrix = at / (rows * columns) * rows * columns,
                    row = at % (rows * columns) / columns;
      const int64_t column = at % columns;
      lines[static_cast<size_t>(matrix + (turned ? column * rows + row : row * columns + column))] =
          values[i];
    }
    const Shape dims = turned ? With(batch, columns, rows) : With(batch, rows, columns);
    if (type == ACL_INT8) {
      Tensor tensor({.dims = dims, .dtype = type});
      WriteAs(tensor, lines);
      return tensor;
    }
    std::vector<int32_t> packed(lines.size() / 8);
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto number = static_cast<uint32_t>(static_cast<int32_t>(lines[i]));
      packed[i / 8] = static_cast<int32_t>(static_cast<uint32_t>(packed[i / 8]) |
                                           (number & 15) << (4 * (i % 8)));
    }
    Tensor tensor({.dims = {static_cast<int64_t>(packed.size())}, .dtype = ACL_INT32});
    tensor.Write(packed);
    return tensor;
  }

  // The handle that shows `memory` of Held as [.., rows, columns], or as it lies.
  static Seen Shown(const Tensor& memory, const Shape& batch, int64_t rows, int64_t columns,
                    aclDataType type, bool turned, bool as_it_lies) {
    const int64_t eighth = type == ACL_INT32 ? 8 : 1;
    Shape dims = turned ? With(batch, columns, rows / eighth) : With(batch, rows, columns / eighth);
    Shape strides = ContiguousStrides(dims);
    if (turned && !as_it_lies) {
      std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
      std::swap(strides[dims.size() - 1], strides[dims.size() - 2]);
    }
    return {memory, dims, strides, type, ACL_FORMAT_ND, {Count(dims)}};
  }

  Tensor PanelsOf(const Tensor& memory, const Shape& lying) {
    Shape storage(lying.begin(), lying.end() - 2);
    for (int64_t size : {(lying.back() + 31) / 32, (lying[lying.size() - 2] + 15) / 16, int64_t{16},
                         int64_t{32}}) {
      storage.push_back(size);
    }
    Tensor panels({.dims = storage, .dtype = ACL_INT8});
    const Seen target(panels, lying, ContiguousStrides(lying), ACL_INT8, ACL_FORMAT_FRACTAL_NZ,
                      storage);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnNpuFormatCastGetWorkspaceSize(memory.handle(), target.handle(), s, e);
        },
        aclnnNpuFormatCast);
    return panels;
  }

  void Check(const Call& c, Order order) {
    SCOPED_TRACE(::testing::Message()
                 << c.m << " x " << c.k << " x " << c.n << " x1 " << c.x << " out " << c.out
                 << " scale " << c.scale << " bias " << c.bias << " rows " << c.rows << " order "
                 << static_cast<int>(order));
    const bool int4 = c.x != ACL_INT8;
    const bool turn_x = !int4 && (order == Order::kViews || order == Order::kFlags);
    const bool turn_weight = order != Order::kPlain && order != Order::kPanels;
    const bool flags = order == Order::kFlags;
    const auto drawn = [&](int64_t count) {
      std::vector<double> values;
      for (int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<double>(int4 ? random().Int(-8, 7) : random().Int(-128, 127)));
      }
      return values;
    };
    const std::vector<double> a = drawn(Count(c.x_batch) * c.m * c.k);
    const std::vector<double> b = drawn(Count(c.weight_batch) * c.k * c.n);
    const Tensor x = Held(a, c.x_batch, c.m, c.k, c.x, turn_x);
    const Tensor weight = Held(b, c.weight_batch, c.k, c.n, c.x, turn_weight);
    const Seen left = Shown(x, c.x_batch, c.m, c.k, c.x, turn_x, flags);
    const Shape lying =
        turn_weight ? With(c.weight_batch, c.n, c.k) : With(c.weight_batch, c.k, c.n);
    const bool nz = order == Order::kPanels || order == Order::kTurnedPanels;
    const Tensor panels = nz ? PanelsOf(weight, lying) : Tensor({.dims = {1}});
    const Seen plain = Shown(weight, c.weight_batch, c.k, c.n, c.x, turn_weight, flags);
    const Seen in_panels(panels, lying, ContiguousStrides(lying), c.x, ACL_FORMAT_FRACTAL_NZ,
                         panels.layout().dims);

    Tensor scale({.dims = {c.of_columns ? c.n : 1}, .dtype = c.scale});
    std::vector<double> scales, offsets, factors, biases;
    const double largest = int4 ? 64 : 16384;
    for (int64_t i = 0; i < scale.count(); ++i) {
      // No bits that the parameter of 64 bits drops.
      scales.push_back(static_cast<double>(random().Int(2, 255)) / 64 *
                       (c.out == ACL_INT8 ? 100 : 1) /
                       std::exp2(std::round(std::log2(largest * std::sqrt(c.k)))));
      scales.back() = AsHeld(ACL_BF16, scales.back());
      offsets.push_back(static_cast<double>(random().Int(-40, 40)) + 0.25);
    }
    const bool coded = c.scale == ACL_UINT64 || c.scale == ACL_INT64;
    if (coded) {
      std::vector<uint64_t> bits;
      for (double value : scales) {
        const auto single = static_cast<float>(value);
        uint32_t low = 0;
        std::memcpy(&low, &single, sizeof(low));
        bits.push_back(low | (c.offset ? uint64_t{0} : uint64_t{5} << 37) | uint64_t{1} << 46);
      }
      scale.Write(bits);
    } else {
      WriteAs(scale, scales);
    }
    Tensor offset({.dims = {scale.count()}}), row_scale({.dims = {c.m}});
    WriteAs(offset, offsets);
    for (int64_t i = 0; i < c.m; ++i) {
      factors.push_back(AsHeld(ACL_FLOAT, random().Uniform(0.25, 2)));
    }
    WriteAs(row_scale, factors);
    const int64_t batch = Count(c.out_batch);
    Tensor bias({.dims = c.long_bias ? Shape{batch, 1, c.n} : Shape{c.n},
                 .dtype = c.bias == kNone ? ACL_FLOAT : c.bias});
    for (int64_t i = 0; i < bias.count(); ++i) {
      biases.push_back(c.bias == ACL_INT32 ? static_cast<double>(random().Int(-5000, 5000))
                                           : AsHeld(bias.layout().dtype, random().Uniform(-2, 2)));
    }
    WriteAs(bias, biases);
    const Tensor empty({.dims = {0}, .dtype = c.out});

    std::vector<decltype(ReadBits(x))> bits;
    std::vector<double> results;
    const auto run = [&](auto phase_one, Phase2 phase_two, bool unused) {
      const Tensor out({.dims = With(c.out_batch, c.m, c.n), .dtype = c.out});
      Arguments arguments = {.x = left.handle(),
                             .weight = nz ? in_panels.handle() : plain.handle(),
                             .scale = scale.handle(),
                             .offset = c.offset ? offset.handle() : nullptr,
                             .row_scale = c.rows ? row_scale.handle() : nullptr,
                             .bias = c.bias == kNone ? nullptr : bias.handle(),
                             .turn_x = turn_x && flags,
                             .turn_weight = order == Order::kTurnedPanels || (turn_weight && flags),
                             .out = out.handle()};
      if (unused) arguments.out_scale = arguments.x_offset = arguments.out_offset = empty.handle();
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phase_one(arguments, s, e); },
                  phase_two);
      EXPECT_TRUE(out.GuardsIntact());
      bits.push_back(ReadBits(out));
      results = ReadAs(out);
    };
    if (!c.rows) run(V3, aclnnQuantMatmulV3, false);
    run(V4, aclnnQuantMatmulV4, false);
    run(V5, aclnnQuantMatmulV5, false);
    run(WeightNz, aclnnQuantMatmulWeightNz, true);
    for (const auto& other : bits) EXPECT_EQ(other, bits[0]);

    std::vector<double> sums;
    for (int64_t matrix = 0; matrix < batch; ++matrix) {
      const ProductSums product = ProductOf(
          a.data() + Matrix(matrix, c.out_batch, c.x_batch) * c.m * c.k,
          b.data() + Matrix(matrix, c.out_batch, c.weight_batch) * c.k * c.n, c.m, c.k, c.n);
      sums.insert(sums.end(), product.sums.begin(), product.sums.end());
    }
    for (int64_t i = 0; i < batch * c.m * c.n; ++i) {
      const int64_t matrix = i / (c.m * c.n), m = i / c.n % c.m, n = i % c.n;
      double sum = sums[static_cast<size_t>(i)];
      const double added =
          c.bias == kNone ? 0 : biases[static_cast<size_t>((c.long_bias ? matrix * c.n : 0) + n)];
      if (c.bias == ACL_INT32) sum += added;
      const double result = results[static_cast<size_t>(i)];
      if (c.out == ACL_INT32) {
        ASSERT_EQ(result, sum) << i;
        continue;
      }
      const auto at = static_cast<size_t>(c.of_columns ? n : 0);
      if (c.out == ACL_INT8) {
        const float product = static_cast<float>(sum) * static_cast<float>(scales[at]);
        const float moved = product + static_cast<float>(c.offset ? offsets[at] : 5);
        ASSERT_EQ(result, std::fmin(std::fmax(std::nearbyint(moved), -128), 127)) << i;
        continue;
      }
      double expected = sum * scales[at] * (c.rows ? factors[static_cast<size_t>(m)] : 1);
      const double size = std::fabs(expected);
      if (c.bias != ACL_INT32) expected += added;
      const double place = c.out == ACL_FLOAT16 ? 0x1p-11 : 0x1p-8;
      ASSERT_NEAR(
          result, expected,
          1.001 * place * std::fabs(expected) + 4 * 0x1p-24 * (size + std::fabs(added)) + 0x1p-25)
          << i;
    }
  }
};

// Every line of the documents' tables of types, few rows and many.
TEST_F(QuantMatmulTest, EveryCombinationOfTypes) {
  for (int64_t m : {1, 3, 5, 40}) {
    const bool of_columns = m != 3;
    for (Order order :
         {Order::kPlain, Order::kViews, Order::kFlags, Order::kPanels, Order::kTurnedPanels}) {
      const auto check = [&](Call c) {
        c.of_columns = of_columns;
        Check(c, order);
      };
      for (aclDataType scale : {ACL_UINT64, ACL_INT64}) {
        for (aclDataType bias : {kNone, ACL_INT32}) {
          check({m, 72, 40, ACL_INT8, ACL_FLOAT16, scale, bias});
          check({m, 37, 19, ACL_INT8, ACL_INT8, scale, bias});
          check({.m = m,
                 .k = 64,
                 .n = 33,
                 .x = ACL_INT8,
                 .out = ACL_INT8,
                 .scale = scale,
                 .bias = bias,
                 .offset = true});
        }
      }
      for (aclDataType scale : {ACL_FLOAT, ACL_BF16}) {
        check({m, 96, 17, ACL_INT8, ACL_INT32, scale, kNone});
        check({m, 33, 48, ACL_INT8, ACL_INT32, scale, ACL_INT32});
        for (aclDataType bias : {kNone, ACL_INT32, ACL_BF16, ACL_FLOAT}) {
          for (bool rows : {false, true}) {
            check({.m = m,
                   .k = 130,
                   .n = 50,
                   .x = ACL_INT8,
                   .out = ACL_BF16,
                   .scale = scale,
                   .bias = bias,
                   .rows = rows});
          }
        }
      }
      for (aclDataType bias : {kNone, ACL_INT32, ACL_FLOAT16, ACL_FLOAT}) {
        check({.m = m,
               .k = 64,
               .n = 64,
               .x = ACL_INT8,
               .out = ACL_FLOAT16,
               .scale = ACL_FLOAT,
               .bias = bias,
               .rows = true});
      }
    }
    for (Order order : {Order::kPlain, Order::kViews, Order::kFlags}) {
      for (aclDataType x : {ACL_INT4, ACL_INT32}) {
        Check({m, 72, 40, x, ACL_FLOAT16, ACL_UINT64, ACL_INT32}, order);
        for (aclDataType out : {ACL_FLOAT16, ACL_BF16}) {
          for (aclDataType bias : {kNone, ACL_INT32, ACL_FLOAT, out}) {
            Check({.m = m,
                   .k = 64,
                   .n = 24,
                   .x = x,
                   .out = out,
                   .scale = ACL_FLOAT,
                   .bias = bias,
                   .rows = true},
                  order);
          }
        }
        Check({.m = m, .k = 16, .n = 8, .x = x, .out = ACL_BF16, .scale = ACL_BF16, .rows = true},
              order);
      }
    }
  }
}

TEST_F(QuantMatmulTest, Batches) {
  struct Batches {
    Shape x, weight, out;
  };
  for (const auto& [x, weight, out] :
       {Batches{{3}, {3}, {3}}, Batches{{3}, {}, {3}}, Batches{{}, {2}, {2}},
        Batches{{2, 1}, {3}, {2, 3}}, Batches{{2, 1, 2, 1}, {1, 3}, {2, 1, 2, 3}}}) {
    for (Order order : {Order::kPlain, Order::kViews, Order::kFlags}) {
      for (aclDataType out_type : {ACL_INT8, ACL_FLOAT16, ACL_BF16, ACL_INT32}) {
        const bool coded = out_type == ACL_INT8 || out_type == ACL_FLOAT16;
        Call c{.m = 5,
               .k = 40,
               .n = 24,
               .x = ACL_INT8,
               .out = out_type,
               .scale = coded ? ACL_INT64 : ACL_FLOAT,
               .bias = ACL_INT32,
               .rows = out_type == ACL_BF16,
               .x_batch = x,
               .weight_batch = weight,
               .out_batch = out};
        c.long_bias = out.size() == 1;
        Check(c, order);
      }
    }
    if (!weight.empty()) continue;
    Check({.m = 5,
           .k = 40,
           .n = 24,
           .x = ACL_INT32,
           .out = ACL_BF16,
           .scale = ACL_FLOAT,
           .rows = true,
           .x_batch = x,
           .weight_batch = weight,
           .out_batch = out},
          Order::kViews);
  }
}

// More rows than wait at a time.
TEST_F(QuantMatmulTest, RowsThatWait) {
  Check({270, 16, 17000, ACL_INT8, ACL_INT8, ACL_UINT64, ACL_INT32}, Order::kPlain);
  Check({.m = 270,
         .k = 70000,
         .n = 8,
         .x = ACL_INT4,
         .out = ACL_BF16,
         .scale = ACL_FLOAT,
         .rows = true},
        Order::kPlain);
}

// What aclnnTransQuantParamV2 makes is what products take.
TEST_F(QuantMatmulTest, ParametersOfTransQuantParam) {
  Tensor x({.dims = {2, 4}, .dtype = ACL_INT8}), weight({.dims = {4, 3}, .dtype = ACL_INT8}),
      scale({.dims = {3}}), offset({.dims = {3}});
  const Tensor parameter({.dims = {3}, .dtype = ACL_UINT64}),
      out({.dims = {2, 3}, .dtype = ACL_INT8});
  WriteAs(x, {1, 2, 3, 4, -5, 6, -7, 8});
  WriteAs(weight, {1, 0, 2, 0, 1, 2, 1, 1, 2, 0, -1, 2});
  WriteAs(scale, {0.5, 2, -1});
  WriteAs(offset, {3, -200, 100});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnTransQuantParamV2GetWorkspaceSize(scale.handle(), offset.handle(),
                                                      parameter.handle(), s, e);
      },
      aclnnTransQuantParamV2);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return V4({.x = x.handle(),
                   .weight = weight.handle(),
                   .scale = parameter.handle(),
                   .out = out.handle()},
                  s, e);
      },
      aclnnQuantMatmulV4);
  // Sums 4, 1, 20 and -12, -9, 4.
  EXPECT_EQ(ReadAs(out), (std::vector<double>{5, -128, 80, -3, -128, 96}));
}

}  // namespace
}  // namespace anyacl::test::quant_matmul
