// SPDX-License-Identifier: Apache-2.0
// Tokens gathered by expert. One thread sorts what experts were chosen and says where each row
// goes; all threads copy rows.
#include <algorithm>

#include "kernels.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/moe/integers.h"
#include "ops/moe/operators.h"
#include "ops/moe/sorted_places.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

// What is written of the numbers of tokens that experts have.
enum class Counts : uint8_t { kNone, kEnds, kEach };

struct Params {
  TensorView x, row, expert, expanded, place, sorted_expert, counts;
  int64_t chosen;        // tokens times experts of a token
  int64_t per_token;     // its experts
  int64_t experts = 0;   // if they are counted, else 0
  int64_t capacity = 0;  // rows of an expert; 0: one expert's behind those of another
  Counts counted = Counts::kNone;
};

class InitRoutingPlan final : public BookedPlan {
 public:
  explicit InitRoutingPlan(const Params& params) : p_(params) {
    placed_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    other_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    begins_ = book_.Book<int64_t>(static_cast<size_t>(p_.experts + 1));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Placed* const placed = placed_.In(bindings);
    if (Status s = Load(bindings, placed); !s.ok()) return s;
    SortPlaced(placed, other_.In(bindings), p_.chosen);
    if (p_.experts > 0) Count(placed, begins_.In(bindings));
    WriteCounts(bindings);
    WritePlaces(bindings, placed);
    CopyRows(bindings, placed);
    return {};
  }

 private:
  // A token and one of its experts go by a number: where rowIdx has one, by that. What the client's
  // data names must be there.
  Status Load(const Bindings& bindings, Placed* placed) const {
    for (int64_t i = 0; i < p_.chosen; ++i) {
      const int32_t expert = IntegerAt(bindings, p_.expert, i);
      if (p_.experts > 0 && (expert < 0 || expert >= p_.experts)) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expertIdx[{}, {}] = {}, expected 0 to {}",
                    i / p_.per_token, i % p_.per_token, expert, p_.experts - 1);
      }
      const int64_t source = p_.row.given() ? IntegerAt(bindings, p_.row, i) : i;
      if (source < 0 || source >= p_.chosen) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "rowIdx[{}, {}] = {}, expected 0 to {}",
                    i / p_.per_token, i % p_.per_token, source, p_.chosen - 1);
      }
      placed[i] = Placed::Of(expert, source);
    }
    return {};
  }

  // Where the rows of each expert begin among the sorted ones, and where the last ones end.
  void Count(const Placed* placed, int64_t* begins) const {
    int64_t at = 0;
    for (int64_t e = 0; e <= p_.experts; ++e) {
      while (at < p_.chosen && placed[at].number() < e) ++at;
      begins[e] = at;
    }
  }

  void WriteCounts(const Bindings& bindings) const {
    const int64_t* const begins = begins_.In(bindings);
    for (int64_t e = 0; e < p_.experts && p_.counted != Counts::kNone; ++e) {
      WriteInteger(bindings, p_.counts, e,
                   begins[e + 1] - (p_.counted == Counts::kEnds ? 0 : begins[e]));
    }
  }

  // In order, so that of equal numbers in rowIdx the last one counts.
  void WritePlaces(const Bindings& bindings, const Placed* placed) const {
    const int64_t* const begins = begins_.In(bindings);
    for (int64_t i = 0; i < p_.chosen; ++i) {
      int64_t to = i;
      if (p_.capacity > 0) {
        const int64_t expert = placed[i].number(), rank = i - begins[expert];
        to = rank < p_.capacity ? expert * p_.capacity + rank : -1;
      }
      WriteInteger(bindings, p_.place, placed[i].place(), to);
      if (p_.sorted_expert.given()) {
        WriteInteger(bindings, p_.sorted_expert, i, placed[i].number());
      }
    }
  }

  int64_t TokenOf(Placed placed) const {
    const int64_t source = placed.place();
    return p_.row.given() ? source % p_.x.sizes[0] : source / p_.per_token;
  }

  void CopyRows(const Bindings& bindings, const Placed* placed) const {
    const int64_t* const begins = begins_.In(bindings);
    const int columns = p_.expanded.rank - 1;
    const int64_t bytes = BytesOf(p_.x), length = p_.x.sizes[1];
    if (length == 0) return;
    const int64_t rows = p_.expanded.elements() / length;
    constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
    ParallelFor(rows, std::max<int64_t>(1, kWorth / (length * bytes)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    char* const to =
                        p_.expanded.Address(bindings) + p_.expanded.OffsetOf(i, columns) * bytes;
                    int64_t from = i;
                    if (p_.capacity > 0) {
                      const int64_t expert = i / p_.capacity;
                      from = begins[expert] + i % p_.capacity;
                      if (from >= begins[expert + 1]) {
                        Clear(to);
                        continue;
                      }
                    }
                    Copy(bindings, TokenOf(placed[from]), to);
                  }
                });
  }

  int64_t step() const { return p_.expanded.strides[p_.expanded.rank - 1]; }

  void Copy(const Bindings& bindings, int64_t token, char* to) const {
    const int64_t bytes = BytesOf(p_.x), length = p_.x.sizes[1];
    char* const from = p_.x.Address(bindings) + token * p_.x.strides[0] * bytes;
    if (step() == 1 && p_.x.strides[1] == 1) return CopyRun(to, from, length * bytes);
    blocks::Copier(bytes)({from, 1, length, 0, p_.x.strides[1], false},
                          {to, 1, length, 0, step(), false});
  }
  // Zeros of the three types are zero bytes.
  void Clear(char* to) const {
    const int64_t bytes = BytesOf(p_.x), length = p_.x.sizes[1];
    if (step() == 1) {
      std::fill_n(to, length * bytes, char{0});
      return;
    }
    for (int64_t i = 0; i < length; ++i) std::fill_n(to + i * step() * bytes, bytes, char{0});
  }

  const Params p_;
  WorkspaceSlot<Placed> placed_, other_;
  WorkspaceSlot<int64_t> begins_;
};

