// SPDX-License-Identifier: Apache-2.0
// Rows of a mixture of experts: sent to the ranks of their experts before the product, or back
// behind it. Between ranks they lie by rank and expert, in the product by expert and rank.
#include <cstring>
#include <numeric>

#include "acl/error_codes/rt_error_codes.h"
#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"

namespace anyacl::matmul_collective {
namespace {

// How many rows go between this rank and every rank's experts.
class Counts {
 public:
  Status Read(const Operands& operands, int id, int64_t ranks, int64_t experts, int64_t rows) {
    const std::span<const int64_t> counts = operands.Ints(id);
    const char* name = operands.NameOf(id);
    if (experts == 0 || static_cast<int64_t>(counts.size()) / experts != ranks ||
        static_cast<int64_t>(counts.size()) % experts != 0) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} numbers, expected {} experts of {} ranks",
                  name, counts.size(), experts, ranks);
    }
    int64_t total = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] < 0 || counts[i] > rows - total) {
        return Fail(ACLNN_ERR_PARAM_INVALID, "{}[{}] is {}, expected numbers whose sum is {}", name,
                    i, counts[i], rows);
      }
      total += counts[i];
    }
    if (total != rows) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "the sum of {} is {}, expected the {} rows", name, total,
                  rows);
    }
    counts_.assign(counts.begin(), counts.end());
    experts_ = experts;
    return {};
  }

  int64_t At(int64_t rank, int64_t expert) const {
    return counts_[static_cast<size_t>(rank * experts_ + expert)];
  }
  int64_t experts() const { return experts_; }
  int64_t ranks() const { return static_cast<int64_t>(counts_.size()) / experts_; }
  int64_t OfRank(int64_t rank) const {
    int64_t rows = 0;
    for (int64_t e = 0; e < experts_; ++e) rows += At(rank, e);
    return rows;
  }
  int64_t OfExpert(int64_t expert) const {
    int64_t rows = 0;
    for (int64_t r = 0; r < ranks(); ++r) rows += At(r, expert);
    return rows;
  }

  // Rows that lie together by rank and expert as well as by expert and rank.
  struct Run {
    int64_t by_rank = 0;
    int64_t by_expert = 0;
    int64_t count = 0;
  };
  std::vector<Run> Runs() const {
    std::vector<int64_t> by_rank(counts_.size());
    std::exclusive_scan(counts_.begin(), counts_.end(), by_rank.begin(), int64_t{0});
    std::vector<Run> runs;
    int64_t by_expert = 0;
    for (int64_t e = 0; e < experts_; ++e) {
      for (int64_t r = 0; r < ranks(); ++r) {
        const auto place = static_cast<size_t>(r * experts_ + e);
        if (At(r, e) != 0) runs.push_back({by_rank[place], by_expert, At(r, e)});
        by_expert += At(r, e);
      }
    }
    return runs;
  }

 private:
  std::vector<int64_t> counts_;
  int64_t experts_ = 1;
};

// Rows of both tensors, contiguous.
void AddAllToAll(Steps& steps, const InnerTensor& from, const Counts& sent, const InnerTensor& to,
                 const Counts& received) {
  const auto pieces = [](const Counts& counts, char* at, uint64_t row) {
    std::vector<RankCollectives::Piece> by_rank;
    for (int64_t rank = 0; rank < counts.ranks(); ++rank) {
      const uint64_t bytes = static_cast<uint64_t>(counts.OfRank(rank)) * row;
      by_rank.push_back({at, bytes});
      if (bytes != 0) at += bytes;
    }
    return by_rank;
  };
  const auto row = static_cast<uint64_t>(from.layout.shape[1] * BitsOf(from.layout.dtype) / 8);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) {
    return bindings.ranks->AllToAll(pieces(sent, from.Address(bindings), row),
                                    pieces(received, to.Address(bindings), row));
  });
}

