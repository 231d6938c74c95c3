// SPDX-License-Identifier: Apache-2.0
// AdamW, and the scale of losses in 16 bits.
#include <cmath>
#include <limits>
#include <memory>

#include "aclnnop/aclnn_amp_update_scale.h"
#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_apply_fused_ema_adam.h"
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class OptimizerTest : public DeviceTest {
 protected:
  std::vector<double> Random(const Tensor& tensor, bool positive = false) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      const double value = random().Normal(0, 1);
      values.push_back(AsHeld(tensor.layout().dtype, positive ? std::fabs(value) : value));
    }
    return values;
  }
  static void ExpectNear(double actual, double expected, aclDataType type, double size) {
    ASSERT_LE(std::fabs(actual - expected),
              8 * 0x1p-24 * (std::fabs(expected) + size) + 1.01 * HalfUnitOf(type, expected))
        << actual << " instead of " << expected;
  }

  struct AdamCase {
    aclDataType type;
    std::vector<int64_t> dims;
    std::vector<int64_t> strides = {};
    aclDataType step = ACL_FLOAT;
    bool amsgrad = false;
    bool maximize = false;
  };

  void ExpectAdamW(const AdamCase& c) {
    const Layout layout{.dims = c.dims, .dtype = c.type, .strides = c.strides};
    Tensor p(layout), m(layout), v(layout), most(layout), g({.dims = c.dims, .dtype = c.type});
    Tensor step({.dims = {1}, .dtype = c.step});
    const auto ps = Random(p), ms = Random(m), vs = Random(v, true), mosts = Random(most, true);
    const auto gs = Random(g);
    WriteAs(p, ps);
    WriteAs(m, ms);
    WriteAs(v, vs);
    WriteAs(most, mosts);
    WriteAs(g, gs);
    WriteAs(step, {2});
    const float lr = 0.125f, beta1 = 0.875f, beta2 = 0.96875f, decay = 0.25f, eps = 0.0078125f;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnApplyAdamWV2GetWorkspaceSize(
              p.handle(), m.handle(), v.handle(), c.amsgrad ? most.handle() : nullptr, g.handle(),
              step.handle(), lr, beta1, beta2, decay, eps, c.amsgrad, c.maximize, s, e);
        },
        aclnnApplyAdamWV2);
    EXPECT_TRUE(p.GuardsIntact() && m.GuardsIntact() && v.GuardsIntact());
    const auto new_p = ReadAs(p), new_m = ReadAs(m), new_v = ReadAs(v), new_most = ReadAs(most);
    for (size_t i = 0; i < ps.size(); ++i) {
      const double gradient = c.maximize ? -gs[i] : gs[i];
      const double mi = ms[i] * 0.875 + gradient * 0.125;
      const double vi = vs[i] * 0.96875 + gradient * gradient * 0.03125;
      const double large = c.amsgrad ? std::max(vi, mosts[i]) : vi;
      const double hat = std::sqrt(large / (1 - std::pow(0.96875, 3)));
      const double change = 0.125 * mi / (1 - std::pow(0.875, 3)) / (hat + 0.0078125);
      ExpectNear(new_m[i], mi, c.type, 1);
      ExpectNear(new_v[i], vi, c.type, 1);
      ExpectNear(new_p[i], ps[i] * (1 - 0.125 * 0.25) - change, c.type, 1 + 50 * std::fabs(change));
      if (c.amsgrad) ExpectNear(new_most[i], large, c.type, 1);
    }
  }
};

TEST_F(OptimizerTest, AdamW) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    ExpectAdamW({type, {5000}});
    ExpectAdamW({type, {7, 13}, {}, ACL_INT64, true});
    ExpectAdamW({type, {7, 13}, {1, 9}, ACL_INT64, true, true});
    ExpectAdamW({type, {}, {}, ACL_FLOAT, false, true});
    ExpectAdamW({type, {0, 3}});
  }
}

struct EmaCase {
  aclDataType type;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides = {};
  int64_t mode = 1;
  bool corrects = true;
};

