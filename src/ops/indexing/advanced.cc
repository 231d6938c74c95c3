// SPDX-License-Identifier: Apache-2.0
// Index and IndexPutImpl: integer indices broadcast with one another, masks stand for the indices
// of their true elements, and tensors without elements for whole dimensions. The dimensions of the
// indices stand in the result where the first indexed dimension was if the indexed ones are next to
// one another, else in front.
#include <algorithm>

#include "ops/indexing/nonzero.h"
#include "ops/indexing/plan.h"
#include "ops/indexing/scatter_buckets.h"

namespace anyacl::indexing {
namespace {

constexpr int kMost = TensorView::kMaxRank;

struct Mask {
  TensorView view = {};
  WorkspaceSlot<int64_t> starts = {},
                         places = {};  // places: coordinate d of the n-th at [d * n_max + n]
  int first = 0;                       // among the indices
};

// What stands for a dimension of self.
struct Indexed {
  int dim = 0;
  TensorView view = {};  // of an integer index
  int mask = -1;         // else the mask, and which of its dimensions
  int mask_dim = 0;
};

struct Problem {
  TensorView self;
  Few<Indexed, kMost> indexed;
  Few<Mask, kMost> masks;
  Dims integers;  // the shape that the integer indices broadcast to
  bool any_integer = false;
  int place = 0;         // of the dimensions of the indices in the result
  int rank = 0;          // how many they are
  Few<int, kMost> rest;  // dimensions that are not indexed
  bool writes_nothing = false;
};

Status CheckMember(const Operands& operands, const Operand& member, int dim, int rank) {
  const aclDataType type = member.dtype();
  const bool integer = type == ACL_INT64 || type == ACL_INT32;
  const CheckCodes& codes = operands.spec().codes;
  if (!integer && type != ACL_BOOL) {
    return Fail(codes.dtype, "{}.dtype = {}, expected INT64, INT32 or BOOL", member.Name(),
                NameOf(type));
  }
  const int wanted = integer ? 1 : static_cast<int>(member.shape().rank());
  if (dim + wanted > rank || wanted == 0) {
    return Fail(codes.shape, "{}.shape = {} stands for dimensions {} to {}, {} has {}",
                member.Name(), member.shape().ToString(), dim, dim + wanted - 1,
                operands.NameOf(kSelf), rank);
  }
  for (int i = 0; !integer && i < wanted; ++i) {
    const auto at = static_cast<size_t>(i);
    const int64_t size = AtLeastVector(ViewOf(operands, kSelf)).sizes[dim + i];
    if (member.shape()[at] == size) continue;
    return Fail(codes.shape, "{}.shape = {}, expected {} in dimension {}, as {} has it",
                member.Name(), member.shape().ToString(), size, i, operands.NameOf(kSelf));
  }
  return {};
}

Status AddMember(const Operands& operands, size_t number, int* dim, Problem* x) {
  const Operand& member = operands.List(kIndices)[number];
  if (Status s = CheckMember(operands, member, *dim, x->self.rank); !s.ok()) return s;
  const TensorView view = ViewOf(operands, kIndices, number);
  if (view.dtype != ACL_BOOL) {
    x->indexed.push_back({.dim = (*dim)++, .view = view});
    const auto shape = BroadcastShape(x->integers, member.shape());
    if (!shape) {
      return Fail(operands.spec().codes.shape,
                  "{}.shape = {}, expected one that broadcasts with {}, the shape of those before",
                  member.Name(), member.shape().ToString(), x->integers.ToString());
    }
    x->integers = *shape;
    x->any_integer = true;
    return {};
  }
  x->masks.push_back({.view = view, .first = x->indexed.count});
  for (int i = 0; i < view.rank; ++i) {
    x->indexed.push_back({.dim = (*dim)++, .mask = x->masks.count - 1, .mask_dim = i});
  }
  return {};
}

Status MakeProblem(const Operands& operands, Problem* x) {
  x->self = AtLeastVector(ViewOf(operands, kSelf));
  const std::span<const Operand> members = operands.List(kIndices);
  const size_t count = operands[kIndices].given() ? members.size() : 0;
  // What stands for a dimension is a tensor without elements, to which clients give self's type; an
  // index without elements selects nothing. Where self is of an index's type they look alike: if
  // all members are such, one of them is an index. Index tells them apart by the elements of out.
  const aclDataType self = operands[kSelf].dtype();
  const auto may_select = [&](size_t i) {
    const aclDataType type = members[i].dtype();
    return type == ACL_INT64 || type == ACL_INT32 || type == ACL_BOOL;
  };
  const bool gathers = operands.Given(kOut);
  const bool empty_out = gathers && operands[kOut].IsEmpty();
  bool nothing = count > 0 && (!gathers || empty_out);
  for (size_t i = 0; i < count; ++i) {
    nothing &= members[i].IsEmpty() && may_select(i);
    nothing &= gathers || members[i].dtype() == self;
  }
  x->writes_nothing = nothing && !gathers;
  int dim = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool selects = (!gathers || empty_out) && may_select(i) && members[i].dtype() != self;
    if (!members[i].IsEmpty() || selects || (nothing && gathers)) {
      if (Status s = AddMember(operands, i, &dim, x); !s.ok()) return s;
    } else if (dim++ >= x->self.rank) {
      return Fail(operands.spec().codes.shape, "indices has {} members, expected at most {}: {}",
                  count, x->self.rank, "the dimensions of self");
    }
  }
  x->rank = static_cast<int>(x->integers.rank());
  if (x->masks.count > 0) x->rank = std::max(x->rank, 1);
  bool adjacent = true;
  for (int i = 1; i < x->indexed.count; ++i) {
    adjacent &= x->indexed[i].dim == x->indexed[i - 1].dim + 1;
  }
  x->place = adjacent && x->indexed.count > 0 ? x->indexed[0].dim : 0;
  for (int d = 0; d < x->self.rank; ++d) {
    const bool is_indexed = std::any_of(x->indexed.begin(), x->indexed.end(),
                                        [d](const Indexed& i) { return i.dim == d; });
    if (!is_indexed) x->rest.push_back(d);
  }
  const int rank = x->rank + x->rest.count;
  if (rank > kMost) {
    return Fail(operands.spec().codes.shape, "the result has rank {}, expected at most {}", rank,
                kMost);
  }
  return {};
}

// The shape of the result, where a mask selects `selected` elements.
std::optional<Dims> ResultShape(const Problem& x, int64_t selected) {
  Dims indices = x.integers;
  if (x.masks.count > 0) {
    const auto shape = BroadcastShape(indices, Dims{selected});
    if (!shape) return {};
    indices = *shape;
  }
  Dims shape;
  for (int i = 0; i < x.place; ++i) {
    shape.push_back(x.self.sizes[x.rest[i]]);
  }
  for (int64_t size : indices) shape.push_back(size);
  for (int i = x.place; i < x.rest.count; ++i) {
    shape.push_back(x.self.sizes[x.rest[i]]);
  }
  return shape;
}

class AdvancedPlan final : public BookedPlan {
 public:
  AdvancedPlan(const Problem& problem, const TensorView& plain, bool gathers, bool adds,
               Names names)
      : x_(problem), plain_(plain), gathers_(gathers), adds_(adds), names_(names) {
    int64_t most = 1;  // positions
    for (int64_t size : x_.integers) most *= size;
    int64_t selected = x_.masks.count > 0 ? INT64_MAX : 1;
    for (Mask& mask : x_.masks) {
      const int64_t elements = mask.view.elements();
      selected = std::min(selected, std::max<int64_t>(elements, 1));
      mask.starts = book_.Book<int64_t>(static_cast<size_t>(Nonzero(mask.view).chunks()));
      mask.places = book_.Book<int64_t>(static_cast<size_t>(elements * mask.view.rank));
    }
    if (gathers_) return;
    // Masks that broadcast have as many true elements as one another, or one; together with
    // integers, as many as these or one.
    if (x_.masks.count > 0) {
      int64_t largest = 1;
      for (const Mask& mask : x_.masks) largest = std::max(largest, mask.view.elements());
      most = x_.integers.rank() == 0 ? largest : std::max(most, most * largest);
    }
    int64_t more = 1;
    int64_t box = BytesOf(x_.self);
    for (int i = 0; i < x_.rest.count; ++i) {
      const int64_t size = std::max<int64_t>(x_.self.sizes[x_.rest[i]], 1);
      if (i + 1 < x_.rest.count) more *= size;
      box *= size;
    }
    if (box <= (256 << 10)) more = 1;
    const int64_t bytes = BytesOf(x_.self);
    const int64_t words = box == bytes ? WordsFor(most, bytes) : most * more;
    table_ = book_.Book<int64_t>(static_cast<size_t>(words));
    if (Grouped(x_.self.dtype, Reduce::kAdd, false) && adds_) {
      entries_ = book_.Book<Entry>(static_cast<size_t>(2 * most * more));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Few<int64_t, kMost> selected;
    int64_t most = 1;
    for (const Mask& mask : x_.masks) {
      selected.push_back(Expand(mask, bindings));
      if (selected.back() != 1) most = selected.back();
    }
    for (int64_t count : selected) {
      if (count == most || count == 1) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{}: masks select {} and {} elements, expected equal numbers", names_.index,
                  count, most);
    }
    const auto shape = ResultShape(x_, most);
    std::optional<TensorView> plain;
    if (shape) plain = Broadcast(plain_, {shape->begin(), shape->rank()});
    if (!plain || (gathers_ && !(ShapeOf(*plain) == ShapeOf(plain_)))) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{}: masks select {} elements, which does not fit {}.shape = {}", names_.index,
                  most, gathers_ ? "out" : "values", ShapeOf(plain_).ToString());
    }
    if (plain->elements() == 0) return {};
    Access x;
    x.element_bytes = BytesOf(x_.self);
    if (x_.self.elements() > 0) x.target = x_.self.Address(bindings);
    x.plain = plain->Address(bindings);
    AddAxes(*plain, *shape, selected, bindings, &x);
    if (gathers_) return indexing::Gather(x, names_);
    Scattering how;
    how.dtype = x_.self.dtype;
    how.reduce = adds_ ? Reduce::kAdd : Reduce::kAssign;
    how.table = table_.In(bindings);
    how.entries = entries_.In(bindings);
    return indexing::Scatter(x, how, names_);
  }

 private:
  // Writes the coordinates of the true elements; returns how many there are.
  static int64_t Expand(const Mask& mask, const Bindings& bindings) {
    const Nonzero nonzero(mask.view);
    int64_t* const starts = mask.starts.In(bindings);
    int64_t* const places = mask.places.In(bindings);
    const int64_t all = nonzero.Count(bindings, starts);
    const int64_t most = mask.view.elements();
    if (most == 0) return 0;
    nonzero.ForEach(bindings, starts, [&](int64_t first, const int64_t* numbers, int64_t n) {
      Coordinates at(mask.view);
      for (int64_t i = 0; i < n; ++i) {
        at.MoveTo(numbers[i]);
        for (int d = 0; d < mask.view.rank; ++d) places[d * most + first + i] = at[d];
      }
    });
    return all;
  }

  void AddAxes(const TensorView& plain, const Dims& shape, const Few<int64_t, kMost>& selected,
               const Bindings& bindings, Access* x) const {
    const int64_t bytes = x->element_bytes;
    for (int i = 0; i < x_.rank; ++i) {
      const int at = x_.place + i;
      x->positions.push_back({.size = plain.sizes[at], .plain = plain.strides[at] * bytes});
    }
    for (int k = 0; k < x_.indexed.count; ++k) AddIndex(k, shape, selected, bindings, x);
    for (int i = 0; i < x_.rest.count; ++i) {
      const int at = i < x_.place ? i : i + x_.rank;
      const int dim = x_.rest[i];
      x->inner.push_back({.size = x_.self.sizes[dim],
                          .target = x_.self.strides[dim] * bytes,
                          .plain = plain.strides[at] * bytes});
    }
  }

  void AddIndex(int k, const Dims& shape, const Few<int64_t, kMost>& selected,
                const Bindings& bindings, Access* x) const {
    const Indexed& indexed = x_.indexed[k];
    TensorView view = indexed.view;
    Index index{.limit = x_.self.sizes[indexed.dim]};
    index.step = index.limit > 1 ? x_.self.strides[indexed.dim] * x->element_bytes : 0;
    if (indexed.mask >= 0) {
      const Mask& mask = x_.masks[indexed.mask];
      index.data = reinterpret_cast<const char*>(mask.places.In(bindings) +
                                                 indexed.mask_dim * mask.view.elements());
      view.dtype = ACL_INT64;
      view.rank = 1;
      view.sizes[0] = selected[indexed.mask];
      view.strides[0] = 1;
    } else {
      if (view.elements() > 0) index.data = view.Address(bindings);
      index.wide = view.dtype == ACL_INT64;
    }
    const std::span<const int64_t> sizes(shape.begin() + x_.place, static_cast<size_t>(x_.rank));
    const TensorView wide = *Broadcast(view, sizes);
    for (int i = 0; i < x_.rank; ++i) {
      x->positions[i].index[static_cast<size_t>(k)] = wide.strides[i] * BytesOf(view);
    }
    x->indices.push_back(index);
  }

  Problem x_;
  const TensorView plain_;
  const bool gathers_, adds_;
  const Names names_;
  WorkspaceSlot<int64_t> table_;
  WorkspaceSlot<Entry> entries_;
};

}  // namespace

