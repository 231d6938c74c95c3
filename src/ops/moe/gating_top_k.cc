// SPDX-License-Identifier: Apache-2.0
// Which experts a token goes to by softmax or sigmoid and a bias, of its best groups of experts
// alone or from a table. What is chosen by and what the factors are differ by the bias.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "kernels.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/moe/operators.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

constexpr int64_t kMostOfTable = 64;  // experts of a token
constexpr int64_t kSortedTogether = 32;

struct TopKParams {
  TensorView x{}, bias{}, ids{}, table{}, y{}, expert{}, out{};
  int64_t rows = 0, experts = 0, k = 0;
  int64_t groups = 1, chosen_groups = 1;
  bool by_best_two = false;  // a group's score
  bool sigmoid = false;
  bool of_sum = false;  // factors are divided by their sum
  double factor = 1, eps = 0;
};

class GatingTopKPlan final : public BookedPlan {
 public:
  explicit GatingTopKPlan(const TopKParams& params) : p_(params) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), p_.rows));
    norm_ = book_.Book<float>(slots, p_.experts);
    numbers_ = book_.Book<float>(slots, p_.experts);
    bias_ = book_.Book<float>(slots, p_.experts);
    entries_ = book_.Book<uint64_t>(slots, p_.experts);
    groups_ = book_.Book<uint64_t>(slots, p_.groups);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (p_.table.given()) {
      if (Status s = CheckTable(bindings); !s.ok()) return s;
    }
    constexpr int64_t kWorth = 1 << 12;  // elements: 10 us
    ParallelFor(p_.rows, std::max<int64_t>(1, kWorth / p_.experts),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  const int64_t piece = slot * p_.experts;
                  const Scratch scratch = {
                      norm_.In(bindings) + piece, numbers_.In(bindings) + piece,
                      bias_.In(bindings) + piece, entries_.In(bindings) + piece,
                      groups_.In(bindings) + slot * p_.groups};
                  if (p_.bias.given()) {
                    blocks::LoadRow(p_.bias.dtype, p_.bias.Address(bindings), StepOf(p_.bias),
                                    p_.experts, scratch.bias);
                  }
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, scratch);
                });
    return {};
  }

 private:
  // A thread's.
  struct Scratch {
    float* norm;
    float* numbers;
    float* bias;
    uint64_t* entries;
    uint64_t* groups;
  };

  static char* RowAt(const Bindings& bindings, const TensorView& view, int64_t row) {
    return view.Address(bindings) + view.OffsetOf(row, view.rank - 1) * BytesOf(view);
  }
  static int64_t StepOf(const TensorView& view) { return view.strides[view.rank - 1]; }
  static int64_t At(const Bindings& bindings, const TensorView& view, int64_t i) {
    const char* const from = view.Address(bindings) + view.OffsetOf(i) * BytesOf(view);
    return view.dtype == ACL_INT64 ? LoadElement<int64_t>(from) : LoadElement<int32_t>(from);
  }

  // Before anything is written.
  Status CheckTable(const Bindings& bindings) const {
    const int64_t keys = p_.table.sizes[0];
    for (int64_t row = 0; row < p_.rows; ++row) {
      const int64_t key = At(bindings, p_.ids, row);
      if (key < 0 || key >= keys) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "inputIdsOptional[{}] = {}, expected 0 to {}: tid2eidOptional has {} rows", row,
                    key, keys - 1, keys);
      }
      for (int64_t i = 0; i < p_.k; ++i) {
        const int64_t expert = At(bindings, p_.table, key * p_.k + i);
        if (expert >= 0 && expert < p_.experts) continue;
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "tid2eidOptional[{}][{}] = {}, expected 0 to {}",
                    key, i, expert, p_.experts - 1);
      }
    }
    return {};
  }

  // Of numbers into norm. Both ways e^ is that of the softmax, which has the same bits everywhere.
  void Normalise(float* numbers, float* norm) const {
    const auto& kernels = Kernels().rowwise.Of(Element::kFp32).softmax;
    if (p_.sigmoid) {
      for (int64_t i = 0; i < p_.experts; ++i) numbers[i] = -numbers[i];
      kernels.exp_sum(numbers, p_.experts, 0, norm);
      for (int64_t i = 0; i < p_.experts; ++i) norm[i] = 1 / (1 + norm[i]);
      return;
    }
    const float max = kernels.max(numbers, p_.experts);
    // Nothing but minus infinity has no softmax: 0 times infinity.
    const double sum = kernels.exp_sum(numbers, p_.experts, max == -INFINITY ? 0 : max, norm);
    const auto factor = static_cast<float>(1 / sum);
    for (int64_t i = 0; i < p_.experts; ++i) norm[i] *= factor;
  }

  // The largest of a group, or its two largest added up; members is scratch.
  float ScoreOf(const float* numbers, int64_t size, uint64_t* members) const {
    for (int64_t i = 0; i < size; ++i) members[i] = blocks::FallingEntryOf(numbers[i], i);
    if (!p_.by_best_two)
      return numbers[blocks::PlaceOf(*std::min_element(members, members + size))];
    std::partial_sort(members, members + 2, members + size);
    return numbers[blocks::PlaceOf(members[0])] + numbers[blocks::PlaceOf(members[1])];
  }

  void Choose(const float* numbers, uint64_t* entries, uint64_t* groups) const {
    const int64_t size = p_.experts / p_.groups;
    for (int64_t g = 0; g < p_.groups; ++g) {
      groups[g] = p_.chosen_groups == p_.groups
                      ? static_cast<uint64_t>(g)
                      : blocks::FallingEntryOf(ScoreOf(numbers + g * size, size, entries), g);
    }
    if (p_.chosen_groups < p_.groups) blocks::SortFirst(groups, p_.chosen_groups, p_.groups);
    for (int64_t j = 0; j < p_.chosen_groups; ++j) {
      const int64_t first = blocks::PlaceOf(groups[j]) * size;
      for (int64_t i = 0; i < size; ++i) {
        entries[j * size + i] = blocks::FallingEntryOf(numbers[first + i], first + i);
      }
    }
    blocks::SortFirst(entries, p_.k, p_.chosen_groups * size);
  }

  void RunRow(const Bindings& bindings, int64_t row, const Scratch& s) const {
    blocks::LoadRow(p_.x.dtype, RowAt(bindings, p_.x, row), StepOf(p_.x), p_.experts, s.numbers);
    Normalise(s.numbers, s.norm);
    if (p_.out.given()) {
      blocks::StoreRow(s.norm, p_.experts, ACL_FLOAT, RowAt(bindings, p_.out, row), StepOf(p_.out));
    }
    if (p_.table.given()) {
      const int64_t key = At(bindings, p_.ids, row);
      for (int64_t i = 0; i < p_.k; ++i) {
        s.entries[i] = static_cast<uint64_t>(At(bindings, p_.table, key * p_.k + i));
      }
    } else {
      for (int64_t i = 0; i < p_.experts; ++i) {
        s.numbers[i] = p_.bias.given() ? s.norm[i] + s.bias[i] : s.norm[i];
      }
      Choose(s.numbers, s.entries, s.groups);
    }
    Write(bindings, row, s);
  }

  void Write(const Bindings& bindings, int64_t row, const Scratch& s) const {
    double sum = 0;
    for (int64_t i = 0; i < p_.k; ++i) sum += s.norm[blocks::PlaceOf(s.entries[i])];
    const double divisor = p_.of_sum ? sum + p_.eps : 1;
    char* const expert = RowAt(bindings, p_.expert, row);
    for (int64_t i = 0; i < p_.k; ++i) {
      const int64_t number = blocks::PlaceOf(s.entries[i]);
      s.numbers[i] = static_cast<float>(s.norm[number] / divisor * p_.factor);
      StoreElement(expert + i * StepOf(p_.expert) * 4, static_cast<int32_t>(number));
    }
    blocks::StoreRow(s.numbers, p_.k, p_.y.dtype, RowAt(bindings, p_.y, row), StepOf(p_.y));
  }

  const TopKParams p_;
  WorkspaceSlot<float> norm_, numbers_, bias_;
  WorkspaceSlot<uint64_t> entries_, groups_;
};

