// SPDX-License-Identifier: Apache-2.0
// Connectionist temporal classification against the sum over all paths, one by one.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_ctc_loss.h"
#include "aclnnop/aclnn_ctc_loss_backward.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::ctc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Lengths {
 public:
  explicit Lengths(const std::vector<int64_t>& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  Lengths(const Lengths&) = delete;
  Lengths& operator=(const Lengths&) = delete;
  ~Lengths() { aclDestroyIntArray(handle_); }
  const aclIntArray* get() const { return handle_; }

 private:
  aclIntArray* handle_;
};

// A sequence: y[t][c] are logarithms of probabilities.
struct Sequence {
  std::vector<std::vector<double>> y;
  std::vector<int64_t> labels;
};

// What is left of a path without repetitions and blanks.
std::vector<int64_t> Spelt(const std::vector<int64_t>& path, int64_t blank) {
  std::vector<int64_t> labels;
  for (size_t t = 0; t < path.size(); ++t) {
    if (path[t] != blank && (t == 0 || path[t] != path[t - 1])) labels.push_back(path[t]);
  }
  return labels;
}

struct Expected {
  double probability = 0;
  std::vector<std::vector<double>> share;  // of the paths with class c at step t
};
Expected SumOverPaths(const Sequence& s, int64_t classes, int64_t blank) {
  Expected e;
  const size_t steps = s.y.size();
  e.share.assign(steps, std::vector<double>(static_cast<size_t>(classes)));
  int64_t paths = 1;
  for (size_t t = 0; t < steps; ++t) paths *= classes;
  for (int64_t number = 0; number < paths; ++number) {
    std::vector<int64_t> path;
    double log_probability = 0;
    for (int64_t t = 0, rest = number; t < static_cast<int64_t>(steps); ++t, rest /= classes) {
      path.push_back(rest % classes);
      log_probability += s.y[static_cast<size_t>(t)][static_cast<size_t>(rest % classes)];
    }
    if (Spelt(path, blank) != s.labels) continue;
    e.probability += std::exp(log_probability);
    for (size_t t = 0; t < steps; ++t) {
      e.share[t][static_cast<size_t>(path[t])] += std::exp(log_probability);
    }
  }
  return e;
}

struct Case {
  aclDataType type = ACL_FLOAT;
  aclDataType label_type = ACL_INT64;
  std::vector<int64_t> inputs, targets;
  int64_t steps = 5, classes = 3, blank = 0;
  bool rows = true;  // of labels; else one after the other
  bool zero_infinity = false;
  bool padded = true;   // logAlpha's columns are a multiple of 8
  bool single = false;  // without a batch
};