class EmaAdamTest : public OptimizerTest {
 protected:
  void Check(const EmaCase& c) {
    SCOPED_TRACE(::testing::Message() << "type " << c.type << " mode " << c.mode);
    const Layout layout{.dims = c.dims, .dtype = c.type, .strides = c.strides};
    Tensor p(layout), m(layout), v(layout), mean(layout), g({.dims = c.dims, .dtype = c.type});
    Tensor step({.dims = {1}, .dtype = ACL_INT64});
    const auto ps = Random(p), ms = Random(m), vs = Random(v, true), means = Random(mean);
    const auto gs = Random(g);
    WriteAs(p, ps);
    WriteAs(m, ms);
    WriteAs(v, vs);
    WriteAs(mean, means);
    WriteAs(g, gs);
    WriteAs(step, {3});
    const double lr = 0.1, ema = 0.9, beta1 = 0.85, beta2 = 0.95, eps = 0.01, decay = 0.3;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnApplyFusedEmaAdamGetWorkspaceSize(
              g.handle(), p.handle(), m.handle(), v.handle(), mean.handle(), step.handle(), lr, ema,
              beta1, beta2, eps, c.mode, c.corrects, decay, s, e);
        },
        aclnnApplyFusedEmaAdam);
    EXPECT_TRUE(p.GuardsIntact() && m.GuardsIntact() && v.GuardsIntact() && mean.GuardsIntact());
    const auto new_p = ReadAs(p), new_m = ReadAs(m), new_v = ReadAs(v), new_mean = ReadAs(mean);
    for (size_t i = 0; i < ps.size(); ++i) {
      const double gradient = c.mode == 0 ? gs[i] + decay * ps[i] : gs[i];
      const double mi = beta1 * ms[i] + (1 - beta1) * gradient;
      const double vi = beta2 * vs[i] + (1 - beta2) * gradient * gradient;
      const double mh = c.corrects ? mi / (1 - std::pow(beta1, 3)) : mi;
      const double vh = c.corrects ? vi / (1 - std::pow(beta2, 3)) : vi;
      double change = mh / (std::sqrt(vh) + eps);
      if (c.mode == 1) change += decay * ps[i];
      const double pi = ps[i] - lr * change;
      ExpectNear(new_m[i], mi, c.type, 2);
      ExpectNear(new_v[i], vi, c.type, 2 + gradient * gradient);
      ExpectNear(new_p[i], pi, c.type, 1 + 10 * std::fabs(change));
      ExpectNear(new_mean[i], ema * means[i] + (1 - ema) * pi, c.type, 2 + std::fabs(change));
    }
  }
};

TEST_F(EmaAdamTest, MatchesTheDocument) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const int64_t mode : {0, 1}) {
      for (const bool corrects : {false, true}) {
        Check({type, {50000}, {}, mode, corrects});
        Check({type, {7, 13}, {1, 9}, mode, corrects});
      }
    }
    Check({type, {1}});
    Check({type, {0, 3}});
  }
}

TEST_F(EmaAdamTest, InfiniteParametersStayOutOfGradientsWithDecayApart) {
  Tensor p({.dims = {1}}), m({.dims = {1}}), v({.dims = {1}}), mean({.dims = {1}}),
      g({.dims = {1}});
  Tensor step({.dims = {1}, .dtype = ACL_INT64});
  WriteAs(p, {kInf});
  for (Tensor* tensor : {&m, &v, &mean, &g}) WriteAs(*tensor, {1});
  WriteAs(step, {1});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnApplyFusedEmaAdamGetWorkspaceSize(g.handle(), p.handle(), m.handle(),
                                                      v.handle(), mean.handle(), step.handle(), 0.1,
                                                      0.9, 0.5, 0.5, 1e-8, 1, true, 0, s, e);
      },
      aclnnApplyFusedEmaAdam);
  EXPECT_EQ(ReadAs(m)[0], 1);
  EXPECT_EQ(ReadAs(p)[0], kInf);
}

