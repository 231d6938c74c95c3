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

  MlaProlog Problem() {
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
    return p;
  }
  static void Describe(Node& node, const MlaProlog& p) {
    const aclDataType type = ACL_BF16;
    node.In({kTokens, 16}, p.x, type).In({16, 16}, p.weight_dq, type);
    node.In({16, 16}, p.weight_uq_qr, type).In({2, 4, 16}, p.weight_uk, type);
    node.In({16, 20}, p.weight_dkv_kr, type).In({16}, p.gamma_cq, type);
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
};

TEST_F(PrologNodeTest, CopiesItsCaches) {
  const MlaProlog p = Problem();
  Node node("MlaProlog");
  Describe(node, p);
  node.In({kBlocks, kPlaces, 1, 16}, Old(16), ACL_BF16)
      .In({kBlocks, kPlaces, 1, 4}, Old(4), ACL_BF16);
  for (int i = 0; i < 7; ++i) node.Absent();
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

TEST_F(PrologNodeTest, RefusesItsOwnMode) {
  Node node("MlaProlog");
  Describe(node, Problem());
  node.In({kBlocks, kPlaces, 1, 16}, {}, ACL_BF16).In({kBlocks, kPlaces, 1, 4}, {}, ACL_BF16);
  node.Out({kTokens, 2, 16}, ACL_BF16).Out({kTokens, 2, 4}, ACL_BF16);
  node.Out({kBlocks, kPlaces, 1, 16}, ACL_BF16).Out({kBlocks, kPlaces, 1, 4}, ACL_BF16);
  node.Text("cache_mode", "TND");
  EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM);
  const std::string message = aclGetRecentErrMsg();
  EXPECT_NE(message.find("cache_mode is \"TND\""), std::string::npos) << message;
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

}  // namespace
}  // namespace anyacl::test
