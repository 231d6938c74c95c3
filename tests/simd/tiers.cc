// SPDX-License-Identifier: Apache-2.0
#include "simd/tiers.h"

#include <limits>

namespace anyacl {

// Of each tier's probes.cc. Weak: some programs need the rest of this file alone.
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  namespace kernels {                                \
  [[gnu::weak]] extern const Probes kProbes;         \
  }
ANYACL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW

namespace test {

const Probes& ProbesOf(IsaTier of) {
  switch (of) {
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  case IsaTier::tier:                                \
    return kernels::kProbes;
    ANYACL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW
    default:
      return base::kProbes;
  }
}

float AnyFloat(Random& random) {
  using Limits = std::numeric_limits<float>;
  static const std::vector<float> corners = {0.0f,
                                             1.0f,
                                             0.5f,
                                             1.5f,
                                             2.5f,
                                             126.5f,
                                             127.5f,
                                             128.5f,
                                             0.49999997f,
                                             0.50000006f,
                                             4194303.5f,
                                             4194304.5f,
                                             8388607.5f,
                                             8388608.0f,
                                             16777215.0f,
                                             2147483520.0f,
                                             65504.0f,
                                             65520.0f,
                                             65519.996f,
                                             0x1p-14f,
                                             0x1p-24f,
                                             0x1p-25f,
                                             0x1.8p-25f,
                                             Limits::min(),
                                             Limits::max(),
                                             Limits::denorm_min(),
                                             Limits::infinity(),
                                             Limits::quiet_NaN()};
  const float sign = random.Chance(0.5) ? -1.0f : 1.0f;
  switch (random.Int(0, 3)) {
    case 0:
      return sign * random.Pick(corners);
    case 1:
      return std::bit_cast<float>(static_cast<uint32_t>(random.Int(0, UINT32_MAX)));
    case 2:
      return sign * static_cast<float>(random.Int(0, 600)) / 2;
    default:
      return std::ldexp(static_cast<float>(random.Uniform(-1, 1)),
                        static_cast<int>(random.Int(-30, 30)));
  }
}

int32_t AnyInt(Random& random) {
  static const std::vector<int32_t> corners = {0,      1,     -1,     7,     8,         -8,
                                               -9,     127,   128,    -128,  -129,      32767,
                                               -32768, 32768, -32769, 65535, INT32_MAX, INT32_MIN};
  if (random.Chance(0.4)) return random.Pick(corners);
  if (random.Chance(0.5)) return static_cast<int32_t>(random.Int(-300, 300));
  return static_cast<int32_t>(random.Int(INT32_MIN, INT32_MAX));
}

F32s AnyFloats(Random& random) {
  F32s v;
  for (float& x : v.at) x = AnyFloat(random);
  return v;
}

I32s AnyInts(Random& random) {
  I32s v;
  for (int32_t& x : v.at) x = AnyInt(random);
  return v;
}

}  // namespace test
}  // namespace anyacl
