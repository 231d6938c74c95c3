// SPDX-License-Identifier: Apache-2.0
// Losses of pairs of elements, and their gradients: block by block, in fp32. Sums of blocks are
// added in double in their order.
#include <cmath>

#include "nnop/promotion.h"
#include "nnop/workspace.h"
#include "ops/blocks/walk.h"
#include "ops/loss/operators.h"
#include "ops/loss/reduction.h"
#include "ops/steps.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::loss {
namespace {

// Views of a call, of equal sizes; the last is the output unless elements are reduced.
enum : size_t { kX, kY, kW, kPos, kG, kTo, kViews };

constexpr int64_t kGrain = 4;  // blocks: 3 us in the caches

struct Problem {
  Function function;
  float beta = 0;
  double scale = 1;
  std::vector<TensorView> views;
};

// Reads the inputs of block b; what is not given is null.
Block BlockAt(const Bindings& bindings, const blocks::Walk& walk, int64_t b,
              float (*buffers)[blocks::kWalkBlock]) {
  const auto read = [&](size_t view) {
    return walk.given(view) ? walk.Read(bindings, view, b, buffers[view]) : nullptr;
  };
  return {.x = read(kX),
          .y = read(kY),
          .w = read(kW),
          .pos_weight = read(kPos),
          .g = read(kG),
          .n = walk.SizeOf(b),
          .beta = 0,
          .scale = 1};
}

class ElementsPlan final : public Plan {
 public:
  explicit ElementsPlan(const Problem& problem) : p_(problem), walk_(problem.views) {
    const auto function = static_cast<size_t>(p_.function);
    const KernelSet& kernels = Kernels().loss;
    const bool gradient = walk_.given(kG);
    compute_ = gradient ? kernels.gradients[function] : kernels.values[function];
    if (!AreInPlace()) return;
    const ElementKernels& elements = kernels.elements.Of(ElementOf(walk_.view(kX).dtype));
    in_place_ = gradient ? elements.gradients[function] : elements.values[function];
    const double bytes = 3.0 * static_cast<double>(walk_.count()) *
                         static_cast<double>(blocks::BytesOf(walk_.view(kX).dtype));
    past_caches_ = bytes / 4 * 5 > static_cast<double>(LastCacheShare());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (in_place_ != nullptr) {
      RunInPlace(bindings);
      return {};
    }
    ParallelFor(walk_.blocks(), kGrain, [&](int64_t begin, int64_t end) {
      alignas(64) float buffers[kViews][blocks::kWalkBlock];
      for (int64_t b = begin; b < end; ++b) {
        Block block = BlockAt(bindings, walk_, b, buffers);
        block.beta = p_.beta;
        block.scale = static_cast<float>(p_.scale);
        float* to = walk_.Target(bindings, kTo, b, buffers[kTo]);
        compute_(block, to);
        walk_.Written(bindings, kTo, b, to, buffers[kTo]);
      }
    });
    return {};
  }

 private:
  // Whether kernels work on elements as they lie in memory: next to one another and of one type,
  // but that one element of gradOutput may stand for all.
  bool AreInPlace() const {
    if (walk_.given(kW) || walk_.given(kPos)) return false;
    const aclDataType dtype = walk_.view(kX).dtype;
    if (dtype != ACL_FLOAT && dtype != ACL_FLOAT16 && dtype != ACL_BF16) return false;
    const auto is_dense = [&](size_t view) {
      return walk_.view(view).dtype == dtype && walk_.view(view).IsContiguous();
    };
    if (!is_dense(kX) || !is_dense(kY) || !is_dense(kTo)) return false;
    return !walk_.given(kG) || walk_.IsOne(kG) || is_dense(kG);
  }

  void RunInPlace(const Bindings& bindings) const {
    const TensorView& g = walk_.view(kG);
    ElementBlock all = {};
    all.beta = p_.beta;
    all.scale = static_cast<float>(p_.scale);
    all.past_caches = past_caches_;
    const bool one = g.given() && walk_.IsOne(kG);
    if (one) all.g_of_all = blocks::LoadOne<float>(g.dtype, g.Address(bindings));
    ParallelFor(walk_.blocks(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        ElementBlock block = all;
        block.x = walk_.Dense(bindings, kX, b);
        block.y = walk_.Dense(bindings, kY, b);
        if (!one) block.g = walk_.Dense(bindings, kG, b);
        block.to = walk_.Dense(bindings, kTo, b);
        block.n = walk_.SizeOf(b);
        in_place_(block);
      }
      if (past_caches_) Kernels().blocks.fence();
    });
  }