class CtcTest : public DeviceTest {
 protected:
  void ExpectCorrect(const Case& c) {
    const auto batch = static_cast<int64_t>(c.inputs.size());
    const int64_t longest = *std::max_element(c.targets.begin(), c.targets.end());
    std::vector<Sequence> sequences(c.inputs.size());
    std::vector<double> numbers, labels;
    MakeSequences(c, longest, &sequences, &numbers, &labels);
    std::vector<int64_t> dims = {c.steps, batch, c.classes};
    if (c.single) dims = {c.steps, c.classes};
    Tensor y({.dims = dims, .dtype = c.type});
    Tensor targets({.dims = c.rows ? std::vector<int64_t>{batch, longest + 1}
                                   : std::vector<int64_t>{static_cast<int64_t>(labels.size())},
                    .dtype = c.label_type});
    WriteAs(y, numbers);
    WriteAs(targets, labels);
    const std::vector<int64_t> losses = c.single ? std::vector<int64_t>{} : std::vector{batch};
    const Tensor loss({.dims = losses, .dtype = c.type});
    const int64_t columns = 2 * longest + 1;
    const Tensor alpha(
        {.dims = {batch, c.steps, c.padded ? (columns + 7) / 8 * 8 : columns}, .dtype = c.type});
    const Lengths inputs(c.inputs), lengths(c.targets);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCtcLossGetWorkspaceSize(y.handle(), targets.handle(), inputs.get(),
                                              lengths.get(), c.blank, c.zero_infinity,
                                              loss.handle(), alpha.handle(), s, e);
        },
        aclnnCtcLoss);
    EXPECT_TRUE(alpha.GuardsIntact());
    const auto actual = ReadAs(loss);
    std::vector<Expected> expected;
    for (size_t n = 0; n < sequences.size(); ++n) {
      expected.push_back(SumOverPaths(sequences[n], c.classes, c.blank));
      const double likelihood = expected[n].probability;
      const double value = likelihood > 0 ? -std::log(likelihood) : c.zero_infinity ? 0 : kInfinity;
      if (std::isinf(value)) {
        EXPECT_EQ(actual[n], value) << n;
      } else {
        EXPECT_NEAR(actual[n], value, ErrorOf(c.type, value)) << n;
      }
    }
    if (!c.single) ExpectGradient(c, y, targets, loss, alpha, sequences, expected);
  }

 private:
  static double ErrorOf(aclDataType type, double value) {
    return 1e-5 * (1 + std::fabs(value)) + 2 * HalfUnitOf(type, value);
  }

  void MakeSequences(const Case& c, int64_t longest, std::vector<Sequence>* sequences,
                     std::vector<double>* numbers, std::vector<double>* labels) {
    for (int64_t t = 0; t < c.steps; ++t) {
      for (size_t n = 0; n < sequences->size(); ++n) {
        std::vector<double> y;
        for (int64_t k = 0; k < c.classes; ++k) {
          y.push_back(AsHeld(c.type, -static_cast<double>(random().Int(1, 256)) / 64));
        }
        numbers->insert(numbers->end(), y.begin(), y.end());
        if (t < c.inputs[n]) (*sequences)[n].y.push_back(y);
      }
    }
    for (size_t n = 0; n < sequences->size(); ++n) {
      for (int64_t i = 0; i < longest + 1; ++i) {
        const bool used = i < c.targets[n];
        int64_t label = random().Int(0, c.classes - 2);
        if (c.label_type == ACL_BOOL) label = 0;
        if (label >= c.blank) ++label;
        if (used) (*sequences)[n].labels.push_back(label);
        // Labels behind a sequence's end are not looked at.
        if (used) labels->push_back(static_cast<double>(label));
        if (!used && c.rows) labels->push_back(c.label_type == ACL_BOOL ? 1 : 100);
      }
    }
  }

  void ExpectGradient(const Case& c, const Tensor& y, const Tensor& targets, const Tensor& loss,
                      const Tensor& alpha, const std::vector<Sequence>& sequences,
                      const std::vector<Expected>& expected) {
    const auto batch = static_cast<int64_t>(c.inputs.size());
    Tensor g({.dims = {batch}, .dtype = c.type});
    const Tensor out({.dims = {c.steps, batch, c.classes},
                      .dtype = c.type,
                      .strides = {1, c.steps * c.classes, c.steps}});
    std::vector<double> gs;
    for (int64_t n = 0; n < batch; ++n) gs.push_back(static_cast<double>(random().Int(1, 16)) / 8);
    WriteAs(g, gs);
    const Lengths inputs(c.inputs), lengths(c.targets);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCtcLossBackwardGetWorkspaceSize(
              g.handle(), y.handle(), targets.handle(), inputs.get(), lengths.get(), loss.handle(),
              alpha.handle(), c.blank, c.zero_infinity, out.handle(), s, e);
        },
        aclnnCtcLossBackward);
    EXPECT_TRUE(out.GuardsIntact());
    const auto actual = ReadAs(out);
    const double tolerance = c.type == ACL_FLOAT || c.type == ACL_DOUBLE ? 1e-4 : 0.15;
    for (size_t i = 0; i < actual.size(); ++i) {
      const auto k = static_cast<size_t>(static_cast<int64_t>(i) % c.classes);
      const auto n = static_cast<size_t>(static_cast<int64_t>(i) / c.classes % batch);
      const auto t = static_cast<size_t>(static_cast<int64_t>(i) / c.classes / batch);
      const Expected& e = expected[n];
      double value = 0;
      if (t < sequences[n].y.size() && (e.probability > 0 || !c.zero_infinity)) {
        value = gs[n] * (std::exp(sequences[n].y[t][k]) - e.share[t][k] / e.probability);
      }
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(actual[i])) << i;
      } else {
        EXPECT_NEAR(actual[i], value, tolerance) << "step " << t << " sequence " << n;
      }
    }
  }
};

