// SPDX-License-Identifier: Apache-2.0
// Tests the rules in order and fills in the sizes that later rules need.
#include "attention/plan.h"
#include "base/division.h"
#include "ops/fused_infer_attention/op.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

void ReadLayout(Problem& p) {
  ParseLayout(p.args.layout, p.version, &p.layout, &p.out_layout);
  p.extended = IsExtended(p);
}

void ReadQuery(Problem& p) {
  const Dims& query = p.at(kQuery).shape();
  p.batch = query[0];
  p.query_size = query[static_cast<size_t>(SizeDim(p.layout))];
  p.one_token = p.query_size == 1 && p.form != Form::kPrompt;
}

Status CheckForm(const Problem& p) {
  if (p.form != Form::kIncre || p.one_token) return {};
  return Fail(kConstraint, "query.shape = {}, expected 1 row, not {}",
              p.at(kQuery).shape().ToString(), p.query_size);
}

void ReadHeads(Problem& p) {
  p.heads = p.args.num_heads;
  p.kv_heads = p.args.num_kv_heads == 0 ? p.heads : p.args.num_kv_heads;
  const int64_t row = p.at(kQuery).shape().back();
  p.dim = p.value_dim = p.layout == Layout::kBsh ? row / p.heads : row;
  p.paged = p.Given(kBlockTable);
  p.listed =
      !p.paged && p.key.size() > 1 && p.key[0].shape().rank() > 0 && p.key[0].shape()[0] != p.batch;
}

// From sums to lengths, and where each begins; returns the longest.
int64_t SplitSums(std::shared_ptr<const IntArray>& sums, std::vector<int64_t>& starts) {
  auto lengths = std::make_shared<IntArray>();
  int64_t last = 0, longest = 0;
  for (const int64_t sum : *sums) {
    starts.push_back(last);
    lengths->push_back(sum - last);
    longest = std::max(longest, sum - last);
    last = sum;
  }
  sums = std::move(lengths);
  return longest;
}

void ReadExtendedQuery(Problem& p) {
  const Dims& query = p.at(kQuery).shape();
  p.query_size = p.total_rows = query[static_cast<size_t>(SizeDim(p.layout))];
  if (!p.Ragged()) {
    p.batch = query[static_cast<size_t>(AxesOf(p.layout).batch)];
    return;
  }
  p.batch = static_cast<int64_t>(p.query_lengths->size());
  p.query_size = SplitSums(p.query_lengths, p.query_starts);
  if (p.Given(kBlockTable)) return;
  p.kv_size = SplitSums(p.kv_lengths, p.kv_starts);
}

// D of values: rows hold all heads in BSH and in pages of rank 3.
void ReadExtendedHeads(Problem& p) {
  ReadHeads(p);
  const Dims& value = p.at(kValue).shape();
  const bool rows = value.rank() == 3 && (p.paged || p.layout == Layout::kBsh);
  p.value_dim = rows                ? value[2] / std::max<int64_t>(1, p.kv_heads)
                : value.rank() == 5 ? value[2] * value[4]
                                    : value.back();
}

void ReadExtendedCache(Problem& p) {
  if (p.paged || p.Ragged()) return;
  p.kv_size = p.at(kKey).shape()[static_cast<size_t>(SizeDim(p.layout))];
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
  p.max_blocks = CeilDivide(p.max_kv_length, p.args.block_size);
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

// Of extended calls, from the layout on.
constexpr Stage kExtendedStages[] = {
    {&kExtendedFeatureRules, nullptr},  {&kExtendedRankRules, ReadExtendedQuery},
    {&kHeadRules, ReadExtendedHeads},   {&kGroupCountRules, nullptr},
    {&kExtendedSizeRules, nullptr},     {&kExtendedCacheRules, ReadExtendedCache},
    {&kExtendedQuantRules, nullptr},    {&kLengthRules, ReadLengths},
    {&kExtendedTableRules, ReadPrefix}, {&kExtendedMaskRules, nullptr},
    {&kFullMaskRules, nullptr},         {&kWindowRules, nullptr},
    {&kExtendedOutputRules, nullptr},
};

bool Applies(const Rule& rule, const Problem& p) {
  return rule.branch == Branch::kBoth || (rule.branch == Branch::kOneToken) == p.one_token;
}

// Nothing to compute: the rest is not looked at.
bool IsDone(const Problem& p, const Stage& stage) {
  if (stage.rules == &kLayoutRules) return p.at(kQuery).IsEmpty();
  return stage.rules == &kRankRules && p.at(kAttentionOut).IsEmpty();
}

Status RunRules(Problem& problem, std::span<const Rule> rules) {
  for (const Rule& rule : rules) {
    if (!Applies(rule, problem)) continue;
    if (Status s = rule.check(problem); !s.ok()) {
      problem.failed_rule = rule.name;
      return s;
    }
  }
  return {};
}

Status CheckExtended(Problem& problem) {
  for (const Stage& stage : kExtendedStages) {
    if (Status s = RunRules(problem, *stage.rules); !s.ok()) return s;
    if (stage.read != nullptr) stage.read(problem);
  }
  return {};
}

// What the other calls may have, in the arrays that tell lengths.
uint64_t WorkspaceOfMost(const Problem& p, attention::Params params) {
  params.query_lengths = params.kv_lengths = nullptr;
  const int64_t columns = p.paged      ? p.at(kBlockTable).shape()[1] * p.args.block_size
                          : p.Ragged() ? p.at(kKey).shape()[static_cast<size_t>(SizeDim(p.layout))]
                                       : p.kv_size;
  return attention::MostWorkspace(params, p.Ragged() ? p.total_rows : p.query_size, columns);
}

}  // namespace

Status Check(Problem& problem) {
  if (Status s = CheckLists(problem); !s.ok()) return s;
  if (problem.version > 2) {
    if (Status s = RunRules(problem, kVersionRules); !s.ok()) return s;
  }
  for (const Stage& stage : kStages) {
    if (Status s = RunRules(problem, *stage.rules); !s.ok()) return s;
    if (IsDone(problem, stage)) return {};
    if (stage.read != nullptr) stage.read(problem);
    if (problem.extended) return CheckExtended(problem);
    if (stage.read != ReadQuery) continue;
    if (Status s = CheckForm(problem); !s.ok()) return s;
  }
  return {};
}

template <Form kForm>
Status PrepareForm(Operands& operands, PreparedCall* call) {
  Problem problem(operands, kForm);
  if (Status s = Check(problem); !s.ok()) return s;
  if (HasWork(problem)) call->plan = attention::MakePlan(Normalize(problem));
  return {};
}

Status Prepare(Operands& operands, PreparedCall* call) {
  return PrepareForm<Form::kFused>(operands, call);
}
Status PreparePrompt(Operands& operands, PreparedCall* call) {
  return PrepareForm<Form::kPrompt>(operands, call);
}
Status PrepareIncre(Operands& operands, PreparedCall* call) {
  return PrepareForm<Form::kIncre>(operands, call);
}

Status PrepareMost(Operands& operands, PreparedCall* call) {
  Problem problem(operands);
  if (Status s = Check(problem); !s.ok()) return s;
  if (!HasWork(problem)) return {};
  const attention::Params params = Normalize(problem);
  call->workspace_size = WorkspaceOfMost(problem, params);
  call->plan = attention::MakePlan(params);
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
