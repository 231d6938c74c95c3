// SPDX-License-Identifier: Apache-2.0
// Tokens gathered by expert, of a range of experts, copied or quantised on the way. One thread
// sorts what experts were chosen and says where each row goes; all threads write rows.
#include <algorithm>

#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/moe/operators.h"
#include "ops/moe/routed_rows.h"
#include "ops/moe/sorted_places.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

enum class V3Counts : uint8_t { kEnds, kEach, kPairs };  // as expertTokensNumType has them

struct RoutingV3Params {
  TensorView expert, place, counts;
  RoutedRows rows;
  int64_t chosen = 0, per_token = 0;
  int64_t first = 0, last = 0;  // experts first to last - 1 are active
  int64_t capacity = 0;         // rows of an expert; 0: one expert's behind those of another
  V3Counts counted = V3Counts::kEnds;
  bool sources = false;  // place has the token and expert of each row, else the row of each
};

class InitRoutingV3Plan final : public BookedPlan {
 public:
  explicit InitRoutingV3Plan(const RoutingV3Params& params) : p_(params), rows_(params.rows) {
    placed_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    other_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    begins_ = book_.Book<int64_t>(static_cast<size_t>(experts() + 1));
    rows_.Book(book_, rows());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Placed* const placed = placed_.In(bindings);
    // Experts before the range go behind all others, as those behind it do by themselves.
    for (int64_t i = 0; i < p_.chosen; ++i) {
      const int32_t expert = IntegerAt(bindings, p_.expert, i);
      placed[i] = Placed::Of(expert < p_.first ? INT32_MAX : expert, i);
    }
    SortPlaced(placed, other_.In(bindings), p_.chosen);
    int64_t* const begins = begins_.In(bindings);
    int64_t at = 0;
    for (int64_t e = 0; e <= experts(); ++e) {
      while (at < p_.chosen && placed[at].number() < p_.first + e) ++at;
      begins[e] = at;
    }
    WriteCounts(bindings, begins);
    WritePlaces(bindings, placed, begins);
    WriteRows(bindings, placed, begins);
    return {};
  }

 private:
  int64_t experts() const { return p_.last - p_.first; }
  int64_t rows() const {
    return p_.capacity > 0 ? experts() * p_.capacity : rows_.expanded.sizes[0];
  }

  void WriteCounts(const Bindings& bindings, const int64_t* begins) const {
    if (!p_.counts.given()) return;
    int64_t next = 0;
    const auto write = [&](int64_t number) {
      StoreElement(p_.counts.Address(bindings) + p_.counts.OffsetOf(next++) * 8, number);
    };
    for (int64_t e = 0; e < experts(); ++e) {
      const int64_t count = begins[e + 1] - begins[e];
      if (p_.counted != V3Counts::kPairs) {
        write(p_.counted == V3Counts::kEnds ? begins[e + 1] : count);
      } else if (count > 0) {
        write(p_.first + e);
        write(count);
      }
    }
    // A pair of zeros ends the pairs.
    while (next < p_.counts.elements()) write(0);
  }

  void WritePlaces(const Bindings& bindings, const Placed* placed, const int64_t* begins) const {
    const int64_t active = begins[experts()];
    for (int64_t i = 0; i < p_.chosen; ++i) {
      if (p_.sources) {
        WriteInteger(bindings, p_.place, i, placed[i].place());
        continue;
      }
      int64_t to = i < active ? i : -1;
      if (p_.capacity > 0 && i < active) {
        const int64_t expert = placed[i].number(), rank = i - begins[expert];
        to = rank < p_.capacity ? expert * p_.capacity + rank : -1;
      }
      WriteInteger(bindings, p_.place, placed[i].place(), to);
    }
  }

  // Rows that no token goes to are zeros if experts are padded; else they are not written.
  void WriteRows(const Bindings& bindings, const Placed* placed, const int64_t* begins) const {
    const int64_t active = begins[experts()];
    constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
    ParallelFor(
        p_.capacity > 0 ? rows() : std::min(rows(), active),
        std::max<int64_t>(1, kWorth / std::max<int64_t>(1, rows_.length() * BytesOf(rows_.x))),
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
            rows_.Write(bindings, i, placed[from].place() / p_.per_token,
                        placed[from].number() - p_.first, slot);
          }
        });
  }

  const RoutingV3Params p_;
  WorkspaceSlot<Placed> placed_, other_;
  RoutedRows rows_;
  WorkspaceSlot<int64_t> begins_;
};

Status CheckTypes(const Operands& operands) {
  const aclDataType x = operands[kX].dtype(), expanded = operands[kExpandedX].dtype();
  const bool quantizes = operands.Int(kQuantMode) >= 0;
  if (quantizes && x == ACL_INT8) {
    return Fail(operands.spec().codes.dtype,
                "x.dtype = INT8, expected FLOAT16, BF16 or FLOAT: quantMode is {}",
                operands.Int(kQuantMode));
  }
  const aclDataType expected = quantizes ? ACL_INT8 : x;
  if (expanded == expected) return {};
  return Fail(operands.spec().codes.dtype, "expandedXOut.dtype = {}, expected {}: quantMode is {}",
              NameOf(expanded), NameOf(expected), operands.Int(kQuantMode));
}

Status CheckRange(const Operands& operands, RoutingV3Params* params) {
  const std::span<const int64_t> range = operands.Ints(kActiveRange);
  const int code = operands.spec().codes.shape;
  const int64_t experts = operands.Int(kExpertNum);
  params->last = experts;
  if (range.empty()) return {};
  if (range.size() != 2) {
    return Fail(code, "activeExpertRangeOptional has {} numbers, expected 2", range.size());
  }
  params->first = range[0];
  params->last = range[1];
  if (range[0] < 0 || range[0] >= range[1] || range[1] > experts) {
    return Fail(code,
                "activeExpertRangeOptional = [{}, {}], expected a range that is not empty within "
                "[0, {}]",
                range[0], range[1], experts);
  }
  return {};
}

