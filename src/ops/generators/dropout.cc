// SPDX-License-Identifier: Apache-2.0
// Masks of bits, and what they leave of a tensor. The bits of a mask are read as bytes; one that is
// strided goes through a buffer.
#include <cmath>
#include <limits>

#include "nnop/scalar.h"
#include "ops/blocks/walk.h"
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

constexpr int64_t kBlockBytes = kBlock / 8;

bool IsNear(double a, double b) {
  return std::abs(a - b) <= std::numeric_limits<double>::epsilon();
}

// Bytes of a mask that holds a bit for each of `elements`: whole units of 128 bits.
int64_t MaskBytes(int64_t elements) {
  return (elements / 128 + (elements % 128 != 0 ? 1 : 0)) * 16;
}

class MaskBits {
 public:
  explicit MaskBits(const TensorView& view) : bytes_(view, Element::kInt32) {}

  int64_t count() const { return 8 * bytes_.count(); }
  // Of a block of bits, in units of 16; `buffer` holds kBlockBytes.
  const uint8_t* Read(const Bindings& bindings, int64_t first, int64_t count,
                      uint8_t* buffer) const {
    if (const char* dense = bytes_.Dense(bindings, first / 8)) {
      return reinterpret_cast<const uint8_t*>(dense);
    }
    int32_t numbers[kBlockBytes];
    const int64_t bytes = (count + 15) / 16 * 2;
    bytes_.Load(bindings, first / 8, bytes, numbers);
    for (int64_t i = 0; i < bytes; ++i) buffer[i] = static_cast<uint8_t>(numbers[i]);
    return buffer;
  }
  // make(to) writes a block of `count` bits, a multiple of 128.
  template <class Make>
  void Write(const Bindings& bindings, int64_t first, int64_t count, const Make& make) const {
    if (char* dense = bytes_.Dense(bindings, first / 8)) {
      return make(reinterpret_cast<uint8_t*>(dense));
    }
    uint8_t buffer[kBlockBytes];
    make(buffer);
    int32_t numbers[kBlockBytes];
    for (int64_t i = 0; i < count / 8; ++i) numbers[i] = buffer[i];
    bytes_.Store(bindings, first / 8, count / 8, numbers);
  }

 private:
  Elements bytes_;
};

// Bits that are 1 with probability 1 - prob.
class Masking {
 public:
  Masking(const Operands& operands, double prob)
      : seeds_(operands), mask_(ViewOf(operands, kMask)) {
    const auto kept = static_cast<float>(1 - prob);
    threshold_ =
        IsNear(prob, 0) ? int64_t{1} << 32 : WordsWhere([kept](float unit) { return unit < kept; });
  }
  void Run(const Bindings& bindings) const {
    const Sequence sequence = seeds_.Read(bindings);
    const auto make = anyacl::Kernels().generators.mask;
    ForBlocks(mask_.count(), [&](int64_t first, int64_t count) {
      mask_.Write(bindings, first, count,
                  [&](uint8_t* to) { make(sequence, threshold_, first, count, to); });
    });
  }

 private:
  const Seeds seeds_;
  const MaskBits mask_;
  int64_t threshold_;
};

// out = self / (1 - prob) where the mask has ones, else 0.
class Dropping {
 public:
  Dropping(const Operands& operands, double prob)
      : in_(ViewOf(operands, kSelf), Element::kFp32),
        out_(ViewOf(operands, kOut), Element::kFp32),
        mask_(ViewOf(operands, kMask)),
        use_(IsNear(prob, 0)   ? Use::kAllOnes
             : IsNear(prob, 1) ? Use::kAllZeros
                               : Use::kMask) {
    const aclDataType dtype = operands[kSelf].dtype();
    const auto kept = static_cast<float>(1 - prob);
    if (use_ == Use::kMask) scale_ = 1.0f / static_cast<float>(Nearest(dtype, kept));
    if (operands[kOut].dtype() == dtype || dtype == ACL_FLOAT) return;
    round_to_ = blocks::Storer(Element::kFp32, dtype);
    round_from_ = blocks::Loader(Element::kFp32, dtype);
  }
  void Run(const Bindings& bindings) const {
    ForBlocks(out_.count(),
              [&](int64_t first, int64_t count) { RunBlock(bindings, first, count); });
  }

