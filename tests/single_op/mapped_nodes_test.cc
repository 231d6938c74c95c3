// SPDX-License-Identifier: Apache-2.0
// Operators by name that are other names of aclnn functions, and those that move elements.
#include <cmath>

#include "acl/acl.h"
#include "node.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;

using MappedNodeTest = NodeTest;

// rstd 2 and gamma 1: dx = 2 (dy - 2 x mean of dy 2 x), dgamma = 2 x dy over the rows.
TEST_F(MappedNodeTest, GradientOfRmsNorm) {
  Node node("RmsNormGrad");
  node.In({2, 2}, {1, 3, 0, 1}).In({2, 2}, {0.5, 0.25, 1, 0.5}).In({2, 1}, {2, 2}).In({2}, {1, 1});
  node.Out({2, 2}).Out({2});
  EXPECT_EQ(Run(node), (Values{-0.5, 4.75, -2, 1}));
  EXPECT_EQ(node.Result(1, stream()), (Values{1, 2.5}));
}

// One pair: dx = (cos dy1 + sin dy2, cos dy2 - sin dy1), of products with x.
TEST_F(MappedNodeTest, GradientOfRotaryMul) {
  Node node("RotaryMulGrad");
  node.In({1, 1, 2, 2}, {5, 7, 1, 2}).In({1, 1, 1, 2}, {2, 3}).In({1, 1, 1, 2}, {10, 20});
  node.In({1, 1, 2, 2}, {1, 4, 0, 1}).Out({1, 1, 2, 2}).Out({1, 1, 1, 2}).Out({1, 1, 1, 2});
  node.Bool("need_backward", true);
  EXPECT_EQ(Run(node), (Values{82, 2, 20, 3}));
  EXPECT_EQ(node.Result(1, stream()), (Values{5, 30}));
  EXPECT_EQ(node.Result(2, stream()), (Values{-7, 21}));
}

TEST_F(MappedNodeTest, Bits) {
  const std::pair<const char*, Values> cases[] = {
      {"BitwiseAnd", {4, 6, 0}}, {"BitwiseOr", {7, 6, 15}}, {"BitwiseXor", {3, 0, 15}}};
  for (const auto& [name, result] : cases) {
    SCOPED_TRACE(name);
    Node node(name);
    node.In({3}, {5, 6, 9}, ACL_INT64).Host({}, {6}, ACL_INT64).Out({3}, ACL_INT64);
    EXPECT_EQ(Run(node), result);
  }
}

TEST_F(MappedNodeTest, ProductsUpToEachElement) {
  Node node("Cumprod"), wrong("Cumprod");
  node.In({2, 3}, {1, 2, 3, 4, 5, 6}).Host({}, {1}, ACL_INT64).Out({2, 3});
  node.Bool("exclusive", false).Bool("reverse", false);
  EXPECT_EQ(Run(node), (Values{1, 2, 6, 4, 20, 120}));
  wrong.In({2}, {1, 2}).Host({}, {0}, ACL_INT64).Out({2}).Bool("reverse", true);
  EXPECT_NE(wrong.Run(stream()), 0);
}