// An expert's rows are padded in one form only.
Status CheckPadding(const Operands& operands, const RoutingV3Params& params) {
  if (operands.Int(kDropPadMode) == 0) return {};
  const int code = operands.spec().codes.shape;
  const int64_t capacity = operands.Int(kCapacity), tokens = operands.Size("N");
  if (capacity < 1 || capacity > tokens) {
    return Fail(code, "expertCapacity is {}, expected 1 to {}: x.shape = {}", capacity, tokens,
                operands[kX].shape().ToString());
  }
  if (capacity > INT32_MAX / params.last) {
    return Fail(code, "expertNum * expertCapacity = {} * {}, expected at most {}", params.last,
                capacity, INT32_MAX);
  }
  if (operands.Int(kRowIndexType) != 0) {
    return Fail(code, "rowIdxType is 1, expected 0 as dropPadMode is 1");
  }
  if (params.first != 0 || params.last != operands.Int(kExpertNum)) {
    return Fail(code, "activeExpertRangeOptional = [{}, {}], expected [0, {}] as dropPadMode is 1",
                params.first, params.last, operands.Int(kExpertNum));
  }
  if (operands.Flag(kBeforeFlag) && operands.Int(kCountFlag) != 1) {
    return Fail(code, "expertTokensNumType is {}, expected 1 as dropPadMode is 1",
                operands.Int(kCountFlag));
  }
  return {};
}

Status CheckScales(const Operands& operands, const RoutingV3Params& params) {
  const int64_t mode = operands.Int(kQuantMode);
  for (int id : {kScales, kOffset}) {
    if (mode != 0 || operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is null, expected a tensor as quantMode is 0",
                operands.NameOf(id));
  }
  if (!operands.Given(kScales)) return {};
  const Dims& scale = operands[kScales].shape();
  if (mode < 0) return CheckShapeIs(operands, kScales, {operands.Size("N")});
  if (mode == 0) return CheckShapeIs(operands, kScales, {1});
  if (scale.rank() == 2 && scale[0] == 1 && scale[1] == operands.Size("H")) return {};
  return CheckShapeIs(operands, kScales, {params.last - params.first, operands.Size("H")});
}

Status CheckResults(const Operands& operands, RoutingV3Params* params) {
  const int64_t active = operands.Int(kActiveNum), columns = operands.Size("H");
  const bool pads = operands.Int(kDropPadMode) == 1;
  Dims expanded = {active > 0 ? std::min(active, params->chosen) : params->chosen, columns};
  if (pads) expanded = {params->last, operands.Int(kCapacity), columns};
  if (Status s = CheckShapeIs(operands, kExpandedX, expanded); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kExpandedRow, {params->chosen}); !s.ok()) return s;
  if (operands.Flag(kBeforeFlag)) {
    params->counted = static_cast<V3Counts>(operands.Int(kCountFlag));
    const Dims counts = params->counted == V3Counts::kPairs ? Dims{operands.Int(kExpertNum), 2}
                                                            : Dims{params->last - params->first};
    if (Status s = CheckShapeIs(operands, kCounts, counts); !s.ok()) return s;
    params->counts = ViewOf(operands, kCounts);
  }
  const bool scaled = params->rows.quant == Quant::kDynamic ||
                      (params->rows.quant == Quant::kNone && operands.Given(kScales));
  if (!scaled) return {};
  // CANN's document gives it a trailing 1, its callers do not.
  const int64_t rows = pads ? expanded[0] * expanded[1] : expanded[0];
  const Dims& given = operands[kExpandedScale].shape();
  if (given.rank() == 2 && given[1] == 1) {
    if (Status s = CheckShapeIs(operands, kExpandedScale, {rows, 1}); !s.ok()) return s;
  } else if (Status s = CheckShapeIs(operands, kExpandedScale, {rows}); !s.ok()) {
    return s;
  }
  params->rows.row_scale = ViewOf(operands, kExpandedScale);
  return {};
}

}  // namespace

Status PrepareInitRoutingV3(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  // torch_npu passes a tensor without elements for none.
  if (operands[kScales].given() && operands[kScales].IsEmpty()) operands.Drop(kScales);
  RoutingV3Params params;
  params.rows.quant = static_cast<Quant>(operands.Int(kQuantMode) + 1);
  params.sources = operands.Int(kRowIndexType) == 1;
  const Dims& expert = operands[kExpert].shape();
  if (expert[0] != 0 && expert[1] > INT32_MAX / expert[0]) {
    return Fail(operands.spec().codes.shape, "the size of expertIdx = {} * {}, expected at most {}",
                expert[0], expert[1], INT32_MAX);
  }
  params.chosen = expert[0] * expert[1];
  params.per_token = expert[1];
  if (Status s = CheckRange(operands, &params); !s.ok()) return s;
  if (Status s = CheckPadding(operands, params); !s.ok()) return s;
  if (Status s = CheckScales(operands, params); !s.ok()) return s;
  if (Status s = CheckResults(operands, &params); !s.ok()) return s;
  if (operands.Int(kDropPadMode) == 1) params.capacity = operands.Int(kCapacity);
  params.rows.x = ViewOf(operands, kX);
  params.expert = ViewOf(operands, kExpert);
  params.rows.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  if (operands.Given(kScales)) params.rows.scale = ViewOf(operands, kScales);
  if (operands.Given(kOffset)) params.rows.offset = ViewOf(operands, kOffset);
  call->plan = std::make_shared<InitRoutingV3Plan>(params);
  return {};
}

}  // namespace anyacl::moe
