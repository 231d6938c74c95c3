// SPDX-License-Identifier: Apache-2.0
// The next step of sequences whose tokens were chosen: tokens, positions, lengths and slots of the
// cache, in place. Positions are checked before anything is written. There are as many numbers as
// sequences: one thread does it.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/view.h"
#include "ops/sampling/operators.h"

namespace anyacl::sampling {
namespace {

struct AdvanceParams {
  TensorView tokens{}, sampled{}, positions{}, lengths{}, slots{}, tables{};
  TensorView speculated{}, accepted{};  // with speculation
  int64_t sequences = 0, queries = 0, block_size = 0;
};

// Element i in row-major order.
int64_t At(const TensorView& view, const Bindings& bindings, int64_t i) {
  return LoadElement<int64_t>(view.Address(bindings) + view.OffsetOf(i) * 8);
}
void Set(const TensorView& view, const Bindings& bindings, int64_t i, int64_t value) {
  StoreElement(view.Address(bindings) + view.OffsetOf(i) * 8, value);
}
// Whatever numbers a client brings, sums wrap around.
int64_t Sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t Product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

class AdvancePlan : public Plan {
 public:
  explicit AdvancePlan(const AdvanceParams& params) : p_(params) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t i = 0; i < p_.queries; ++i) {
      if (Status s = CheckPosition("seqLens", i, At(p_.lengths, bindings, i)); !s.ok()) return s;
    }
    // Of what lies behind the queries a device's first core clears an element of each round of its
    // 40 cores, and no other core any.
    constexpr int64_t kCores = 40;
    for (int64_t i = p_.queries; i < p_.sequences; i += kCores) {
      Set(p_.tokens, bindings, i, 0);
      Set(p_.positions, bindings, i, 0);
      Set(p_.slots, bindings, i, -1);
    }
    for (int64_t i = 0; i < p_.queries; ++i) {
      const int64_t position = At(p_.lengths, bindings, i);
      Set(p_.tokens, bindings, i, At(p_.sampled, bindings, i));
      Set(p_.positions, bindings, i, position);
      Set(p_.lengths, bindings, i, Sum(position, 1));
      const int64_t block = At(p_.tables, bindings, position / p_.block_size);
      SetSlot(bindings, i, Sum(block, p_.tables.sizes[1] * i), position);
    }
    return {};
  }

 protected:
  Status CheckPosition(const char* name, int64_t i, int64_t position) const {
    const int64_t columns = p_.tables.sizes[1];
    if (position >= 0 && position / p_.block_size < columns) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "{}[{}] gives the position {}, expected 0 or more in {} blocks of {}", name, i,
                position, columns, p_.block_size);
  }
  void SetSlot(const Bindings& bindings, int64_t i, int64_t block, int64_t position) const {
    Set(p_.slots, bindings, i, Sum(Product(block, p_.block_size), position % p_.block_size));
  }

  const AdvanceParams p_;
};

class AdvanceSpeculatedPlan final : public AdvancePlan {
 public:
  using AdvancePlan::AdvancePlan;

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t places = p_.sampled.sizes[1], columns = p_.tables.sizes[1];
    for (int64_t i = 0; i < p_.sequences * places; ++i) {
      const int64_t position = Next(bindings, i, places);
      if (Status s = CheckPosition("inputPositions", i, position); !s.ok()) return s;
    }
    for (int64_t i = 0; i < p_.sequences * places; ++i) {
      const int64_t position = Next(bindings, i, places), sequence = i / places;
      Set(p_.positions, bindings, i, position);
      Set(p_.lengths, bindings, i, Sum(position, 1));
      SetSlot(bindings, i, At(p_.tables, bindings, sequence * columns + position / p_.block_size),
              position);
      const int64_t place = i % places;
      Set(p_.tokens, bindings, i,
          place == 0 ? LastToken(bindings, sequence, places)
                     : At(p_.speculated, bindings, sequence * (places - 1) + place - 1));
    }
    return {};
  }

 private:
  int64_t Next(const Bindings& bindings, int64_t i, int64_t places) const {
    return Sum(Sum(At(p_.positions, bindings, i), At(p_.accepted, bindings, i / places)), 1);
  }

  // In front of the first smallest of the sequence's tokens and a -1 behind them; the last of all
  // if that is the first.
  int64_t LastToken(const Bindings& bindings, int64_t sequence, int64_t places) const {
    int64_t least = -1, end = places;
    for (int64_t k = places; k-- > 0;) {
      const int64_t token = At(p_.sampled, bindings, sequence * places + k);
      if (token > least) continue;
      least = token;
      end = k;
    }
    return At(p_.sampled, bindings, sequence * places + (end == 0 ? places : end) - 1);
  }
};

AdvanceParams ParamsOf(const Operands& operands) {
  const auto view = [&](int id) { return ViewOf(operands, id); };
  return {.tokens = view(kTokens),
          .sampled = view(kSampled),
          .positions = view(kPositions),
          .lengths = view(kLengths),
          .slots = view(kSlots),
          .tables = view(kBlockTables),
          .sequences = operands.Int(kSequences),
          .queries = operands.Int(kQueries),
          .block_size = operands.Int(kBlockSize)};
}

}  // namespace

Status PrepareAdvance(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Int(kSequences) <= operands.Int(kQueries)) {
    return Fail(operands.spec().codes.shape, "numSeqs = {}, expected more than numQueries = {}",
                operands.Int(kSequences), operands.Int(kQueries));
  }
  call->plan = std::make_shared<AdvancePlan>(ParamsOf(operands));
  return {};
}

Status PrepareAdvanceSpeculated(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const int64_t sequences = operands.Int(kSequences), places = operands[kSampled].shape()[1];
  if (operands.Int(kQueries) != sequences) {
    return Fail(code, "numQueries = {}, expected numSeqs = {}", operands.Int(kQueries), sequences);
  }
  if (places < 1) {
    return Fail(code, "sampledTokenIds.shape[1] = {}, expected at least 1", places);
  }
  for (int id : {kTokens, kPositions, kLengths, kSlots}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() == 2 || shape[0] == sequences * places) continue;
    return Fail(code, "{}.shape[0] = {}, expected {} = numSeqs * {} of sampledTokenIds.shape[1]",
                operands.NameOf(id), shape[0], sequences * places, places);
  }
  if (operands[kSpeculated].shape()[1] != places - 1) {
    return Fail(code,
                "specToken.shape[1] = {}, expected {}: one less than sampledTokenIds.shape[1]",
                operands[kSpeculated].shape()[1], places - 1);
  }
  AdvanceParams params = ParamsOf(operands);
  params.speculated = ViewOf(operands, kSpeculated);
  params.accepted = ViewOf(operands, kAccepted);
  call->plan = std::make_shared<AdvanceSpeculatedPlan>(params);
  return {};
}

}  // namespace anyacl::sampling
