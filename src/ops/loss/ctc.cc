// SPDX-License-Identifier: Apache-2.0
// Connectionist temporal classification (Graves and others, 2006), in double precision: of each
// sequence the logarithms of the sums over paths, forwards (alpha) and, for the gradient,
// backwards.
#include <cmath>
#include <limits>
#include <vector>

#include "nnop/workspace.h"
#include "ops/blocks/walk.h"
#include "ops/loss/operators.h"
#include "runtime/parallel.h"

namespace anyacl::loss {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct CtcProblem {
  TensorView log_probs;  // [T, N, C]
  TensorView targets;    // [L], or [N, S]
  TensorView likelihood, log_alpha;
  TensorView gradient, out;  // of the gradient alone
  std::vector<int64_t> input_lengths, target_lengths;
  std::vector<int64_t> first_target;  // of each sequence, in elements of the targets
  int64_t longest = 0;                // of target_lengths
  int64_t blank = 0;
  bool zero_infinity = false;

  int64_t steps() const { return log_probs.sizes[0]; }
  int64_t batch() const { return log_probs.sizes[1]; }
  int64_t classes() const { return log_probs.sizes[2]; }
};

// The logarithm of the sum of numbers that are given by theirs.
double LogSum(double a, double b, double c = kNever) {
  const double most = std::fmax(std::fmax(a, b), c);
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return a + b + c;
  if (std::isinf(most)) return most;
  return most + std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most));
}

class CtcPlan : public BookedPlan {
 protected:
  explicit CtcPlan(CtcProblem problem) : p_(std::move(problem)) {
    const auto batch = static_cast<size_t>(p_.batch());
    places_ = 2 * p_.longest + 1;
    labels_ = book_.Book<int64_t>(batch * static_cast<size_t>(places_));
    row_ = book_.Book<double>(batch * static_cast<size_t>(p_.classes()));
  }

  // A sequence's labels with blanks before, between and behind.
  int64_t* LabelsOf(const Bindings& bindings, int64_t n) const {
    return labels_.In(bindings) + n * places_;
  }
  int64_t PlacesOf(int64_t n) const { return 2 * p_.target_lengths[static_cast<size_t>(n)] + 1; }

  Status ReadLabels(const Bindings& bindings) const {
    const aclDataType dtype = p_.targets.dtype;
    const bool real = dtype == ACL_FLOAT || dtype == ACL_FLOAT16;
    const auto load = blocks::Loader(real ? Element::kFp64 : Element::kInt64, dtype);
    for (int64_t n = 0; n < p_.batch(); ++n) {
      int64_t* labels = LabelsOf(bindings, n);
      for (int64_t s = 0; s < PlacesOf(n); ++s) {
        int64_t& label = labels[s] = p_.blank;
        if (s % 2 == 0) continue;
        char* from = p_.targets.Address(bindings) + TargetAt(n, s / 2) * blocks::BytesOf(dtype);
        double number = 0;
        load({from, 1, 1, 0, 1, false}, real ? static_cast<void*>(&number) : &label);
        if (real) label = number > -1 && number < 0x1p31 ? static_cast<int64_t>(number) : -1;
        if (label >= 0 && label < p_.classes()) continue;
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "target {} of sequence {} is {}, expected 0 to {}: logProbs has {} classes",
                    s / 2, n, real ? number : static_cast<double>(label), p_.classes() - 1,
                    p_.classes());
      }
    }
    return {};
  }

  // The numbers of one step of one sequence.
  const double* Probabilities(const Bindings& bindings, int64_t t, int64_t n) const {
    double* row = row_.In(bindings) + n * p_.classes();
    Load(bindings, p_.log_probs, t, n, p_.classes(), row);
    return row;
  }

  static blocks::Tile TileOf(const Bindings& bindings, const TensorView& view, int64_t first,
                             int64_t second, int64_t count) {
    const int64_t at = first * view.strides[0] + second * view.strides[1];
    return {view.Address(bindings) + at * blocks::BytesOf(view.dtype),
            1,
            count,
            0,
            view.strides[2],
            false};
  }
  static void Load(const Bindings& bindings, const TensorView& view, int64_t first, int64_t second,
                   int64_t count, double* to) {
    blocks::Loader(Element::kFp64, view.dtype)(TileOf(bindings, view, first, second, count), to);
  }
  static void Store(const Bindings& bindings, const TensorView& view, int64_t first, int64_t second,
                    int64_t count, const double* from) {
    blocks::Storer(Element::kFp64, view.dtype)(from, TileOf(bindings, view, first, second, count));
  }
  // Of a sequence.
  static char* One(const Bindings& bindings, const TensorView& view, int64_t n) {
    const int64_t at = view.rank > 0 ? n * view.strides[0] : 0;
    return view.Address(bindings) + at * blocks::BytesOf(view.dtype);
  }

  const CtcProblem p_;
  int64_t places_ = 1;  // of the longest sequence
  WorkspaceSlot<int64_t> labels_;
  WorkspaceSlot<double> row_;

 private:
  int64_t TargetAt(int64_t n, int64_t index) const {
    if (p_.targets.rank == 2) return n * p_.targets.strides[0] + index * p_.targets.strides[1];
    return (p_.first_target[static_cast<size_t>(n)] + index) * p_.targets.strides[0];
  }
};

