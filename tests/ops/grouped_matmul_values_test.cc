// SPDX-License-Identifier: Apache-2.0
// aclnnGroupedMatmulSwigluQuant against the oracle: every way to store weights, every edge of the
// kernels' tiles, and the vectors that the document's formulas give.
#include <string>

#include "ops/grouped_matmul_case.h"

namespace anyacl::test {
namespace {

class StorageTest : public GroupedMatmulTest, public ::testing::WithParamInterface<Storage> {
 protected:
  void Check(const Sizes& sizes) {
    SCOPED_TRACE(::testing::Message() << "M " << sizes.m << " K " << sizes.k << " N " << sizes.n
                                      << " E " << sizes.e << " G " << sizes.g);
    ExpectMatchesReference(RandomProblem(GetParam(), sizes, random()));
  }
};

// Tiles have 12, 6 or 3 rows: all remainders of all of them, and of their equal parts.
TEST_P(StorageTest, EveryNumberOfRows) {
  for (int64_t m = 1; m <= 49; ++m) Check({.m = m, .k = 32, .n = 64, .bounds = {m}});
}

TEST_P(StorageTest, EveryDepthAroundBlocks) {
  const int64_t step = IsNz(GetParam()) ? 16 : 1;
  for (int64_t k = step; k <= 80; k += step) Check({.m = 5, .k = k, .n = 64});
  for (int64_t k : {112, 128, 144, 240, 256, 272, 1040}) Check({.m = 3, .k = k, .n = 128});
}

// Blocks of k and units of columns of the packed way, for more rows than are multiplied in place.
TEST_P(StorageTest, ManyRowsByBlocksAndUnits) {
  for (int64_t k : {16, 48, 512, 528, 784, 1568})
    Check({.m = 35, .k = k, .n = 320, .bounds = {35}});
  if (!IsInt4(GetParam())) return;
  for (int64_t groups : {2, 3, 12, 98}) {
    Check({.m = 50, .k = 2352, .n = 192, .e = 2, .g = groups, .bounds = {27, 50}});
  }
}

TEST_P(StorageTest, EveryWidthAroundPanels) {
  const int64_t step = GetParam() == Storage::kInt4Nd    ? 2
                       : GetParam() == Storage::kInt32Nd ? 8
                       : GetParam() == Storage::kInt8Nz  ? 32
                                                         : 64;
  for (int64_t n = step; n <= 264; n += step) Check({.m = 3, .k = 32, .n = n});
}

TEST_P(StorageTest, ManyExperts) {
  Check({.m = 37, .k = 48, .n = 64, .e = 5});
  Check({.m = 9, .k = 32, .n = 128, .e = 40});
  Check({.m = 128, .k = 64, .n = 192, .e = 7, .bounds = {22, 44, 44, 65, 86, 86, 107}});
}

INSTANTIATE_TEST_SUITE_P(Storages, StorageTest, ::testing::ValuesIn(kAllStorages),
                         [](const auto& info) { return std::string(NameOf(info.param)); });

}  // namespace
}  // namespace anyacl::test
