// SPDX-License-Identifier: Apache-2.0
// The rules of FusedInferAttentionScore against the rows of the operator's validation table: every
// row has a rule and a call that breaks it, or a call that must pass.
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

struct Row {
  std::string kind;
  int code = 0;
};

std::map<std::string, Row> ReadRows() {
  std::map<std::string, Row> rows;
  std::ifstream file(ANYACL_ATTENTION_ROWS);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string id;
    Row row;
    words >> id >> row.kind >> row.code;
    rows[id] = row;
  }
  return rows;
}

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

// The row whose rule answers, by the library's own account; nothing if a handle is null where the
// table of the operator does not allow it.
std::optional<std::string> FailedRow(const AttentionObjects& objects) {
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
  return problem.failed_row == nullptr ? "no row" : problem.failed_row;
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

TEST_F(AttentionRulesTest, EveryRowHasARuleAndACallThatBreaksIt) {
  std::set<std::string> rules, broken, accepted;
  for (const fia::Rule* rule : fia::AllRules()) rules.insert(rule->row);
  // Found while the handles are looked up, before there is anything for a rule to look at.
  rules.insert({"V01", "V02", "V03", "V05"});
  for (const Break& one : AllBreaks()) broken.insert(one.row);
  for (const Break& one : AcceptedCalls()) accepted.insert(one.row);
  const std::map<std::string, Row> rows = ReadRows();
  EXPECT_EQ(rows.size(), 145u);
  for (const auto& [id, row] : rows) {
    if (row.kind == "rule") {
      EXPECT_EQ(broken.count(id), 1u) << id << " is broken by no call";
      // A size of zero breaks the rule on that size.
      EXPECT_TRUE(rules.count(id) == 1 || id == "V173") << id << " has no rule";
    } else if (row.kind == "accepted") {
      EXPECT_EQ(accepted.count(id), 1u) << id << " has no call";
    }
  }
  // Beside the table: sizes and strides that no tensor can have.
  rules.erase("sizes");
  rules.erase("strides");
  for (const std::string& id : rules) EXPECT_EQ(rows.count(id), 1u) << id << " is no row";
}

TEST_F(AttentionRulesTest, BreakingARuleFailsWithItsCodeAndNamesTheParameter) {
  const std::map<std::string, Row> rows = ReadRows();
  for (const Break& one : AllBreaks()) {
    AttentionCall call = CallOf(one.options);
    one.change(call);
    SCOPED_TRACE(std::string(one.row) + " " + NameOf(one.options));
    const AttentionObjects objects(call, kMaxBytes);
    const Prepared prepared = Prepare(objects.PhaseOne());
    const std::string message = TakeMessages();
    EXPECT_EQ(prepared.code, rows.at(one.row).code) << message;
    EXPECT_EQ(prepared.executor, nullptr);
    EXPECT_EQ(prepared.workspace_size, 0u);
    for (const std::string& word : one.words) {
      EXPECT_TRUE(HasWord(message, word)) << "no '" << word << "' in: " << message;
    }
    const std::optional<std::string> failed = FailedRow(objects);
    if (failed) {
      EXPECT_EQ(*failed, one.rule != nullptr ? one.rule : one.row);
    } else {
      EXPECT_EQ(rows.at(one.row).code, 161001);
    }
    TakeMessages();
  }
}

TEST_F(AttentionRulesTest, TheCallsThatAreBrokenWereRight) {
  // Options that break a rule by themselves.
  const std::set<std::string> by_options = {"V58", "V71", "V136", "V145"};
  for (const Break& one : AllBreaks()) {
    if (by_options.count(one.row) != 0) continue;
    SCOPED_TRACE(std::string(one.row) + " " + NameOf(one.options));
    ExpectAccepted(CallOf(one.options));
  }
}

TEST_F(AttentionRulesTest, CallsThatTheTableAcceptsPass) {
  for (const Break& one : AcceptedCalls()) {
    SCOPED_TRACE(one.row);
    AttentionCall call = CallOf(one.options);
    one.change(call);
    ExpectAccepted(call);
  }
}

TEST_F(AttentionRulesTest, TheFirstPhaseNeedsItsOutParameters) {  // V04
  const AttentionObjects objects(CallOf(PromptCall()));
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  TakeMessages();
  ExpectFailure(objects.PhaseOne()(nullptr, &executor), 161001, {"workspaceSize", "null"});
  ExpectFailure(objects.PhaseOne()(&size, nullptr), 161001, {"executor", "null"});
}

TEST_F(AttentionRulesTest, TheSecondPhaseNeedsAnExecutorAndItsWorkspace) {  // V13, V14
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
