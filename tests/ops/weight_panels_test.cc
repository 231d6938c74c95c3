// SPDX-License-Identifier: Apache-2.0
// Products with weights that aclnnNpuFormatCast has put into panels (FRACTAL_NZ): the bits of those
// with the weights as they were, whose values other tests compare.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;
using Handle = std::unique_ptr<aclTensor, decltype(&aclDestroyTensor)>;

Shape StorageOf(Shape dims, int64_t width) {
  const int64_t columns = dims.back(), rows = dims[dims.size() - 2];
  dims.resize(dims.size() - 2);
  for (int64_t size : {(columns + width - 1) / width, (rows + 15) / 16, int64_t{16}, width}) {
    dims.push_back(size);
  }
  return dims;
}

// The last two dimensions swapped.
Shape Swapped(Shape values) {
  std::swap(values[values.size() - 1], values[values.size() - 2]);
  return values;
}

// A weight [.., K, N], or the transposed view of [.., N, K], as it is and in panels.
class Weight {
 public:
  Weight(const Shape& dims, aclDataType type, int64_t width, bool transposed, Random& random)
      : memory_dims_(transposed ? Swapped(dims) : dims),
        plain_({.dims = memory_dims_, .dtype = type}),
        panels_({.dims = StorageOf(memory_dims_, width), .dtype = type}),
        dims_(dims),
        strides_(transposed ? Swapped(ContiguousStrides(memory_dims_)) : ContiguousStrides(dims)) {
    std::vector<double> values;
    for (int64_t i = 0; i < plain_.count(); ++i) {
      values.push_back(type == ACL_INT8 ? static_cast<double>(random.Int(-128, 127))
                                        : AsHeld(type, random.Uniform(-1, 1)));
    }
    WriteAs(plain_, values);
  }

  const Tensor& plain() const { return plain_; }
  Handle Plain() const { return Made(dims_, strides_, ACL_FORMAT_ND, dims_, plain_); }
  Handle Panels() const {
    return Made(dims_, strides_, ACL_FORMAT_FRACTAL_NZ, panels_.layout().dims, panels_);
  }
  // As the cast wants it.
  Handle Target() const {
    return Made(memory_dims_, ContiguousStrides(memory_dims_), ACL_FORMAT_FRACTAL_NZ,
                panels_.layout().dims, panels_);
  }

 private:
  static Handle Made(const Shape& dims, const Shape& strides, aclFormat format,
                     const Shape& storage, const Tensor& memory) {
    return {aclCreateTensor(dims.data(), dims.size(), memory.layout().dtype, strides.data(), 0,
                            format, storage.data(), storage.size(), memory.data()),
            aclDestroyTensor};
  }

  Shape memory_dims_;
  Tensor plain_, panels_;
  Shape dims_, strides_;
};

