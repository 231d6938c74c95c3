// SPDX-License-Identifier: Apache-2.0
// DynamicRNN, DynamicRNNV2, DynamicGRUV2 and their gradients against formulas and differences.
#include "reference/recurrent.h"

#include <cmath>

#include "node.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;
using Sizes = std::vector<int64_t>;

struct Case {
  LayerSizes sizes = {4, 3, 5, 6};
  aclDataType type = ACL_FLOAT;
  bool second = false;  // DynamicRNNV2: two weights
  const char* order = "ifjo";
  LayerOptions options = {.columns = {0, 2, 1, 3}};
  bool mask = false;  // lengths as a mask instead of numbers
  bool states = true;
};

double ToleranceOf(aclDataType type) { return type == ACL_FLOAT ? 2e-6 : 4e-3; }

class RecurrentTest : public NodeTest {
 protected:
  LayerInputs Inputs(const Case& c, size_t gates) {
    const LayerSizes& s = c.sizes;
    const auto numbers = [&](size_t count) { return Numbers(static_cast<int64_t>(count), c.type); };
    LayerInputs in;
    in.x = numbers(s.steps * s.batch * s.inputs);
    in.weight = numbers(s.inputs * gates * s.hidden);
    in.hidden_weight = numbers(s.hidden * gates * s.hidden);
    in.bias = numbers(gates * s.hidden);
    in.hidden_bias = numbers(gates * s.hidden);
    in.h = numbers(s.batch * s.hidden);
    in.c = numbers(s.batch * s.hidden);
    return in;
  }

  static int64_t I(size_t size) { return static_cast<int64_t>(size); }
  static Sizes Steps(const Case& c, size_t last) {
    return {I(c.sizes.steps), I(c.sizes.batch), I(last)};
  }
  static Sizes States(const Case& c) { return {I(c.sizes.batch), I(c.sizes.hidden)}; }
  static Values Joined(const LayerInputs& in) {
    Values all = in.weight;
    all.insert(all.end(), in.hidden_weight.begin(), in.hidden_weight.end());
    return all;
  }

  // As INT32 numbers, or as factors of the data's type.
  static void AddLengths(Node& node, const Case& c) {
    if (c.options.lengths.empty()) {
      node.In({}, {0}, c.type);
      return;
    }
    if (!c.mask) {
      node.In({I(c.sizes.batch)}, Values(c.options.lengths.begin(), c.options.lengths.end()),
              ACL_INT32);
      return;
    }
    Values mask;
    for (size_t t = 0; t < c.sizes.steps; ++t) {
      for (size_t b = 0; b < c.sizes.batch; ++b) {
        mask.insert(mask.end(), c.sizes.hidden, I(t) < c.options.lengths[b] ? 1 : 0);
      }
    }
    node.In(Steps(c, c.sizes.hidden), mask, ACL_FLOAT16);
  }

