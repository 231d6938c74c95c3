// SPDX-License-Identifier: Apache-2.0
// Tokens gathered by expert, of a range of experts, copied or quantised on the way. One thread
// sorts what experts were chosen and says where each row goes; all threads write rows.
#include <algorithm>
#include <cmath>

#include "kernels.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/moe/integers.h"
#include "ops/moe/operators.h"
#include "ops/moe/sorted_places.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

using elementwise::Op;

enum class Counts : uint8_t { kEnds, kEach, kPairs };  // as expertTokensNumType has them
enum class Quant : uint8_t { kNone, kStatic, kDynamic };

struct Params {
  TensorView x, expert, scale, offset, expanded, place, counts, row_scale;
  int64_t chosen = 0, per_token = 0;
  int64_t first = 0, last = 0;  // experts first to last - 1 are active
  int64_t capacity = 0;         // rows of an expert; 0: one expert's behind those of another
  Counts counted = Counts::kEnds;
  Quant quant = Quant::kNone;
  bool sources = false;  // place has the token and expert of each row, else the row of each
};

class InitRoutingV3Plan final : public BookedPlan {
 public:
  explicit InitRoutingV3Plan(const Params& params) : p_(params) {
    placed_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    other_ = book_.Book<Placed>(static_cast<size_t>(p_.chosen));
    begins_ = book_.Book<int64_t>(static_cast<size_t>(experts() + 1));
    if (p_.quant == Quant::kNone) return;
    const auto pieces = static_cast<size_t>(std::min(ThreadCount(), rows()) * length());
    numbers_ = book_.Book<float>(pieces);
    factors_ = book_.Book<float>(pieces);
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
  int64_t length() const { return p_.x.sizes[1]; }
  int64_t rows() const { return p_.capacity > 0 ? experts() * p_.capacity : p_.expanded.sizes[0]; }

  void WriteCounts(const Bindings& bindings, const int64_t* begins) const {
    if (!p_.counts.given()) return;
    int64_t next = 0;
    const auto write = [&](int64_t number) {
      StoreElement(p_.counts.Address(bindings) + p_.counts.OffsetOf(next++) * 8, number);
    };
    for (int64_t e = 0; e < experts(); ++e) {
      const int64_t count = begins[e + 1] - begins[e];
      if (p_.counted != Counts::kPairs) {
        write(p_.counted == Counts::kEnds ? begins[e + 1] : count);
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
    ParallelFor(p_.capacity > 0 ? rows() : std::min(rows(), active),
                std::max<int64_t>(1, kWorth / std::max<int64_t>(1, length() * BytesOf(p_.x))),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  for (int64_t i = begin; i < end; ++i) {
                    int64_t from = i;
                    if (p_.capacity > 0) {
                      const int64_t expert = i / p_.capacity;
                      from = begins[expert] + i % p_.capacity;
                      if (from >= begins[expert + 1]) from = -1;
                    }
                    WriteRow(bindings, i, from < 0 ? nullptr : &placed[from], slot);
                  }
                });
  }

  void WriteRow(const Bindings& bindings, int64_t row, const Placed* placed, int64_t slot) const {
    const int columns = p_.expanded.rank - 1;
    char* const to =
        p_.expanded.Address(bindings) + p_.expanded.OffsetOf(row, columns) * BytesOf(p_.expanded);
    float scale = 0;
    if (placed == nullptr) {
      Clear(to);
    } else if (p_.quant == Quant::kNone) {
      const int64_t token = placed->place() / p_.per_token;
      Copy(RowOf(bindings, token), to);
      if (p_.scale.given()) {
        scale = LoadElement<float>(p_.scale.Address(bindings) + token * p_.scale.strides[0] * 4);
      }
    } else {
      scale = Quantize(bindings, *placed, to, numbers_.In(bindings) + slot * length(),
                       factors_.In(bindings) + slot * length());
    }
    if (!p_.row_scale.given()) return;
    StoreElement(p_.row_scale.Address(bindings) + p_.row_scale.OffsetOf(row) * 4, scale);
  }

  const char* RowOf(const Bindings& bindings, int64_t token) const {
    return p_.x.Address(bindings) + token * p_.x.strides[0] * BytesOf(p_.x);
  }
  int64_t step() const { return p_.expanded.strides[p_.expanded.rank - 1]; }

  void Copy(const char* from, char* to) const {
    const int64_t bytes = BytesOf(p_.x);
    if (step() == 1 && p_.x.strides[1] == 1) return CopyRun(to, from, length() * bytes);
    blocks::Copier(bytes)({const_cast<char*>(from), 1, length(), 0, p_.x.strides[1], false},
                          {to, 1, length(), 0, step(), false});
  }
  // Zeros of all types are zero bytes.
  void Clear(char* to) const {
    const int64_t bytes = BytesOf(p_.expanded);
    for (int64_t i = 0; i < length(); ++i) std::fill_n(to + i * step() * bytes, bytes, char{0});
  }

  // Returns the row's scale, if it has one of its own.
  float Quantize(const Bindings& bindings, Placed placed, char* to, float* v,
                 float* factors) const {
    const int64_t n = length();
    if (n == 0) return 0;
    const blocks::Rows numbers(n);
    blocks::LoadRow(p_.x.dtype, RowOf(bindings, placed.place() / p_.per_token), p_.x.strides[1], n,
                    v);
    float scale = 0;
    if (p_.quant == Quant::kStatic) {
      numbers(Op::kMulScalar, v, v, nullptr, nullptr,
              LoadElement<float>(p_.scale.Address(bindings)));
      numbers(Op::kAddScalar, v, v, nullptr, nullptr,
              LoadElement<float>(p_.offset.Address(bindings)));
    } else {
      if (p_.scale.given()) {
        const int64_t expert = p_.scale.sizes[0] == 1 ? 0 : placed.number() - p_.first;
        blocks::LoadRow(ACL_FLOAT, p_.scale.Address(bindings) + expert * p_.scale.strides[0] * 4,
                        p_.scale.strides[1], n, factors);
        numbers(Op::kMul, v, v, factors);
      }
      numbers(Op::kAbs, factors, v);
      scale = Kernels().rowwise.Of(Element::kFp32).softmax.max(factors, n) / 127.0f;
      // Without quotients the row is zeros: of zeros, and of what has no finite scale.
      if (!(scale > 0 && std::isfinite(scale))) {
        Clear(to);
        return scale;
      }
      numbers(Op::kDivScalar, v, v, nullptr, nullptr, scale);
    }
    numbers(Op::kRound, v, v);
    blocks::StoreRow(v, n, ACL_INT8, to, step());
    return scale;
  }

  const Params p_;
  WorkspaceSlot<Placed> placed_, other_;
  WorkspaceSlot<int64_t> begins_;
  WorkspaceSlot<float> numbers_, factors_;
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

Status CheckRange(const Operands& operands, Params* params) {
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
Status CheckPadding(const Operands& operands, const Params& params) {
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

Status CheckScales(const Operands& operands, const Params& params) {
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

Status CheckResults(const Operands& operands, Params* params) {
  const int64_t active = operands.Int(kActiveNum), columns = operands.Size("H");
  const bool pads = operands.Int(kDropPadMode) == 1;
  Dims expanded = {active > 0 ? std::min(active, params->chosen) : params->chosen, columns};
  if (pads) expanded = {params->last, operands.Int(kCapacity), columns};
  if (Status s = CheckShapeIs(operands, kExpandedX, expanded); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kExpandedRow, {params->chosen}); !s.ok()) return s;
  if (operands.Flag(kBeforeFlag)) {
    params->counted = static_cast<Counts>(operands.Int(kCountFlag));
    const Dims counts = params->counted == Counts::kPairs ? Dims{operands.Int(kExpertNum), 2}
                                                          : Dims{params->last - params->first};
    if (Status s = CheckShapeIs(operands, kCounts, counts); !s.ok()) return s;
    params->counts = ViewOf(operands, kCounts);
  }
  const bool scaled = params->quant == Quant::kDynamic ||
                      (params->quant == Quant::kNone && operands.Given(kScales));
  if (!scaled) return {};
  // CANN's document gives it a trailing 1, its callers do not.
  const int64_t rows = pads ? expanded[0] * expanded[1] : expanded[0];
  const Dims& given = operands[kExpandedScale].shape();
  if (given.rank() == 2 && given[1] == 1) {
    if (Status s = CheckShapeIs(operands, kExpandedScale, {rows, 1}); !s.ok()) return s;
  } else if (Status s = CheckShapeIs(operands, kExpandedScale, {rows}); !s.ok()) {
    return s;
  }
  params->row_scale = ViewOf(operands, kExpandedScale);
  return {};
}

}  // namespace

Status PrepareInitRoutingV3(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  // torch_npu passes a tensor without elements for none.
  if (operands[kScales].given() && operands[kScales].IsEmpty()) operands.Drop(kScales);
  Params params;
  params.quant = static_cast<Quant>(operands.Int(kQuantMode) + 1);
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
  params.x = ViewOf(operands, kX);
  params.expert = ViewOf(operands, kExpert);
  params.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  if (operands.Given(kScales)) params.scale = ViewOf(operands, kScales);
  if (operands.Given(kOffset)) params.offset = ViewOf(operands, kOffset);
  call->plan = std::make_shared<InitRoutingV3Plan>(params);
  return {};
}

}  // namespace anyacl::moe
