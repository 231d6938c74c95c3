// SPDX-License-Identifier: Apache-2.0
// InplaceRandom: integers of [from, to), in any type.
#include <bit>

#include "base/wide.h"
#include "nnop/promotion.h"
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

// From here on numbers take two words instead of one.
constexpr uint64_t kWideRange = uint64_t{1} << 28;

int DigitsOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT16:
      return 11;
    case ACL_BF16:
      return 8;
    case ACL_FLOAT:
    case ACL_COMPLEX64:
      return 24;
    case ACL_DOUBLE:
    case ACL_COMPLEX128:
      return 53;
    default:
      return 64;
  }
}

// The multiple of the spacing of numbers with so many binary digits at or below |x|, or at or
// above.
Int128 Held(Int128 x, int digits, bool up) {
  const auto size = static_cast<uint64_t>(x < 0 ? -x : x);
  const int excess = std::bit_width(size) - digits;
  if (excess <= 0) return x;
  const Int128 spacing = Int128{1} << excess;
  const Int128 rest = size % static_cast<uint64_t>(spacing);
  if (rest == 0) return x;
  // Away from zero where that is the way asked for.
  const Int128 held = static_cast<Int128>(size) - rest + (up == (x > 0) ? spacing : 0);
  return x < 0 ? -held : held;
}

class IntegersPlan final : public Plan {
 public:
  explicit IntegersPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kInt64),
        from_(static_cast<uint64_t>(operands.Int(kFrom))),
        range_(static_cast<uint64_t>(operands.Int(kTo)) - from_),
        inverse_(UINT64_MAX / range_ + 1) {
    // Numbers that the type has, so that what it does not have is rounded to one of the interval.
    const int digits = DigitsOf(operands[kOut].dtype());
    const Int128 high = Held(Int128{operands.Int(kTo)} - 1, digits, false);
    const Int128 low = std::min(Held(operands.Int(kFrom), digits, true), high);
    low_ = static_cast<int64_t>(low);
    high_ = static_cast<int64_t>(high);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      alignas(64) int64_t numbers[kBlock];
      range_ < kWideRange ? MakeNarrow(sequence, first, count, numbers)
                          : MakeWide(sequence, first, count, numbers);
      out_.Store(bindings, first, count, numbers);
    });
    return {};
  }

 private:
  // word % range, by a multiplication with 2^64 / range (Lemire, Kaser and Kurz 2019).
  void MakeNarrow(const Sequence& sequence, int64_t first, int64_t count, int64_t* numbers) const {
    alignas(64) uint32_t words[kBlock];
    anyacl::Kernels().generators.words(sequence, first, count, words);
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t fraction = inverse_ * words[i];
      Put(static_cast<uint64_t>(UInt128{fraction} * range_ >> 64), &numbers[i]);
    }
  }
  void MakeWide(const Sequence& sequence, int64_t first, int64_t count, int64_t* numbers) const {
    alignas(64) uint32_t words[2 * kBlock];
    anyacl::Kernels().generators.words(sequence, 2 * first, 2 * count, words);
    for (int64_t i = 0; i < count; ++i) {
      Put((uint64_t{words[2 * i]} << 32 | words[2 * i + 1]) % range_, &numbers[i]);
    }
  }
  void Put(uint64_t step, int64_t* number) const {
    *number = std::clamp(static_cast<int64_t>(from_ + step), low_, high_);
  }

  const Seeds seeds_;
  const Elements out_;
  const uint64_t from_, range_, inverse_;
  int64_t low_, high_;
};

Status CheckRange(const Operands& operands) {
  const int64_t from = operands.Int(kFrom), to = operands.Int(kTo);
  const int code = operands.spec().codes.shape;
  if (from >= to) return Fail(code, "from = {}, expected a number below to = {}", from, to);
  const aclDataType dtype = operands[kOut].dtype();
  const Limits limits = LimitsOf(dtype);
  if (static_cast<double>(from) < limits.lowest) {
    return Fail(code, "from = {}, expected {} or more as selfRef.dtype = {}", from, limits.lowest,
                NameOf(dtype));
  }
  if (static_cast<double>(to - 1) <= limits.highest) return {};
  return Fail(code, "to - 1 = {}, expected up to {} as selfRef.dtype = {}", to - 1, limits.highest,
              NameOf(dtype));
}

}  // namespace

Status PrepareRandom(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckRange(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<IntegersPlan>(operands);
  return {};
}

}  // namespace anyacl::generators