  // d loss / d values, where loss() depends on them.
  template <class Loss>
  static Values Differences(Values& values, const Loss& loss) {
    Values gradient;
    for (double& value : values) {
      const double old = value, step = 1e-5;
      value = old + step;
      const double above = loss();
      value = old - step;
      gradient.push_back((above - loss()) / (2 * step));
      value = old;
    }
    return gradient;
  }
  static double Dot(const Values& a, const Values& b) {
    double sum = 0;
    for (size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  // The state behind the step that is taken last.
  static Values Final(const Case& c, const Values& states) {
    const size_t count = c.sizes.batch * c.sizes.hidden;
    const size_t begin = c.options.backwards ? 0 : states.size() - count;
    return {states.begin() + static_cast<int64_t>(begin),
            states.begin() + static_cast<int64_t>(begin + count)};
  }

  void ExpectLstm(const Case& c) {
    const LayerSizes& s = c.sizes;
    LayerInputs in = Inputs(c, 4);
    if (!c.states) in.h = in.c = Values(in.h.size(), 0);
    const LstmOutputs expected = LstmReference(s, in, c.options);
    const int64_t gates = 4 * I(s.hidden);
    Node node(c.second ? "DynamicRNNV2" : "DynamicRNN");
    node.In(Steps(c, s.inputs), in.x, c.type);
    if (c.second) {
      node.In({I(s.inputs), gates}, in.weight, c.type);
      node.In({I(s.hidden), gates}, in.hidden_weight, c.type);
    } else {
      node.In({I(s.inputs + s.hidden), gates}, Joined(in), c.type);
    }
    node.In({gates}, in.bias, c.type);
    if (c.options.lengths.empty()) {
      node.Absent();
    } else {
      AddLengths(node, c);
    }
    if (c.states) node.In({1, I(s.batch), I(s.hidden)}, in.h, c.type).In(States(c), in.c, c.type);
    for (int i = 0; i < 8; ++i) node.Out(Steps(c, s.hidden), c.type);
    node.Text("cell_type", "LSTM").Text("gate_order", c.order).Bool("is_training", true);
    node.Text("direction", c.options.backwards ? "REDIRECTIONAL" : "UNIDIRECTIONAL");
    node.Real("forget_bias", static_cast<float>(c.options.forget_bias)).Real("cell_clip", -1);
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    const Values* all[] = {&expected.y, &expected.h, &expected.c, &expected.i,
                           &expected.j, &expected.f, &expected.o, &expected.tanh_c};
    for (size_t i = 0; i < 8; ++i) {
      ExpectNear(node.Result(i, stream()), *all[i], ToleranceOf(c.type),
                 "output " + std::to_string(i));
    }
    if (c.options.forget_bias == 0) ExpectLstmGradient(c, in, expected);
  }

  void ExpectLstmGradient(const Case& c, LayerInputs in, const LstmOutputs& out) {
    const LayerSizes& s = c.sizes;
    const auto numbers = [&](size_t n) { return Numbers(static_cast<int64_t>(n), c.type); };
    const Values dy = numbers(out.y.size()), dh = numbers(in.h.size()), dc = numbers(in.c.size());
    const auto loss = [&] {
      const LstmOutputs o = LstmReference(s, in, c.options);
      return Dot(o.y, dy) + Dot(Final(c, o.h), dh) + Dot(Final(c, o.c), dc);
    };
    const int64_t gates = 4 * I(s.hidden);
    const Sizes steps = Steps(c, s.hidden), states = States(c);
    Node node(c.second ? "DynamicRNNV2Grad" : "DynamicRNNGrad");
    node.In(Steps(c, s.inputs), in.x, c.type);
    if (c.second) {
      node.In({I(s.inputs), gates}, in.weight, c.type);
      node.In({I(s.hidden), gates}, in.hidden_weight, c.type);
    } else {
      node.In({I(s.inputs + s.hidden), gates}, Joined(in), c.type);
      node.In({gates}, in.bias, c.type);
    }
    node.In(steps, out.y, c.type).In(states, in.h, c.type).In(states, in.c, c.type);
    node.In(steps, out.h, c.type).In(steps, out.c, c.type).In(steps, dy, c.type);
    node.In(states, dh, c.type).In(states, dc, c.type).In(steps, out.i, c.type);
    node.In(steps, out.j, c.type).In(steps, out.f, c.type).In(steps, out.o, c.type);
    node.In(steps, out.tanh_c, c.type);
    AddLengths(node, c);
    // What torch_npu passes for tensors that it does not have.
    if (!c.second) node.In({}, {0}, ACL_UINT8);
    for (int i = 0; i < 3; ++i) node.In({}, {0}, c.type);
    if (c.second) node.In({}, {0}, ACL_UINT8);
    std::vector<Values> expected;
    if (c.second) {
      node.Out({I(s.inputs), gates}, c.type).Out({I(s.hidden), gates}, c.type);
      expected = {Differences(in.weight, loss), Differences(in.hidden_weight, loss)};
    } else {
      node.Out({I(s.inputs + s.hidden), gates}, c.type);
      expected = {Differences(in.weight, loss)};
      const Values hidden = Differences(in.hidden_weight, loss);
      expected[0].insert(expected[0].end(), hidden.begin(), hidden.end());
    }
    node.Out({gates}, c.type).Out(Steps(c, s.inputs), c.type);
    node.Out(states, c.type).Out(states, c.type);
    for (Values* values : {&in.bias, &in.x, &in.h, &in.c}) {
      expected.push_back(Differences(*values, loss));
    }
    node.Int("cell_depth", 0).Real("keep_prob", -1).Text("gate_order", c.order);
    if (!c.second) node.Bool("cell_type", true);  // as torch_npu has it
    node.Text("direction", c.options.backwards ? "REDIRECTIONAL" : "UNIDIRECTIONAL");
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    for (size_t i = 0; i < expected.size(); ++i) {
      ExpectNear(node.Result(i, stream()), expected[i], 10 * ToleranceOf(c.type),
                 "gradient " + std::to_string(i));
    }
  }

  void ExpectGru(const Case& c) {
    const LayerSizes& s = c.sizes;
    LayerInputs in = Inputs(c, 3);
    const GruOutputs out = GruReference(s, in, c.options);
    const int64_t gates = 3 * I(s.hidden);
    const Sizes steps = Steps(c, s.hidden), states = States(c);
    Node node("DynamicGRUV2");
    node.In(Steps(c, s.inputs), in.x, c.type).In({I(s.inputs), gates}, in.weight, c.type);
    node.In({I(s.hidden), gates}, in.hidden_weight, c.type).In({gates}, in.bias, c.type);
    node.In({gates}, in.hidden_bias, c.type);
    AddLengths(node, c);
    node.In(states, in.h, c.type);
    for (int i = 0; i < 6; ++i) node.Out(steps, c.type);
    node.Text("gate_order", c.order).Bool("reset_after", true).Text("activation", "tanh");
    node.Text("direction", c.options.backwards ? "REDIRECTIONAL" : "UNIDIRECTIONAL");
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    const Values* all[] = {&out.y, &out.h, &out.update, &out.reset, &out.fresh, &out.hidden_fresh};
    for (size_t i = 0; i < 6; ++i) {
      ExpectNear(node.Result(i, stream()), *all[i], ToleranceOf(c.type),
                 "output " + std::to_string(i));
    }
    ExpectGruGradient(c, in, out);
  }

  void ExpectGruGradient(const Case& c, LayerInputs in, const GruOutputs& out) {
    const LayerSizes& s = c.sizes;
    const int64_t gates = 3 * I(s.hidden);
    const Sizes steps = Steps(c, s.hidden), states = States(c);
    const Values dy = Numbers(I(out.y.size()), c.type), dh = Numbers(I(in.h.size()), c.type);
    const auto loss = [&] {
      const GruOutputs o = GruReference(s, in, c.options);
      return Dot(o.y, dy) + Dot(Final(c, o.h), dh);
    };
    Node node("DynamicGRUV2Grad");
    node.In(Steps(c, s.inputs), in.x, c.type).In({I(s.inputs), gates}, in.weight, c.type);
    node.In({I(s.hidden), gates}, in.hidden_weight, c.type).In(steps, out.y, c.type);
    node.In(states, in.h, c.type).In(steps, out.h, c.type).In(steps, dy, c.type);
    node.In(states, dh, c.type).In(steps, out.update, c.type).In(steps, out.reset, c.type);
    node.In(steps, out.fresh, c.type).In(steps, out.hidden_fresh, c.type);
    AddLengths(node, c);
    node.In({}, {0}, ACL_UINT8);
    node.Out({I(s.inputs), gates}, c.type).Out({I(s.hidden), gates}, c.type);
    node.Out({gates}, c.type).Out({gates}, c.type).Out(Steps(c, s.inputs), c.type);
    node.Out(states, c.type);
    node.Text("gate_order", c.order).Text("bias_type", "no_bias").Bool("reset_after", true);
    node.Text("direction", c.options.backwards ? "REDIRECTIONAL" : "UNIDIRECTIONAL");
    ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
    size_t index = 0;
    for (Values* values :
         {&in.weight, &in.hidden_weight, &in.bias, &in.hidden_bias, &in.x, &in.h}) {
      ExpectNear(node.Result(index, stream()), Differences(*values, loss), 10 * ToleranceOf(c.type),
                 "gradient " + std::to_string(index));
      ++index;
    }
  }
};

TEST_F(RecurrentTest, LstmAndItsGradient) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (bool second : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " second " << second);
      ExpectLstm({.type = type, .second = second});
      ExpectLstm({.type = type,
                  .second = second,
                  .order = "ijfo",
                  .options = {.columns = {0, 1, 2, 3}, .backwards = true}});
    }
  }
  ExpectLstm({.sizes = {1, 1, 1, 1}, .second = true});
  ExpectLstm({.sizes = {2, 70, 3, 17}});
}

