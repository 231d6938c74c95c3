// SPDX-License-Identifier: Apache-2.0
// Heads turned by the angles that a table has for their tokens' positions. Threads share tokens.
#include <algorithm>
#include <array>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/rotary/head.h"
#include "ops/rotary/operators.h"
#include "runtime/parallel.h"

namespace anyacl::rotary {
namespace {

constexpr size_t kMostSections = 4;

struct WithCacheParams {
  TensorView positions{}, table{}, query{}, key{}, query_out{}, key_out{};
  int64_t head = 0;
  int64_t turned = 0;   // elements of a head
  bool halves = false;  // pairs are half of the turned part apart, else neighbours
  // How many angles follow a row of positions, which may be one alone.
  std::array<int64_t, kMostSections> sections{};
  int64_t section_count = 1;
  // Or each of the first so many angles takes the next of three rows, the others the first one.
  bool interleaved = false;
  int64_t in_turn = 0;
};

class WithCachePlan final : public BookedPlan {
 public:
  explicit WithCachePlan(const WithCacheParams& params)
      : p_(params), tokens_(p_.query.sizes[0]), pairs_(p_.turned / 2) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), tokens_));
    numbers_ = book_.Book<float>(slots, 6 * pairs_);
    const Element element = ElementOf(p_.query.dtype);
    bool alike = element <= Element::kBf16;
    for (const TensorView* view : {&p_.table, &p_.key, &p_.query_out, &p_.key_out, &p_.query}) {
      alike &= view->dtype == p_.query.dtype && (view == &p_.table || view->strides[1] == 1);
    }
    if (!alike) return;
    const auto& kernels = Kernels().elementwise;
    const auto form = static_cast<size_t>(element);
    turn_ = p_.halves ? kernels.turn_halves[form] : kernels.turn_neighbours[form];
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t i = 0; i < p_.section_count * tokens_; ++i) {
      const int64_t position = PositionAt(bindings, i);
      if (position >= 0 && position < p_.table.sizes[0]) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "positions[{}] = {}, expected 0 to {}: cosSinCache has {} rows", i, position,
                  p_.table.sizes[0] - 1, p_.table.sizes[0]);
    }
    constexpr int64_t kWorth = 1 << 13;  // elements: 5 us
    const int64_t each = p_.query.sizes[1] + p_.key.sizes[1] + p_.turned;
    ParallelFor(tokens_, std::max<int64_t>(1, kWorth / each),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * 6 * pairs_;
                  for (int64_t t = begin; t < end; ++t) {
                    LoadAngles(bindings, t, numbers);
                    if (turn_ != nullptr) StoreAngles(numbers);
                    TurnHeads(bindings, p_.query, p_.query_out, t, numbers);
                    TurnHeads(bindings, p_.key, p_.key_out, t, numbers);
                  }
                });
    return {};
  }

 private:
  int64_t PositionAt(const Bindings& bindings, int64_t i) const {
    return LoadElement<int64_t>(p_.positions.Address(bindings) + p_.positions.OffsetOf(i) * 8);
  }

  // Cosines, then sines.
  void LoadAngles(const Bindings& bindings, int64_t token, float* numbers) const {
    if (p_.interleaved) return LoadInTurn(bindings, token, numbers);
    int64_t first = 0;
    for (int64_t m = 0; m < p_.section_count; ++m) {
      const int64_t count = p_.sections[static_cast<size_t>(m)];
      LoadPart(bindings, m, token, first, count, numbers);
      first += count;
    }
  }

  // Angles `first` and on of the position in row `m`, to their places.
  void LoadPart(const Bindings& bindings, int64_t m, int64_t token, int64_t first, int64_t count,
                float* numbers) const {
    const TensorView& table = p_.table;
    const int64_t row = PositionAt(bindings, m * tokens_ + token) * table.strides[0];
    for (int64_t part : {int64_t{0}, pairs_}) {
      const int64_t at = row + (part + first) * table.strides[1];
      blocks::LoadRow(table.dtype, table.Address(bindings) + at * BytesOf(table), table.strides[1],
                      count, numbers + part + first);
    }
  }

  void LoadInTurn(const Bindings& bindings, int64_t token, float* numbers) const {
    LoadPart(bindings, 0, token, 0, pairs_, numbers);
    float* const other = numbers + 2 * pairs_;
    for (int64_t m = 1; m < p_.section_count; ++m) {
      LoadPart(bindings, m, token, 0, p_.in_turn, other);
      for (int64_t i = m; i < p_.in_turn; i += p_.section_count) {
        numbers[i] = other[i];
        numbers[pairs_ + i] = other[pairs_ + i];
      }
    }
  }

  // The angles of all elements of a head, as the elements of the table that they were.
  void StoreAngles(float* numbers) const {
    const int64_t bytes = BytesOf(p_.table);
    const int64_t apart = p_.halves ? pairs_ : 1, step = p_.halves ? 1 : 2;
    for (int64_t part = 0; part < 2; ++part) {
      for (int64_t of_pair = 0; of_pair < 2; ++of_pair) {
        blocks::StoreRow(numbers + part * pairs_, pairs_, p_.table.dtype,
                         AnglesIn(numbers, part) + of_pair * apart * bytes, step);
      }
    }
  }
  char* AnglesIn(float* numbers, int64_t part) const {
    return reinterpret_cast<char*>(numbers + (1 + part) * 2 * pairs_);
  }

  void TurnHeads(const Bindings& bindings, const TensorView& from, const TensorView& to,
                 int64_t token, float* numbers) const {
    if (turn_ != nullptr) {
      const auto row = [&](const TensorView& view) {
        return view.Address(bindings) + token * view.strides[0] * BytesOf(view);
      };
      const int64_t step = p_.head * BytesOf(from);
      turn_({.x = row(from),
             .cos = AnglesIn(numbers, 0),
             .sin = AnglesIn(numbers, 1),
             .out = row(to),
             .x_step = step,
             .cos_step = 0,
             .sin_step = 0,
             .out_step = step,
             .rows = from.sizes[1] / p_.head,
             .length = p_.turned});
    }
    float* const a = numbers + 2 * pairs_;
    float* const b = a + pairs_;
    float* const first = b + pairs_;
    float* const second = first + pairs_;
    const int64_t bytes = BytesOf(from), rest = p_.head - p_.turned;
    const int64_t apart = p_.halves ? pairs_ : 1, step = p_.halves ? 1 : 2;
    const auto at = [&](const TensorView& view, int64_t column) {
      return view.Address(bindings) + (token * view.strides[0] + column * view.strides[1]) * bytes;
    };
    for (int64_t begin = 0; begin < from.sizes[1]; begin += p_.head) {
      if (turn_ == nullptr) {
        const int64_t from_step = step * from.strides[1], to_step = step * to.strides[1];
        blocks::LoadRow(from.dtype, at(from, begin), from_step, pairs_, a);
        blocks::LoadRow(from.dtype, at(from, begin + apart), from_step, pairs_, b);
        Turn(a, b, numbers, numbers + pairs_, pairs_, first, second);
        blocks::StoreRow(first, pairs_, to.dtype, at(to, begin), to_step);
        blocks::StoreRow(second, pairs_, to.dtype, at(to, begin + apart), to_step);
      }
      if (rest == 0) continue;
      const int64_t column = begin + p_.turned;
      blocks::Copier(bytes)({at(from, column), 1, rest, 0, from.strides[1], false},
                            {at(to, column), 1, rest, 0, to.strides[1], false});
    }
  }

  const WithCacheParams p_;
  const int64_t tokens_, pairs_;
  WorkspaceSlot<float> numbers_;
  elementwise::TurnFunction turn_ = nullptr;  // of rows of one type
};