// Places are INT32.
Status CheckPlaces(const Operands& operands, const char* what, int64_t a, int64_t b) {
  if (a == 0 || b <= INT32_MAX / a) return {};
  return Fail(operands.spec().codes.shape, "{} = {} * {}, expected at most {}", what, a, b,
              INT32_MAX);
}

Status CheckChosen(const Operands& operands, Params* params) {
  const Dims& expert = operands[kExpert].shape();
  if (Status s = CheckPlaces(operands, "the size of expertIdx", expert[0], expert[1]); !s.ok()) {
    return s;
  }
  params->chosen = expert[0] * expert[1];
  params->per_token = expert[1];
  return {};
}

Status CheckAttributes(const Operands& operands) {
  const int64_t experts = operands.Int(kExpertNum), tokens = operands.Size("N");
  const int code = operands.spec().codes.shape;
  const bool pads = operands.Int(kDropPadMode) == 1;
  if (experts == 0 && (pads || operands.Int(kCountFlag) > 0)) {
    return Fail(code, "{} is 0, expected at least 1 as {} is {}", operands.NameOf(kExpertNum),
                operands.NameOf(pads ? kDropPadMode : kCountFlag),
                pads ? 1 : operands.Int(kCountFlag));
  }
  if (!pads) return {};
  const int64_t capacity = operands.Int(kCapacity);
  // Without tokens no capacity would do: what experts have is zeros.
  if (capacity < 1 || (tokens > 0 && capacity > tokens)) {
    return Fail(code, "{} is {}, expected 1 to {}: x.shape = {}", operands.NameOf(kCapacity),
                capacity, tokens, operands[kX].shape().ToString());
  }
  return CheckPlaces(operands, "expertNum * expertCapacity", experts, capacity);
}

// The tensor of counts that the call asks for, if any.
Status CheckCounts(const Operands& operands, Params* params) {
  const bool pads = operands.Int(kDropPadMode) == 1;
  const bool asked = pads ? operands.Flag(kBeforeFlag) : operands.Int(kCountFlag) > 0;
  if (!asked) return {};
  const int id = pads ? kBefore : kCounts;
  if (!operands.Given(id)) {
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} asks for it",
                operands.NameOf(id), operands.NameOf(pads ? kBeforeFlag : kCountFlag));
  }
  if (Status s = CheckShapeIs(operands, id, {operands.Int(kExpertNum)}); !s.ok()) return s;
  params->counts = ViewOf(operands, id);
  params->counted = !pads && operands.Int(kCountFlag) == 1 ? Counts::kEnds : Counts::kEach;
  return {};
}

}  // namespace

Status PrepareInitRouting(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = CheckChosen(operands, &params); !s.ok()) return s;
  const int64_t active = std::min(operands.Size("N"), operands.Int(kActiveNum));
  const Dims expanded = {active * params.per_token, operands.Size("H")};
  if (Status s = CheckShapeIs(operands, kExpandedX, expanded); !s.ok()) return s;
  for (int id : {kExpandedRow, kExpandedExpert}) {
    if (Status s = CheckShapeIs(operands, id, {params.chosen}); !s.ok()) return s;
  }
  if (params.chosen == 0) return {};
  params.x = ViewOf(operands, kX);
  params.row = ViewOf(operands, kRow);
  params.expert = ViewOf(operands, kExpert);
  params.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  params.sorted_expert = ViewOf(operands, kExpandedExpert);
  call->plan = std::make_shared<InitRoutingPlan>(params);
  return {};
}

Status PrepareInitRoutingV2(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = CheckChosen(operands, &params); !s.ok()) return s;
  if (Status s = CheckAttributes(operands); !s.ok()) return s;
  const bool pads = operands.Int(kDropPadMode) == 1;
  const int64_t active = operands.Int(kActiveNum), columns = operands.Size("H");
  Dims expanded = {active > 0 ? std::min(active, params.chosen) : params.chosen, columns};
  if (pads) expanded = {operands.Int(kExpertNum), operands.Int(kCapacity), columns};
  if (Status s = CheckShapeIs(operands, kExpandedX, expanded); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kExpandedRow, {params.chosen}); !s.ok()) return s;
  if (Status s = CheckCounts(operands, &params); !s.ok()) return s;
  if (pads) params.capacity = operands.Int(kCapacity);
  if (pads || params.counts.given()) params.experts = operands.Int(kExpertNum);
  if (params.chosen == 0 && params.experts == 0) return {};
  params.x = ViewOf(operands, kX);
  params.expert = ViewOf(operands, kExpert);
  params.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  call->plan = std::make_shared<InitRoutingPlan>(params);
  return {};
}

}  // namespace anyacl::moe