class CtcForwardPlan final : public CtcPlan {
 public:
  explicit CtcForwardPlan(CtcProblem problem) : CtcPlan(std::move(problem)) {
    alpha_ = book_.Book<double>(static_cast<size_t>(p_.batch() * 2 * columns()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = ReadLabels(bindings); !s.ok()) return s;
    ParallelFor(p_.batch(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) RunSequence(bindings, n);
    });
    return {};
  }

 private:
  int64_t columns() const { return p_.log_alpha.sizes[2]; }

  void RunSequence(const Bindings& bindings, int64_t n) const {
    const int64_t steps = p_.input_lengths[static_cast<size_t>(n)];
    const int64_t places = PlacesOf(n);
    const int64_t* labels = LabelsOf(bindings, n);
    double* alpha = alpha_.In(bindings) + n * 2 * columns();
    double* before = alpha + columns();
    for (int64_t t = 0; t < p_.steps(); ++t) {
      std::swap(alpha, before);
      std::fill_n(alpha, columns(), kNever);
      if (t < steps) {
        const double* y = Probabilities(bindings, t, n);
        for (int64_t s = 0; s < places; ++s) {
          if (t == 0) {
            alpha[s] = s < 2 ? y[labels[s]] : kNever;
            continue;
          }
          const bool jump = s > 1 && labels[s] != labels[s - 2];
          alpha[s] = y[labels[s]] + LogSum(before[s], s > 0 ? before[s - 1] : kNever,
                                           jump ? before[s - 2] : kNever);
        }
      }
      Store(bindings, p_.log_alpha, n, t, columns(), alpha);
      if (t == steps - 1)
        Finish(bindings, n, LogSum(alpha[places - 1], places > 1 ? alpha[places - 2] : kNever));
    }
    if (steps == 0) Finish(bindings, n, places == 1 ? 0 : kNever);
  }

  void Finish(const Bindings& bindings, int64_t n, double log_likelihood) const {
    const bool zero = p_.zero_infinity && std::isinf(log_likelihood);
    const double loss = zero ? 0 : -log_likelihood;
    blocks::StoreOne(loss, p_.likelihood.dtype, One(bindings, p_.likelihood, n));
  }

  WorkspaceSlot<double> alpha_;
};