TEST_F(EmaAdamTest, RefusesWhatItCannotUse) {
  const Tensor p({.dims = {4}}), half({.dims = {4}, .dtype = ACL_FLOAT16});
  const Tensor step({.dims = {1}, .dtype = ACL_INT64}), two({.dims = {2}, .dtype = ACL_INT64});
  const auto call = [&](const Tensor& mean, const Tensor& at, int64_t mode) {
    return [&, mode](uint64_t* s, aclOpExecutor** e) {
      return aclnnApplyFusedEmaAdamGetWorkspaceSize(p.handle(), p.handle(), p.handle(), p.handle(),
                                                    mean.handle(), at.handle(), 0.1, 0.9, 0.9, 0.99,
                                                    1e-8, mode, true, 0, s, e);
    };
  };
  ExpectRefused(call(half, step, 0), 161002, {"sRef", "FLOAT16", "FLOAT"});
  ExpectRefused(call(p, two, 0), 161002, {"step.shape", "[2]"});
  ExpectRefused(call(p, step, 2), 161002, {"mode", "2"});
}

TEST_F(OptimizerTest, AdamWRefusesWhatItCannotUse) {
  const Tensor p({.dims = {4}}), half({.dims = {4}, .dtype = ACL_FLOAT16}), step({.dims = {1}});
  const auto call = [&](const Tensor& m, const Tensor& at, bool amsgrad) {
    return [&, amsgrad](uint64_t* s, aclOpExecutor** e) {
      return aclnnApplyAdamWV2GetWorkspaceSize(p.handle(), m.handle(), p.handle(), nullptr,
                                               p.handle(), at.handle(), 0.1f, 0.9f, 0.99f, 0, 1e-8f,
                                               amsgrad, false, s, e);
    };
  };
  ExpectRefused(call(half, step, false), 161002, {"mRef", "FLOAT16", "FLOAT"});
  ExpectRefused(call(p, p, false), 161002, {"step.shape", "[4]"});
  ExpectRefused(call(p, step, true), 161001, {"maxGradNormOptionalRef", "amsgrad"});
}

// A list of tensors, which it takes along.
class List {
 public:
  explicit List(std::vector<Tensor>& tensors) : tensors_(tensors) {
    std::vector<const aclTensor*> handles;
    for (Tensor& tensor : tensors) {
      handles.push_back(aclCreateTensor(tensor.layout().dims.data(), tensor.layout().dims.size(),
                                        tensor.layout().dtype, Strides(tensor).data(),
                                        tensor.layout().offset, ACL_FORMAT_ND, nullptr, 0,
                                        tensor.data()));
    }
    handle_ = aclCreateTensorList(handles.data(), handles.size());
  }
  ~List() { aclDestroyTensorList(handle_); }
  const aclTensorList* handle() const { return handle_; }

 private:
  static std::vector<int64_t> Strides(const Tensor& tensor) {
    const Layout& layout = tensor.layout();
    return layout.strides.empty() ? ContiguousStrides(layout.dims) : layout.strides;
  }
  std::vector<Tensor>& tensors_;
  const aclTensorList* handle_;
};

class UnscaleTest : public OptimizerTest {
 protected:
  // Whether something infinite was found; the tensors' numbers are unscaled.
  double Run(std::vector<Tensor>& grads, double inverse, double found_before = 0) {
    Tensor found({.dims = {}}), scale({.dims = {1}});
    WriteAs(found, {found_before});
    WriteAs(scale, {inverse});
    const List list(grads);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(list.handle(), found.handle(),
                                                                      scale.handle(), s, e);
        },
        aclnnForeachNonFiniteCheckAndUnscale);
    return ReadAs(found)[0];
  }
};

TEST_F(UnscaleTest, ScalesEveryTensor) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    std::vector<Tensor> grads;
    std::vector<std::vector<double>> before;
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{3}, {}, {0}, {70, 90}, {5000}}) {
      grads.emplace_back(Layout{.dims = dims, .dtype = type});
      before.push_back(Random(grads.back()));
      WriteAs(grads.back(), before.back());
    }
    EXPECT_EQ(Run(grads, 0.25), 0);
    for (size_t i = 0; i < grads.size(); ++i) {
      const auto after = ReadAs(grads[i]);
      EXPECT_TRUE(grads[i].GuardsIntact());
      for (size_t k = 0; k < after.size(); ++k) {
        EXPECT_EQ(after[k], AsHeld(type, before[i][k] * 0.25));
      }
    }
  }
}