TEST_F(MappedNodeTest, ElementwiseFunctions) {
  const Values x = {-2, -0.5, 0, 1, 2, 3};
  Node add("Add"), axpy("AxpyV2"), less("LessEqual"), relu("Relu"), cast("Cast");
  add.In({2, 3}, x).In({3}, {1, 2, 3}).Out({2, 3});
  EXPECT_EQ(Run(add), (Values{-1, 1.5, 3, 2, 4, 6}));
  axpy.In({2, 3}, x).In({2, 3}, x).Host({}, {-3}, ACL_FLOAT).Out({2, 3});
  EXPECT_EQ(Run(axpy), (Values{4, 1, 0, -2, -4, -6}));
  Node product("Mul");
  product.In({6}, x).Host({}, {2}, ACL_FLOAT).Out({6});
  EXPECT_EQ(Run(product), (Values{-4, -1, 0, 2, 4, 6}));
  less.In({2}, {1, 3}, ACL_INT64).Host({}, {2}, ACL_INT64).Out({2}, ACL_BOOL);
  EXPECT_EQ(Run(less), (Values{1, 0}));
  Node equal("Equal");
  equal.In({2}, {1, 3}).Host({}, {3}, ACL_FLOAT).Out({2}, ACL_BOOL);
  EXPECT_EQ(Run(equal), (Values{0, 1}));
  relu.In({6}, x).Out({6});
  EXPECT_EQ(Run(relu), (Values{0, 0, 0, 1, 2, 3}));
  cast.In({6}, x).Out({6}, ACL_INT32).Int("dst_type", ACL_INT32);
  EXPECT_EQ(Run(cast), (Values{-2, 0, 0, 1, 2, 3}));
  Node clip("ClipByValueV2");
  clip.In({6}, x).Host({}, {-1}, ACL_FLOAT).Host({}, {1.5}, ACL_FLOAT).Out({6});
  EXPECT_EQ(Run(clip), (Values{-1, -0.5, 0, 1, 1.5, 1.5}));
  Node quotient("RealDiv"), zeros("ZerosLike");
  quotient.In({6}, x).Host({}, {2}, ACL_FLOAT).Out({6});
  EXPECT_EQ(Run(quotient), (Values{-1, -0.25, 0, 0.5, 1, 1.5}));
  zeros.In({6}, x).Out({6});
  EXPECT_EQ(Run(zeros), Values(6, 0));
  Node chosen("Select");
  chosen.In({3}, {1, 0, 1}, ACL_BOOL).In({3}, {1, 2, 3}).In({3}, {4, 5, 6}).Out({3});
  EXPECT_EQ(Run(chosen), (Values{1, 5, 3}));
  Node broadcast("BroadcastTo");
  broadcast.In({3}, {1, 2, 3}).Host({2}, {2, 3}).Out({2, 3});
  EXPECT_EQ(Run(broadcast), (Values{1, 2, 3, 1, 2, 3}));
}

TEST_F(MappedNodeTest, Activations) {
  const Values x = {-3, -0.25, 0, 0.5, 4};
  Node fast("FastGelu"), slope("FastGeluGrad"), mish("Mish"), swish("Swish"), plain("Swish");
  fast.In({5}, x).Out({5});
  slope.In({5}, Values(5, 2)).In({5}, x).Out({5});
  mish.In({5}, x).Out({5});
  swish.In({5}, x).Out({5}).Real("scale", 2);
  plain.In({5}, x).Out({5});
  Node mish_slope("MishGrad");
  mish_slope.In({5}, Values(5, 2)).In({5}, x).Out({5});
  Values mish_slopes;
  for (double value : x) {
    const double t = std::tanh(std::log1p(std::exp(value)));
    mish_slopes.push_back(2 * (t + value * (1 - t * t) / (1 + std::exp(-value))));
  }
  ExpectNear(Run(mish_slope), mish_slopes, 1e-6, "MishGrad");
  Values gelus, slopes, mishes, swishes, silus;
  for (double value : x) {
    const double s = 1 / (1 + std::exp(-1.702 * value));
    gelus.push_back(value * s);
    slopes.push_back(2 * s * (1 + 1.702 * value * (1 - s)));
    swishes.push_back(value / (1 + std::exp(-2 * value)));
    silus.push_back(value / (1 + std::exp(-value)));
    mishes.push_back(value * std::tanh(std::log1p(std::exp(value))));
  }
  ExpectNear(Run(fast), gelus, 1e-6, "FastGelu");
  ExpectNear(Run(slope), slopes, 1e-6, "FastGeluGrad");
  ExpectNear(Run(mish), mishes, 1e-6, "Mish");
  ExpectNear(Run(swish), swishes, 1e-6, "Swish");
  ExpectNear(Run(plain), silus, 1e-6, "Swish of scale 1");
}

TEST_F(MappedNodeTest, OneHot) {
  Node last("OneHotD"), first("OneHotD");
  last.In({2}, {2, 0}, ACL_INT32).In({1}, {5}).In({1}, {-1}).Out({2, 3});
  last.Int("axis", -1).Int("depth", 3);
  EXPECT_EQ(Run(last), (Values{-1, -1, 5, 5, -1, -1}));
  first.In({2}, {2, 0}, ACL_INT32).In({1}, {1}).In({1}, {0}).Out({3, 2});
  first.Int("axis", 0).Int("depth", 3);
  EXPECT_EQ(Run(first), (Values{0, 1, 0, 0, 1, 0}));
}

