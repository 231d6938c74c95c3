// SPDX-License-Identifier: Apache-2.0
// The bits of the results, pinned: run with different ANYACL_THREADS and ANYACL_ISA, they must not
// change. Whoever changes the order of summation on purpose puts the new sums here.
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "support/device_test.h"
#include "support/fixed.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

// From integers alone: odd multiples of 2^-6 in (-8, 8) times a third.
std::vector<double> Values(int64_t count) {
  std::vector<double> values;
  FixedSequence sequence;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back((static_cast<double>(sequence.Bits(10)) - 511.5) / 64 / 3);
  }
  return values;
}

struct Pinned {
  aclDataType type;
  int64_t rows, n;
  uint64_t softmax, rms_norm, layer_norm;
};

class RowwiseThreadsTest : public DeviceTest {};

TEST_F(RowwiseThreadsTest, BitsDoNotDependOnThreadsOrTiers) {
  for (const Pinned& p :
       {Pinned{ACL_FLOAT, 700, 70, 0x7aa71db1ba284b93u, 0x5212f6b8dc54f811u, 0xc79068bf76506d3u},
        Pinned{ACL_FLOAT, 9, 9001, 0x8ef1f728dea3d9b3u, 0x894ce4373fedda78u, 0xd4bf1ecc3ec21449u},
        Pinned{ACL_FLOAT, 2, 40001, 0xecee7bc38d2ed397u, 0x8b0f36da4dbe190cu, 0x5a56f6bd65b54a45u},
        Pinned{ACL_BF16, 1, 40004, 0xd3484707c30b49c2u, 0xe52554f444392cb9u, 0x734d8ff12bb53b52u},
        Pinned{ACL_FLOAT16, 70, 1000, 0x319b94eec375f52fu, 0x50c5c1eea2f170deu,
               0x8b5ba6521557340cu},
        Pinned{ACL_BF16, 70, 1000, 0x70d3b5a7a36a306fu, 0x628e11d0533fbdeu, 0xa61c113d8f80d186u}}) {
    Tensor x({.dims = {p.rows, p.n}, .dtype = p.type}), gamma({.dims = {p.n}, .dtype = p.type});
    const Tensor out({.dims = {p.rows, p.n}, .dtype = p.type}), rstd({.dims = {p.rows, 1}});
    WriteAs(x, Values(x.count()));
    WriteAs(gamma, Values(p.n));
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSoftmaxGetWorkspaceSize(x.handle(), 1, out.handle(), s, e);
        },
        aclnnSoftmax);
    EXPECT_EQ(Fingerprint(out.ElementBytes()), p.softmax);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormGetWorkspaceSize(x.handle(), gamma.handle(), 1e-6, out.handle(),
                                              rstd.handle(), s, e);
        },
        aclnnRmsNorm);
    EXPECT_EQ(Fingerprint(out.ElementBytes()), p.rms_norm);
    const aclIntArray* shape = aclCreateIntArray(&p.n, 1);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnLayerNormGetWorkspaceSize(x.handle(), shape, gamma.handle(), gamma.handle(),
                                                1e-5, out.handle(), nullptr, nullptr, s, e);
        },
        aclnnLayerNorm);
    EXPECT_EQ(Fingerprint(out.ElementBytes()), p.layer_norm);
    aclDestroyIntArray(shape);
  }
}

}  // namespace
}  // namespace anyacl::test