// Whether experts compete by group.
bool Grouped(const Operands& operands) {
  const int64_t groups = operands.Int(kGroupCount);
  return operands.Int(kGroups) < groups && groups < operands.Size("E");
}

Status CheckGroups(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const int64_t experts = operands.Size("E"), groups = operands.Int(kGroupCount);
  const int64_t chosen = operands.Int(kGroups), mode = operands.Int(kGroupMode);
  if (experts > kMostGated) {
    return Fail(code, "x.shape[1] = {}, expected at most {}", experts, kMostGated);
  }
  if (experts % groups != 0) {
    return Fail(code, "groupCount is {}, expected a divisor of x.shape[1] = {}", groups, experts);
  }
  const int64_t size = experts / groups;
  if (size <= mode) {
    return Fail(code,
                "groupCount is {}, expected groups of more than {} experts as groupSelectMode is "
                "{}: x.shape[1] = {}",
                groups, mode, mode, experts);
  }
  if (chosen > groups) {
    return Fail(code, "kGroup is {}, expected 1 to {}: groupCount", chosen, groups);
  }
  if (operands.Int(kK) > chosen * size) {
    return Fail(code, "k is {}, expected 1 to {}: the experts of kGroup = {} groups",
                operands.Int(kK), chosen * size, chosen);
  }
  const int64_t padded = (size + kSortedTogether - 1) / kSortedTogether * kSortedTogether;
  if (Grouped(operands) && padded * groups > kMostGated) {
    return Fail(code,
                "groupCount is {}, expected at most {}: groups of {} experts count as {} each",
                groups, kMostGated / padded, size, padded);
  }
  return {};
}