 private:
  enum class Use { kMask, kAllOnes, kAllZeros };

  void RunBlock(const Bindings& bindings, int64_t first, int64_t count) const {
    alignas(8) uint8_t bits[kBlockBytes];
    const uint8_t* mask = bits;
    if (use_ == Use::kMask) {
      mask = mask_.Read(bindings, first, count, bits);
    } else {
      std::fill(std::begin(bits), std::end(bits), use_ == Use::kAllOnes ? 0xff : 0);
    }
    Floats from;
    const bool whole = count % 16 == 0;
    const char* x = whole ? in_.Direct(bindings, first) : nullptr;
    if (x == nullptr) {
      in_.Load(bindings, first, count, from.at);
      x = reinterpret_cast<const char*>(from.at);
    }
    char* const y = whole ? out_.Direct(bindings, first) : nullptr;
    const auto drop = anyacl::Kernels().generators.drop;
    const auto* in = reinterpret_cast<const float*>(x);
    if (y != nullptr && round_to_ == nullptr) {
      return drop(in, mask, scale_, count, reinterpret_cast<float*>(y));
    }
    Floats to;
    drop(in, mask, scale_, count, to.at);
    if (round_to_ != nullptr) {
      uint16_t halves[kBlock];
      const blocks::Tile tile = {reinterpret_cast<char*>(halves), 1, count, count, 1, false};
      round_to_(to.at, tile);
      round_from_(tile, to.at);
    }
    out_.Store(bindings, first, count, to.at);
  }

  const Elements in_, out_;
  const MaskBits mask_;
  const Use use_;
  float scale_ = 1.0f;
  // To the type of self and back, where the result has another.
  blocks::StoreFunction round_to_ = nullptr;
  blocks::LoadFunction round_from_ = nullptr;
};

class GenMaskPlan final : public Plan {
 public:
  GenMaskPlan(const Operands& operands, double prob) : masking_(operands, prob) {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    masking_.Run(bindings);
    return {};
  }

 private:
  const Masking masking_;
};

class DoMaskPlan final : public Plan {
 public:
  DoMaskPlan(const Operands& operands, double prob) : dropping_(operands, prob) {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    dropping_.Run(bindings);
    return {};
  }

 private:
  const Dropping dropping_;
};

class DropoutPlan final : public Plan {
 public:
  DropoutPlan(const Operands& operands, double prob)
      : masking_(operands, prob), dropping_(operands, prob) {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    masking_.Run(bindings);
    dropping_.Run(bindings);
    return {};
  }

 private:
  const Masking masking_;
  const Dropping dropping_;
};

Status CheckProb(const Operands& operands) {
  const double prob = operands.Real(kProb);
  if (prob >= 0 && prob <= 1) return {};
  return Fail(operands.spec().codes.shape, "{} = {}, expected 0 to 1", operands.NameOf(kProb),
              prob);
}

Status CheckMaskSize(const Operands& operands, int64_t elements, bool exactly) {
  const int64_t expected = MaskBytes(elements);
  const int64_t bytes = ViewOf(operands, kMask).elements();
  if (bytes == expected || (!exactly && bytes > expected)) return {};
  return Fail(operands.spec().codes.shape,
              "{} has {} elements, expected {}{}: a bit for each of {}, "
              "in units of 128",
              operands.NameOf(kMask), bytes, expected, exactly ? "" : " or more", elements);
}

// The product of shape's sizes.
Status CountShape(const Operands& operands, int64_t* elements) {
  *elements = 1;
  bool fits = true;
  for (int64_t size : operands.Ints(kShape)) {
    if (size < 0) {
      return Fail(operands.spec().codes.shape, "shape holds {}, expected 0 or more", size);
    }
    fits &= !__builtin_mul_overflow(*elements, size, elements);
    if (size == 0) {
      *elements = 0;
      return {};
    }
  }
  if (fits && *elements <= INT64_MAX - 128) return {};
  return Fail(operands.spec().codes.shape, "shape has more than 2^63 elements");
}