TEST_F(MappedNodeTest, Reductions) {
  const Values x = {3, 1, 2, 6, 9, 5};
  Node mean("ReduceMean"), most("ReduceMax"), least("ReduceMin"), where("ArgMinWithValue");
  mean.In({2, 3}, x).Host({1}, {1}, ACL_INT32).Out({2}).Bool("keep_dims", false);
  EXPECT_EQ(Run(mean), (Values{2, 20.0f / 3}));
  most.In({2, 3}, x).Host({1}, {0}).Out({1, 3}).Bool("keep_dims", true);
  EXPECT_EQ(Run(most), (Values{6, 9, 5}));
  least.In({2, 3}, x).Host({2}, {0, 1}).Out({}).Bool("keep_dims", false);
  EXPECT_EQ(Run(least), (Values{1}));
  where.In({2, 3}, x).Out({2}, ACL_INT32).Out({2}).Int("dimension", 1).Bool("keep_dims", false);
  EXPECT_EQ(Run(where), (Values{1, 2}));
  EXPECT_EQ(where.Result(1, stream()), (Values{1, 5}));
  Node greatest("ArgMaxWithValue"), logs("LogSoftmaxV2"), shares("SoftmaxV2");
  greatest.In({2, 3}, x).Out({1, 3}, ACL_INT32).Out({1, 3}).Bool("keep_dims", true);
  EXPECT_EQ(Run(greatest), (Values{1, 1, 1}));
  logs.In({2, 2}, {0, 0, 1, 1}).Out({2, 2}).Ints("axes", {1});
  ExpectNear(Run(logs), Values(4, -std::log(2.0)), 1e-6, "LogSoftmaxV2");
  shares.In({2, 2}, {0, 1, 0, 1}).Out({2, 2}).Ints("axes", {0});
  ExpectNear(Run(shares), Values(4, 0.5), 1e-6, "SoftmaxV2");
}