TEST_F(RecurrentTest, EmptyBatch) {
  for (bool second : {false, true}) {
    ExpectLstm({.sizes = {3, 0, 5, 6}, .second = second});
    ExpectLstm({.sizes = {1, 0, 5, 6},
                .second = second,
                .options = {.columns = {0, 2, 1, 3}, .backwards = true}});
  }
  ExpectGru({.sizes = {3, 0, 5, 6}, .order = "zrh", .options = {.columns = {1, 0, 2}}});
}

TEST_F(RecurrentTest, LstmWithoutStatesAndWithAForgetBias) {
  ExpectLstm({.options = {.columns = {0, 2, 1, 3}, .forget_bias = 1.5}, .states = false});
}

TEST_F(RecurrentTest, StepsBehindASequencesEndPassItsStateOn) {
  for (bool mask : {false, true}) {
    for (bool backwards : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "mask " << mask << " backwards " << backwards);
      ExpectLstm(
          {.options = {.columns = {0, 2, 1, 3}, .backwards = backwards, .lengths = {4, 2, 1}},
           .mask = mask});
      ExpectGru({.order = "rzh",
                 .options = {.columns = {0, 1, 2}, .backwards = backwards, .lengths = {3, 4, 0}},
                 .mask = mask});
    }
  }
}

