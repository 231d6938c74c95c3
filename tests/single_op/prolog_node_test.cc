// SPDX-License-Identifier: Apache-2.0
// MlaProlog by name, whose caches come out as others than they went in, and what torch_npu does to
// weights in panels.
#include "acl/acl.h"
#include "node.h"
#include "reference/mla_prolog.h"

namespace anyacl::test {
namespace {

class PrologNodeTest : public NodeTest {
 protected:
  static constexpr int64_t kTokens = 3, kPlaces = 16, kBlocks = 2;

  // `integers`: the queries' weight.
  MlaProlog Problem(bool integers = false) {
    MlaProlog p = {.tokens = kTokens,
                   .width = 16,
                   .query_rank = 16,
                   .heads = 2,
                   .plain = 4,
                   .key_rank = 16,
                   .turned = 4,
                   .eps_cq = 1e-5F,
                   .eps_ckv = 1e-5F};
    p.x = Numbers(kTokens * 16, ACL_BF16);
    p.weight_dq = Numbers(16 * 16, ACL_BF16);
    p.weight_uq_qr = Numbers(16 * 16, ACL_BF16);
    p.weight_uk = Numbers(2 * 4 * 16, ACL_BF16);
    p.weight_dkv_kr = Numbers(16 * 20, ACL_BF16);
    p.gamma_cq = Numbers(16, ACL_BF16);
    p.gamma_ckv = Numbers(16, ACL_BF16);
    p.sin = Numbers(kTokens * 4, ACL_BF16);
    p.cos = Numbers(kTokens * 4, ACL_BF16);
    if (!integers) return p;
    p.int8_queries = true;
    for (double& number : p.weight_uq_qr) number = static_cast<double>(random().Int(-128, 127));
    for (int i = 0; i < 16; ++i) p.factors_uq_qr.push_back(1.0 / (64 << i % 4));
    return p;
  }
  // Of 16 rows, as rows or in panels that may not be full.
  static void AddWeight(Node& node, size_t index, const std::vector<double>& rows, aclDataType type,
                        bool panels) {
    const int64_t columns = static_cast<int64_t>(rows.size()) / 16;
    const int64_t group = type == ACL_INT8 ? 32 : 16, count = (columns + group - 1) / group;
    if (!panels) {
      node.In({16, columns}, rows, type);
      return;
    }
    std::vector<double> stored(static_cast<size_t>(count * 16 * group), 99);
    for (int64_t i = 0; i < 16 * columns; ++i) {
      const int64_t row = i / columns, column = i % columns;
      stored[static_cast<size_t>((column / group * 16 + row) * group + column % group)] =
          rows[static_cast<size_t>(i)];
    }
    const int64_t dims[] = {16, columns}, storage[] = {count, 1, 16, group};
    node.In({count, 1, 16, group}, stored, type);
    aclTensorDesc* const desc = aclCreateTensorDesc(type, 2, dims, ACL_FORMAT_ND);
    EXPECT_EQ(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ), 0);
    EXPECT_EQ(aclSetTensorStorageShape(desc, 4, storage), 0);
    node.Describe(index, desc);
  }
  static void Describe(Node& node, const MlaProlog& p, bool panels = false) {
    const aclDataType type = ACL_BF16;
    node.In({kTokens, 16}, p.x, type);
    AddWeight(node, 1, p.weight_dq, type, panels);
    AddWeight(node, 2, p.weight_uq_qr, p.int8_queries ? ACL_INT8 : type, panels);
    node.In({2, 4, 16}, p.weight_uk, type);
    AddWeight(node, 4, p.weight_dkv_kr, type, panels);
    node.In({16}, p.gamma_cq, type);
    node.In({16}, p.gamma_ckv, type).In({kTokens, 4}, p.sin, type);
    node.In({kTokens, 4}, p.cos, type).In({kTokens}, {5, 30, 0}, ACL_INT64);
  }
  static std::vector<double> Old(int64_t columns) {
    return std::vector<double>(static_cast<size_t>(kBlocks * kPlaces * columns), 7);
  }
  static void ExpectAll(const std::vector<double>& actual, const std::vector<Near>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_NEAR(actual[i], expected[i].value, expected[i].error) << i;
    }
  }
  void Check(bool integers, bool panels) {
    SCOPED_TRACE(::testing::Message() << "integers " << integers << " panels " << panels);
    const MlaProlog p = Problem(integers);
    Node node("MlaProlog");
    Describe(node, p, panels);
    node.In({kBlocks, kPlaces, 1, 16}, Old(16), ACL_BF16)
        .In({kBlocks, kPlaces, 1, 4}, Old(4), ACL_BF16);
    for (int i = 0; i < 7; ++i) {
      if (i == 2 && integers) {
        node.In({1, 16}, p.factors_uq_qr);
      } else {
        node.Absent();
      }
    }
    node.Out({kTokens, 2, 16}, ACL_BF16).Out({kTokens, 2, 4}, ACL_BF16);
    node.Out({kBlocks, kPlaces, 1, 16}, ACL_BF16).Out({kBlocks, kPlaces, 1, 4}, ACL_BF16);
    node.Real("rmsnorm_epsilon_cq", 1e-5F).Real("rmsnorm_epsilon_ckv", 1e-5F);
    node.Text("cache_mode", "PA_BSND");
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    const MlaPrologResult exact = ExactMlaProlog(p);
    ExpectAll(node.Result(0, stream()), exact.query);
    ExpectAll(node.Result(1, stream()), exact.query_rope);
    const int64_t places[] = {5, 30, 0};
    for (int64_t columns : {16, 4}) {
      std::vector<Near> expected(Old(columns).size(), {7, 0});
      const std::vector<Near>& rows = columns == 16 ? exact.keys : exact.ropes;
      for (int64_t i = 0; i < kTokens * columns; ++i) {
        expected[static_cast<size_t>(places[i / columns] * columns + i % columns)] =
            rows[static_cast<size_t>(i)];
      }
      ExpectAll(node.Result(columns == 16 ? 2 : 3, stream()), expected);
    }
  }
};