// Before any row goes, each pair of ranks compares what both say of the rows between them, by
// expert: sums alone would let rows reach an expert that is not theirs. Both sides see all of it,
// so that whoever fails first names both.
void AddComparison(const Operands& operands, Steps& steps, const Counts& sent,
                   const Counts& received, int64_t own) {
  // In the workspace: of a call that fails, messages may be under way for longer than it runs.
  const int64_t numbers = 2 * sent.experts() * sent.ranks();
  const InnerTensor told = steps.Piece("sendCounts and recvCounts", ACL_INT64, {numbers});
  const InnerTensor heard = steps.Piece("those of all ranks", ACL_INT64, {numbers});
  steps.Add([=, sends = operands.NameOf(kSendCounts), receives = operands.NameOf(kReceiveCounts)](
                const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto experts = static_cast<size_t>(sent.experts());
    const auto ranks = static_cast<size_t>(sent.ranks());
    // For every rank what goes there, by expert, and what is expected from there.
    auto* const ours = reinterpret_cast<int64_t*>(told.Address(bindings));
    auto* const theirs = reinterpret_cast<int64_t*>(heard.Address(bindings));
    std::vector<RankCollectives::Piece> from, to;
    for (int64_t rank = 0, i = 0; rank < sent.ranks(); ++rank) {
      for (int64_t e = 0; e < sent.experts(); ++e) ours[i++] = sent.At(rank, e);
      for (int64_t e = 0; e < sent.experts(); ++e) ours[i++] = received.At(rank, e);
    }
    for (size_t rank = 0; rank < ranks; ++rank) {
      const size_t place = 2 * experts * rank, bytes = 2 * experts * sizeof(int64_t);
      from.push_back({&ours[place], bytes});
      to.push_back({&theirs[place], bytes});
    }
    if (Status s = bindings.ranks->AllToAll(from, to); !s.ok()) return s;
    for (int64_t rank = 0; rank < sent.ranks(); ++rank) {
      const int64_t* said = &theirs[2 * experts * static_cast<size_t>(rank)];
      for (int64_t e = 0; e < sent.experts(); ++e) {
        const int64_t expected = said[sent.experts() + e];
        if (sent.At(rank, e) != expected) {
          return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                      "{}[{}] of rank {} is {}, {}[{}] of rank {} {}: expected the same rows for "
                      "expert {} of rank {}",
                      sends, rank * sent.experts() + e, own, sent.At(rank, e), receives,
                      own * sent.experts() + e, rank, expected, e, rank);
        }
        if (received.At(rank, e) != said[e]) {
          return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                      "{}[{}] of rank {} is {}, {}[{}] of rank {} {}: expected the same rows for "
                      "expert {} of rank {}",
                      receives, rank * sent.experts() + e, own, received.At(rank, e), sends,
                      own * sent.experts() + e, rank, said[e], e, own);
        }
      }
    }
    return {};
  });
}

// Between the two orders.
void AddPermutation(Steps& steps, const InnerTensor& from, const InnerTensor& to,
                    const Counts& counts, bool to_experts) {
  const auto row = static_cast<size_t>(from.layout.shape[1] * BitsOf(from.layout.dtype) / 8);
  steps.Add([=, runs = counts.Runs()](const Bindings& bindings, char*, const StopToken&) -> Status {
    for (const Counts::Run& run : runs) {
      const auto read = static_cast<size_t>(to_experts ? run.by_rank : run.by_expert);
      const auto written = static_cast<size_t>(to_experts ? run.by_expert : run.by_rank);
      if (row == 0) continue;
      std::memcpy(to.Address(bindings) + written * row, from.Address(bindings) + read * row,
                  static_cast<size_t>(run.count) * row);
    }
    return {};
  });
}

InnerTensor Turned(const Operands& operands, int id, int flag) {
  const InnerTensor tensor = TensorOf(operands, id);
  return operands.Flag(flag) ? tensor.Turned() : tensor;
}

// The product of every expert's rows.
Status AddProducts(const Operands& operands, Steps& steps, const InnerTensor& x,
                   const Counts& counts, const InnerTensor& out) {
  const InnerTensor weights = Turned(operands, kX2, kTurnX2);
  const TensorLayout& w = weights.layout;
  int64_t begin = 0;
  for (int64_t e = 0; e < w.shape[0]; ++e) {
    const int64_t count = counts.OfExpert(e);
    if (count == 0) continue;
    InnerTensor weight = weights.As({w.shape[1], w.shape[2]}, {w.strides[1], w.strides[2]});
    weight.layout.offset += e * w.strides[0];
    if (Status s = steps.Call("aclnnMm",
                              {x.Rows(begin, count), weight, out.Rows(begin, count), int64_t{0}});
        !s.ok()) {
      return s;
    }
    begin += count;
  }
  return {};
}

Status CheckWeight(const Operands& operands, int id, int flag, int64_t k, int64_t n) {
  const Dims& given = operands[id].shape();
  const size_t last = given.rank() - 1;
  const bool turned = operands.Flag(flag);
  if (given[last - 1] == (turned ? n : k) && given[last] == (turned ? k : n)) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected {} by {}{}", operands.NameOf(id),
              given.ToString(), turned ? n : k, turned ? k : n, turned ? ", transposed" : "");
}

// Experts that all ranks have: a plain product.
Status AddShared(const Operands& operands, Steps& steps) {
  const bool given = operands.Given(kSharedX);
  const bool empty = given && operands.Given(kSharedWeight) &&
                     (operands[kSharedX].IsEmpty() || operands[kSharedWeight].IsEmpty());
  // A rank without such tokens passes an output without elements, which counts as none.
  if (empty && !operands.Given(kSharedOut)) return {};
  for (int id : {kSharedWeight, kSharedOut}) {
    if (operands.Given(id) == given) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "{} is {}, expected mmXOptional, mmWeightOptional and "
                "mmYOptional together",
                operands.NameOf(id), given ? "null" : "given");
  }
  if (!given) return {};
  if (Status s =
          CheckWeight(operands, kSharedWeight, kTurnShared, operands.Size("K"), operands.Size("W"));
      !s.ok()) {
    return s;
  }
  return steps.Call("aclnnMm",
                    {TensorOf(operands, kSharedX), Turned(operands, kSharedWeight, kTurnShared),
                     TensorOf(operands, kSharedOut), int64_t{0}});
}

