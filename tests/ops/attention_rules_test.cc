// SPDX-License-Identifier: Apache-2.0
// The rules of FusedInferAttentionScore, one by one: each has a call that breaks it and no other,
// or a call that must pass.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "ops/attention_breaks.h"
#include "ops/fused_infer_attention/op.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::test {
namespace {

namespace fia = fused_infer_attention;

// A line of attention_rules.txt.
struct Listed {
  std::string section;
  std::string kind;
  int code = 0;
};

std::map<std::string, Listed> ReadRules() {
  std::map<std::string, Listed> rules;
  std::ifstream file(ANYACL_ATTENTION_RULES);
  std::string section;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    Listed rule;
    words >> name;
    if (name == "section") {
      section.clear();
      std::getline(words >> std::ws, section);
      continue;
    }
    rule.section = section;
    words >> rule.kind >> rule.code;
    EXPECT_TRUE(rules.emplace(name, rule).second) << name << " stands there twice";
  }
  return rules;
}

// Found while the handles are looked up, before there is anything for a rule to look at.
const std::set<std::string> kOfLists = {"ListsHaveATensor", "ListsHaveAtMost256Tensors"};
const std::set<std::string> kOfHandles = {"RequiredTensorsAreGiven", "ListMembersAreGiven"};

std::vector<Break> AllBreaks() {
  std::vector<Break> all;
  for (auto* section : {TypeBreaks, HeadBreaks, SizeBreaks, ListBreaks, MaskBreaks, LengthBreaks,
                        PagedBreaks, PaddingBreaks, PrefixBreaks, QuantBreaks, CombinedBreaks,
                        SeparateBreaks, SeparateTogetherBreaks, Int4Breaks, OutputBreaks}) {
    for (Break& one : section()) all.push_back(std::move(one));
  }
  return all;
}

// Enough for first phases; what is larger has no memory.
constexpr int64_t kMaxBytes = 1 << 16;

// The rule that answers, by the library's own account; nothing if a handle is null where the table
// of the operator does not allow it.
std::optional<std::string> FailedRule(const AttentionObjects& objects) {
  const AttentionCall& c = objects.call();
  std::string layout = c.layout.value_or("");
  const std::map<int, Argument> values = {{fia::kKey, objects.key_list},
                                          {fia::kValue, objects.value_list},
                                          {fia::kQueryLengths, objects.query_lengths},
                                          {fia::kKvLengths, objects.kv_lengths},
                                          {fia::kPrefixLength, objects.prefix_length},
                                          {fia::kNumHeads, c.num_heads},
                                          {fia::kScaleValue, c.scale},
                                          {fia::kPreTokens, c.pre_tokens},
                                          {fia::kNextTokens, c.next_tokens},
                                          {fia::kInputLayout, c.layout ? layout.c_str() : nullptr},
                                          {fia::kNumKvHeads, c.num_kv_heads},
                                          {fia::kSparseMode, c.sparse_mode},
                                          {fia::kInnerPrecise, c.inner_precise},
                                          {fia::kBlockSize, c.block_size},
                                          {fia::kAntiquantMode, c.antiquant_mode},
                                          {fia::kLseFlag, c.lse_flag},
                                          {fia::kKeyMode, c.key_mode},
                                          {fia::kValueMode, c.value_mode}};
  std::vector<Argument> arguments;
  for (const ParamSpec& row : fia::kParamsV2) {
    const auto value = values.find(row.id);
    arguments.push_back(value != values.end() ? value->second
                                              : objects.Handle(static_cast<size_t>(row.id)));
  }
  Operands operands(fia::kOperators[0], arguments);
  if (!operands.Resolve().ok()) return std::nullopt;
  fia::Problem problem(operands);
  if (fia::Check(problem).ok()) return "passes";
  return problem.failed_rule == nullptr ? "no rule" : problem.failed_rule;
}

class AttentionRulesTest : public DeviceTest {
 protected:
  AttentionCall CallOf(const AttentionOptions& options) {
    return MakeProblem(options, random()).call;
  }
  void ExpectAccepted(const AttentionCall& call) {
    const AttentionObjects objects(call, kMaxBytes);
    const Prepared prepared = Prepare(objects.PhaseOne());
    EXPECT_OK(prepared.code);
    if (prepared.executor == nullptr) return;
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }
};