TEST_F(CtcTest, SequencesOfManyLengths) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    for (bool rows : {true, false}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " rows " << rows);
      ExpectCorrect({.type = type,
                     .inputs = {5, 4, 1, 3, 5, 2},
                     .targets = {2, 3, 1, 0, 4, 1},
                     .rows = rows,
                     .padded = rows});
    }
  }
}

TEST_F(CtcTest, LabelsOfEveryTypeAndBlanksOfEveryClass) {
  for (aclDataType type : {ACL_INT64, ACL_INT32, ACL_BOOL, ACL_FLOAT, ACL_FLOAT16}) {
    for (int64_t blank : {int64_t{0}, int64_t{2}}) {
      if (type == ACL_BOOL && blank != 0) continue;
      SCOPED_TRACE(::testing::Message() << "labels " << type << " blank " << blank);
      ExpectCorrect({.label_type = type, .inputs = {4, 5}, .targets = {2, 2}, .blank = blank});
    }
  }
  ExpectCorrect({.inputs = {5}, .targets = {2}, .rows = false, .single = true});
}

// More labels than steps, and equal neighbours without room for the blank between them.
TEST_F(CtcTest, WhatNoPathSpellsIsInfiniteOrNothing) {
  for (bool zero : {false, true}) {
    SCOPED_TRACE(zero);
    ExpectCorrect({.inputs = {2, 5, 3}, .targets = {4, 1, 3}, .classes = 2, .zero_infinity = zero});
    ExpectCorrect({.inputs = {0, 0}, .targets = {0, 1}, .zero_infinity = zero});
  }
}

TEST_F(CtcTest, RefusesWhatDoesNotFit) {
  Tensor y({.dims = {5, 2, 3}}), targets({.dims = {2, 3}, .dtype = ACL_INT64});
  Tensor loss({.dims = {2}}), alpha({.dims = {2, 5, 8}}), short_alpha({.dims = {2, 5, 6}});
  const auto ctc = [&](std::vector<int64_t> inputs, std::vector<int64_t> lengths, int64_t blank,
                       const Tensor& alphas) {
    return [=, &y, &targets, &loss, &alphas](uint64_t* s, aclOpExecutor** e) {
      const Lengths a(inputs), b(lengths);
      return aclnnCtcLossGetWorkspaceSize(y.handle(), targets.handle(), a.get(), b.get(), blank,
                                          false, loss.handle(), alphas.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(ctc({5, 6}, {3, 3}, 0, alpha), code, {"inputLengths[1] = 6", "0 to 5"});
  ExpectRefused(ctc({5}, {3, 3}, 0, alpha), code, {"inputLengths has 1 elements", "expected 2"});
  ExpectRefused(ctc({5, 5}, {3, 4}, 0, alpha), code, {"targetLengths[1] = 4", "0 to 3"});
  ExpectRefused(ctc({5, 5}, {3, -1}, 0, alpha), code, {"targetLengths[1] = -1"});
  ExpectRefused(ctc({5, 5}, {3, 3}, 3, alpha), code, {"blank = 3", "0 to 2"});
  ExpectRefused(ctc({5, 5}, {3, 3}, 0, short_alpha), code, {"logAlphaOut", "7 or 8"});
  WriteAs(y, std::vector<double>(30, -1));
  WriteAs(targets, {1, 2, 1, 1, 3, 2});
  const Prepared prepared = Prepare(ctc({5, 5}, {3, 3}, 0, alpha));
  ASSERT_EQ(prepared.code, 0);
  const DeviceBuffer workspace(prepared.workspace_size);
  ASSERT_EQ(aclnnCtcLoss(workspace.data(), prepared.workspace_size, prepared.executor, stream()),
            0);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("target 1 of sequence 1 is 3, expected 0 to 2"),
            std::string::npos);
}

}  // namespace
}  // namespace anyacl::test::ctc