struct Call {
  std::shared_ptr<RankGroup> group;
  Counts sent, received;
};

Status CheckExperts(Operands& operands, Call* call) {
  if (Status s = CheckCall(operands, &call->group); !s.ok()) return s;
  const int64_t experts = operands.Size("E"), ranks = call->group->size();
  if (Status s = CheckWeight(operands, kX2, kTurnX2, operands.Size("H"), operands.Size("N"));
      !s.ok()) {
    return s;
  }
  if (Status s = call->sent.Read(operands, kSendCounts, ranks, experts, operands.Size("T"));
      !s.ok()) {
    return s;
  }
  if (Status s = call->received.Read(operands, kReceiveCounts, ranks, experts, operands.Size("A"));
      !s.ok()) {
    return s;
  }
  // What others send is compared when it comes; what stays here never travels.
  const int64_t own = call->group->rank();
  for (int64_t e = 0; e < experts; ++e) {
    const int64_t sent = call->sent.At(own, e), received = call->received.At(own, e);
    if (sent == received) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "{}[{}] is {} and {}[{}] {}, expected the same: these rows stay on rank {}",
                operands.NameOf(kSendCounts), own * experts + e, sent,
                operands.NameOf(kReceiveCounts), own * experts + e, received, own);
  }
  return {};
}

// The width of what travels.
std::string AlikeRows(const char* name, const InnerTensor& rows) {
  return Format("{} {} of {} columns", name, NameOf(rows.layout.dtype), rows.layout.shape[1]);
}

}  // namespace

Status PrepareExperts(Operands& operands, PreparedCall* call) {
  Call c;
  if (Status s = CheckExperts(operands, &c); !s.ok()) return s;
  const int64_t rows = operands.Size("A"), h = operands.Size("H"), n = operands.Size("N");
  if (operands.Flag(kWantsRows) && !operands.Given(kAllToAllOut) && rows * h != 0) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "permuteOutOptional is null, expected a tensor as permuteOutFlag is true");
  }
  Steps steps(operands, c.group->size());
  InnerTensor x;
  if (Status s = steps.Contiguous(kX1, {operands.Size("T"), h}, &x); !s.ok()) return s;
  AddComparison(operands, steps, c.sent, c.received, c.group->rank());
  const aclDataType type = x.layout.dtype;
  const InnerTensor received = steps.Piece("gmmX of all ranks", type, {rows, h});
  AddAllToAll(steps, x, c.sent, received, c.received);
  const bool wanted = operands.Flag(kWantsRows) && operands.Given(kAllToAllOut);
  const InnerTensor permuted =
      wanted ? steps.Result(kAllToAllOut, {rows, h}) : steps.Piece("permuteOut", type, {rows, h});
  AddPermutation(steps, received, permuted, c.received, true);
  if (Status s =
          AddProducts(operands, steps, permuted, c.received, steps.Result(kOutput, {rows, n}));
      !s.ok()) {
    return s;
  }
  if (Status s = AddShared(operands, steps); !s.ok()) return s;
  return steps.Finish(c.group, AlikeRows("gmmX", x), call);
}

Status PrepareExpertsBack(Operands& operands, PreparedCall* call) {
  Call c;
  if (Status s = CheckExperts(operands, &c); !s.ok()) return s;
  const int64_t rows = operands.Size("T"), n = operands.Size("N");
  Steps steps(operands, c.group->size());
  InnerTensor x;
  if (Status s = steps.Contiguous(kX1, {rows, operands.Size("H")}, &x); !s.ok()) return s;
  AddComparison(operands, steps, c.sent, c.received, c.group->rank());
  const InnerTensor product = steps.Piece("gmmX @ gmmWeight", x.layout.dtype, {rows, n});
  if (Status s = AddProducts(operands, steps, x, c.sent, product); !s.ok()) return s;
  const InnerTensor sent = steps.Piece("gmmX @ gmmWeight by rank", x.layout.dtype, {rows, n});
  AddPermutation(steps, product, sent, c.sent, false);
  const InnerTensor out = steps.Result(kOutput, {operands.Size("A"), n});
  AddAllToAll(steps, sent, c.sent, out, c.received);
  if (Status s = AddShared(operands, steps); !s.ok()) return s;
  return steps.Finish(c.group, AlikeRows("y", out), call);
}

}  // namespace anyacl::matmul_collective