// What CANN refuses with the code of types, before it compares the inputs.
Status CheckMatrices(const Operands& operands) {
  const int code = operands.spec().codes.dtype;
  for (int id : {kQuery, kKey, kCache}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() == 2) continue;
    return Fail(code, "{}.shape = {} has rank {}, expected rank 2", operands.NameOf(id),
                shape.ToString(), shape.rank());
  }
  for (const auto& [out, in] : {std::pair{kOut, kQuery}, std::pair{kKeyOut, kKey}}) {
    if (operands[out].shape() == operands[in].shape()) continue;
    return Fail(code, "{}.shape = {}, expected {} as {}.shape", operands.NameOf(out),
                operands[out].shape().ToString(), operands[in].shape().ToString(),
                operands.NameOf(in));
  }
  return {};
}

Status CheckSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const int64_t head = operands.Int(kHeadSize), turned = operands.Size("R");
  for (int id : {kQuery, kKey}) {
    const int64_t columns = operands[id].shape()[1];
    if (columns % head == 0) continue;
    return Fail(code, "{}.shape[1] = {}, expected a multiple of headSize = {}", operands.NameOf(id),
                columns, head);
  }
  if (turned % 2 != 0 || turned > head || turned == 0) {
    return Fail(code, "cosSinCache.shape[1] = {}, expected an even number up to headSize = {}",
                turned, head);
  }
  return {};
}

