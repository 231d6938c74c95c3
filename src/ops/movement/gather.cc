// SPDX-License-Identifier: Apache-2.0
// Members with an index tensor. One dimension of a tensor is addressed by the index, the others one
// by one. The index is the client's: all of it is checked before anything is written.
#include <algorithm>
#include <atomic>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/movement/move.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::movement {
namespace {

constexpr int64_t kChunkBytes = 64 << 10;
// Rows may lie anywhere: the beginnings of those to come are asked for.
constexpr int64_t kAhead = 4;

// Dimensions that are stepped through in order, with a step in bytes in either tensor.
struct Axes {
  int rank = 0;
  int64_t sizes[TensorView::kMaxRank];
  int64_t plain[TensorView::kMaxRank];    // of the tensor that is not indexed
  int64_t indexed[TensorView::kMaxRank];  // of the one that is, or of the index itself

  void Add(int64_t size, int64_t plain_step, int64_t indexed_step) {
    if (size == 1) return;
    const int last = rank - 1;
    if (rank > 0 && plain[last] == size * plain_step && indexed[last] == size * indexed_step) {
      sizes[last] *= size;
      plain[last] = plain_step;
      indexed[last] = indexed_step;
      return;
    }
    sizes[rank] = size;
    plain[rank] = plain_step;
    indexed[rank] = indexed_step;
    ++rank;
  }
  int64_t count() const {
    int64_t all = 1;
    for (int i = 0; i < rank; ++i) all *= sizes[i];
    return all;
  }
  int64_t Plain(int64_t at) const { return Offset(at, plain); }
  int64_t Indexed(int64_t at) const { return Offset(at, indexed); }

 private:
  int64_t Offset(int64_t at, const int64_t* steps) const {
    if (rank == 1) return at * steps[0];
    int64_t offset = 0;
    for (int i = rank; i-- > 0; at /= sizes[i]) offset += at % sizes[i] * steps[i];
    return offset;
  }
};

// indexed[a, index[i], b] and plain[a, i, b], with i of the index's shape.
struct Indexing {
  TensorView plain, indexed, index;
  int dim = 0;
  bool counts_from_end = false;  // negative indices are places before the end
  const char* indexed_name = "";
  const char* index_name = "";
};

class IndexPlan final : public BookedPlan {
 public:
  IndexPlan(const Indexing& x, bool gathers)
      : x_(x), gathers_(gathers), inner_(InnerLoops(x, gathers)) {
    const int64_t bytes = BitsOf(x.plain.dtype) / 8;
    for (int i = 0; i < x.dim; ++i) {
      outer_.Add(x.plain.sizes[i], x.plain.strides[i] * bytes, x.indexed.strides[i] * bytes);
    }
    const int64_t index_bytes = BitsOf(x.index.dtype) / 8;
    for (int i = 0; i < x.index.rank; ++i) {
      positions_.Add(x.index.sizes[i], x.plain.strides[x.dim + i] * bytes,
                     x.index.strides[i] * index_bytes);
    }
    step_ = x.indexed.sizes[x.dim] > 1 ? x.indexed.strides[x.dim] * bytes : 0;
    begin_[0] = x.plain.offset * bytes;
    begin_[1] = x.indexed.offset * bytes;
    inner_run_ = IsInnerRun(x) ? inner_.bytes() : 0;
    table_ = book_.Book<int64_t>(static_cast<size_t>(positions_.count()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = ReadIndex(bindings); !s.ok()) return s;
    if (inner_.bytes() == 0 || outer_.count() == 0) return {};
    gathers_ ? Gather(bindings) : Scatter(bindings);
    return {};
  }

 private:
  // The dimensions behind the indexed one.
  static CopyLoops InnerLoops(const Indexing& x, bool gathers) {
    CopyLoops loops;
    const int64_t bytes = BitsOf(x.plain.dtype) / 8;
    loops.element_bytes = static_cast<int>(bytes);
    const int shift = x.index.rank - 1;
    for (int i = x.dim + 1; i < x.indexed.rank; ++i) {
      if (x.indexed.sizes[i] == 1) continue;
      const int64_t plain = x.plain.strides[i + shift] * bytes;
      const int64_t indexed = x.indexed.strides[i] * bytes;
      loops.Add(x.indexed.sizes[i], gathers ? plain : indexed, gathers ? indexed : plain);
    }
    return loops;
  }
  static bool IsInnerRun(const Indexing& x) {
    int64_t expected = 1;
    for (int i = x.indexed.rank; i-- > x.dim + 1;) {
      const int64_t size = x.indexed.sizes[i];
      const bool dense =
          x.indexed.strides[i] == expected && x.plain.strides[i + x.index.rank - 1] == expected;
      if (size != 1 && !dense) return false;
      expected *= size;
    }
    return true;
  }

  // Copies the index, as int64, into the workspace.
  Status ReadIndex(const Bindings& bindings) const {
    const int64_t count = positions_.count();
    if (count == 0) return {};
    const char* index = x_.index.Address(bindings);
    int64_t* table = table_.In(bindings);
    const int64_t limit = x_.indexed.sizes[x_.dim];
    const int64_t first_place = FirstIndex();
    const bool wide = x_.index.dtype == ACL_INT64;
    std::atomic<int64_t> wrong{count};  // the first position
    ParallelFor(count, 8192, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const char* at = index + positions_.Indexed(i);
        const int64_t value = wide ? LoadElement<int64_t>(at) : LoadElement<int32_t>(at);
        const bool known_place = value >= first_place && value < limit;
        table[i] = known_place && value < 0 ? value + limit : value;
        if (known_place) continue;
        int64_t known = wrong.load(std::memory_order_relaxed);
        while (i < known && !wrong.compare_exchange_weak(known, i, std::memory_order_relaxed)) {
        }
        return;
      }
    });
    const int64_t first = wrong.load(std::memory_order_relaxed);
    return first == count ? Status{} : WrongIndex(first, table[first]);
  }

