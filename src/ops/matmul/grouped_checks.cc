// SPDX-License-Identifier: Apache-2.0
// What neither the table nor the types say of products of groups: how many tensors there are, and
// of which ranks, by groupType; sizes. Null is 161001, everything else 161002.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/grouped.h"
#include "ops/matmul/int4.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kByRows = 0, kByDepth = 2, kUnsplit = -1;

// The row of an argument; older versions lack some.
int64_t Chosen(const Operands& operands, int id) {
  return operands.HasRow(id) ? operands.Int(id) : 0;
}
std::span<const int64_t> TuningOf(const Operands& operands) {
  if (!operands.HasRow(kTuning)) return {};
  return operands.Ints(kTuning);
}

// The first two have where groups end on the host, and the first none but groups of rows.
bool HasHostList(const Operands& operands) {
  return operands.RowOf(kGroupList)->kind == Kind::kIntArray;
}
int64_t GroupTypeOf(const Operands& operands) {
  if (operands.HasRow(kGroupType)) return operands.Int(kGroupType);
  const size_t xs = operands.List(kLeft).size();
  const bool of_rows = operands.Int(kSplitItem) >= 2 || xs != operands.List(kRight).size() ||
                       (xs == 1 && !operands.Ints(kGroupList).empty());
  return of_rows ? kByRows : kUnsplit;
}

// A list whose only tensor is [0] stands for none, but for factors of no rows.
void DropEmpty(Operands& operands) {
  const bool no_rows = operands.Given(kLeft) && operands[kLeft].IsEmpty();
  for (int id : {kSummand, kQuantScale, kQuantOffset, kScale, kOffset, kRowScale, kActivationInput,
                 kActivationScale, kActivationOffset, kFeatures, kDynamicScale}) {
    if (!operands.Given(id) || (id == kRowScale && no_rows)) continue;
    const auto list = operands.List(id);
    if (list.size() == 1 && list[0].shape() == Dims{0}) operands.Drop(id);
  }
}

Status CheckRank(const Operands& operands, int id, size_t least, size_t most) {
  for (const Operand& member : operands.List(id)) {
    const size_t rank = member.shape().rank();
    if (rank >= least && rank <= most) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {} has rank {}, expected {}{}",
                member.Name(), member.shape().ToString(), rank, least,
                most == least ? "" : Format(" to {}", most));
  }
  return {};
}

Status CheckLists(const Operands& operands) {
  for (int id : {kLeft, kRight, kOut}) {
    if (operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is an empty list, expected at least one tensor",
                operands.NameOf(id));
  }
  for (int id : {kLeft, kRight, kOut}) {
    if (Status s = CheckRank(operands, id, 2, 6); !s.ok()) return s;
  }
  for (int id : {kActivationInput, kActivationScale, kActivationOffset, kFeatures, kDynamicScale}) {
    if (!operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is given, expected null, as it is reserved",
                operands.NameOf(id));
  }
  for (int id :
       {kLeft, kRight, kSummand, kQuantScale, kQuantOffset, kScale, kOffset, kRowScale, kOut}) {
    for (const Operand& member : operands.List(id)) {
      if (!member.given() || member.dtype() == operands[id].dtype()) continue;
      return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as {}.dtype",
                  member.Name(), NameOf(member.dtype()), NameOf(operands[id].dtype()),
                  operands[id].Name());
    }
  }
  return {};
}

Status CheckCount(const Operands& operands, int id, size_t count) {
  if (operands.List(id).size() == count) return {};
  return Fail(operands.spec().codes.shape, "{} has {} tensors, expected {}", operands.NameOf(id),
              operands.List(id).size(), count);
}