class CtcGradientPlan final : public CtcPlan {
 public:
  explicit CtcGradientPlan(CtcProblem problem) : CtcPlan(std::move(problem)) {
    const int64_t numbers = 3 * places_ + p_.classes();
    numbers_ = book_.Book<double>(static_cast<size_t>(p_.batch() * numbers));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = ReadLabels(bindings); !s.ok()) return s;
    ParallelFor(p_.batch(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) RunSequence(bindings, n);
    });
    return {};
  }

 private:
  double Number(const Bindings& bindings, const TensorView& view, int64_t n) const {
    return blocks::LoadOne<double>(view.dtype, One(bindings, view, n));
  }

  // What all paths amount to, by alpha: a loss that was set to 0 for being infinite says nothing.
  double LogLikelihood(const Bindings& bindings, int64_t n, double* alpha) const {
    const int64_t steps = p_.input_lengths[static_cast<size_t>(n)], places = PlacesOf(n);
    if (steps == 0) return places == 1 ? 0 : kNever;
    Load(bindings, p_.log_alpha, n, steps - 1, places, alpha);
    return LogSum(alpha[places - 1], places > 1 ? alpha[places - 2] : kNever);
  }

  void RunSequence(const Bindings& bindings, int64_t n) const {
    const int64_t steps = p_.input_lengths[static_cast<size_t>(n)], places = PlacesOf(n);
    const int64_t* labels = LabelsOf(bindings, n);
    double* beta = numbers_.In(bindings) + n * (3 * places_ + p_.classes());
    double* after = beta + places_;
    double* alpha = after + places_;
    double* sums = alpha + places_;
    const double loss = Number(bindings, p_.likelihood, n);
    const double gradient = Number(bindings, p_.gradient, n);
    const bool zero =
        p_.zero_infinity && (std::isinf(loss) || std::isinf(LogLikelihood(bindings, n, alpha)));
    for (int64_t t = p_.steps() - 1; t >= 0; --t) {
      std::fill_n(sums, p_.classes(), 0.0);
      if (t < steps && !zero) {
        const double* y = Probabilities(bindings, t, n);
        std::swap(beta, after);
        Step(labels, places, y, t == steps - 1, after, beta);
        Load(bindings, p_.log_alpha, n, t, places, alpha);
        std::fill_n(sums, p_.classes(), kNever);
        for (int64_t s = 0; s < places; ++s) {
          double& sum = sums[labels[s]];
          sum = LogSum(sum, alpha[s] + beta[s]);
        }
        for (int64_t c = 0; c < p_.classes(); ++c) {
          sums[c] = gradient * (std::exp(y[c]) - std::exp(sums[c] + loss - y[c]));
        }
      }
      Store(bindings, p_.out, t, n, p_.classes(), sums);
    }
  }

  static void Step(const int64_t* labels, int64_t places, const double* y, bool last,
                   const double* after, double* beta) {
    for (int64_t s = places - 1; s >= 0; --s) {
      if (last) {
        beta[s] = s >= places - 2 ? y[labels[s]] : kNever;
        continue;
      }
      const bool jump = s + 2 < places && labels[s] != labels[s + 2];
      beta[s] = y[labels[s]] + LogSum(after[s], s + 1 < places ? after[s + 1] : kNever,
                                      jump ? after[s + 2] : kNever);
    }
  }

  WorkspaceSlot<double> numbers_;
};

Status CheckLengths(const Operands& operands, int id, int64_t batch, int64_t most) {
  const std::span<const int64_t> lengths = operands.Ints(id);
  if (static_cast<int64_t>(lengths.size()) != batch) {
    return Fail(operands.spec().codes.shape,
                "{} has {} elements, expected {}, one for each sequence", operands.NameOf(id),
                lengths.size(), batch);
  }
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0 || lengths[i] > most) {
      return Fail(operands.spec().codes.shape, "{}[{}] = {}, expected 0 to {}", operands.NameOf(id),
                  i, lengths[i], most);
    }
  }
  return {};
}