Status CheckProbType(const Operands& operands) {
  const aclDataType dtype = operands.DType(kProbType);
  if (kFloats.Contains(dtype)) return {};
  return Fail(operands.spec().codes.dtype, "probDataType = {}, expected {}", NameOf(dtype),
              kFloats.ToString());
}

}  // namespace

Status PrepareDropoutGenMask(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckProb(operands); !s.ok()) return s;
  int64_t elements = 0;
  if (Status s = CountShape(operands, &elements); !s.ok()) return s;
  if (Status s = CheckMaskSize(operands, elements, true); !s.ok()) return s;
  if (operands[kMask].IsEmpty()) return {};
  call->plan = std::make_shared<GenMaskPlan>(operands, operands.Real(kProb));
  return {};
}

Status PrepareDropoutGenMaskV2(Operands& operands, PreparedCall* call) {
  if (Status s = PrepareDropoutGenMask(operands, call); !s.ok()) return s;
  return CheckProbType(operands);
}

Status PrepareDropoutDoMask(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckProb(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty() || operands[kMask].IsEmpty()) return {};
  const int64_t elements = ViewOf(operands, kSelf).elements();
  if (Status s = CheckMaskSize(operands, elements, false); !s.ok()) return s;
  call->plan = std::make_shared<DoMaskPlan>(operands, operands.Real(kProb));
  return {};
}

Status PrepareDropoutBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const double scale = operands.Real(kScale);
  const double prob = IsNear(scale, 0) ? 1 : 1 - 1 / scale;
  if (!(prob >= 0 && prob <= 1)) {
    return Fail(operands.spec().codes.shape, "scale = {}, expected 0, or 1 or more", scale);
  }
  const int64_t elements = ViewOf(operands, kSelf).elements();
  if (Status s = CheckMaskSize(operands, elements, true); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<DoMaskPlan>(operands, prob);
  return {};
}

Status PrepareDropout(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckProb(operands); !s.ok()) return s;
  const int64_t elements = ViewOf(operands, kSelf).elements();
  if (Status s = CheckMaskSize(operands, elements, true); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  // Without a choice the mask stays as it is.
  const double prob = operands.Flag(kTrain) ? operands.Real(kProb) : 0;
  if (prob == 0 || prob == 1) {
    call->plan = std::make_shared<DoMaskPlan>(operands, prob);
  } else {
    call->plan = std::make_shared<DropoutPlan>(operands, prob);
  }
  return {};
}

namespace {

// y = x / keep where the mask has a byte that is not 0, else 0.
class ByteMaskPlan final : public Plan {
 public:
  ByteMaskPlan(const Operands& operands, float keep)
      : walk_({ViewOf(operands, kSelf), ViewOf(operands, kMask), ViewOf(operands, kOut)}),
        keep_(keep) {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(walk_.blocks(), 4, [&](int64_t begin, int64_t end) {
      alignas(64) float buffers[3][blocks::kWalkBlock];
      for (int64_t b = begin; b < end; ++b) {
        const float* const x = walk_.Read(bindings, 0, b, buffers[0]);
        const float* const mask = walk_.Read(bindings, 1, b, buffers[1]);
        float* const y = walk_.Target(bindings, 2, b, buffers[2]);
        for (int64_t i = 0; i < walk_.SizeOf(b); ++i) y[i] = mask[i] != 0 ? x[i] / keep_ : 0.0f;
        walk_.Written(bindings, 2, b, y, buffers[2]);
      }
    });
    return {};
  }

 private:
  const blocks::Walk walk_;
  const float keep_;
};

}  // namespace

Status PrepareByteMask(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue keep;
  if (Status s = ReadScalar(operands, kProb, &keep); !s.ok()) return s;
  if (!(keep.real > 0 && keep.real <= 1)) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected above 0 to 1",
                operands.NameOf(kProb), keep.real);
  }
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<ByteMaskPlan>(operands, static_cast<float>(keep.real));
  return {};
}

}  // namespace anyacl::generators