Status CheckTableMode(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (operands.Int(kK) > kMostOfTable) {
    return Fail(code, "k is {}, expected 1 to {} with tid2eidOptional", operands.Int(kK),
                kMostOfTable);
  }
  if (!Grouped(operands)) return {};
  return Fail(code,
              "kGroup is {}, expected groupCount = {}, or a groupCount of {}, with tid2eidOptional",
              operands.Int(kGroups), operands.Int(kGroupCount), operands.Size("E"));
}

}  // namespace

Status PrepareGatingTopK(Operands& operands, PreparedCall* call) {
  // A single one of them has no effect, whatever it is.
  const bool second = operands.spec().params.size() == std::size(kGatingTopKV2Params);
  const bool by_table = operands.Given(kIds) && operands.Given(kTable);
  if (second && !by_table) {
    operands.Drop(kIds);
    operands.Drop(kTable);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckGroups(operands); !s.ok()) return s;
  if (by_table) {
    if (Status s = CheckTableMode(operands); !s.ok()) return s;
  }
  if (operands[kX].IsEmpty()) return {};
  TopKParams params = {.x = ViewOf(operands, kX),
                       .y = ViewOf(operands, kY),
                       .expert = ViewOf(operands, kExpert),
                       .rows = operands.Size("N"),
                       .experts = operands.Size("E"),
                       .k = operands.Int(kK),
                       .groups = operands.Int(kGroupCount),
                       .chosen_groups = operands.Int(kGroups),
                       .by_best_two = operands.Int(kGroupMode) == 1,
                       .sigmoid = operands.Int(kNormType) == 1,
                       .of_sum = operands.Int(kNormType) == 1 || operands.Int(kRenorm) == 1,
                       .factor = operands.Real(kFactor),
                       .eps = operands.Real(kEps)};
  if (operands.Given(kBias)) params.bias = ViewOf(operands, kBias);
  if (by_table) {
    params.ids = ViewOf(operands, kIds);
    params.table = ViewOf(operands, kTable);
  }
  if (operands.Flag(kOutputSoftmax)) params.out = ViewOf(operands, kSoftmax);
  call->plan = std::make_shared<GatingTopKPlan>(params);
  return {};
}

}  // namespace anyacl::moe
