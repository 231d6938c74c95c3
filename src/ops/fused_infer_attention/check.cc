// SPDX-License-Identifier: Apache-2.0
// Tests the rules in order and fills in the sizes that later rules need.
#include "attention/plan.h"
#include "ops/fused_infer_attention/op.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

void ReadLayout(Problem& p) { ParseLayout(p.args.layout, &p.layout); }

void ReadQuery(Problem& p) {
  const Dims& query = p.at(kQuery).shape();
  p.batch = query[0];
  p.query_size = query[static_cast<size_t>(SizeDim(p.layout))];
  p.one_token = p.query_size == 1;
}

void ReadHeads(Problem& p) {
  p.heads = p.args.num_heads;
  p.kv_heads = p.args.num_kv_heads == 0 ? p.heads : p.args.num_kv_heads;
  const int64_t row = p.at(kQuery).shape().back();
  p.dim = p.layout == Layout::kBsh ? row / p.heads : row;
  p.paged = p.Given(kBlockTable);
  p.listed =
      !p.paged && p.key.size() > 1 && p.key[0].shape().rank() > 0 && p.key[0].shape()[0] != p.batch;
}

void ReadKvSize(Problem& p) {
  if (p.paged) return;
  const auto dim = static_cast<size_t>(SizeDim(p.layout));
  for (size_t i = 0; i < (p.listed ? p.key.size() : 1); ++i) {
    p.kv_size = std::max(p.kv_size, p.key[i].shape()[dim]);
  }
}

void ReadLengths(Problem& p) {
  const int64_t count = p.LengthCount();
  for (int64_t b = 0; b < count; ++b) p.max_kv_length = std::max(p.max_kv_length, p.KvLength(b));
  if (!p.paged) return;
  p.max_blocks = CeilDiv(p.max_kv_length, p.args.block_size);
}

void ReadPrefix(Problem& p) {
  if (p.paged) p.kv_size = p.max_blocks * p.args.block_size;
  if (!p.HasPrefix()) return;
  p.prefix_size = p.at(kKeyPrefix).shape()[static_cast<size_t>(SizeDim(p.layout))];
  p.prefix = p.prefix_lengths ? (*p.prefix_lengths)[0] : p.prefix_size;
}

struct Stage {
  const std::span<const Rule>* rules;
  void (*read)(Problem&);
};

constexpr Stage kStages[] = {
    {&kTypeRules, nullptr},       {&kLayoutRules, ReadLayout}, {&kRankRules, ReadQuery},
    {&kQueryRules, nullptr},      {&kHeadRules, ReadHeads},    {&kGroupRules, nullptr},
    {&kListRules, ReadKvSize},    {&kKvSizeRules, nullptr},    {&kPagedRules, nullptr},
    {&kLengthRules, ReadLengths}, {&kPrefixRules, nullptr},    {&kPaddingRules, ReadPrefix},
    {&kQuantRules, nullptr},      {&kAntiquantRules, nullptr}, {&kMaskRules, nullptr},
    {&kWindowRules, nullptr},     {&kOutputRules, nullptr},
};

bool Applies(const Rule& rule, const Problem& p) {
  return rule.branch == Branch::kBoth || (rule.branch == Branch::kOneToken) == p.one_token;
}

// Nothing to compute: the rest is not looked at.
bool IsDone(const Problem& p, const Stage& stage) {
  if (stage.rules == &kLayoutRules) return p.at(kQuery).IsEmpty();
  return stage.rules == &kRankRules && p.at(kAttentionOut).IsEmpty();
}

}  // namespace

Status Check(Problem& problem) {
  if (Status s = CheckLists(problem); !s.ok()) return s;
  for (const Stage& stage : kStages) {
    for (const Rule& rule : *stage.rules) {
      if (!Applies(rule, problem)) continue;
      if (Status s = rule.check(problem); !s.ok()) {
        problem.failed_rule = rule.name;
        return s;
      }
    }
    if (IsDone(problem, stage)) return {};
    if (stage.read != nullptr) stage.read(problem);
  }
  return {};
}

Status Prepare(Operands& operands, PreparedCall* call) {
  Problem problem(operands);
  if (Status s = Check(problem); !s.ok()) return s;
  if (HasWork(problem)) call->plan = attention::MakePlan(Normalize(problem));
  return {};
}

std::vector<const Rule*> AllRules() {
  std::vector<const Rule*> rules;
  for (const Stage& stage : kStages) {
    for (const Rule& rule : *stage.rules) rules.push_back(&rule);
  }
  return rules;
}

}  // namespace anyacl::fused_infer_attention
