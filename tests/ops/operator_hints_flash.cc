// SPDX-License-Identifier: Apache-2.0
// Later versions of FlashAttentionScore and of its gradient: calls of the first ones, which other
// lists have, with what is new.
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

using Hints = std::map<std::string, CallHints>;

// A pse as first versions have it.
CallHints WithPseType(CallHints hints) {
  for (const char* start : {"qStartIdxOptional", "kvStartIdxOptional"}) {
    hints.values[start] = Array({0});
  }
  for (const char* pse : {"realShiftOptional", "pseShiftOptional", "dpseOut"}) {
    hints.alternatives[pse] = 0;
  }
  hints.values["pseType"] = Integer(1);
  hints.own_types = true;
  return hints;
}

// A pse made of slopes, for as many rows as columns.
CallHints WithSlopes(CallHints hints) {
  hints.values["pseType"] = Integer(2);
  for (const char* pse : {"realShiftOptional", "pseShiftOptional", "dpseOut"}) {
    hints.alternatives.erase(pse);
    hints.values[pse] = Shaped({2}, ACL_FLOAT);
  }
  hints.needed = {"realShiftOptional", "pseShiftOptional"};
  hints.sizes["S2"] = hints.sizes["T2"] = {3};
  if (hints.values.count("actualSeqKvLenOptional") != 0) {
    hints.values["actualSeqKvLenOptional"] = Array({3});
  }
  return hints;
}

// Half precision; only gradients have dpse of all scores.
CallHints OfHalves(CallHints hints, std::vector<int64_t> pse) {
  for (const char* name : {"realShiftOptional", "pseShiftOptional", "dpseOut"}) {
    hints.values[name] = Shaped(pse, ACL_FLOAT16);
  }
  return hints;
}

CallHints WithSink(CallHints hints) {
  for (const char* name : {"sinkInOptional", "dsinkOut"}) hints.needed.push_back(name);
  return hints;
}

// Of 16 numbers and ropes of 8.
CallHints WithRopes(CallHints hints, aclDataType type) {
  hints.sizes["Dr"] = {8};
  for (const char* rows : {"query", "dy", "attentionOutOut", "attentionInOptional", "dqOut"}) {
    hints.values[rows] = Shaped({3, 2, 16}, type);
  }
  for (const char* rows : {"key", "keyIn", "value", "dkOut", "dvOut"}) {
    hints.values[rows] = Shaped({5, 2, 16}, type);
  }
  for (const char* rows : {"queryRope", "dqRopeOut"}) hints.values[rows] = Shaped({3, 2, 8}, type);
  for (const char* rows : {"keyRope", "keyInRope", "dkRopeOut"}) {
    hints.values[rows] = Shaped({5, 2, 8}, type);
  }
  for (const char* pse : {"realShiftOptional", "pseShiftOptional", "dpseOut"}) {
    hints.values[pse] = Shaped({0}, type);
  }
  hints.values["dropMaskOptional"] = Shaped({0}, ACL_UINT8);
  for (const char* name :
       {"queryRope", "keyRope", "keyInRope", "dqRopeOut", "dkRopeOut", "attenMaskOptional"}) {
    hints.needed.push_back(name);
  }
  return hints;
}

CallHints WithoutRopes(CallHints hints) {
  for (const char* name : {"queryRope", "keyRope", "keyInRope", "dqRopeOut", "dkRopeOut"}) {
    hints.absent.push_back(name);
  }
  return hints;
}

// Gradients without ropes, whose own are empty tensors of query's type.
CallHints WithEmptyRopes(CallHints hints) {
  hints.absent.insert(hints.absent.end(), {"queryRope", "keyInRope"});
  for (const char* name : {"dqRopeOut", "dkRopeOut"}) {
    hints.values[name] = Shaped({0}, ACL_FLOAT16);
  }
  return hints;
}

CallHints WithSoftmaxLayout(CallHints hints) {
  for (const char* name : {"softmaxOutLayout", "softmaxInLayout"}) {
    hints.values[name] = {.text = "same_as_input"};
  }
  return hints;
}

// A version's call, and the same with an empty padding mask.
void Add(Hints& hints, const std::string& name, const CallHints& call) {
  hints[name] = call;
  CallHints& padded = hints[name + "_with_empty_padding"] = call;
  padded.values["paddingMaskOptional"] = Shaped({0}, ACL_FLOAT);
  padded.values["prefixOptional"] = Array({});
  std::erase(padded.absent, "paddingMaskOptional");
}

void AddPadded(Hints& hints) {
  for (const std::string name : {"FlashAttentionScore", "FlashAttentionScoreGrad"}) {
    const CallHints second = WithPseType(hints[name]);
    Add(hints, name + "V2", second);
    hints[name + "V2_with_slopes"] = WithSlopes(second);
    const bool gradient = name.ends_with("Grad");
    const CallHints third = gradient ? OfHalves(second, {2, 2, 3, 5}) : second;
    Add(hints, name + "V3", WithSink(third));
    hints[name + "V3_with_slopes"] = WithSink(WithSlopes(second));
  }
}

void AddSequences(Hints& hints) {
  for (const std::string name : {"FlashAttentionVarLenScore", "FlashAttentionUnpaddingScoreGrad"}) {
    const CallHints second = WithPseType(hints[name]);
    Add(hints, name + "V2", second);
    hints[name + "V2_with_slopes"] = WithSlopes(second);
    const bool gradient = name.ends_with("Grad");
    Add(hints, name + "V3", WithRopes(second, gradient ? ACL_BF16 : ACL_FLOAT));
    Add(hints, name + "V4", WithSoftmaxLayout(hints[name]));
    const CallHints fifth = WithSink(WithSoftmaxLayout(second));
    Add(hints, name + "V5", WithoutRopes(gradient ? OfHalves(fifth, {1, 2, 5, 5}) : fifth));
    hints[name + "V5_with_slopes"] = WithoutRopes(WithSink(WithSlopes(WithSoftmaxLayout(second))));
    if (gradient)
      hints[name + "V5_with_empty_ropes"] = WithEmptyRopes(OfHalves(fifth, {1, 2, 5, 5}));
    hints[name + "V5_with_ropes"] = WithRopes(fifth, ACL_BF16);
  }
}

}  // namespace

void AddFlashVersions(std::map<std::string, CallHints>& hints) {
  AddPadded(hints);
  AddSequences(hints);
}

}  // namespace anyacl::test