TEST_F(AttentionRulesTest, EveryRuleIsListedWithItsSectionAndHasACallThatBreaksIt) {
  const std::map<std::string, Listed> listed = ReadRules();
  EXPECT_EQ(listed.size(), 154u);
  std::map<std::string, std::string> rules;
  for (const fia::Rule* rule : fia::AllRules()) {
    EXPECT_TRUE(rules.emplace(rule->name, rule->section).second) << rule->name << " names two";
  }
  for (const auto& [name, section] : rules) {
    ASSERT_EQ(listed.count(name), 1u) << name << " is not listed";
    EXPECT_EQ(listed.at(name).kind, "rule") << name;
    EXPECT_EQ(listed.at(name).section, section) << name;
  }
  std::set<std::string> broken, accepted;
  for (const Break& one : AllBreaks()) broken.insert(one.rule);
  for (const Break& one : AcceptedCalls()) accepted.insert(one.rule);
  for (const auto& [name, rule] : listed) {
    EXPECT_EQ(broken.count(name), rule.kind == "rule" ? 1u : 0u) << name;
    EXPECT_EQ(accepted.count(name), rule.kind == "accepted" ? 1u : 0u) << name;
    if (rule.kind != "rule" || kOfLists.count(name) != 0 || kOfHandles.count(name) != 0) continue;
    EXPECT_EQ(rules.count(name), 1u) << name << " is listed and no rule";
  }
}

TEST_F(AttentionRulesTest, BreakingARuleFailsWithItsCodeAndNamesTheParameter) {
  const std::map<std::string, Listed> listed = ReadRules();
  for (const Break& one : AllBreaks()) {
    AttentionCall call = CallOf(one.options);
    one.change(call);
    SCOPED_TRACE(std::string(one.rule) + " " + NameOf(one.options));
    const AttentionObjects objects(call, kMaxBytes);
    const Prepared prepared = Prepare(objects.PhaseOne());
    const std::string message = TakeMessages();
    EXPECT_EQ(prepared.code, listed.at(one.rule).code) << message;
    EXPECT_EQ(prepared.executor, nullptr);
    EXPECT_EQ(prepared.workspace_size, 0u);
    for (const std::string& word : one.words) {
      EXPECT_TRUE(HasWord(message, word)) << "no '" << word << "' in: " << message;
    }
    const std::optional<std::string> failed = FailedRule(objects);
    if (failed) {
      EXPECT_EQ(*failed, one.rule);
    } else {
      EXPECT_EQ(kOfHandles.count(one.rule), 1u);
    }
    TakeMessages();
  }
}

TEST_F(AttentionRulesTest, TheCallsThatAreBrokenWereRight) {
  // Options that break a rule by themselves.
  const std::set<std::string> by_options = {"SeparateScalesNotWithList",
                                            "QuantOffset2ReachesAllRows", "PromptAntiquantTypes",
                                            "ChannelKeysWithTokenValuesNeedFloat16"};
  for (const Break& one : AllBreaks()) {
    if (by_options.count(one.rule) != 0) continue;
    SCOPED_TRACE(std::string(one.rule) + " " + NameOf(one.options));
    ExpectAccepted(CallOf(one.options));
  }
}

TEST_F(AttentionRulesTest, CallsThatTheDocumentAcceptsPass) {
  for (const Break& one : AcceptedCalls()) {
    SCOPED_TRACE(one.rule);
    AttentionCall call = CallOf(one.options);
    one.change(call);
    ExpectAccepted(call);
  }
}

TEST_F(AttentionRulesTest, FirstPhaseNeedsItsOutParameters) {
  const AttentionObjects objects(CallOf(PromptCall()));
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  TakeMessages();
  ExpectFailure(objects.PhaseOne()(nullptr, &executor), 161001, {"workspaceSize", "null"});
  ExpectFailure(objects.PhaseOne()(&size, nullptr), 161001, {"executor", "null"});
}

TEST_F(AttentionRulesTest, TheSecondPhaseNeedsAnExecutorAndItsWorkspace) {
  TakeMessages();
  ExpectFailure(aclnnFusedInferAttentionScoreV2(nullptr, 0, nullptr, stream()), 161001,
                {"executor", "null"});
  const AttentionObjects objects(CallOf(PromptCall()));
  Prepared prepared = Prepare(objects.PhaseOne());
  ASSERT_OK(prepared.code);
  ASSERT_GT(prepared.workspace_size, 0u);
  ExpectFailure(aclnnFusedInferAttentionScoreV2(nullptr, prepared.workspace_size, prepared.executor,
                                                stream()),
                161001, {"workspace", "null"});
  prepared = Prepare(objects.PhaseOne());
  std::vector<char> small(64);
  ExpectFailure(
      aclnnFusedInferAttentionScoreV2(small.data(), small.size(), prepared.executor, stream()),
      161002, {"workspaceSize", "64"});
}

}  // namespace
}  // namespace anyacl::test
