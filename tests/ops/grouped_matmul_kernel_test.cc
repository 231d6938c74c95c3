// SPDX-License-Identifier: Apache-2.0
// The epilogue of grouped products on every tier that this machine has: called on a row it writes
// exactly this one, with the bits of the base tier.
#include <algorithm>
#include <string>
#include <vector>

#include "kernels.h"
#include "simd/tiers.h"
#include "support/portion.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using grouped_matmul::KernelSet;

class KernelTest : public testing::TestWithParam<IsaTier> {
 protected:
  KernelTest()
      : kernels_(KernelsOf(GetParam())->grouped_matmul),
        base_(KernelsOf(IsaTier::kBase)->grouped_matmul),
        seed_(SeedOr(41)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {}

  const KernelSet& kernels_;
  const KernelSet& base_;
  const uint64_t seed_;
  testing::ScopedTrace trace_;
  Random random_;
};

TEST_P(KernelTest, ARowIsFinishedAlone) {
  for (int64_t half : {1, 2, 15, 16, 17, 63, 64, 65, 200}) {
    for (int64_t q_step : {1, 3}) {
      SCOPED_TRACE(std::to_string(half) + " columns, step " + std::to_string(q_step));
      std::vector<float> row(static_cast<size_t>(2 * half));
      for (float& number : row) number = static_cast<float>(random_.Normal(0, 3));
      std::vector<float> factors(static_cast<size_t>(half));
      for (float& factor : factors) factor = static_cast<float>(random_.Normal(0, 1));
      const float* const smooth = half % 2 == 0 ? factors.data() : nullptr;
      const auto finish = [&](const KernelSet& kernels, int8_t* q, float* scale) {
        Padded<float> c(2 * half);
        std::copy(row.begin(), row.end(), c.data());
        kernels.finish_row({c.data(), c.data(), half, q, q_step, scale, smooth});
        EXPECT_TRUE(c.RoomIsIntact());
      };
      Padded<float> scale(1), base_scale(1);
      const int64_t count = (half - 1) * q_step + 1;
      const std::vector<bool> written =
          WrittenBy<int8_t>(count, [&](int8_t* q) { finish(kernels_, q, scale.data()); });
      for (int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(written[static_cast<size_t>(i)], i % q_step == 0) << "element " << i;
      }
      Padded<int8_t> q(count), base_q(count);
      finish(kernels_, q.data(), scale.data());
      finish(base_, base_q.data(), base_scale.data());
      EXPECT_TRUE(q.Same(base_q) && scale.Same(base_scale));
    }
  }
}

ANYACL_FOR_EACH_TIER(KernelTest);

}  // namespace
}  // namespace anyacl::test
