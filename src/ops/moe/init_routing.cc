// SPDX-License-Identifier: Apache-2.0
// Tokens gathered by expert, copied or quantised on the way. One thread sorts what experts were
// chosen and says where each row goes; all threads write rows.
#include <algorithm>

#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/moe/operators.h"
#include "ops/moe/routed_rows.h"
#include "ops/moe/sorted_places.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

// What is written of the numbers of tokens that experts have.
enum class Counts : uint8_t { kNone, kEnds, kEach };

struct RoutingParams {
  TensorView row, expert, place, sorted_expert, counts;
  RoutedRows rows;
  int64_t chosen;        // tokens times experts of a token
  int64_t per_token;     // its experts
  int64_t experts = 0;   // if they are counted, else 0
  int64_t capacity = 0;  // rows of an expert; 0: one expert's behind those of another
  Counts counted = Counts::kNone;
};

class InitRoutingPlan final : public BookedPlan {
 public:
  explicit InitRoutingPlan(const RoutingParams& params) : p_(params), rows_(params.rows) {
    placed_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    other_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    begins_ = book_.Book<int64_t>(static_cast<size_t>(p_.experts + 1));
    rows_.Book(book_, rows());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Placed* const placed = placed_.In(bindings);
    if (Status s = Load(bindings, placed); !s.ok()) return s;
    SortPlaced(placed, other_.In(bindings), p_.chosen);
    if (p_.experts > 0) Count(placed, begins_.In(bindings));
    WriteCounts(bindings);
    WritePlaces(bindings, placed);
    WriteRows(bindings, placed);
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
    return p_.row.given() ? source % rows_.x.sizes[0] : source / p_.per_token;
  }
  int64_t rows() const {
    int64_t count = 1;
    for (int i = 0; i < rows_.expanded.rank - 1; ++i) count *= rows_.expanded.sizes[i];
    return count;
  }

  void WriteRows(const Bindings& bindings, const Placed* placed) const {
    const int64_t* const begins = begins_.In(bindings);
    constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
    const int64_t bytes = std::max<int64_t>(1, rows_.length() * BytesOf(rows_.x));
    ParallelFor(rows(), std::max<int64_t>(1, kWorth / bytes),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  for (int64_t i = begin; i < end; ++i) {
                    int64_t from = i;
                    if (p_.capacity > 0) {
                      const int64_t expert = i / p_.capacity;
                      from = begins[expert] + i % p_.capacity;
                      if (from >= begins[expert + 1]) {
                        rows_.Write(bindings, i, -1, 0, slot);
                        continue;
                      }
                    }
                    rows_.Write(bindings, i, TokenOf(placed[from]), placed[from].number(), slot);
                  }
                });
  }

  const RoutingParams p_;
  RoutedRows rows_;
  WorkspaceSlot<Placed> placed_, other_;
  WorkspaceSlot<int64_t> begins_;
};

// Places are INT32.
Status CheckPlaces(const Operands& operands, const char* what, int64_t a, int64_t b) {
  if (a == 0 || b <= INT32_MAX / a) return {};
  return Fail(operands.spec().codes.shape, "{} = {} * {}, expected at most {}", what, a, b,
              INT32_MAX);
}