  const Problem p_;
  const blocks::Walk walk_;
  BlockFunction compute_;
  ElementFunction in_place_ = nullptr;
  bool past_caches_ = false;
};

class SumPlan final : public BookedPlan {
 public:
  // out = the sum times the problem's scale.
  SumPlan(const Problem& problem, const TensorView& out)
      : p_(problem),
        out_(out),
        walk_(problem.views),
        compute_(Kernels().loss.values[static_cast<size_t>(p_.function)]) {
    sums_ = book_.Book<double>(static_cast<size_t>(walk_.blocks()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    double* sums = sums_.In(bindings);
    ParallelFor(walk_.blocks(), kGrain, [&](int64_t begin, int64_t end) {
      alignas(64) float buffers[kViews][blocks::kWalkBlock];
      for (int64_t b = begin; b < end; ++b) {
        Block block = BlockAt(bindings, walk_, b, buffers);
        block.beta = p_.beta;
        compute_(block, buffers[kTo]);
        sums[b] = Kernels().loss.sum(buffers[kTo], block.n);
      }
    });
    double total = 0;
    for (int64_t b = 0; b < walk_.blocks(); ++b) total += sums[b];
    total *= p_.scale;
    blocks::StoreOne(total, out_.dtype, out_.Address(bindings));
    return {};
  }

 private:
  const Problem p_;
  const TensorView out_;
  const blocks::Walk walk_;
  const BlockFunction compute_;
  WorkspaceSlot<double> sums_;
};

// |self - target| of integers, or their sum, modulo 2^64.
class IntegerPlan final : public Plan {
 public:
  IntegerPlan(const Problem& problem, const TensorView& out, bool sums)
      : views_(problem.views), out_(out), sums_(sums) {
    Coalesce(views_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t count = views_[kX].elements();
    alignas(64) int64_t x[blocks::kWalkBlock], y[blocks::kWalkBlock];
    uint64_t total = 0;
    for (int64_t b = 0; b * blocks::kWalkBlock < count; ++b) {
      Load(bindings, views_[kX], b, x);
      Load(bindings, views_[kY], b, y);
      const int64_t n = std::min(blocks::kWalkBlock, count - b * blocks::kWalkBlock);
      for (int64_t i = 0; i < n; ++i) {
        const auto d = static_cast<uint64_t>(x[i]) - static_cast<uint64_t>(y[i]);
        x[i] = static_cast<int64_t>(x[i] < y[i] ? 0 - d : d);
        total += static_cast<uint64_t>(x[i]);
      }
      if (sums_) continue;
      const auto store = blocks::Storer(Element::kInt64, out_.dtype);
      blocks::Walk::ForTiles(
          bindings, views_[kTo], b,
          [&](const blocks::Tile& tile, int64_t before) { store(x + before, tile); });
    }
    if (sums_) {
      blocks::StoreOne(total, out_.dtype, out_.Address(bindings));
    }
    return {};
  }

 private:
  static void Load(const Bindings& bindings, const TensorView& view, int64_t block, int64_t* to) {
    const auto load = blocks::Loader(Element::kInt64, view.dtype);
    blocks::Walk::ForTiles(bindings, view, block, [&](const blocks::Tile& tile, int64_t before) {
      load(tile, to + before);
    });
  }

  std::vector<TensorView> views_;
  const TensorView out_;
  const bool sums_;
};

Function FunctionOf(Member member, bool log_target) {
  switch (member) {
    case Member::kMse:
      return Function::kMse;
    case Member::kL1:
      return Function::kL1;
    case Member::kSmoothL1:
      return Function::kSmoothL1;
    case Member::kBce:
      return Function::kBce;
    case Member::kBceLogits:
      return Function::kBceLogits;
    case Member::kBceLogitsInTarget:
      return Function::kBceLogitsInTarget;
    case Member::kKl:
      return log_target ? Function::kKlLog : Function::kKl;
    case Member::kKlInTarget:
      return log_target ? Function::kKlLogInTarget : Function::kKlInTarget;
    case Member::kSoftMargin:
      return Function::kSoftMargin;
  }
  return Function::kMse;
}

// The shape that the inputs broadcast to.
Status FindShape(const Operands& operands, Dims* shape) {
  *shape = operands[kSelf].shape();
  for (int id : {kTarget, kWeight, kPosWeight, kGradOutput}) {
    if (!operands[id].given()) continue;
    const std::optional<Dims> both = BroadcastShape(*shape, operands[id].shape());
    if (!both) {
      return Fail(operands.spec().codes.shape,
                  "{}.shape = {}, expected one that broadcasts with {}", operands.NameOf(id),
                  operands[id].shape().ToString(), shape->ToString());
    }
    *shape = *both;
  }
  if (ElementCount(*shape)) return {};
  return Fail(operands.spec().codes.shape,
              "the inputs broadcast to {}, expected fewer than 2^63 elements", shape->ToString());
}

Status CheckOut(const Operands& operands, const Dims& shape, bool one) {
  const Dims& out = operands[kOut].shape();
  if (one ? ElementCount(out) == 1 && out.rank() <= 1 : out == shape) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(kOut),
              out.ToString(), one ? "[] or [1] as elements are reduced" : shape.ToString());
}

// The input that a gradient is by, where it need not have the shape of all elements; -1: it does.
int NarrowInput(Member member) {
  return member == Member::kKl ? kSelf : member == Member::kKlInTarget ? kTarget : -1;
}

// gradOutput is no wider than the loss.
Status CheckGradOutput(const Operands& operands, const Dims& shape) {
  if (BroadcastShape(operands[kSelf].shape(), operands[kTarget].shape()) == shape) return {};
  return Fail(operands.spec().codes.shape,
              "gradOutput.shape = {}, expected one that broadcasts to self.shape and target.shape",
              operands[kGradOutput].shape().ToString());
}

// What is computed can be stored: integers only of integers.
Status CheckTypes(const Operands& operands, bool* integers) {
  aclDataType type = operands[kSelf].dtype();
  for (int id : {kTarget, kGradOutput}) {
    if (operands[id].given()) type = Promote(type, operands[id].dtype());
  }
  *integers = CategoryOf(type) == Category::kInteger;
  return CheckResultCast(operands, kOut, type);
}

TensorView Spread(const Operands& operands, int id, const Dims& shape) {
  if (!operands[id].given()) return {};
  return *Broadcast(ViewOf(operands, id), {shape.begin(), shape.rank()});
}

Status Check(Operands& operands, Member member, bool one, Dims* shape, Problem* problem,
             bool* integers) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands, integers); !s.ok()) return s;
  if (Status s = FindShape(operands, shape); !s.ok()) return s;
  const bool narrow = !one && operands[kGradOutput].given() && NarrowInput(member) >= 0;
  if (Status s = narrow ? CheckGradOutput(operands, *shape) : CheckOut(operands, *shape, one);
      !s.ok()) {
    return s;
  }
  if (member == Member::kSmoothL1) {
    problem->beta = static_cast<float>(operands.Real(kBeta));
    if (!(problem->beta >= 0)) {
      return Fail(operands.spec().codes.shape, "beta = {}, expected 0 or more", problem->beta);
    }
  }
  const bool divergence = member == Member::kKl || member == Member::kKlInTarget;
  problem->function = FunctionOf(member, divergence && operands.Flag(kLogTarget));
  for (int id : {kSelf, kTarget, kWeight, kPosWeight, kGradOutput}) {
    problem->views.push_back(Spread(operands, id, *shape));
  }
  return {};
}