  int64_t FirstIndex() const { return x_.counts_from_end ? -x_.indexed.sizes[x_.dim] : 0; }

  Status WrongIndex(int64_t position, int64_t value) const {
    Dims at(x_.index.sizes, static_cast<size_t>(x_.index.rank));
    for (size_t i = at.rank(); i-- > 0;) {
      const int64_t size = at[i];
      at[i] = position % size;
      position /= size;
    }
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}{} = {}, expected {} to {}: {}.shape[{}] = {}",
                x_.index_name, at.ToString(), value, FirstIndex(), x_.indexed.sizes[x_.dim] - 1,
                x_.indexed_name, x_.dim, x_.indexed.sizes[x_.dim]);
  }

  void CopyInner(char* to, const char* from, bool past_caches) const {
    if (inner_run_ == 0) {
      inner_.Run(to, from);
    } else if (past_caches && CanGoPastCaches(to, 0, inner_run_)) {
      CopyRunPastCaches(to, from, inner_run_);
    } else {
      CopyRun(to, from, inner_run_);
    }
  }

  // Threads share positions; rows beyond a chunk are cut.
  void Gather(const Bindings& bindings) const {
    const int64_t positions = positions_.count();
    const int64_t units = outer_.count() * positions;
    const bool past_caches = units * inner_.bytes() > LastCacheShare() / 4 * 3;
    const int64_t pieces = inner_run_ > kChunkBytes ? (inner_run_ - 1) / kChunkBytes + 1 : 1;
    char* const to = bindings.data[static_cast<size_t>(x_.plain.slot)] + begin_[0];
    const char* const from = bindings.data[static_cast<size_t>(x_.indexed.slot)] + begin_[1];
    const int64_t* table = table_.In(bindings);
    const int64_t grain = std::max<int64_t>(1, kChunkBytes / std::max<int64_t>(inner_.bytes(), 16));
    ParallelFor(units * pieces, grain, [&](int64_t begin, int64_t end) {
      if (pieces > 1) {
        for (int64_t piece = begin; piece < end; ++piece) {
          const int64_t unit = piece / pieces;
          const int64_t first = piece % pieces * kChunkBytes;
          const int64_t o = unit / positions, p = unit % positions;
          CopyRun(to + outer_.Plain(o) + positions_.Plain(p) + first,
                  from + outer_.Indexed(o) + table[p] * step_ + first,
                  std::min(kChunkBytes, inner_run_ - first));
        }
        return;
      }
      while (begin < end) {
        const int64_t o = begin / positions, first = begin % positions;
        const int64_t count = std::min(end - begin, positions - first);
        GatherRow(to + outer_.Plain(o), from + outer_.Indexed(o), table, first, count, past_caches);
        begin += count;
      }
      if (past_caches) FencePastCaches();
    });
  }

  // Positions first to first + count - 1 of one outer index.
  void GatherRow(char* to, const char* from, const int64_t* table, int64_t first, int64_t count,
                 bool past_caches) const {
    const bool linear = positions_.rank <= 1;
    const int64_t step = positions_.rank == 1 ? positions_.plain[0] : 0;
    const auto each = [&](const auto& copy) {
      for (int64_t p = first; p < first + count; ++p) {
        copy(to + (linear ? p * step : positions_.Plain(p)), from + table[p] * step_);
      }
    };
    if (!IsElementSize(inner_run_)) {
      for (int64_t p = first; p < first + count; ++p) {
        if (p + kAhead < first + count) {
          AskForRun(from + table[p + kAhead] * step_, inner_run_);
        }
        CopyInner(to + (linear ? p * step : positions_.Plain(p)), from + table[p] * step_,
                  past_caches);
      }
      return;
    }
    WithBytes(inner_run_, [&]<class T>(T) {
      each([](char* t, const char* f) { StoreElement(t, LoadElement<T>(f)); });
    });
  }

  // Threads share the rows that are written, so that of equal indices the last one wins: each goes
  // through the whole index.
  void Scatter(const Bindings& bindings) const {
    const int64_t positions = positions_.count();
    const int64_t outer = outer_.count();
    const int64_t rows = x_.indexed.sizes[x_.dim];
    const int64_t parts = std::clamp<int64_t>(positions * outer * inner_.bytes() / kChunkBytes, 1,
                                              std::min<int64_t>(rows, 16));
    char* const to = bindings.data[static_cast<size_t>(x_.indexed.slot)] + begin_[1];
    const char* const from = bindings.data[static_cast<size_t>(x_.plain.slot)] + begin_[0];
    const int64_t* table = table_.In(bindings);
    ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      const auto border = [&](int64_t part) {
        return rows / parts * part + std::min(part, rows % parts);
      };
      const int64_t low = border(begin), high = border(end);
      for (int64_t p = 0; p < positions; ++p) {
        if (table[p] < low || table[p] >= high) continue;
        for (int64_t o = 0; o < outer; ++o) {
          CopyInner(to + outer_.Indexed(o) + table[p] * step_,
                    from + outer_.Plain(o) + positions_.Plain(p), false);
        }
      }
    });
  }

  const Indexing x_;
  const bool gathers_;
  const StridedCopy inner_;
  Axes outer_, positions_;
  int64_t step_ = 0;       // from index to index, in bytes
  int64_t begin_[2];       // of plain and indexed, in bytes
  int64_t inner_run_ = 0;  // bytes, if the dimensions behind are one run in both tensors
  WorkspaceSlot<int64_t> table_;
};