class WeightPanelsTest : public DeviceTest {
 protected:
  Tensor Filled(const Shape& dims, aclDataType type) {
    Tensor tensor({.dims = dims, .dtype = type});
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(type, random().Uniform(-1, 1)));
    }
    WriteAs(tensor, values);
    return tensor;
  }

  Weight Cast(const Shape& dims, aclDataType type, int64_t width, bool transposed) {
    Weight weight(dims, type, width, transposed, random());
    const Handle target = weight.Target();
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnNpuFormatCastGetWorkspaceSize(weight.plain().handle(), target.get(), s, e);
        },
        aclnnNpuFormatCast);
    return weight;
  }

  // call(weight, out) gives a first phase.
  template <class Call>
  void ExpectSame(const Weight& weight, const Layout& out_layout, const Call& call, Phase2 phase2) {
    const Tensor expected(out_layout), out(out_layout);
    const Handle plain = weight.Plain(), panels = weight.Panels();
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) { return call(plain.get(), expected.handle(), s, e); },
        phase2);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) { return call(panels.get(), out.handle(), s, e); },
        phase2);
    EXPECT_EQ(ReadBits(out), ReadBits(expected));
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(WeightPanelsTest, EveryProductReadsThem) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (int64_t width : {8, 16, 32}) {
      for (bool transposed : {false, true}) {
        for (int64_t m : {1, 3, 40}) {
          SCOPED_TRACE(::testing::Message() << "type " << type << " width " << width
                                            << " transposed " << transposed << " rows " << m);
          constexpr int64_t kK = 130, kN = 75;
          const Tensor x = Filled({m, kK}, type), batch = Filled({2, m, kK}, type),
                       summand = Filled({kN}, type);
          const float factor = 0.5f;
          aclScalar* half = aclCreateScalar(const_cast<float*>(&factor), ACL_FLOAT);
          const Weight matrix = Cast({kK, kN}, type, width, transposed);
          ExpectSame(
              matrix, {.dims = {m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnMmGetWorkspaceSize(x.handle(), w, y, 1, s, e);
              },
              aclnnMm);
          ExpectSame(
              matrix, {.dims = {m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnMatmulWeightNzGetWorkspaceSize(x.handle(), w, y, 1, s, e);
              },
              aclnnMatmulWeightNz);
          ExpectSame(
              matrix, {.dims = {m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnAddmmGetWorkspaceSize(summand.handle(), x.handle(), w, half, half, y, 1,
                                                  s, e);
              },
              aclnnAddmm);
          if (type != ACL_FLOAT) {
            ExpectSame(
                matrix, {.dims = {m, kN}, .dtype = type},
                [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                  return aclnnAddmmWeightNzGetWorkspaceSize(summand.handle(), x.handle(), w, half,
                                                            half, y, 1, s, e);
                },
                aclnnAddmmWeightNz);
          }
          ExpectSame(
              matrix, {.dims = {2, m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnMatmulGetWorkspaceSize(batch.handle(), w, y, 1, s, e);
              },
              aclnnMatmul);
          const Weight matrices = Cast({2, kK, kN}, type, width, transposed);
          ExpectSame(
              matrices, {.dims = {2, m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnBatchMatMulGetWorkspaceSize(batch.handle(), w, y, 1, s, e);
              },
              aclnnBatchMatMul);
          if (type != ACL_FLOAT) {
            ExpectSame(
                matrices, {.dims = {2, m, kN}, .dtype = type},
                [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                  return aclnnBatchMatMulWeightNzGetWorkspaceSize(batch.handle(), w, y, 1, s, e);
                },
                aclnnBatchMatMulWeightNz);
          }
          ExpectSame(
              matrices, {.dims = {2, m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnBaddbmmGetWorkspaceSize(summand.handle(), batch.handle(), w, half, half,
                                                    y, 1, s, e);
              },
              aclnnBaddbmm);
          aclDestroyScalar(half);
        }
      }
    }
  }
}

// Panels of a row or a column have the shape of those of the transposed one: strides tell them
// apart.
TEST_F(WeightPanelsTest, RowsAndColumns) {
  for (const Shape& dims : {Shape{1, 8}, Shape{1, 16}, Shape{1, 40}, Shape{8, 1}, Shape{16, 1},
                            Shape{40, 1}, Shape{1, 1}}) {
    for (bool transposed : {false, true}) {
      for (int64_t m : {1, 40}) {
        SCOPED_TRACE(::testing::Message() << "weight " << dims[0] << ", " << dims[1]
                                          << " transposed " << transposed << " rows " << m);
        const Tensor x = Filled({m, dims[0]}, ACL_FLOAT16),
                     batch = Filled({2, m, dims[0]}, ACL_FLOAT16);
        ExpectSame(
            Cast(dims, ACL_FLOAT16, 16, transposed), {.dims = {m, dims[1]}, .dtype = ACL_FLOAT16},
            [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
              return aclnnMmGetWorkspaceSize(x.handle(), w, y, 1, s, e);
            },
            aclnnMm);
        ExpectSame(
            Cast({2, dims[0], dims[1]}, ACL_FLOAT16, 16, transposed),
            {.dims = {2, m, dims[1]}, .dtype = ACL_FLOAT16},
            [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
              return aclnnMatmulGetWorkspaceSize(batch.handle(), w, y, 1, s, e);
            },
            aclnnMatmul);
      }
    }
  }
}

TEST_F(WeightPanelsTest, QuantisedWeights) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (bool transposed : {false, true}) {
      for (int64_t m : {1, 3, 40}) {
        for (int group : {0, 32}) {
          SCOPED_TRACE(::testing::Message() << "type " << type << " transposed " << transposed
                                            << " rows " << m << " group " << group);
          constexpr int64_t kK = 130, kN = 75;
          const Tensor x = Filled({m, kK}, type), scale = Filled({group == 0 ? 1 : 5, kN}, type);
          const Weight weight = Cast({kK, kN}, ACL_INT8, 32, transposed);
          ExpectSame(
              weight, {.dims = {m, kN}, .dtype = type},
              [&](aclTensor* w, aclTensor* y, uint64_t* s, aclOpExecutor** e) {
                return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(x.handle(), w, scale.handle(),
                                                                     nullptr, nullptr, nullptr,
                                                                     nullptr, group, y, s, e);
              },
              aclnnWeightQuantBatchMatmulV2);
        }
      }
    }
  }
}

// INT4 in panels of 64 columns, two in a byte or eight in an INT32.
TEST_F(WeightPanelsTest, QuantisedWeightsOfFourBits) {
  constexpr int64_t kK = 96, kN = 128;
  std::vector<int8_t> values;
  for (int64_t i = 0; i < kK * kN; ++i) values.push_back(static_cast<int8_t>(random().Int(-8, 7)));
  for (bool transposed : {false, true}) {
    // The matrix in memory, [K, N] or [N, K], and its panels.
    const int64_t rows = transposed ? kN : kK, columns = transposed ? kK : kN;
    const int64_t panels = (columns + 63) / 64;
    Tensor plain({.dims = {rows, columns}, .dtype = ACL_INT4});
    Tensor nz({.dims = {panels, rows / 16, 16, 64}, .dtype = ACL_INT4});
    std::vector<int8_t> ordered(static_cast<size_t>(panels * rows * 64));
    for (int64_t i = 0; i < rows * columns; ++i) {
      const int64_t r = i / columns, c = i % columns;
      ordered[static_cast<size_t>((c / 64 * rows + r) * 64 + c % 64)] =
          values[static_cast<size_t>(i)];
    }
    plain.Write(values);
    nz.Write(ordered);
    for (int64_t m : {2, 30}) {
      for (int group : {0, 32}) {
        for (aclDataType held : {ACL_INT4, ACL_INT32}) {
          SCOPED_TRACE(::testing::Message() << "transposed " << transposed << " rows " << m
                                            << " group " << group << " held " << held);
          const int64_t per = held == ACL_INT32 ? 8 : 1;
          const Shape dims = transposed ? Shape{kK / per, kN} : Shape{kK, kN / per};
          const Shape strides = transposed ? Shape{1, kK / per} : Shape{kN / per, 1};
          const Shape storage = {panels, rows / 16, 16, 64 / per};
          const Tensor x = Filled({m, kK}, ACL_FLOAT16),
                       scale = Filled({group == 0 ? 1 : 3, kN}, ACL_FLOAT16),
                       expected({.dims = {m, kN}, .dtype = ACL_FLOAT16}),
                       y({.dims = {m, kN}, .dtype = ACL_FLOAT16});
          const auto run = [&](const Shape& stored, aclFormat format, const Tensor& memory,
                               const Tensor& out) {
            const Handle weight = {
                aclCreateTensor(dims.data(), dims.size(), held, strides.data(), 0, format,
                                stored.data(), stored.size(), memory.data()),
                aclDestroyTensor};
            RunTwoPhase(
                [&](uint64_t* s, aclOpExecutor** e) {
                  return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
                      x.handle(), weight.get(), scale.handle(), nullptr, nullptr, nullptr, nullptr,
                      group, out.handle(), s, e);
                },
                aclnnWeightQuantBatchMatmulV2);
          };
          run(dims, ACL_FORMAT_ND, plain, expected);
          run(storage, ACL_FORMAT_FRACTAL_NZ, nz, y);
          EXPECT_EQ(ReadBits(y), ReadBits(expected));
        }
      }
    }
  }
}

TEST_F(WeightPanelsTest, WhatAreNoPanelsIsRefused) {
  const Tensor x({.dims = {2, 40}, .dtype = ACL_FLOAT16}),
      y({.dims = {2, 20}, .dtype = ACL_FLOAT16}),
      memory({.dims = {2 * 3 * 16 * 16}, .dtype = ACL_FLOAT16}),
      short_memory({.dims = {2 * 3 * 16 * 16 - 64}, .dtype = ACL_FLOAT16});
  const auto refused = [&](const Shape& strides, const Shape& storage,
                           std::initializer_list<std::string_view> words) {
    const Shape dims = {40, 20};
    const Handle weight = {
        aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT16, strides.data(), 0,
                        ACL_FORMAT_FRACTAL_NZ, storage.data(), storage.size(), memory.data()),
        aclDestroyTensor};
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMmGetWorkspaceSize(x.handle(), weight.get(), y.handle(), 1, s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({20, 1}, {2, 2, 16, 16}, {"mat2", "[2, 2, 16, 16]", "[2, 3, 16, 16]"});
  refused({20, 1}, {3, 2, 16, 16}, {"mat2", "[3, 2, 16, 16]", "[2, 3, 16, 16]"});
  refused({1, 40}, {2, 3, 16, 16}, {"mat2", "[3, 2, 16, 16]"});
  refused({25, 1}, {2, 3, 16, 16}, {"mat2", "strides = [25, 1]"});
  refused({20, 1}, {2, 3, 16, 12}, {"mat2", "8, 16, 32 or 64"});
  refused({20, 1}, {1, 2, 3, 16, 16}, {"mat2", "4 sizes"});
  // Memory that ends before the panels do is found out when the addresses are known.
  const Shape dims = {40, 20}, strides = {20, 1}, storage = {2, 3, 16, 16};
  aclTensor* weight =
      aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT16, strides.data(), 0,
                      ACL_FORMAT_FRACTAL_NZ, storage.data(), storage.size(), short_memory.data());
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_OK(aclnnMmGetWorkspaceSize(x.handle(), weight, y.handle(), 1, &size, &executor));
  const DeviceBuffer workspace(size);
  EXPECT_NE(aclnnMm(workspace.data(), size, executor, stream()), ACL_SUCCESS);
  aclDestroyTensor(weight);
}

// What a device refuses of weights that it has put into panels.
TEST_F(WeightPanelsTest, WeightNzRefuses) {
  const auto weight_of = [](const Shape& dims, aclDataType type, const Shape& storage,
                            const Tensor& memory) {
    const Shape strides = ContiguousStrides(dims);
    return Handle(
        aclCreateTensor(dims.data(), dims.size(), type, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ,
                        storage.data(), storage.size(), memory.data()),
        aclDestroyTensor);
  };
  const Tensor memory({.dims = {512}, .dtype = ACL_FLOAT16});
  const Tensor x({.dims = {3, 16}, .dtype = ACL_FLOAT16});
  const Tensor y({.dims = {3, 16}, .dtype = ACL_FLOAT16}),
      column({.dims = {3, 1}, .dtype = ACL_FLOAT16});
  const auto matmul = [&](const Handle& weight, const Tensor& out,
                          std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMatmulWeightNzGetWorkspaceSize(x.handle(), weight.get(), out.handle(), 1, s,
                                                     e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  matmul(weight_of({16, 16}, ACL_FLOAT16, {16, 16}, memory), y,
         {"mat2", "storageShape = [16, 16]", "4 sizes"});
  matmul(weight_of({16, 1}, ACL_FLOAT16, {1, 1, 16, 16}, memory), column,
         {"mat2.shape = [16, 1]", "FRACTAL_NZ"});
  matmul(weight_of({16, 16}, ACL_BF16, {1, 1, 16, 16}, memory), y, {"BF16 beside FLOAT16"});

  const Tensor batch({.dims = {1, 3, 1}, .dtype = ACL_FLOAT16}),
      result({.dims = {1, 3, 16}, .dtype = ACL_FLOAT16});
  const Handle row = weight_of({1, 1, 16}, ACL_FLOAT16, {1, 1, 1, 16, 16}, memory);
  for (const auto phase :
       {aclnnBatchMatMulGetWorkspaceSize, aclnnBatchMatMulWeightNzGetWorkspaceSize}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return phase(batch.handle(), row.get(), result.handle(), 1, s, e);
        },
        ACLNN_ERR_PARAM_INVALID, {"mat2.shape = [1, 1, 16]", "FRACTAL_NZ"});
  }
  const Tensor left({.dims = {1, 3, 16}, .dtype = ACL_FLOAT16}),
      other({.dims = {1, 3, 16}, .dtype = ACL_BF16});
  const Handle matrix = weight_of({1, 16, 16}, ACL_FLOAT16, {1, 1, 1, 16, 16}, memory);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnBatchMatMulWeightNzGetWorkspaceSize(left.handle(), matrix.get(), other.handle(),
                                                        1, s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"out.dtype = BF16", "FLOAT16 as self.dtype, or FLOAT"});
}

}  // namespace
}  // namespace anyacl::test