Status ReadSections(const Operands& operands, WithCacheParams* params) {
  const int code = operands.spec().codes.shape;
  const std::span<const int64_t> sections = operands.Ints(kSection);
  const Dims& positions = operands[kPositions].shape();
  const int64_t pairs = operands.Size("R") / 2;
  // op-plugin passes an array that it has lost (its default) where there are none.
  if (positions.rank() == 1) {
    params->sections[0] = pairs;
    return {};
  }
  if (sections.size() != 3 && sections.size() != 4) {
    return Fail(code, "mropeSection has size {}, expected 3 or 4: positions.shape = {}",
                sections.size(), positions.ToString());
  }
  if (positions[0] != static_cast<int64_t>(sections.size())) {
    return Fail(code, "positions.shape = {}, expected [{}, {}]: mropeSection has size {}",
                positions.ToString(), sections.size(), operands.Size("T"), sections.size());
  }
  int64_t left = pairs;
  for (size_t i = 0; i < sections.size(); ++i) {
    if (sections[i] < 0 || sections[i] > left) {
      return Fail(code, "mropeSection[{}] = {}, expected 0 to {}: their sum is {}", i, sections[i],
                  left, pairs);
    }
    left -= sections[i];
    params->sections[i] = sections[i];
  }
  if (left != 0) {
    return Fail(code, "the sum of mropeSection is {}, expected {}: cosSinCache.shape[1] / 2",
                pairs - left, pairs);
  }
  params->section_count = static_cast<int64_t>(sections.size());
  if (!operands.HasRow(kInterleaved) || operands.Int(kInterleaved) == 0) return {};
  if (sections.size() != 3) {
    return Fail(code, "mropeSection has size {}, expected 3 as cacheMode is 1", sections.size());
  }
  params->interleaved = true;
  params->in_turn = std::min(pairs, 3 * sections[1]);
  return {};
}

}  // namespace

Status PrepareWithCache(Operands& operands, PreparedCall* call) {
  if (Status s = CheckMatrices(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  WithCacheParams params;
  if (Status s = ReadSections(operands, &params); !s.ok()) return s;
  if (operands.Size("T") == 0) return {};
  params.positions = ViewOf(operands, kPositions);
  params.table = ViewOf(operands, kCache);
  params.query = ViewOf(operands, kQuery);
  params.key = ViewOf(operands, kKey);
  params.query_out = ViewOf(operands, kOut);
  params.key_out = ViewOf(operands, kKeyOut);
  params.head = operands.Int(kHeadSize);
  params.turned = operands.Size("R");
  params.halves = operands.Flag(kNeox);
  call->plan = std::make_shared<WithCachePlan>(params);
  return {};
}

}  // namespace anyacl::rotary