Status CheckIndexRank(const Operands& operands) {
  const Dims& index = operands[kIndex].shape();
  if (index.rank() <= 1) return {};
  return Fail(operands.spec().codes.shape, "index.shape = {} has rank {}, expected 0 or 1",
              index.ToString(), index.rank());
}

Status PrepareGatherOf(Operands& operands, PreparedCall* call, int dim, bool counts_from_end) {
  Indexing x;
  x.counts_from_end = counts_from_end;
  x.plain = ViewOf(operands, kOut);
  x.indexed = AtLeastVector(ViewOf(operands, kSelf));
  x.index = AtLeastVector(ViewOf(operands, kIndex));
  x.dim = dim;
  x.indexed_name = operands.NameOf(kSelf);
  x.index_name = operands.NameOf(kIndex);
  Dims expected;
  for (int i = 0; i < x.indexed.rank; ++i) {
    if (i != dim) {
      expected.push_back(x.indexed.sizes[i]);
      continue;
    }
    for (int k = 0; k < x.index.rank; ++k) expected.push_back(x.index.sizes[k]);
  }
  // The only index of a single number leaves a single number.
  const bool single = operands[kSelf].shape().rank() == 0 && x.plain.rank == 0;
  if (single) x.plain = AtLeastVector(x.plain);
  if (!(ShapeOf(x.plain) == expected)) {
    return CheckShapeIs(operands, kOut, expected);
  }
  if (x.index.elements() > 0) call->plan = std::make_shared<IndexPlan>(x, true);
  return {};
}