Status CheckChosen(const Operands& operands, RoutingParams* params) {
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
  if (experts > INT32_MAX) {  // expertIdx is INT32
    return Fail(code, "{} is {}, expected at most {}", operands.NameOf(kExpertNum), experts,
                INT32_MAX);
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
Status CheckCounts(const Operands& operands, RoutingParams* params) {
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

// Static: both numbers; dynamic: one row of scales, one for each expert, or none.
Status CheckRoutingScales(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const bool pads = operands.Int(kDropPadMode) == 1, dynamic = operands.Int(kQuantMode) == 1;
  const bool int4 = operands[kExpandedX].dtype() == ACL_INT4;
  if (int4 && (!dynamic || pads)) {
    return Fail(code, "{} is {}, expected {} as expandedXOut is INT4",
                operands.NameOf(pads ? kDropPadMode : kQuantMode), pads ? 1 : 0, pads ? 0 : 1);
  }
  const int64_t columns = operands.Size("H");
  if (int4 && columns % 2 != 0) {
    return Fail(code, "x.shape[1] = {}, expected an even number as expandedXOut is INT4", columns);
  }
  if (!dynamic) {
    for (int id : {kScales, kOffset}) {
      if (!operands.Given(id)) {
        return Fail(code, "{} is null, expected a tensor as quantMode is 0", operands.NameOf(id));
      }
      if (Status s = CheckShapeIs(operands, id, {1}); !s.ok()) return s;
    }
    return {};
  }
  if (!operands.Given(kScales)) return {};
  const Dims& scale = operands[kScales].shape();
  if (int4 || (scale.rank() == 2 && scale[0] == 1)) {
    return CheckShapeIs(operands, kScales, {1, columns});
  }
  return CheckShapeIs(operands, kScales, {operands.Int(kExpertNum), columns});
}

// The document has a code of its own for the types of what is optional.
Status CheckOptionalTypes(const Operands& operands) {
  for (int id : {kScales, kOffset, kCounts, kBefore, kExpandedScale}) {
    const Operand& operand = operands[id];
    if (!operand.given() || operand.spec->dtypes.Contains(operand.dtype())) continue;
    return Fail(operands.spec().codes.shape, "{}.dtype = {}, expected {}", operand.Name(),
                NameOf(operand.dtype()), operand.spec->dtypes.ToString());
  }
  return {};
}

Status CheckRowScale(const Operands& operands, const Dims& expanded, RoutedRows* rows) {
  if (rows->quant != Quant::kDynamic) return {};
  if (!operands.Given(kExpandedScale)) {
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor as quantMode is 1",
                operands.NameOf(kExpandedScale));
  }
  const int64_t count = expanded.rank() == 3 ? expanded[0] * expanded[1] : expanded[0];
  if (Status s = CheckShapeIs(operands, kExpandedScale, {count}); !s.ok()) return s;
  rows->row_scale = ViewOf(operands, kExpandedScale);
  return {};
}

// `rows` say how rows are quantised, if they are.
Status PrepareByRows(Operands& operands, const RoutedRows& rows, PreparedCall* call) {
  RoutingParams params;
  params.rows = rows;
  if (Status s = CheckChosen(operands, &params); !s.ok()) return s;
  const int64_t active = std::min(operands.Size("N"), operands.Int(kActiveNum));
  const Dims expanded = {active * params.per_token, operands.Size("H")};
  if (Status s = CheckShapeIs(operands, kExpandedX, expanded); !s.ok()) return s;
  for (int id : {kExpandedRow, kExpandedExpert}) {
    if (Status s = CheckShapeIs(operands, id, {params.chosen}); !s.ok()) return s;
  }
  if (params.chosen == 0) return {};
  params.rows.x = ViewOf(operands, kX);
  params.row = ViewOf(operands, kRow);
  params.expert = ViewOf(operands, kExpert);
  params.rows.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  params.sorted_expert = ViewOf(operands, kExpandedExpert);
  call->plan = std::make_shared<InitRoutingPlan>(params);
  return {};
}

Status PrepareByCapacity(Operands& operands, const RoutedRows& rows, PreparedCall* call) {
  RoutingParams params;
  params.rows = rows;
  if (Status s = CheckChosen(operands, &params); !s.ok()) return s;
  if (Status s = CheckAttributes(operands); !s.ok()) return s;
  const bool pads = operands.Int(kDropPadMode) == 1;
  const int64_t active = operands.Int(kActiveNum), columns = operands.Size("H");
  Dims expanded = {active > 0 ? std::min(active, params.chosen) : params.chosen, columns};
  if (pads) expanded = {operands.Int(kExpertNum), operands.Int(kCapacity), columns};
  if (Status s = CheckShapeIs(operands, kExpandedX, expanded); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kExpandedRow, {params.chosen}); !s.ok()) return s;
  if (Status s = CheckCounts(operands, &params); !s.ok()) return s;
  if (Status s = CheckRowScale(operands, expanded, &params.rows); !s.ok()) return s;
  if (pads) params.capacity = operands.Int(kCapacity);
  // A row of scales for each expert is looked up by it.
  const bool looked_up = params.rows.scale.rank == 2 && params.rows.scale.sizes[0] != 1;
  if (pads || params.counts.given() || looked_up) params.experts = operands.Int(kExpertNum);
  if (params.chosen == 0 && params.experts == 0) return {};
  params.rows.x = ViewOf(operands, kX);
  params.expert = ViewOf(operands, kExpert);
  params.rows.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  call->plan = std::make_shared<InitRoutingPlan>(params);
  return {};
}

}  // namespace

Status PrepareInitRouting(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return PrepareByRows(operands, {}, call);
}

Status PrepareInitRoutingQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  RoutedRows rows;
  rows.quant = Quant::kStatic;
  rows.factor = static_cast<float>(operands.Real(kScales));
  rows.summand = static_cast<float>(operands.Real(kOffset));
  return PrepareByRows(operands, rows, call);
}

Status PrepareInitRoutingV2(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return PrepareByCapacity(operands, {}, call);
}

Status PrepareInitRoutingQuantV2(Operands& operands, PreparedCall* call) {
  if (Status s = CheckOptionalTypes(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  for (int id : {kScales, kOffset}) {  // one without elements stands for none
    if (operands.Given(id) && operands[id].IsEmpty()) operands.Drop(id);
  }
  if (Status s = CheckRoutingScales(operands); !s.ok()) return s;
  RoutedRows rows;
  rows.quant = operands.Int(kQuantMode) == 1 ? Quant::kDynamic : Quant::kStatic;
  if (operands.Given(kScales)) rows.scale = ViewOf(operands, kScales);
  if (operands.Given(kOffset)) rows.offset = ViewOf(operands, kOffset);
  return PrepareByCapacity(operands, rows, call);
}

}  // namespace anyacl::moe
