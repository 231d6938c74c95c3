// SPDX-License-Identifier: Apache-2.0
// Multinomial. With replacement: a uniform number is looked up among the sums of a row. Without:
// the largest p / e, e being exponentially distributed (Efraimidis and Spirakis 2006). Numbers
// come from Philox4x32-10 as those of the generators do: number i is word i % 4 of the block with
// the counter {i / 4, offset}.
#include <atomic>
#include <cmath>

#include "base/philox.h"
#include "nnop/copy_runs.h"
#include "ops/blocks/convert.h"
#include "ops/blocks/seed.h"
#include "ops/sorting/rows.h"

namespace anyacl::sorting {
namespace {

struct Candidate {
  double weight;
  int64_t place;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.place < b.place;
  }
};

// Which of Philox's sequences.
struct Sequence {
  uint64_t seed, offset;
};

class MultinomialPlan final : public BookedPlan {
 public:
  MultinomialPlan(const TensorView& self, const TensorView& out, bool replacement,
                  const blocks::SeedAndOffset& seed)
      : self_(self, self.rank - 1),
        out_(out, out.rank - 1),
        dtype_(self.dtype),
        replacement_(replacement),
        seed_(seed) {
    const int64_t pieces = std::min(ThreadCount(), std::max<int64_t>(self_.count(), 1));
    chances_ = book_.Book<double>(static_cast<size_t>(pieces * self_.length()));
    if (!replacement_) {
      candidates_ = book_.Book<Candidate>(static_cast<size_t>(pieces * self_.length()));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    std::atomic<int64_t> wrong{INT64_MAX};  // the first row
    const int64_t length = self_.length();
    const Sequence sequence = {seed_.Seed(bindings), seed_.Offset(bindings)};
    ParallelFor(
        self_.count(), std::max<int64_t>(1, 4096 / length),
        [&](int64_t begin, int64_t end, int64_t slot) {
          double* const chances = chances_.In(bindings) + slot * length;
          for (int64_t row = begin; row < end; ++row) {
            blocks::ConvertElements(dtype_, self_.Row(bindings, row), self_.step(), ACL_DOUBLE,
                                    reinterpret_cast<char*>(chances), sizeof(double), length);
            const bool right = replacement_ ? Look(bindings, sequence, row, chances)
                                            : Deal(bindings, sequence, row, chances,
                                                   candidates_.In(bindings) + slot * length);
            if (right) continue;
            int64_t known = wrong.load();
            while (row < known && !wrong.compare_exchange_weak(known, row)) {
            }
          }
        });
    if (wrong.load() == INT64_MAX) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "self: row {} is no distribution, expected finite numbers of 0 or more with a "
                "positive sum{}",
                wrong.load(), replacement_ ? "" : ", as many of them positive as numsamples says");
  }

 private:
  // Between 0 and 1, neither of them.
  static double Uniform(const Sequence& sequence, int64_t number) {
    const auto i = static_cast<uint64_t>(number);
    const PhiloxBlock block = Philox(i / 4, sequence.offset, sequence.seed);
    return (static_cast<double>(block.words[i % 4]) + 0.5) * 0x1p-32;
  }
  void Put(const Bindings& bindings, int64_t row, int64_t sample, int64_t value) const {
    StoreElement(out_.Row(bindings, row) + sample * out_.step(), value);
  }

  bool Look(const Bindings& bindings, const Sequence& sequence, int64_t row,
            double* chances) const {
    const int64_t length = self_.length();
    double sum = 0;
    int64_t last = -1;
    for (int64_t i = 0; i < length; ++i) {
      if (!(chances[i] >= 0) || std::isinf(chances[i])) return false;
      if (chances[i] > 0) last = i;
      sum += chances[i];
      chances[i] = sum;
    }
    if (!(sum > 0) || std::isinf(sum)) return false;
    const int64_t samples = out_.length();
    for (int64_t s = 0; s < samples; ++s) {
      const double at = Uniform(sequence, row * samples + s) * sum;
      const int64_t place = std::upper_bound(chances, chances + length, at) - chances;
      Put(bindings, row, s, std::min(place, last));
    }
    return true;
  }

  bool Deal(const Bindings& bindings, const Sequence& sequence, int64_t row, const double* chances,
            Candidate* candidates) const {
    const int64_t length = self_.length();
    const int64_t samples = out_.length();
    int64_t positive = 0;
    for (int64_t i = 0; i < length; ++i) {
      if (!(chances[i] >= 0) || std::isinf(chances[i])) return false;
      positive += chances[i] > 0;
      candidates[i] = {chances[i] / -std::log(Uniform(sequence, row * length + i)), i};
    }
    if (positive < samples) return false;
    std::partial_sort(candidates, candidates + samples, candidates + length);
    for (int64_t s = 0; s < samples; ++s) Put(bindings, row, s, candidates[s].place);
    return true;
  }

  const Rows self_, out_;
  const aclDataType dtype_;
  const bool replacement_;
  const blocks::SeedAndOffset seed_;
  WorkspaceSlot<double> chances_;
  WorkspaceSlot<Candidate> candidates_;
};

}  // namespace

Status PrepareMultinomial(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& self = operands[kSelf].shape();
  const int64_t samples = operands.Int(kSamples);
  const CheckCodes& codes = operands.spec().codes;
  Dims expected = self;
  expected[self.rank() - 1] = samples;
  if (Status s = CheckShapeIs(operands, kOut, expected); !s.ok()) return s;
  if (self.back() > (int64_t{1} << 24)) {
    return Fail(codes.shape, "self.shape = {}, expected at most 2^24 in the last dimension",
                self.ToString());
  }
  if (!operands.Flag(kReplacement) && samples > self.back()) {
    return Fail(codes.shape, "numsamples = {}, expected at most {}: replacement is false", samples,
                self.back());
  }
  if (operands[kOut].IsEmpty()) return {};
  if (self.back() == 0) {
    return Fail(codes.shape, "self.shape = {}, expected elements to choose from", self.ToString());
  }
  const blocks::SeedAndOffset seed(operands, {kSeed, kOffset, kSeedTensor, kOffsetTensor});
  call->plan = std::make_shared<MultinomialPlan>(ViewOf(operands, kSelf), ViewOf(operands, kOut),
                                                 operands.Flag(kReplacement), seed);
  return {};
}

}  // namespace anyacl::sorting
