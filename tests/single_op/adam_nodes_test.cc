// SPDX-License-Identifier: Apache-2.0
// The older optimisers by name, against their formulas in double.
#include <cmath>

#include "node.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;

class AdamNodeTest : public NodeTest {
 protected:
  struct State {
    Values p, m, v, g;
  };
  State MakeState(int64_t count, aclDataType type) {
    State state = {Numbers(count, type), Numbers(count, type), Numbers(count, type),
                   Numbers(count, type)};
    for (double& value : state.v) value = std::fabs(value);
    return state;
  }
  void AddTensors(Node& node, const State& s, aclDataType type) {
    const auto n = static_cast<int64_t>(s.p.size());
    node.In({n}, s.p, type).In({n}, s.m, type).In({n}, s.v, type);
  }
  static void AddNumbers(Node& node, const Values& numbers) {
    for (double number : numbers) node.Host({1}, {number}, ACL_FLOAT);
  }
  // update(p, m, v, g) changes the first three.
  template <class Update>
  void ExpectUpdate(Node& node, State s, aclDataType type, const Update& update) {
    const auto n = static_cast<int64_t>(s.p.size());
    node.Out({n}, type).Out({n}, type).Out({n}, type);
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    for (size_t i = 0; i < s.p.size(); ++i) update(s.p[i], s.m[i], s.v[i], s.g[i]);
    const double tolerance = type == ACL_FLOAT ? 2e-6 : 2e-3;
    ExpectNear(node.Result(0, stream()), s.p, tolerance, "var");
    ExpectNear(node.Result(1, stream()), s.m, tolerance, "m");
    ExpectNear(node.Result(2, stream()), s.v, tolerance, "v");
  }
};

constexpr double kLr = 0.125, kBeta1 = 0.75, kBeta2 = 0.9375, kEps = 0.25, kDecay = 0.0625;

void Average(double& m, double& v, double g) {
  m = m * kBeta1 + g * (1 - kBeta1);
  v = v * kBeta2 + g * g * (1 - kBeta2);
}

TEST_F(AdamNodeTest, ApplyAdamD) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const State s = MakeState(5000, type);
    Node node("ApplyAdamD");
    AddTensors(node, s, type);
    AddNumbers(node, {0.5, 0.875, kLr, kBeta1, kBeta2, kEps});
    node.In({5000}, s.g, type).Bool("use_locking", false).Bool("use_nesterov", false);
    ExpectUpdate(node, s, type, [](double& p, double& m, double& v, double g) {
      Average(m, v, g);
      p -= kLr * std::sqrt(1 - 0.875) / (1 - 0.5) * m / (std::sqrt(v) + kEps);
    });
  }
}

TEST_F(AdamNodeTest, ApplyAdamW) {
  for (bool maximize : {false, true}) {
    const State s = MakeState(100, ACL_FLOAT);
    Node node("ApplyAdamW");
    AddTensors(node, s, ACL_FLOAT);
    AddNumbers(node, {0.5, 0.875, kLr, kDecay, kBeta1, kBeta2, kEps});
    node.In({100}, s.g).Absent().Bool("amsgrad", false).Bool("maximize", maximize);
    ExpectUpdate(node, s, ACL_FLOAT, [maximize](double& p, double& m, double& v, double g) {
      Average(m, v, maximize ? -g : g);
      const double root = std::sqrt(v / (1 - 0.875 * kBeta2)) + kEps;
      p = p * (1 - kLr * kDecay) - kLr * m / (1 - 0.5 * kBeta1) / root;
    });
  }
}

TEST_F(AdamNodeTest, ApplyAdamV2) {
  for (const bool mbart : {false, true}) {
    for (const double bound : {-1.0, 1.0}) {
      for (const double norm : {0.5, 4.0}) {
        const State s = MakeState(100, ACL_FLOAT);
        Node node("ApplyAdamV2");
        AddTensors(node, s, ACL_FLOAT);
        AddNumbers(node, {kLr, kBeta1, kBeta2, kEps});
        node.In({100}, s.g);
        AddNumbers(node, {bound, norm, kDecay});
        if (mbart) AddNumbers(node, {0.375});
        node.Text("adam_mode", mbart ? "mbart_adam" : "adam");
        const double by = bound > 0 && norm > 1 ? 1 / norm : 1, step = mbart ? 0.375 : kLr;
        ExpectUpdate(node, s, ACL_FLOAT, [by, step](double& p, double& m, double& v, double g) {
          Average(m, v, g * by);
          p -= step * m / (std::sqrt(v) + kEps) + kLr * kDecay * p;
        });
      }
    }
  }
}

TEST_F(AdamNodeTest, WhatIsNotServedIsRefused) {
  const State s = MakeState(4, ACL_FLOAT);
  Node nesterov("ApplyAdamD"), mode("ApplyAdamV2");
  AddTensors(nesterov, s, ACL_FLOAT);
  AddNumbers(nesterov, {0.5, 0.875, kLr, kBeta1, kBeta2, kEps});
  nesterov.In({4}).Out({4}).Out({4}).Out({4}).Bool("use_nesterov", true);
  EXPECT_EQ(nesterov.Run(stream()), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("use_nesterov"), std::string::npos);
  AddTensors(mode, s, ACL_FLOAT);
  AddNumbers(mode, {kLr, kBeta1, kBeta2, kEps});
  mode.In({4});
  AddNumbers(mode, {1, 1, 0});
  mode.Out({4}).Out({4}).Out({4}).Text("adam_mode", "adagrad");
  EXPECT_EQ(mode.Run(stream()), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("mbart_adam"), std::string::npos);
}

}  // namespace
}  // namespace anyacl::test