// Checks what the table cannot say, and brings logProbs to three dimensions. `packed`: blank holds
// the largest of targetLengths times C, too.
Status Build(Operands& operands, bool packed, CtcProblem* problem) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  CtcProblem& p = *problem;
  p.log_probs = ViewOf(operands, kSelf);
  if (p.log_probs.rank == 2) {
    TensorView& view = p.log_probs;
    view.sizes[2] = view.sizes[1];
    view.strides[2] = view.strides[1];
    view.sizes[1] = 1;
    view.strides[1] = 0;
    view.rank = 3;
  }
  if (p.steps() == 0 || p.classes() == 0) {
    return Fail(code, "logProbs.shape = {}, expected at least one step and one class",
                operands[kSelf].shape().ToString());
  }
  p.targets = ViewOf(operands, kTarget);
  p.blank = operands.Int(kBlank);
  if (packed) p.blank %= p.classes();
  p.zero_infinity = operands.Flag(kZeroInfinity);
  if (p.blank < 0 || p.blank >= p.classes()) {
    return Fail(code, "blank = {}, expected 0 to {}", p.blank, p.classes() - 1);
  }
  const bool rows = p.targets.rank == 2;
  if (rows && p.targets.sizes[0] != p.batch()) {
    return Fail(code, "targets.shape = {}, expected {} rows", operands[kTarget].shape().ToString(),
                p.batch());
  }
  const int64_t most = rows ? p.targets.sizes[1] : p.targets.sizes[0];
  if (Status s = CheckLengths(operands, kInputLengths, p.batch(), p.steps()); !s.ok()) return s;
  if (Status s = CheckLengths(operands, kTargetLengths, p.batch(), most); !s.ok()) return s;
  int64_t sum = 0;
  for (int64_t length : operands.Ints(kTargetLengths)) {
    p.first_target.push_back(sum);
    p.target_lengths.push_back(length);
    p.longest = std::max(p.longest, length);
    if (__builtin_add_overflow(sum, length, &sum)) sum = INT64_MAX;
  }
  if (!rows && sum != p.targets.sizes[0]) {
    return Fail(code, "targets.shape = {}, expected [{}], the sum of targetLengths",
                operands[kTarget].shape().ToString(), sum);
  }
  const std::span<const int64_t> inputs = operands.Ints(kInputLengths);
  p.input_lengths.assign(inputs.begin(), inputs.end());
  p.likelihood = ViewOf(operands, kLikelihood);
  p.log_alpha = ViewOf(operands, kLogAlpha);
  return {};
}

}  // namespace

namespace {

Status PrepareForward(Operands& operands, bool packed, PreparedCall* call) {
  CtcProblem p;
  if (Status s = Build(operands, packed, &p); !s.ok()) return s;
  Dims losses;
  if (operands[kSelf].shape().rank() == 3) losses.push_back(p.batch());
  if (Status s = CheckShapeIs(operands, kLikelihood, losses); !s.ok()) return s;
  const int64_t columns = 2 * p.longest + 1;
  const Dims& alpha = operands[kLogAlpha].shape();
  if (alpha[0] != p.batch() || (alpha[2] != columns && alpha[2] != (columns + 7) / 8 * 8)) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [{}, {}, {} or {}]",
                operands.NameOf(kLogAlpha), alpha.ToString(), p.batch(), p.steps(), columns,
                (columns + 7) / 8 * 8);
  }
  if (p.batch() > 0) call->plan = std::make_shared<CtcForwardPlan>(std::move(p));
  return {};
}

}  // namespace

Status PrepareCtc(Operands& operands, PreparedCall* call) {
  return PrepareForward(operands, false, call);
}

Status PrepareCtcNode(Operands& operands, PreparedCall* call) {
  return PrepareForward(operands, true, call);
}

Status PrepareCtcGradient(Operands& operands, PreparedCall* call) {
  CtcProblem p;
  if (Status s = Build(operands, false, &p); !s.ok()) return s;
  if (p.log_alpha.sizes[2] < 2 * p.longest + 1) {
    return Fail(operands.spec().codes.shape, "logAlpha.shape[2] = {}, expected at least {}",
                p.log_alpha.sizes[2], 2 * p.longest + 1);
  }
  p.gradient = ViewOf(operands, kGradOutput);
  p.out = ViewOf(operands, kOut);
  if (p.batch() > 0) call->plan = std::make_shared<CtcGradientPlan>(std::move(p));
  return {};
}

}  // namespace anyacl::loss