// groupType and splitItem against each other and against the parts of x, weight and y that there
// are: the document's table.
Status CheckForm(const Operands& operands, GroupedParams* p) {
  const int code = operands.spec().codes.shape;
  const int64_t type = GroupTypeOf(operands), split = operands.Int(kSplitItem);
  const size_t xs = operands.List(kLeft).size(), weights = operands.List(kRight).size();
  if (type == 1) {
    return Fail(code, "groupType = 1, expected -1, 0 or 2: groups of columns are not offered");
  }
  const bool numbers = p->form == GroupedForm::kNumbers;
  if (!numbers && p->form != GroupedForm::kFactors && (type != kByRows || xs > 1)) {
    return Fail(code, "groupType = {} and x has {} tensors, expected 0 and one as x is {}", type,
                xs, NameOf(operands[kLeft].dtype()));
  }
  if (!numbers && type == kByDepth) {
    return Fail(code, "groupType = 2, expected -1 or 0 as weight is {}",
                NameOf(operands[kRight].dtype()));
  }
  p->separate_y = type == kByRows && split < 2 && xs == 1 && HasHostList(operands) &&
                  operands[kRight].shape().rank() == 2 &&
                  (p->form == GroupedForm::kNumbers || p->form == GroupedForm::kFactors);
  const bool one_y = (type == kByRows && !p->separate_y) || (type == kByDepth && weights == 1);
  if (one_y != (split >= 2)) {
    return Fail(code, "splitItem = {}, expected {} as groupType = {} and weight has {} tensors",
                split, one_y ? "2 or 3" : "0 or 1", type, weights);
  }
  if (type == kByDepth || (type == kByRows && xs == 1)) {
    if (Status s = CheckCount(operands, kLeft, 1); !s.ok()) return s;
  } else if (Status s = CheckCount(operands, kRight, xs); !s.ok()) {
    return s;
  }
  if (Status s = CheckCount(operands, kOut, one_y ? 1 : weights); !s.ok()) return s;
  const size_t least = 2, most = type == kUnsplit ? 6 : 2;
  if (Status s = CheckRank(operands, kLeft, least, most); !s.ok()) return s;
  const bool stacked = type == kByRows && xs == 1 && weights == 1 && !p->separate_y;
  if (Status s = CheckRank(operands, kRight, stacked ? 3 : 2, stacked ? 3 : 2); !s.ok()) return s;
  const bool stacked_y = type == kByDepth && weights == 1;
  if (Status s = CheckRank(operands, kOut, stacked_y ? 3 : least, stacked_y ? 3 : most); !s.ok()) {
    return s;
  }
  p->axis = type == kByRows ? Axis::kRows : type == kByDepth ? Axis::kDepth : Axis::kNone;
  p->separate_x = type == kUnsplit || (type == kByRows && xs > 1);
  p->groups = stacked     ? static_cast<size_t>(operands[kRight].shape()[0])
              : stacked_y ? static_cast<size_t>(operands[kOut].shape()[0])
                          : weights;
  p->weight.stacked = stacked;
  p->y.stacked = stacked_y;
  return {};
}

Status CheckGroupList(const Operands& operands, const GroupedParams& p) {
  const bool given =
      HasHostList(operands) ? !operands.Ints(kGroupList).empty() : operands.Given(kGroupList);
  const bool needed = p.weight.stacked || p.y.stacked || (p.axis == Axis::kRows && !p.separate_x);
  if (needed && !given) {
    return Fail(operands.spec().codes.null,
                "groupListOptional is null, expected the ends of the groups of {}",
                p.axis == Axis::kRows ? "rows" : "K");
  }
  if (given && p.axis == Axis::kNone && operands.HasRow(kGroupType)) {
    return Fail(operands.spec().codes.shape,
                "groupListOptional is given, expected null as groupType = -1");
  }
  if (!given) return {};
  const auto groups = static_cast<int64_t>(p.groups);
  if (HasHostList(operands)) {
    if (operands.Ints(kGroupList).size() == p.groups) return {};
    return Fail(operands.spec().codes.shape,
                "groupListOptional has {} numbers, expected {}, the groups",
                operands.Ints(kGroupList).size(), groups);
  }
  const Dims expected = p.listing == Listing::kPairs ? Dims{groups, 2} : Dims{groups};
  if (operands[kGroupList].shape() == expected) return {};
  return Fail(operands.spec().codes.shape, "groupListOptional.shape = {}, expected {}, the groups",
              operands[kGroupList].shape().ToString(), expected.ToString());
}

