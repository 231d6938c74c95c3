// SPDX-License-Identifier: Apache-2.0
// Operators that are called by name, beside recurrent layers, and calls that are refused.
#include <cmath>

#include "node.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;

TEST_F(NodeTest, Shifts) {
  struct Case {
    aclDataType type;
    Values x, y, left, right;
  };
  const Case cases[] = {
      {ACL_INT32,
       {1, -5, 3, 7, -7, 9},
       {31, 1, 32, -1, -1, 0},
       {-0x1p31, -10, 0, 0, 0, 9},
       {0, -3, 0, 0, -1, 9}},
      {ACL_INT8, {1, 100, -100, 100}, {7, 1, 2, 8}, {-128, -56, 112, 0}, {0, 50, -25, 0}},
      {ACL_UINT8, {1, 200, 255, 200}, {7, 1, 2, 8}, {128, 144, 252, 0}, {0, 100, 63, 0}},
      {ACL_INT64,
       {1, -0x1p40, 3, -1},
       {40, 3, 64, -9},
       {0x1p40, -0x1p43, 0, 0},
       {0, -0x1p37, 0, -1}},
      {ACL_UINT64, {3, 0x1p62}, {1, 61}, {6, 0}, {1, 2}},
      {ACL_INT16, {-3, 5}, {1, 14}, {-6, 0x4000}, {-2, 0}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.type);
    const auto n = static_cast<int64_t>(c.x.size());
    for (bool left : {true, false}) {
      Node node(left ? "LeftShift" : "RightShift");
      node.In({n}, c.x, c.type).In({n}, c.y, c.type).Out({n}, c.type);
      ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(node.Result(0, stream()), left ? c.left : c.right);
    }
  }
  // A scalar is a number in the host's memory.
  Node node("RightShift");
  node.In({2, 3}, {8, 9, 10, 11, 12, 13}, ACL_INT32).Host({}, {1}, ACL_INT32);
  node.Out({2, 3}, ACL_INT32);
  ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(node.Result(0, stream()), (Values{4, 4, 5, 5, 6, 6}));
}