TEST_F(UnscaleTest, FindsWhatIsNotFinite) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (double bad : {kInf, -kInf, kNaN}) {
      for (size_t at : {0, 17, 2100, 4999}) {
        std::vector<Tensor> grads;
        grads.emplace_back(Layout{.dims = {30}, .dtype = type});
        grads.emplace_back(Layout{.dims = {5000}, .dtype = type});
        std::vector<double> values(5000, 2.0);
        values[at] = bad;
        WriteAs(grads[0], std::vector<double>(30, 4.0));
        WriteAs(grads[1], values);
        EXPECT_EQ(Run(grads, 0.5), 1) << bad << at;
        EXPECT_EQ(ReadAs(grads[0]), std::vector<double>(30, 2.0));
        EXPECT_EQ(ReadAs(grads[1])[100], 1);
      }
    }
  }
  std::vector<Tensor> grads;
  grads.emplace_back(Layout{.dims = {3}});
  WriteAs(grads[0], {1, 2, 3});
  EXPECT_EQ(Run(grads, 0.5, 1), 1);  // found before
}

TEST_F(UnscaleTest, TooManyTensors) {
  std::vector<Tensor> grads;
  for (int i = 0; i < 257; ++i) grads.emplace_back(Layout{.dims = {1}});
  const Tensor one({.dims = {1}});
  const List list(grads);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(list.handle(), one.handle(),
                                                                    one.handle(), s, e);
      },
      561002, {"scaledGrads", "257", "256"});
}

class UpdateScaleTest : public OptimizerTest {
 protected:
  // In place, as clients call it: the new scale and the new count.
  std::pair<double, double> Run(double scale, double tracker, double found, int64_t interval = 3,
                                aclDataType type = ACL_FLOAT) {
    Tensor scales({.dims = {}, .dtype = type}), trackers({.dims = {}, .dtype = ACL_INT32});
    Tensor founds({.dims = {1}, .dtype = type});
    WriteAs(scales, {scale});
    WriteAs(trackers, {tracker});
    WriteAs(founds, {found});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAmpUpdateScaleGetWorkspaceSize(scales.handle(), trackers.handle(),
                                                     founds.handle(), 2.0, 0.5, interval,
                                                     scales.handle(), trackers.handle(), s, e);
        },
        aclnnAmpUpdateScale);
    return {ReadAs(scales)[0], ReadAs(trackers)[0]};
  }
  using Pair = std::pair<double, double>;
};

TEST_F(UpdateScaleTest, GrowsBacksOffAndCounts) {
  EXPECT_EQ(Run(64, 0, 0), Pair(64, 1));
  EXPECT_EQ(Run(64, 2, 0), Pair(128, 0));
  EXPECT_EQ(Run(64, 2, 1), Pair(32, 0));
  EXPECT_EQ(Run(64, 5, 0), Pair(64, 6));
  EXPECT_EQ(Run(0x1p127, 2, 0), Pair(0x1p127, 0));  // would be infinite
  EXPECT_EQ(Run(32768, 2, 0, 3, ACL_FLOAT16), Pair(32768, 0));
  EXPECT_EQ(Run(32768, 2, 0, 3, ACL_BF16), Pair(65536, 0));
  EXPECT_EQ(Run(64, 0, 0, 1), Pair(128, 0));
}

TEST_F(UpdateScaleTest, WrongArgumentsAreRefused) {
  const Tensor scale({.dims = {1}}), two({.dims = {2}}), tracker({.dims = {1}, .dtype = ACL_INT32});
  const auto call = [&](const Tensor& found, int64_t interval) {
    return [&, interval](uint64_t* s, aclOpExecutor** e) {
      return aclnnAmpUpdateScaleGetWorkspaceSize(scale.handle(), tracker.handle(), found.handle(),
                                                 2.0, 0.5, interval, scale.handle(),
                                                 tracker.handle(), s, e);
    };
  };
  ExpectRefused(call(two, 1), 561002, {"foundInf.shape", "[2]"});
  ExpectRefused(call(scale, 0), 561002, {"growthInterval", "0"});
  ExpectRefused(call(tracker, 1), 161002, {"foundInf", "INT32"});
}

}  // namespace
}  // namespace anyacl::test