Status PrepareAlongDim(Operands& operands, PreparedCall* call, bool counts_from_end) {
  const size_t rank = std::max<size_t>(operands[kSelf].shape().rank(), 1);
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), rank, &dim); !s.ok()) return s;
  return PrepareGatherOf(operands, call, dim, counts_from_end);
}

}  // namespace

Status PrepareGather(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return PrepareAlongDim(operands, call, true);
}

Status PrepareIndexSelect(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckIndexRank(operands); !s.ok()) return s;
  return PrepareAlongDim(operands, call, false);
}

Status PrepareEmbedding(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  // A single index leaves a row, without a dimension of its own.
  if (operands[kIndex].shape().rank() > 0) return PrepareGatherOf(operands, call, 0, false);
  Indexing x;
  x.plain = ViewOf(operands, kOut);
  x.plain.rank = 2;
  x.plain.sizes[1] = x.plain.sizes[0];
  x.plain.strides[1] = x.plain.strides[0];
  x.plain.sizes[0] = x.plain.strides[0] = 1;
  x.indexed = ViewOf(operands, kSelf);
  x.index = AtLeastVector(ViewOf(operands, kIndex));
  x.indexed_name = operands.NameOf(kSelf);
  x.index_name = operands.NameOf(kIndex);
  call->plan = std::make_shared<IndexPlan>(x, true);
  return {};
}

Status PrepareIndexCopy(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckIndexRank(operands); !s.ok()) return s;
  const Dims& self = operands[kSelf].shape();
  const Dims& source = operands[kSource].shape();
  int dim = 0;
  const size_t rank = std::max<size_t>(self.rank(), 1);
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), rank, &dim); !s.ok()) return s;
  Indexing x;
  x.index = AtLeastVector(ViewOf(operands, kIndex));
  x.indexed = AtLeastVector(ViewOf(operands, kSelf));
  x.plain = AtLeastVector(ViewOf(operands, kSource));
  x.dim = dim;
  x.indexed_name = operands.NameOf(kSelf);
  x.index_name = operands.NameOf(kIndex);
  Dims expected = ShapeOf(x.indexed);
  expected[static_cast<size_t>(dim)] = x.index.sizes[0];
  if (!(ShapeOf(x.plain) == expected)) {
    return Fail(operands.spec().codes.shape,
                "source.shape = {}, expected {}: selfRef.shape = {}, dim = {} and {} indices",
                source.ToString(), expected.ToString(), self.ToString(), dim, x.index.sizes[0]);
  }
  if (x.index.elements() > 0) call->plan = std::make_shared<IndexPlan>(x, false);
  return {};
}

}  // namespace anyacl::movement