// Of each weight [N], or [groups of k, N] where there are some; stacked with the groups before.
Status CheckColumns(const Operands& operands, const GroupedParams& p, int id,
                    std::optional<int64_t> factor_groups = {}) {
  if (!operands.Given(id)) return {};
  const int code = operands.spec().codes.shape;
  if (p.axis == Axis::kDepth) {
    return Fail(code, "{} is given, expected null as groupType = 2", operands.NameOf(id));
  }
  const auto list = operands.List(id), weights = operands.List(kRight);
  if (Status s = CheckCount(operands, id, weights.size()); !s.ok()) return s;
  for (size_t i = 0; i < list.size(); ++i) {
    Dims expected;
    if (p.weight.stacked) expected.push_back(static_cast<int64_t>(p.groups));
    if (factor_groups) expected.push_back(*factor_groups);
    expected.push_back(p.weight.views[i].sizes[p.weight.views[i].rank - 1]);
    if (list[i].shape() == expected) continue;
    return Fail(code, "{}.shape = {}, expected {}", list[i].Name(), list[i].shape().ToString(),
                expected.ToString());
  }
  return {};
}

// How many groups of k have factors: the dimension before the last, where there is one more than
// groups and columns.
std::optional<int64_t> FactorGroups(const Operands& operands, const GroupedParams& p, int id) {
  const Dims& shape = operands[id].shape();
  if (shape.rank() < (p.weight.stacked ? 3 : 2)) return {};
  return shape[shape.rank() - 2];
}

Status CheckFactors(const Operands& operands, GroupedParams* p) {
  const int code = operands.spec().codes.shape;
  const int id = p->form == GroupedForm::kFactors ? kScale : kQuantScale;
  std::optional<int64_t> groups;
  const bool grouped = p->form == GroupedForm::kTokenGroups || p->form == GroupedForm::kShifted;
  if (grouped || (p->form == GroupedForm::kFactors && operands[kRight].dtype() == ACL_INT4)) {
    groups = FactorGroups(operands, *p, id);
    if (grouped && !groups) groups = 1;
  }
  if (Status s = CheckColumns(operands, *p, id, groups); !s.ok()) return s;
  if (Status s = CheckColumns(operands, *p, kOffset, groups); !s.ok()) return s;
  if (p->form == GroupedForm::kShifted) {
    if (Status s = CheckColumns(operands, *p, kQuantOffset, 1); !s.ok()) return s;
  }
  p->factor_groups = groups.value_or(1);
  if (p->form == GroupedForm::kNumbers) return {};
  for (const TensorView& weight : p->weight.views) {
    const int64_t depth = weight.sizes[weight.rank - 2], count = p->factor_groups;
    const bool whole = count > 0 && depth % count == 0;
    if (count == 1 || (whole && depth / count % kGroupUnit == 0)) continue;
    return Fail(code, "{}.shape = {}, expected groups of a multiple of {} k, as K = {}",
                operands[id].Name(), operands[id].shape().ToString(), kGroupUnit, depth);
  }
  const bool given_size = p->form == GroupedForm::kShifted && Chosen(operands, kGroupSize) != 0;
  const TensorView& first = p->weight.views[0];
  const int64_t depth = first.sizes[first.rank - 2];
  if (given_size &&
      Chosen(operands, kGroupSize) != depth / std::max<int64_t>(1, p->factor_groups)) {
    return Fail(code, "quantGroupSize = {}, expected 0 or {}, as {}.shape = {} and K = {}",
                Chosen(operands, kGroupSize), depth / std::max<int64_t>(1, p->factor_groups),
                operands[id].Name(), operands[id].shape().ToString(), depth);
  }
  if (p->form == GroupedForm::kShifted && operands.Given(kQuantOffset) && p->factor_groups != 1) {
    return Fail(code, "{}.shape = {}, expected one group of k beside {}", operands[id].Name(),
                operands[id].shape().ToString(), operands.NameOf(kQuantOffset));
  }
  return {};
}

