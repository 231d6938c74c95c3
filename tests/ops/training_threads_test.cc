// SPDX-License-Identifier: Apache-2.0
// The bits of the results, pinned: run with different ANYACL_THREADS and ANYACL_ISA, they must not
// change. Whoever changes the order of summation on purpose puts the new sums here.
#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_layer_norm_backward.h"
#include "aclnnop/aclnn_mse_loss.h"
#include "support/device_test.h"
#include "support/fixed.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class TrainingThreadsTest : public DeviceTest {};

struct Pinned {
  aclDataType type;
  std::vector<int64_t> dims;
  uint64_t out, invstd, dx, dweight;
};

TEST_F(TrainingThreadsTest, BatchNorm) {
  for (const Pinned& p : {Pinned{ACL_FLOAT,
                                 {300, 90},
                                 0x47bf68cfc485ea6fu,
                                 0x3985f4f2ab9e7e01u,
                                 0xd6a731a0b8c782feu,
                                 0xb61d789aa73cee25u},
                          Pinned{ACL_FLOAT,
                                 {8, 3, 70, 80},
                                 0xf72325ffe2e84113u,
                                 0x858d4ba920d965bfu,
                                 0xc6c46b2d762d3b1au,
                                 0xf4fd266b17bc8930u},
                          Pinned{ACL_BF16,
                                 {8, 40, 9, 9},
                                 0x8ef0014f67bac6bdu,
                                 0x3a8a374e7588f136u,
                                 0xb8639139b9d37ca8u,
                                 0x7bee72dff1c37b4fu}}) {
    const int64_t channels = p.dims[1];
    Tensor x({.dims = p.dims, .dtype = p.type}), g({.dims = p.dims, .dtype = p.type});
    const Tensor out({.dims = p.dims, .dtype = p.type});
    const Tensor mean({.dims = {channels}}), invstd({.dims = {channels}});
    const Tensor dweight({.dims = {channels}}), dbias({.dims = {channels}});
    WriteAs(x, FixedNumbers(x.count(), 1));
    WriteAs(g, FixedNumbers(g.count(), 2));
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormGetWorkspaceSize(x.handle(), nullptr, nullptr, nullptr, nullptr,
                                                true, 0.1, 1e-5, out.handle(), mean.handle(),
                                                invstd.handle(), s, e);
        },
        aclnnBatchNorm);
    EXPECT_EQ(Fingerprint(out.ElementBytes()), p.out);
    EXPECT_EQ(Fingerprint(invstd.ElementBytes()), p.invstd);
    const bool wanted[] = {true, true, true};
    const aclBoolArray* mask = aclCreateBoolArray(wanted, 3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormBackwardGetWorkspaceSize(
              g.handle(), x.handle(), nullptr, nullptr, nullptr, mean.handle(), invstd.handle(),
              true, 1e-5, mask, out.handle(), dweight.handle(), dbias.handle(), s, e);
        },
        aclnnBatchNormBackward);
    aclDestroyBoolArray(mask);
    EXPECT_EQ(Fingerprint(out.ElementBytes()), p.dx);
    EXPECT_EQ(Fingerprint(dweight.ElementBytes()), p.dweight);
  }
}

TEST_F(TrainingThreadsTest, LayerNormBackward) {
  for (const Pinned& p : {Pinned{ACL_FLOAT,
                                 {2000, 70},
                                 0x651d0616bcb651d4u,
                                 0,
                                 0x1e06affc5ee0f26du,
                                 0xeebad178e9b784acu},
                          Pinned{ACL_FLOAT,
                                 {5, 40001},
                                 0x115ae81de1f4c876u,
                                 0,
                                 0x10c621a9f9ca4fe2u,
                                 0xbb71ecf2f3f7a4d4u},
                          Pinned{ACL_FLOAT16,
                                 {200, 5000},
                                 0xce834810b3b102c4u,
                                 0,
                                 0x9e410c9aa7ab87e6u,
                                 0xd7f67384868805fdu}}) {
    const int64_t rows = p.dims[0], n = p.dims[1];
    Tensor x({.dims = p.dims, .dtype = p.type}), g({.dims = p.dims, .dtype = p.type});
    Tensor gamma({.dims = {n}, .dtype = p.type}), mean({.dims = {rows, 1}});
    const Tensor dx({.dims = p.dims, .dtype = p.type}), dgamma({.dims = {n}}), dbeta({.dims = {n}});
    WriteAs(x, FixedNumbers(x.count(), 1));
    WriteAs(g, FixedNumbers(g.count(), 2));
    WriteAs(gamma, FixedNumbers(n, 3));
    WriteAs(mean, FixedNumbers(rows, 4));
    const aclIntArray* shape = aclCreateIntArray(&n, 1);
    const bool wanted[] = {true, true, true};
    const aclBoolArray* mask = aclCreateBoolArray(wanted, 3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnLayerNormBackwardGetWorkspaceSize(
              g.handle(), x.handle(), shape, mean.handle(), mean.handle(), gamma.handle(), nullptr,
              mask, dx.handle(), dgamma.handle(), dbeta.handle(), s, e);
        },
        aclnnLayerNormBackward);
    aclDestroyBoolArray(mask);
    aclDestroyIntArray(shape);
    EXPECT_EQ(Fingerprint(dx.ElementBytes()), p.dx);
    EXPECT_EQ(Fingerprint(dgamma.ElementBytes()), p.dweight);
    EXPECT_EQ(Fingerprint(dbeta.ElementBytes()), p.out);
  }
}

TEST_F(TrainingThreadsTest, Losses) {
  Tensor x({.dims = {70, 3001}}), y({.dims = {70, 3001}});
  const Tensor every({.dims = {70, 3001}}), one({.dims = {}});
  WriteAs(x, FixedNumbers(x.count(), 1));
  WriteAs(y, FixedNumbers(y.count(), 2));
  const auto run = [&](auto phase1, Phase2 phase2) { RunTwoPhase(phase1, phase2); };
  run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMseLossGetWorkspaceSize(x.handle(), y.handle(), 1, one.handle(), s, e);
      },
      aclnnMseLoss);
  EXPECT_EQ(Fingerprint(one.ElementBytes()), 0x45b73609728a2c29u);
  run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(x.handle(), y.handle(), nullptr,
                                                                 nullptr, 0, every.handle(), s, e);
      },
      aclnnBinaryCrossEntropyWithLogits);
  EXPECT_EQ(Fingerprint(every.ElementBytes()), 0xdd050be682c499c8u);
}

}  // namespace
}  // namespace anyacl::test