// Norms in two steps; 2^31 stands for infinity.
TEST_F(MappedNodeTest, PowersOfNorms) {
  const Values x = {3, -1, 0, -6, 2, 5};
  for (double p : {0.0, 0.5, 1.0, 2.0, 3.0, -1.0, 0x1p31, -0x1p31}) {
    Node reduce("LpNormReduceV2"), update("LpNormUpdateV2");
    reduce.In({3, 2}, x).Out({3, 1}).Real("p", static_cast<float>(p)).Ints("axes", {-1});
    reduce.Bool("keepdim", true).Real("epsilon", 0);
    Values powers, norms;
    for (size_t i = 0; i < 3; ++i) {
      const double a = std::fabs(x[2 * i]), b = std::fabs(x[2 * i + 1]);
      const double sum = p == 0x1p31    ? std::fmax(a, b)
                         : p == -0x1p31 ? std::fmin(a, b)
                         : p == 0       ? (a != 0) + (b != 0)
                                        : std::pow(a, p) + std::pow(b, p);
      powers.push_back(sum);
      norms.push_back(p == 0 || std::fabs(p) == 0x1p31 ? sum : std::pow(sum, 1 / p));
    }
    const Values actual = Run(reduce);
    ASSERT_EQ(actual.size(), powers.size());
    for (size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(actual[i], powers[i]) << p << " " << i;
    update.In({3, 1}, actual).Out({3, 1}).Real("p", static_cast<float>(p)).Real("epsilon", 0);
    const Values roots = Run(update);
    for (size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(roots[i], norms[i]) << p << " " << i;
  }
  Node wrong("LpNormReduceV2");
  wrong.In({2}).Out({}).Real("epsilon", 0.5f);
  ExpectRefused(wrong, {"epsilon = 0.5", "expected 0"});
}

TEST_F(MappedNodeTest, Products) {
  const Values a = {1, 2, 3, 4, 5, 6}, b = {1, 0, 2, 0, 1, 3};
  // [2, 3] @ [3, 2], each of them as it is or transposed.
  const Values product = {8, 9, 20, 18}, at = {1, 4, 2, 5, 3, 6}, bt = {1, 2, 1, 0, 0, 3};
  for (bool left : {false, true}) {
    for (bool right : {false, true}) {
      const std::vector<int64_t> x1 =
          left ? std::vector<int64_t>{3, 2} : std::vector<int64_t>{2, 3};
      const std::vector<int64_t> x2 =
          right ? std::vector<int64_t>{2, 3} : std::vector<int64_t>{3, 2};
      for (const char* type : {"MatMul", "MatMulV2"}) {
        Node plain(type), biased(type);
        for (Node* node : {&plain, &biased}) {
          node->In(x1, left ? at : a).In(x2, right ? bt : b);
          node->Bool("transpose_x1", left).Bool("transpose_x2", right);
        }
        plain.Out({2, 2});
        biased.In({2}, {10, 20}).Out({2, 2});
        EXPECT_EQ(Run(plain), product) << left << right;
        EXPECT_EQ(Run(biased), (Values{18, 29, 30, 38})) << left << right;
      }
      Node batch("BatchMatMul");
      std::vector<int64_t> b1 = x1, b2 = x2;
      b1.insert(b1.begin(), 1);
      b2.insert(b2.begin(), 1);
      batch.In(b1, left ? at : a).In(b2, right ? bt : b).Out({1, 2, 2});
      batch.Bool("adj_x1", left).Bool("adj_x2", right);
      EXPECT_EQ(Run(batch), product) << left << right;
    }
  }
  Node inverse("MatrixInverse"), adjoint("MatrixInverse"), offset("MatMulV2"), named("MatMul");
  inverse.In({2, 2}, {2, 0, 0, 4}).Out({2, 2}).Bool("adjoint", false);
  EXPECT_EQ(Run(inverse), (Values{0.5, 0, 0, 0.25}));
  adjoint.In({2, 2}, {2, 0, 0, 4}).Out({2, 2}).Bool("adjoint", true);
  ExpectRefused(adjoint, {"\"adjoint\"", "MatrixInverse", "expected to be 0"});
  offset.In({2, 2}).In({2, 2}).Out({2, 2}).Int("offset_x", 3);
  ExpectRefused(offset, {"\"offset_x\"", "expected to be 0"});
  named.In({2, 2}).In({2, 2}).Out({2, 2}).Text("transpose_x1", "yes");
  ExpectRefused(named, {"\"transpose_x1\"", "expected a bool"});
}

TEST_F(MappedNodeTest, SlicesOfSeveralDimensions) {
  Values x;
  for (int i = 0; i < 24; ++i) x.push_back(i);
  const auto slice = [&](const Values& begin, const Values& end, const Values& step) {
    auto node = std::make_unique<Node>("StridedSlice");
    const auto count = static_cast<int64_t>(begin.size());
    node->In({2, 3, 4}, x).Host({count}, begin).Host({count}, end).Host({count}, step);
    return node;
  };
  auto plain = slice({0, 1, -3}, {2, 9, -1}, {1, 1, 1});
  plain->Out({2, 2, 2});
  EXPECT_EQ(Run(*plain), (Values{5, 6, 9, 10, 17, 18, 21, 22}));
  auto stepped = slice({1, 2, 3}, {0, -9, 0}, {-1, -2, -2});
  stepped->Out({1, 2, 2});
  EXPECT_EQ(Run(*stepped), (Values{23, 21, 15, 13}));
  // x[1, ..., None, 1::2], with an end that is left out.
  auto masked = slice({1, 7, 7, 1}, {7, 7, 7, 2}, {1, 7, 7, 2});
  masked->Int("shrink_axis_mask", 1).Int("ellipsis_mask", 2).Int("new_axis_mask", 4);
  masked->Int("end_mask", 8).Out({3, 1, 2});
  EXPECT_EQ(Run(*masked), (Values{13, 15, 17, 19, 21, 23}));
  // x[1:0:-1, ::-1]
  auto reversed = slice({1, 1}, {0, 1}, {-1, -1});
  reversed->Int("begin_mask", 2).Int("end_mask", 2).Out({1, 3, 4});
  EXPECT_EQ(Run(*reversed), (Values{20, 21, 22, 23, 16, 17, 18, 19, 12, 13, 14, 15}));
  auto none = slice({2}, {1}, {1});
  none->Out({0, 3, 4});
  EXPECT_EQ(Run(*none), Values());
  auto far = slice({-9e18}, {9e18}, {9e18});
  far->Out({1, 3, 4});
  EXPECT_EQ(Run(*far), Values(x.begin(), x.begin() + 12));

  auto still = slice({0}, {1}, {0}), outside = slice({2}, {3}, {1}), shape = slice({0}, {1}, {1});
  still->Out({1, 3, 4});
  ExpectRefused(*still, {"strides[0] = 0"});
  outside->Int("shrink_axis_mask", 1).Out({3, 4});
  ExpectRefused(*outside, {"begin[0] = 2", "-2 to 1"});
  shape->Out({2, 3, 4});
  ExpectRefused(*shape, {"[2, 3, 4]", "[1, 3, 4]"});
  auto many = slice({0, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1});
  many->Out({1, 1, 1});
  ExpectRefused(*many, {"begin has 4 elements", "[2, 3, 4]"});
}

TEST_F(MappedNodeTest, PartsOfAllDimensions) {
  const Values x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  Node part("Slice"), outside("Slice"), few("Slice");
  part.In({3, 4}, x).Host({2}, {1, 1}).Host({2}, {-1, 2}).Out({2, 2});
  EXPECT_EQ(Run(part), (Values{5, 6, 9, 10}));
  outside.In({3, 4}, x).Host({2}, {1, 3}).Host({2}, {1, 2}).Out({1, 2});
  ExpectRefused(outside, {"offsets[1] = 3", "size[1] = 2", "x.shape[1] = 4"});
  few.In({3, 4}, x).Host({1}, {1}).Host({2}, {1, 2}).Out({1, 2});
  ExpectRefused(few, {"1 and 2 elements", "expected 2"});
}

TEST_F(MappedNodeTest, TransposesWithAnotherShape) {
  const Values x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  Node before("ConfusionTransposeD"), after("ConfusionTransposeD");
  before.In({2, 6}, x).Out({3, 2, 2}).Ints("perm", {1, 0, 2}).Ints("shape", {2, 3, 2});
  before.Bool("transpose_first", false);
  const Values moved = {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11};
  EXPECT_EQ(Run(before), moved);
  after.In({3, 2, 2}, moved).Out({2, 6}).Ints("perm", {1, 0, 2}).Ints("shape", {2, 6});
  after.Bool("transpose_first", true);
  EXPECT_EQ(Run(after), x);
  Node twice("ConfusionTransposeD"), sizes("ConfusionTransposeD"), typed("ConfusionTransposeD");
  twice.In({2, 6}).Out({2, 6}).Ints("perm", {0, 0}).Ints("shape", {2, 6});
  ExpectRefused(twice, {"perm has 2 elements", "0 to 1"});
  sizes.In({2, 6}).Out({2, 6}).Ints("perm", {0, 1}).Ints("shape", {2, 5});
  ExpectRefused(sizes, {"shape = [2, 5]", "[2, 6]"});
  typed.In({2, 6}).Out({2, 6}).Int("perm", 1).Ints("shape", {2, 6});
  ExpectRefused(typed, {"\"perm\"", "a list of integers"});
}

TEST_F(MappedNodeTest, OrdersWithoutIndices) {
  Node rising("SortV2"), falling("SortV2");
  rising.In({2, 3}, {3, -1, 2, 0, 5, 4}).Out({2, 3});
  falling.In({2, 3}, {3, -1, 2, 0, 5, 4}, ACL_FLOAT16).Out({2, 3}, ACL_FLOAT16).Int("axis", 0);
  falling.Bool("descending", true);
  EXPECT_EQ(Run(rising), (Values{-1, 2, 3, 0, 4, 5}));
  EXPECT_EQ(Run(falling), (Values{3, 5, 4, 0, -1, 2}));
}

TEST_F(MappedNodeTest, Pads) {
  const Values x = {1, 2, 3, 4};
  Node zeros("Pad"), value("PadV3"), left_out("PadV3");
  zeros.In({2, 2}, x).Host({4}, {1, 0, 0, 2}).Out({3, 4});
  value.In({2, 2}, x, ACL_INT8).Host({2, 2}, {0, 1, 1, 0}, ACL_INT32).In({1}, {7}, ACL_INT8);
  value.Out({3, 3}, ACL_INT8).Text("mode", "constant").Bool("paddings_contiguous", true);
  left_out.In({2, 2}, x).Host({4}, {0, 0, -1, 1}).Out({2, 2});
  EXPECT_EQ(Run(zeros), (Values{0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0}));
  EXPECT_EQ(Run(value), (Values{7, 1, 2, 7, 3, 4, 7, 7, 7}));
  EXPECT_EQ(Run(left_out), (Values{2, 0, 4, 0}));
  Node few("Pad"), mode("PadV3"), two("PadV3");
  few.In({2, 2}, x).Host({2}, {1, 0}).Out({3, 2});
  ExpectRefused(few, {"paddings", "2 elements", "4"});
  mode.In({2, 2}, x).Host({4}, {0, 0, 1, 1}).Out({2, 4}).Text("mode", "reflect");
  ExpectRefused(mode, {"mode", "reflect", "constant"});
  two.In({2, 2}, x).Host({4}, {0, 0, 1, 1}).In({2}, {1, 2}).Out({2, 4});
  ExpectRefused(two, {"constant_values", "[2]"});
}

// As many bytes are 1 as the probability says, and the others' elements are 0.
TEST_F(MappedNodeTest, DropoutByBytes) {
  constexpr int64_t kCount = 20000;
  Node mask("DropOutGenMaskV3"), drop("DropOutDoMaskV3");
  mask.Host({2}, {4, kCount / 4}).Host({}, {0.75}, ACL_FLOAT16).Out({4, kCount / 4}, ACL_UINT8);
  mask.Int("seed", 5).Int("seed2", 0);
  const Values bits = Run(mask);
  double kept = 0;
  for (double bit : bits) kept += bit;
  EXPECT_NEAR(kept / kCount, 0.75, 0.02);
  const Values x = Numbers(kCount, ACL_FLOAT16);
  drop.In({kCount}, x, ACL_FLOAT16).In({kCount}, bits, ACL_UINT8).Host({}, {0.75}, ACL_FLOAT16);
  drop.Out({kCount}, ACL_FLOAT16);
  Values expected;
  for (size_t i = 0; i < x.size(); ++i) {
    expected.push_back(bits[i] == 0 ? 0 : AsHeld(ACL_FLOAT16, x[i] / 0.75));
  }
  EXPECT_EQ(Run(drop), expected);
  Node none("DropOutDoMaskV3");
  none.In({2}, {1, 2}).In({2}, {1, 1}, ACL_UINT8).Host({}, {0}, ACL_FLOAT).Out({2});
  ExpectRefused(none, {"keep_prob", "0"});
}

// y[o, i] = bias[o] + sum of x[c, i * stride + k * dilation - pad] * filter[o, c, k], by hand.
TEST_F(MappedNodeTest, Convolutions) {
  Node line("Conv2D"), volume("Conv3D"), wrong("Conv2D"), format("Conv2D");
  line.In({1, 1, 1, 4}, {1, 2, 3, 4}).In({1, 1, 1, 2}, {10, 1}).In({1}, {0.5});
  line.Out({1, 1, 1, 3}).Ints("strides", {1, 1, 1, 2}).Ints("pads", {0, 0, 1, 1});
  line.Ints("dilations", {1, 1, 1, 1}).Text("data_format", "NCHW").Int("groups", 1);
  EXPECT_EQ(Run(line), (Values{1.5, 23.5, 40.5}));
  volume.In({1, 2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}).In({2, 1, 1, 1, 2}, {1, 1, 1, -1});
  volume.Out({1, 2, 2, 1, 1}).Ints("strides", {1, 1, 1, 1, 1}).Int("groups", 2);
  volume.Ints("pads", {0, 0, 0, 0, 0, 0}).Text("data_format", "NCDHW");
  EXPECT_EQ(Run(volume), (Values{3, 7, -1, -1}));
  for (Node* node : {&wrong, &format}) {
    node->In({1, 1, 1, 4}).In({1, 1, 1, 2}).Out({1, 1, 1, 3}).Ints("pads", {0, 0, 0, 0});
  }
  wrong.Ints("strides", {1, 2, 1, 1}).Text("data_format", "NCHW");
  ExpectRefused(wrong, {"strides", "1, 2, 1, 1"});
  format.Ints("strides", {1, 1, 1, 1}).Text("data_format", "NHWC");
  ExpectRefused(format, {"data_format", "NHWC"});
}

// Two steps, one label: the paths are a a, a blank, blank a. blank comes with 1 * C.
TEST_F(MappedNodeTest, CtcLoss) {
  const Values p = {0.5, 0.25, 0.25, 0.125, 0.5, 0.375};  // of classes 0, 1, 2 in two steps
  Values logs;
  for (double value : p) logs.push_back(std::log(value));
  Node loss("CTCLossV2"), wide("CTCLossV2");
  loss.In({2, 1, 3}, logs).In({1, 1}, {1}, ACL_INT64).Host({1}, {2}).Host({1}, {1});
  loss.Out({1}).Out({1, 2, 8}).Int("blank", 2 + 3).Bool("zero_infinity", false);
  const double expected = 0.25 * 0.5 + 0.25 * 0.375 + 0.25 * 0.5;
  EXPECT_NEAR(Run(loss)[0], -std::log(expected), 1e-6);
  wide.In({2, 1, 3}, logs).In({1, 1}, {1}, ACL_INT64).Host({1}, {2}).Host({1}, {1});
  wide.Out({1}).Out({1, 2, 5});
  ExpectRefused(wide, {"log_alpha", "[1, 2, 5]"});
}

}  // namespace
}  // namespace anyacl::test