// One factor for each row of x.
Status CheckRowScale(const Operands& operands, const GroupedParams& p) {
  if (!operands.Given(kRowScale)) return {};
  if (Status s = CheckCount(operands, kRowScale, 1); !s.ok()) return s;
  const Dims& shape = operands[kRowScale].shape();
  if (shape == Dims{p.size} || shape == Dims{p.size, 1}) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [{}] or [{}, 1]",
              operands[kRowScale].Name(), shape.ToString(), p.size, p.size);
}

Status WrongShape(const Operand& operand, const Dims& expected, int code) {
  return Fail(code, "{}.shape = {}, expected {}", operand.Name(), operand.shape().ToString(),
              expected.ToString());
}

// x, weight and y of each group.
Status CheckMatrices(const Operands& operands, GroupedParams* p) {
  const int code = operands.spec().codes.shape;
  const auto xs = operands.List(kLeft), weights = operands.List(kRight), ys = operands.List(kOut);
  int64_t total = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const Operand& x = xs[p->separate_x ? i : 0];
    const TensorView& weight = p->weight.views[i];
    const int64_t k = weight.sizes[weight.rank - 2], n = weight.sizes[weight.rank - 1];
    Dims y = x.shape();
    const int64_t depth = y[y.rank() - 1];
    y[y.rank() - 1] = n;
    const bool parts = p->axis == Axis::kDepth && !p->y.stacked;
    if (parts ? k > depth - total : k != depth) {
      return Fail(code, "{}.shape = {}, expected {} {} rows as {}.shape = {}", weights[i].Name(),
                  weights[i].shape().ToString(), parts ? "at most" : "exactly",
                  depth - (parts ? total : 0), x.Name(), x.shape().ToString());
    }
    if (p->separate_y) {
      const auto ends = operands.Ints(kGroupList);
      y = {ends[i] - (i == 0 ? 0 : ends[i - 1]), n};
      if (!(ys[i].shape() == y)) return WrongShape(ys[i], y, code);
      continue;
    }
    if (p->axis == Axis::kRows) {
      const int64_t rows = p->separate_x ? y[0] : 0;
      if (__builtin_add_overflow(total, rows, &total)) {
        return Fail(code, "x has rows that overflow int64");
      }
      if (p->separate_x) p->ends.push_back(total);
      const int64_t first = p->weight.views[0].sizes[p->weight.views[0].rank - 1];
      if (n != first) {
        return Fail(code, "{}.shape = {}, expected {} columns as {}", weights[i].Name(),
                    weights[i].shape().ToString(), first, weights[0].Name());
      }
      continue;
    }
    if (parts) p->ends.push_back(total += k);
    if (p->y.stacked) y = {static_cast<int64_t>(p->groups), y[0], n};
    if (!(ys[i].shape() == y)) return WrongShape(ys[i], y, code);
  }
  if (p->axis == Axis::kRows) {
    p->size = p->separate_x ? total : xs[0].shape()[0];
    if (p->separate_y) return {};
    const Dims y = {p->size, p->weight.views[0].sizes[p->weight.views[0].rank - 1]};
    if (!(ys[0].shape() == y)) return WrongShape(ys[0], y, code);
  } else {
    p->size = xs[0].shape()[xs[0].shape().rank() - 1];
  }
  return {};
}