TEST_F(NodeTest, FillsFromHostAndDevice) {
  Node host("Fill"), device("Fill");
  host.Host({2}, {2, 3}).Host({}, {7}, ACL_INT32).Out({2, 3}, ACL_INT32);
  device.Host({1}, {4}).In({}, {2.5}).Out({4});
  ASSERT_EQ(host.Run(stream()), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(device.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(host.Result(0, stream()), Values(6, 7));
  EXPECT_EQ(device.Result(0, stream()), Values(4, 2.5));
}

// As torch_npu spreads scales and zero points, and without the latter.
TEST_F(NodeTest, Quantizes) {
  const Values x = {-6, 3, 0.5, 5, 1.5, 900};
  Node columns("Quantize"), rows("Quantize"), vector("Quantize"), wrong("Quantize");
  columns.In({2, 3}, x).In({1, 3}, {0.5, 1, 2}).In({1, 3}, {1, -2, 0}, ACL_INT32);
  columns.Out({2, 3}, ACL_INT8).Int("axis", 1).Text("dtype", "torch.qint8");
  ASSERT_EQ(columns.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(columns.Result(0, stream()), (Values{-11, 1, 0, 11, 0, 127}));
  rows.In({2, 3}, x).In({2, 1}, {0.5, 2}).Out({2, 3}, ACL_INT32).Int("axis", 0);
  ASSERT_EQ(rows.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(rows.Result(0, stream()), (Values{-12, 6, 1, 2, 1, 450}));
  vector.In({6}, x).In({6}, {1, 1, 1, 1, 1, 1}).Out({6}, ACL_UINT8).Int("axis", 0);
  ASSERT_EQ(vector.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(vector.Result(0, stream()), (Values{0, 3, 0, 5, 2, 255}));
  wrong.In({2, 3}, x).In({2, 1}, {0.5, 2}).Out({2, 3}, ACL_INT32).Int("axis", 1);
  EXPECT_EQ(wrong.Run(stream()), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(std::string_view(aclGetRecentErrMsg()).find("scales.shape = [2, 1], expected [1, 3]"),
            std::string_view::npos);
}

TEST_F(NodeTest, LogSpace) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    Node node("LogSpaceD");
    node.In({5}, {0, 1, 2, 3, 4}, type).Out({5}, type);
    node.Real("start", -1).Real("end", 3).Int("steps", 5).Real("base", 2).Int("dtype", 1);
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(node.Result(0, stream()), (Values{0.5, 1, 2, 4, 8}));
  }
  Node wrong("LogSpaceD");
  wrong.In({5}).Out({5}).Int("steps", 6);
  EXPECT_EQ(wrong.Run(stream()), ACL_ERROR_INVALID_PARAM);
}

// Pairs of 2 x 3 and 13 rows of 5 numbers, spread as torch_npu spreads them.
TEST_F(NodeTest, DistancesAndTheirGradient) {
  constexpr int64_t kBatch = 2, kRows = 3, kOthers = 13, kSize = 5;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (double p : {0.0, 1.0, 2.0, 3.5, -1.0}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " p " << p);
      Values a, b;  // whose differences are not all held exactly
      for (int64_t i = 0; i < kBatch * kRows * kSize; ++i) {
        a.push_back(AsHeld(type, random().Uniform(-1, 1)));
      }
      for (int64_t i = 0; i < kBatch * kOthers * kSize; ++i) {
        b.push_back(AsHeld(type, random().Uniform(-1, 1)));
      }
      const auto spread = [&](bool first) {
        Values all;
        for (int64_t i = 0; i < kBatch * kRows * kOthers * kSize; ++i) {
          const int64_t m = i % kSize, r = i / kSize % kOthers, row = i / kSize / kOthers % kRows;
          const int64_t n = i / kSize / kOthers / kRows;
          all.push_back(first ? a[static_cast<size_t>((n * kRows + row) * kSize + m)]
                              : b[static_cast<size_t>((n * kOthers + r) * kSize + m)]);
        }
        return all;
      };
      const auto norms = [&] {
        Values all;
        const Values x = spread(true), y = spread(false);
        for (size_t i = 0; i < x.size(); i += kSize) {
          double sum = 0, most = 0;
          for (size_t m = 0; m < kSize; ++m) {
            const double d = std::fabs(x[i + m] - y[i + m]);
            sum += p == 0 ? (d != 0) : std::pow(d, p);
            most = std::fmax(most, d);
          }
          all.push_back(p < 0 ? most : p == 0 ? sum : std::pow(sum, 1 / p));
        }
        return all;
      };
      const std::vector<int64_t> pairs = {kBatch, kRows, kOthers, kSize};
      Node node("Cdist");
      node.In(pairs, spread(true), type).In(pairs, spread(false), type);
      node.Out({kBatch, kRows, kOthers}, type).Real("p", static_cast<float>(p));
      ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
      ExpectNear(node.Result(0, stream()), norms(), type == ACL_FLOAT ? 1e-6 : 1e-3, "distances");

      const Values g = Numbers(kBatch * kRows * kOthers, type);
      Values expected;
      for (double& value : a) {
        const double old = value, step = 1e-6;
        double sides[2];
        for (int side : {0, 1}) {
          value = old + (side == 1 ? step : -step);
          const Values all = norms();
          sides[side] = 0;
          for (size_t i = 0; i < g.size(); ++i) sides[side] += g[i] * all[i];
        }
        value = old;
        expected.push_back(p == 0 ? 0 : (sides[1] - sides[0]) / (2 * step));
      }
      Values norm, grad;
      for (double value : norms()) norm.insert(norm.end(), kSize, AsHeld(type, value));
      for (double value : g) grad.insert(grad.end(), kSize, value);
      Node gradient("CdistGrad");
      gradient.In(pairs, grad, type).In(pairs, spread(true), type).In(pairs, spread(false), type);
      gradient.In(pairs, norm, type).Out({kBatch, kRows, kSize}, type);
      gradient.Real("p", static_cast<float>(p));
      ASSERT_EQ(gradient.Run(stream()), 0) << aclGetRecentErrMsg();
      ExpectNear(gradient.Result(0, stream()), expected, type == ACL_FLOAT ? 1e-4 : 1e-2,
                 "gradient");
    }
  }
}

TEST_F(NodeTest, GradientOfLargestAndOfAbsoluteDifferences) {
  for (double p : {1.0, -1.0}) {
    Node node("CdistGrad");
    node.In({1, 1, 2, 3}, Values(6, 2)).In({1, 1, 2, 3}, {1, 2, 3, 1, 2, 3});
    node.In({1, 1, 2, 3}, {0, 4, 3.5, 5, 2, 2});
    const Values norms = p == 1 ? Values{3.5, 3.5, 3.5, 5, 5, 5} : Values{2, 2, 2, 4, 4, 4};
    node.In({1, 1, 2, 3}, norms).Out({1, 1, 3}).Real("p", static_cast<float>(p));
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(node.Result(0, stream()), p == 1 ? (Values{0, -2, 0}) : (Values{-2, -2, 0}));
  }
}

TEST_F(NodeTest, SingularValuesAndVectors) {
  for (const auto& [rows, columns] :
       {std::pair<int64_t, int64_t>{3, 5}, {5, 3}, {4, 4}, {20, 17}}) {
    for (bool full : {false, true}) {
      SCOPED_TRACE(::testing::Message() << rows << " x " << columns << " full " << full);
      const int64_t least = std::min(rows, columns);
      const int64_t k = full ? rows : least, l = full ? columns : least;
      const Values x = Numbers(2 * rows * columns);
      Node node("Svd");
      node.In({2, rows, columns}, x).Out({2, least}).Out({2, rows, k}).Out({2, columns, l});
      node.Bool("compute_uv", true).Bool("full_matrices", full);
      ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
      const Values s = node.Result(0, stream()), u = node.Result(1, stream()),
                   v = node.Result(2, stream());
      Values product;
      for (int64_t i = 0; i < 2 * rows * columns; ++i) {
        const int64_t n = i / rows / columns, r = i / columns % rows, c = i % columns;
        double sum = 0;
        for (int64_t q = 0; q < least; ++q) {
          sum += u[static_cast<size_t>((n * rows + r) * k + q)] *
                 s[static_cast<size_t>(n * least + q)] *
                 v[static_cast<size_t>((n * columns + c) * l + q)];
        }
        product.push_back(sum);
      }
      ExpectNear(product, x, 1e-5, "u sigma v");
      ExpectOrthonormal(u, 2, rows, k);
      ExpectOrthonormal(v, 2, columns, l);
      for (size_t i = 0; i + 1 < s.size(); ++i) {
        if ((static_cast<int64_t>(i) + 1) % least != 0) {
          EXPECT_GE(s[i], s[i + 1]);
        }
      }
      Node values("Svd");
      values.In({2, rows, columns}, x).Out({2, least}).Out({2, rows, rows});
      values.Out({2, columns, columns}).Bool("compute_uv", false).Bool("full_matrices", false);
      ASSERT_EQ(values.Run(stream()), 0) << aclGetRecentErrMsg();
      ExpectNear(values.Result(0, stream()), s, 1e-5, "singular values alone");
    }
  }
  Node nan("Svd");
  nan.In({2, 2}, {1, std::nan(""), 0, 1}).Out({2}).Out({2, 2}).Out({2, 2});
  ASSERT_EQ(nan.Run(stream()), 0);
  for (size_t i = 0; i < 3; ++i) {
    for (double value : nan.Result(i, stream())) EXPECT_TRUE(std::isnan(value));
  }
}

TEST_F(NodeTest, NamesOfFunctions) {
  Node reverse("ReverseV2"), transpose("Transpose"), concat("ConcatD"), sum("ReduceSum");
  const Values x = {1, 2, 3, 4, 5, 6};
  reverse.In({2, 3}, x).Host({1}, {-1}).Out({2, 3});
  transpose.In({2, 3}, x).Host({2}, {1, 0}, ACL_INT32).Out({3, 2});
  concat.In({2, 1}, {1, 2}).In({2, 2}, {3, 4, 5, 6}).Out({2, 3}).Int("concat_dim", 1).Int("N", 2);
  sum.In({2, 3}, x).Host({1}, {1}).Out({2, 1}).Bool("keep_dims", true);
  for (Node* node : {&reverse, &transpose, &concat, &sum}) {
    ASSERT_EQ(node->Run(stream()), 0) << aclGetRecentErrMsg();
  }
  EXPECT_EQ(reverse.Result(0, stream()), (Values{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(transpose.Result(0, stream()), (Values{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(concat.Result(0, stream()), (Values{1, 3, 4, 2, 5, 6}));
  EXPECT_EQ(sum.Result(0, stream()), (Values{6, 15}));
}

TEST_F(NodeTest, MaskedSoftmaxAndItsGradient) {
  const std::vector<int64_t> shape = {1, 2, 1, 2};
  Node forward("ScaledMaskedSoftmax"), backward("ScaledMaskedSoftmaxGrad");
  forward.In(shape, {0, std::log(3.0) / 2, 5, 5}).In({1, 1, 1, 2}, {0, 0}, ACL_BOOL).Out(shape);
  forward.Real("scale", 2).Bool("fixed_triu_mask", false);
  ASSERT_EQ(forward.Run(stream()), 0) << aclGetRecentErrMsg();
  const Values y = forward.Result(0, stream()), expected = {0.25, 0.75, 0.5, 0.5};
  for (size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-6) << i;
  backward.In(shape, {4, 0, 1, 3}).In(shape, expected).In(shape, {0, 0, 0, 1}, ACL_BOOL).Out(shape);
  backward.Real("scale", 2).Bool("fixed_triu_mask", false);
  ASSERT_EQ(backward.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(backward.Result(0, stream()), (Values{1.5, -1.5, -1, 0}));
  Node triangle("ScaledMaskedSoftmax");
  triangle.In(shape).In(shape, {}, ACL_BOOL).Out(shape).Bool("fixed_triu_mask", true);
  EXPECT_NE(triangle.Run(stream()), 0);
}

TEST_F(NodeTest, CrossEntropy) {
  Node node("SoftmaxCrossEntropyWithLogits");
  node.In({2, 2}, {0, std::log(3.0), 1, 1}).In({2, 2}, {0, 1, 0.5, 0.5}).Out({2}).Out({2, 2});
  ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
  const Values loss = node.Result(0, stream()), gradient = node.Result(1, stream());
  EXPECT_NEAR(loss[0], std::log(4.0 / 3), 1e-6);
  EXPECT_NEAR(loss[1], std::log(2.0), 1e-6);
  const Values expected = {0.25, -0.25, 0, 0};
  for (size_t i = 0; i < gradient.size(); ++i) EXPECT_NEAR(gradient[i], expected[i], 1e-6) << i;
}

TEST_F(NodeTest, SignBits) {
  Node pack("SignBitsPack"), unpack("SignBitsUnpack");
  pack.In({9}, {5, 4, 3, 2, 0, -1, -2, 4, 3}).Out({2, 1}, ACL_UINT8).Int("size", 2);
  ASSERT_EQ(pack.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(pack.Result(0, stream())[0], 159);
  unpack.In({1}, {159}, ACL_UINT8).Out({1, 8}, ACL_FLOAT16).Int("dtype", 1).Int("size", 1);
  ASSERT_EQ(unpack.Run(stream()), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(unpack.Result(0, stream()), (Values{1, 1, 1, 1, 1, -1, -1, 1}));
}

// Channels' sums on two devices, and what they become together.
TEST_F(NodeTest, SynchronisedStatistics) {
  constexpr int64_t kChannels = 3;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    Values sums[2], squares[2];
    for (size_t d : {size_t{0}, size_t{1}}) {
      const auto n = static_cast<int64_t>(d + 2);
      const Values x = Numbers(n * kChannels * 5, type);
      sums[d].assign(kChannels, 0);
      squares[d].assign(kChannels, 0);
      for (size_t i = 0; i < x.size(); ++i) {
        sums[d][i / 5 % kChannels] += x[i];
        squares[d][i / 5 % kChannels] += x[i] * x[i];
      }
      Node reduce("BNTrainingReduce");
      reduce.In({n, kChannels, 5}, x, type).Out({kChannels}).Out({kChannels});
      ASSERT_EQ(reduce.Run(stream()), 0) << aclGetRecentErrMsg();
      ExpectNear(reduce.Result(0, stream()), sums[d], 1e-5, "sums");
      ExpectNear(reduce.Result(1, stream()), squares[d], 1e-5, "sums of squares");
    }
    const Values counts = {10, 15}, means = Numbers(kChannels, type);
    const Values variances = Numbers(kChannels, type);
    Values first, second, expected[4];
    for (size_t d : {size_t{0}, size_t{1}}) {
      for (double value : sums[d]) first.push_back(AsHeld(type, value));
      for (double value : squares[d]) second.push_back(AsHeld(type, value));
    }
    for (size_t c = 0; c < kChannels; ++c) {
      const double mean = (first[c] + first[kChannels + c]) / 25;
      const double variance = (second[c] + second[kChannels + c]) / 25 - mean * mean;
      expected[0].push_back(mean);
      expected[1].push_back(1 / std::sqrt(variance + 0.125));
      expected[2].push_back(0.75 * means[c] + 0.25 * mean);
      expected[3].push_back(0.75 * variances[c] + 0.25 * variance);
    }
    Node gather("SyncBatchNormGatherStats");
    gather.In({2, kChannels}, first, type).In({2, kChannels}, second, type);
    gather.In({2}, counts, ACL_INT32).In({kChannels}, means, type);
    gather.In({kChannels}, variances, type);
    for (int i = 0; i < 4; ++i) gather.Out({kChannels}, type);
    gather.Real("momentum", 0.25f).Real("eps", 0.125f);
    ASSERT_EQ(gather.Run(stream()), 0) << aclGetRecentErrMsg();
    for (size_t i = 0; i < 4; ++i) {
      ExpectNear(gather.Result(i, stream()), expected[i], type == ACL_FLOAT ? 1e-6 : 1e-3,
                 "gathered");
    }
  }
}

// A graph runs the call again: it keeps what the call brought along.
TEST_F(NodeTest, GraphsKeepWorkspaceAndHostMemory) {
  aclrtStream captured = nullptr;
  ASSERT_EQ(aclrtCreateStream(&captured), 0);
  Node fill("Fill"), lstm("DynamicRNN");
  fill.Host({1}, {3}).Host({}, {9}, ACL_FLOAT).Out({3});
  lstm.In({2, 1, 1}, {1, 2}).In({2, 4}, Values(8, 0.5)).In({4}, Values(4, 0)).Absent();
  for (int i = 0; i < 8; ++i) lstm.Out({2, 1, 1});
  ASSERT_EQ(aclmdlRICaptureBegin(captured, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0);
  EXPECT_EQ(fill.Run(captured), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(lstm.Run(captured), 0) << aclGetRecentErrMsg();
  aclmdlRI graph = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(captured, &graph), 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(aclmdlRIExecuteAsync(graph, captured), 0);
  EXPECT_EQ(fill.Result(0, captured), Values(3, 9));
  const double first = 1 / (1 + std::exp(-0.5)) * std::tanh(std::tanh(0.5) / (1 + std::exp(-0.5)));
  EXPECT_NEAR(lstm.Result(0, captured)[0], first, 1e-6);
  EXPECT_EQ(aclmdlRIDestroy(graph), 0);
  EXPECT_EQ(aclrtDestroyStream(captured), 0);
}

// A right factor in panels of FRACTAL_NZ, as torch_npu's bmm gives it; transposed by an attribute,
// too.
TEST_F(NodeTest, ProductsReadPanels) {
  for (bool swapped : {false, true}) {
    // [K, N] = [3, 2], or [N, K], in one panel of 16 columns and rows.
    const std::vector<int64_t> dims =
        swapped ? std::vector<int64_t>{1, 2, 3} : std::vector<int64_t>{1, 3, 2};
    const std::vector<int64_t> storage = {1, 1, 1, 16, 16};
    std::vector<double> values(256);
    for (int k = 0; k < 3; ++k) {
      for (int n = 0; n < 2; ++n) values[swapped ? 16 * n + k : 16 * k + n] = 2 * k + n + 1;
    }
    Node node("BatchMatMul");
    node.In({1, 1, 3}, {1, 10, 100}).In({1, 1, 1, 16, 16}, values).Out({1, 1, 2});
    node.Bool("adj_x2", swapped);
    aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 3, dims.data(), ACL_FORMAT_ND);
    EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ), 0);
    EXPECT_EQ(aclSetTensorShape(desc, 5, storage.data()), 0);
    node.Describe(1, desc);
    EXPECT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(node.Result(0, stream()), (std::vector<double>{531, 642}));
  }
}

// Without a storage shape, or with one that is no panels', nobody knows how much there is to read.
TEST_F(NodeTest, PanelsWithoutTheirShapeAreRefused) {
  for (const std::vector<int64_t>& storage :
       {std::vector<int64_t>{}, {1}, {3, 2}, {1, 1, 16}, {1, 1, 1, 16, 16}}) {
    Node node("MatMul");
    node.In({1, 3}).In({1}).Out({1, 2});
    const int64_t dims[] = {3, 2};
    aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
    EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ), 0);
    if (!storage.empty()) {
      EXPECT_EQ(aclSetTensorShape(desc, static_cast<int>(storage.size()), storage.data()), 0);
    }
    node.Describe(1, desc);
    EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM) << storage.size();
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("FRACTAL_NZ"), std::string::npos) << message;
  }
}

TEST_F(NodeTest, CallsThatDoNotFitAreRefused) {
  const auto refused = [&](Node& node, std::initializer_list<const char*> words) {
    EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("aclopCompileAndExecute"), std::string::npos) << message;
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  };
  Node unknown("Cdist"), typed("Cdist"), few("Cdist"), many("Cdist"), stored("Cdist");
  for (Node* node : {&unknown, &typed, &stored}) {
    node->In({1, 1, 1, 2}).In({1, 1, 1, 2}).Out({1, 1, 1});
  }
  unknown.Real("q", 1);
  typed.Text("p", "two");
  few.In({1, 1, 1, 2}).Out({1, 1, 1});
  many.In({1, 1, 1, 2}).In({1, 1, 1, 2}).In({1}).Out({1, 1, 1});
  EXPECT_EQ(aclSetTensorFormat(stored.input_desc(1), ACL_FORMAT_FRACTAL_NZ), 0);
  refused(unknown, {"\"q\"", "Cdist"});
  refused(typed, {"\"p\"", "a float"});
  refused(few, {"x2 is null"});
  refused(many, {"3 inputs", "at most 2"});
  refused(stored, {"inputDesc[1]", "FRACTAL_NZ", "allow_internal_format"});
  Node outputs("Cdist"), axes("ReverseV2");
  outputs.In({1, 1, 1, 2}).In({1, 1, 1, 2});
  refused(outputs, {"0 outputs", "expected 1"});
  axes.In({2}).In({1}, {0}, ACL_INT64).Out({2});
  refused(axes, {"inputDesc[1]", "host memory"});
  Node nowhere("ReverseV2"), hosted("Cdist");
  nowhere.In({2}).Host({1}, {0}).Out({2});
  EXPECT_EQ(aclUpdateDataBuffer(nowhere.input_buffer(1), nullptr, 8), 0);
  refused(nowhere, {"inputDesc[1]", "null", "8 bytes"});
  hosted.In({1, 1, 1, 2}).In({1, 1, 1, 2}).Out({1, 1, 1});
  EXPECT_EQ(aclSetTensorPlaceMent(hosted.output_desc(0), ACL_MEMTYPE_HOST), 0);
  refused(hosted, {"outputDesc[0]", "host memory", "device"});
}

}  // namespace
}  // namespace anyacl::test