Status PrepareIndex(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Problem x;
  if (Status s = MakeProblem(operands, &x); !s.ok()) return s;
  TensorView out = ViewOf(operands, kOut);
  if (x.rank + x.rest.count == 1) out = AtLeastVector(out);
  // How many elements masks select is known when the task runs; out says how many it expects.
  const int at = x.place + x.rank - 1;
  const int64_t selected = x.masks.count > 0 && at < out.rank ? out.sizes[at] : 1;
  const auto shape = ResultShape(x, selected);
  if (!shape || !(ShapeOf(out) == *shape)) {
    return Fail(operands.spec().codes.shape, "out.shape = {}, expected {}",
                operands[kOut].shape().ToString(),
                shape.value_or(ResultShape(x, 1).value_or(Dims())).ToString());
  }
  if (out.elements() == 0) return {};
  call->plan = std::make_shared<AdvancedPlan>(
      x, out, true, false, Names{operands.NameOf(kIndices), operands.NameOf(kSelf)});
  return {};
}

Status PrepareIndexPut(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Problem x;
  if (Status s = MakeProblem(operands, &x); !s.ok()) return s;
  if (x.writes_nothing) return {};
  const TensorView values = ViewOf(operands, kValues);
  int64_t positions = 1;
  for (int64_t size : x.integers) positions *= size;
  if (Status s = CheckTableSize(operands, positions); !s.ok()) return s;
  if (x.masks.count == 0) {
    const Dims shape = *ResultShape(x, 1);
    if (!Broadcast(values, {shape.begin(), shape.rank()})) {
      return Fail(operands.spec().codes.shape,
                  "values.shape = {}, expected one that broadcasts "
                  "to {}, the shape of selfRef[indices]",
                  ShapeOf(values).ToString(), shape.ToString());
    }
  }
  if (x.self.elements() == 0 && positions == 0) return {};
  if (values.elements() == 0) return {};
  call->plan =
      std::make_shared<AdvancedPlan>(x, values, false, operands.Flag(kAccumulate),
                                     Names{operands.NameOf(kIndices), operands.NameOf(kSelf)});
  return {};
}

}  // namespace anyacl::indexing