// Numbers on the host, which are known.
Status ReadHostList(const Operands& operands, GroupedParams* p) {
  const auto ends = operands.Ints(kGroupList);
  const bool parts = p->axis == Axis::kDepth && !p->y.stacked;
  if (parts || ends.empty()) return {};
  const auto xs = operands.List(kLeft);
  for (size_t i = 0; p->separate_x && i < xs.size(); ++i) {  // sizes decide
    const int64_t begin = i == 0 ? 0 : ends[i - 1];
    if (ends[i] >= begin && Dims{ends[i] - begin, xs[i].shape().back()} == xs[i].shape()) continue;
    return Fail(operands.spec().codes.shape,
                "groupListOptional[{}] = {}, expected {} + the rows of {}.shape = {}", i, ends[i],
                begin, xs[i].Name(), xs[i].shape().ToString());
  }
  if (p->separate_x) return {};
  const Dims& x = operands[kLeft].shape();
  const int64_t size = x[p->axis == Axis::kRows ? 0 : 1];
  int64_t last = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] < last || ends[i] > size) {
      return Fail(operands.spec().codes.shape,
                  "groupListOptional[{}] = {}, expected {} to {}: ends of groups of x.shape = {}",
                  i, ends[i], last, size, x.ToString());
    }
    last = ends[i];
  }
  p->ends.assign(ends.begin(), ends.end());
  return {};
}

// What x @ weight is multiplied of, as it lies.
Status ReadWeights(Operands& operands, GroupedParams* p) {
  const auto tuning = TuningOf(operands);
  const bool swapped = tuning.size() > 1 && tuning[1] != 0;
  if (swapped && (p->form != GroupedForm::kShifted || tuning[1] != 1)) {
    return Fail(operands.spec().codes.shape,
                "tuningConfigOptional[1] = {}, expected 0, or 1 where x is INT8 and weight INT4",
                tuning[1]);
  }
  const auto weights = operands.List(kRight);
  p->panels.resize(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    Panels& panels = p->panels[i];
    if (Status s = ReadPanels(operands, kRight, &panels, i); !s.ok()) return s;
    const bool turned = TurnInt4(weights[i]) && !panels.given();
    TensorView view = panels.given() ? panels.view : ViewOf(operands, kRight, i);
    if (turned != swapped) {
      std::swap(view.sizes[view.rank - 2], view.sizes[view.rank - 1]);
      std::swap(view.strides[view.rank - 2], view.strides[view.rank - 1]);
    }
    if (panels.given() && p->axis == Axis::kDepth && view.strides[view.rank - 2] == 1) {
      return Fail(operands.spec().codes.format,
                  "{} is FRACTAL_NZ and transposed, expected panels of columns as groupType = 2",
                  weights[i].Name());
    }
    p->weight.views.push_back(view);
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  for (int id : {kLeft, kRight}) {
    if (Status s = CheckInt4(operands, id); !s.ok()) return s;
  }
  return {};
}

// The first is how many rows a group is expected to have, the third how much memory may be used.
Status CheckTuning(const Operands& operands, const GroupedParams& p) {
  const auto tuning = TuningOf(operands);
  if (tuning.empty() || (tuning[0] >= 0 && (p.axis != Axis::kRows || tuning[0] <= p.size))) {
    return {};
  }
  return Fail(operands.spec().codes.shape,
              "tuningConfigOptional[0] = {}, expected 0 to {}, the rows of x", tuning[0], p.size);
}

// Integers whose kernel on a device has none are left without, as the document says.
Status ChooseActivation(const Operands& operands, GroupedParams* p) {
  const int64_t type = Chosen(operands, kActType);
  if (type == 0) return {};
  const aclDataType x = operands[kLeft].dtype();
  if (type == 3 || !DTypeSet{ACL_INT8, ACL_INT4}.Contains(x)) {
    return Fail(operands.spec().codes.shape, "actType = {}, expected {} beside {} of {}", type,
                type == 3 ? "0, 1, 2, 4 or 5" : "0", operands.NameOf(kLeft), NameOf(x));
  }
  if (x == ACL_INT4 || p->form != GroupedForm::kIntegers ||
      !kHalves.Contains(operands[kOut].dtype())) {
    Warn("actType = {} has no effect beside {} of {}, {} of {} and {} of {}", type,
         operands.NameOf(kLeft), NameOf(x), operands.NameOf(kRight),
         NameOf(operands[kRight].dtype()), operands.NameOf(kOut), NameOf(operands[kOut].dtype()));
    return {};
  }
  using elementwise::Op;
  p->activation = type == 1   ? Op::kRelu
                  : type == 2 ? Op::kGelu
                  : type == 4 ? Op::kSwish
                              : Op::kSilu;
  return {};
}

void Collect(const Operands& operands, int id, Stack* stack) {
  if (!operands.Given(id)) return;
  for (size_t i = 0; i < operands.List(id).size(); ++i) {
    stack->views.push_back(ViewOf(operands, id, i));
  }
}

}  // namespace