// What the sum of the elements of this shape is multiplied by.
double ScaleOf(const Operands& operands, const Dims& shape) {
  switch (operands.Int(kReduction)) {
    case kMean:
      return 1 / static_cast<double>(*ElementCount(shape));
    case kBatchMean:
      return 1 / static_cast<double>(shape.rank() > 0 ? shape[0] : 1);
    default:
      return 1;
  }
}

// Of an input that repeats: the sum over its repetitions in `shape`.
Status PrepareSummedGradient(Operands& operands, PreparedCall* call, int input, const Dims& shape) {
  Steps steps(operands);
  const InnerTensor repeated = steps.Piece("the input repeated", ACL_FLOAT, shape);
  const InnerTensor gradient = steps.Piece("its gradient", ACL_FLOAT, shape);
  const Dims& own = operands[input].shape();
  const InnerTensor sums = steps.Piece("its sums", ACL_FLOAT, own);
  if (Status s = steps.Copy(repeated, TensorOf(operands, input)); !s.ok()) return s;
  const auto of = [&](int id) { return id == input ? repeated : TensorOf(operands, id); };
  if (Status s = steps.Call(input == kSelf ? "aclnnKlDivBackward" : "aclnnKlDivTargetBackward",
                            {of(kGradOutput), of(kSelf), of(kTarget), operands.Int(kReduction),
                             operands.Int(kLogTarget), gradient});
      !s.ok()) {
    return s;
  }
  IntArray summed;
  Dims left;
  const size_t before = shape.rank() - own.rank();
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (i < before || own[i - before] != shape[i]) {
      summed.push_back(static_cast<int64_t>(i));
    } else {
      left.push_back(shape[i]);
    }
  }
  if (Status s = steps.Call("aclnnReduceSum",
                            {gradient, summed, false, int64_t{ACL_FLOAT}, sums.As(left)});
      !s.ok()) {
    return s;
  }
  if (Status s = steps.Copy(TensorOf(operands, kOut), sums); !s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace

Status PrepareValue(Operands& operands, PreparedCall* call, Member member) {
  const bool one = operands.Int(kReduction) != kNone;
  Dims shape;
  Problem problem;
  bool integers;
  if (Status s = Check(operands, member, one, &shape, &problem, &integers); !s.ok()) return s;
  if (integers && operands.Int(kReduction) == kMean) {
    return Fail(operands.spec().codes.dtype,
                "self.dtype and target.dtype are INT64, expected a floating-point type as "
                "reduction = 1 (mean)");
  }
  const TensorView out = ViewOf(operands, kOut);
  problem.scale = ScaleOf(operands, shape);
  problem.views.push_back(one ? TensorView() : out);
  if (operands[kOut].IsEmpty()) return {};
  if (integers) {
    call->plan = std::make_shared<IntegerPlan>(problem, out, one);
  } else if (one) {
    call->plan = std::make_shared<SumPlan>(problem, out);
  } else {
    call->plan = std::make_shared<ElementsPlan>(problem);
  }
  return {};
}

Status PrepareMseOut(Operands& operands, PreparedCall* call) {
  if (operands.Int(kReduction) == kNone) return PrepareValue(operands, call, Member::kMse);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Dims shape;
  if (Status s = FindShape(operands, &shape); !s.ok()) return s;
  const size_t first = shape.rank() == 0 ? 0 : 1;
  if (Status s = CheckShapeIs(operands, kOut, Dims(shape.begin() + first, shape.rank() - first));
      !s.ok()) {
    return s;
  }
  Steps steps(operands);
  const InnerTensor elements = steps.Piece("the loss of each element", ACL_FLOAT, shape);
  const InnerTensor out = TensorOf(operands, kOut);
  if (Status s = steps.Call("aclnnMseLoss", {TensorOf(operands, kSelf), TensorOf(operands, kTarget),
                                             int64_t{kNone}, elements});
      !s.ok()) {
    return s;
  }
  if (Status s = steps.Call(operands.Int(kReduction) == kMean ? "aclnnMean" : "aclnnReduceSum",
                            {elements, IntArray{0}, false, int64_t{out.layout.dtype}, out});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

Status PrepareGradient(Operands& operands, PreparedCall* call, Member member) {
  Dims shape;
  Problem problem;
  bool integers;
  if (Status s = Check(operands, member, false, &shape, &problem, &integers); !s.ok()) return s;
  if (integers) {
    return Fail(operands.spec().codes.dtype,
                "self.dtype = INT64, expected a floating-point type among the inputs");
  }
  const int narrow = NarrowInput(member);
  if (narrow >= 0 && operands[kOut].shape() != shape) {
    if (operands[kOut].IsEmpty()) return {};
    return PrepareSummedGradient(operands, call, narrow, shape);
  }
  const Dims& averaged = narrow >= 0 ? shape : operands[kSelf].shape();
  problem.scale = ScaleOf(operands, averaged);
  problem.views.push_back(ViewOf(operands, kOut));
  if (!operands[kOut].IsEmpty()) call->plan = std::make_shared<ElementsPlan>(problem);
  return {};
}

}  // namespace anyacl::loss