TEST_F(RecurrentTest, GruAndItsGradient) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    SCOPED_TRACE(type);
    ExpectGru({.type = type, .order = "rzh", .options = {.columns = {0, 1, 2}}});
    ExpectGru({.type = type, .order = "zrh", .options = {.columns = {1, 0, 2}, .backwards = true}});
  }
  ExpectGru({.sizes = {2, 70, 3, 17}, .order = "rzh", .options = {.columns = {0, 1, 2}}});
}

TEST_F(RecurrentTest, WhatIsNotOfferedSaysSo) {
  const auto lstm = [&](const Sizes& weight, auto change,
                        std::initializer_list<const char*> words) {
    Node node("DynamicRNN");
    node.In({2, 1, 3}).In(weight).In({8}).Absent().In({1, 2}).In({1, 2});
    change(node);
    for (int i = 0; i < 8; ++i) node.Out({2, 1, 2});
    EXPECT_EQ(node.Run(stream()), ACL_ERROR_INVALID_PARAM);
    const std::string message = aclGetRecentErrMsg();
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  };
  const auto nothing = [](Node&) {};
  lstm({4, 8}, nothing, {"w.shape[0] = 4", "3 + 2"});
  lstm({5, 6}, nothing, {"shape[0] = 8", "6"});
  lstm({5, 8}, [](Node& n) { n.Text("direction", "BIDIRECTIONAL"); },
       {"direction = \"BIDIRECTIONAL\"", "UNIDIRECTIONAL", "REDIRECTIONAL"});
  lstm({5, 8}, [](Node& n) { n.Text("activation", "clip"); }, {"activation", "\"tanh\""});
  lstm({5, 8}, [](Node& n) { n.Text("gate_order", "oifj"); }, {"gate_order", "ijfo"});
  lstm({5, 8}, [](Node& n) { n.Bool("use_peephole", true); }, {"use_peephole"});
  lstm({5, 8}, [](Node& n) { n.Real("cell_clip", 3); }, {"cell_clip"});
  lstm({5, 8}, [](Node& n) { n.Int("num_proj", 3); }, {"num_proj"});
  lstm({5, 8}, [](Node& n) { n.Bool("time_major", false); }, {"time_major"});
  lstm({5, 8}, [](Node& n) { n.In({2}); }, {"wci.shape = [2]", "not offered"});
}

}  // namespace
}  // namespace anyacl::test