TensorView Stack::Of(size_t group) const {
  if (views.empty()) return {};
  if (!stacked) return views[separate() ? group : 0];
  return WithoutDim(Sliced(views[0], 0, static_cast<int64_t>(group), 1), 0);
}

Status CheckGrouped(Operands& operands, GroupedParams* params) {
  GroupedParams& p = *params;
  DropEmpty(operands);
  if (Status s = CheckLists(operands); !s.ok()) return s;
  for (int id : {kLeft, kRight}) {
    if (operands[id].spec->dtypes.Contains(ACL_INT4)) SeeInt4(operands, id);
  }
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckGroupedTypes(operands, &p.form); !s.ok()) return s;
  p.listing = static_cast<Listing>(Chosen(operands, kGroupListType));
  if (Status s = CheckForm(operands, &p); !s.ok()) return s;
  if (Status s = CheckGroupList(operands, p); !s.ok()) return s;
  if (HasHostList(operands)) {
    if (Status s = ReadHostList(operands, &p); !s.ok()) return s;
  }
  if (Status s = ReadWeights(operands, &p); !s.ok()) return s;
  if (Status s = CheckMatrices(operands, &p); !s.ok()) return s;
  if (Status s = CheckColumns(operands, p, kSummand); !s.ok()) return s;
  if (Status s = CheckFactors(operands, &p); !s.ok()) return s;
  if (Status s = CheckRowScale(operands, p); !s.ok()) return s;
  if (Status s = CheckTuning(operands, p); !s.ok()) return s;
  if (Status s = ChooseActivation(operands, &p); !s.ok()) return s;
  for (Stack* stack : {&p.bias, &p.scale, &p.offset}) stack->stacked = p.weight.stacked;
  const bool of_weight = p.form == GroupedForm::kFactors;
  Collect(operands, kLeft, &p.x);
  Collect(operands, kSummand, &p.bias);
  Collect(operands, of_weight ? kScale : kQuantScale, &p.scale);
  Collect(operands, of_weight ? kOffset : kQuantOffset, &p.offset);
  Collect(operands, kOut, &p.y);
  if (!of_weight) {  // one group of k
    for (TensorView& view : p.offset.views) view = WithoutDim(view, view.rank - 2);
  }
  p.row_scale = ViewOf(operands, kRowScale);
  if (p.row_scale.rank == 1) p.row_scale = WithDim(p.row_scale, 1);
  if (operands.Given(kGroupList) && p.ends.empty() && !HasHostList(operands))
    p.list = ViewOf(operands, kGroupList);
  p.list_name = operands.NameOf(kGroupList);
  for (size_t i = 0; i < p.panels.size(); ++i) SeeStorage(operands, kRight, p.panels[i], i);
  return {};
}

}  // namespace anyacl::matmul