TEST_F(PrologNodeTest, CopiesItsCaches) {
  for (bool integers : {false, true}) {
    for (bool panels : {false, true}) Check(integers, panels);
  }
}

TEST_F(PrologNodeTest, RefusesItsOwnMode) {
  Node node("MlaProlog");
  Describe(node, Problem());
  node.In({kBlocks, kPlaces, 1, 16}, {}, ACL_BF16).In({kBlocks, kPlaces, 1, 4}, {}, ACL_BF16);
  node.Out({kTokens, 2, 16}, ACL_BF16).Out({kTokens, 2, 4}, ACL_BF16);
  node.Out({kBlocks, kPlaces, 1, 16}, ACL_BF16).Out({kBlocks, kPlaces, 1, 4}, ACL_BF16);
  node.Text("cache_mode", "TND");
  EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM);
  const std::string message = aclGetRecentErrMsg();
  EXPECT_NE(message.find("cache_mode = \"TND\""), std::string::npos) << message;
}

// What lies in panels becomes another type where it lies.
TEST_F(PrologNodeTest, PanelsAreCastAsTheyLie) {
  const int64_t dims[] = {32, 20}, panels[] = {2, 2, 16, 16};
  const auto describe = [&](aclTensorDesc* desc) {
    EXPECT_EQ(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ), 0);
    EXPECT_EQ(aclSetTensorStorageShape(desc, 4, panels), 0);
  };
  const std::vector<double> values = Numbers(2 * 2 * 16 * 16, ACL_BF16);
  for (bool both : {true, false}) {
    Node node("Cast");
    node.In({2, 2, 16, 16}, values, ACL_BF16).Out({2, 2, 16, 16}, ACL_FLOAT);
    aclTensorDesc* const in = aclCreateTensorDesc(ACL_BF16, 2, dims, ACL_FORMAT_ND);
    describe(in);
    node.Describe(0, in);
    if (both) describe(node.output_desc(0));
    EXPECT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(node.Result(0, stream()), values);
  }
  Node plain("Cast");
  plain.In({2, 2, 16, 16}, values, ACL_BF16).Out({32, 20}, ACL_FLOAT);
  aclTensorDesc* const in = aclCreateTensorDesc(ACL_BF16, 2, dims, ACL_FORMAT_ND);
  describe(in);
  plain.Describe(0, in);
  EXPECT_NE(plain.Run(stream()), 0);
}

// Elements that no description has the number of are not cast.
TEST_F(PrologNodeTest, PanelsOfNoSizesAreNotCast) {
  const int64_t dims[] = {32, 20}, rows[] = {2, 2, 256};
  for (int storage : {0, 3}) {
    Node node("Cast");
    node.In({2, 2, 16, 16}, {}, ACL_BF16).Out({2, 2, 16, 16}, ACL_FLOAT);
    aclTensorDesc* const in = aclCreateTensorDesc(ACL_BF16, 2, dims, ACL_FORMAT_ND);
    aclTensorDesc* const out = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
    for (aclTensorDesc* desc : {in, out}) {
      EXPECT_EQ(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ), 0);
      if (storage > 0) {
        EXPECT_EQ(aclSetTensorStorageShape(desc, storage, rows), 0);
      }
    }
    node.Describe(0, in);
    node.DescribeOut(0, out);
    EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("inputDesc[0] of Cast is stored as FRACTAL_NZ in"), std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace anyacl::test
