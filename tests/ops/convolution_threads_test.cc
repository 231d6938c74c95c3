// SPDX-License-Identifier: Apache-2.0
// The bits of the results, pinned: run with different ANYACL_THREADS and ANYACL_ISA, they must not
// change. Whoever changes the order of summation on purpose puts the new sums here.
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "support/device_test.h"
#include "support/fixed.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

struct Pinned {
  std::vector<int64_t> input, weight, output;
  int groups;
  uint64_t out, dx, dw, db;
};

class ConvolutionThreadsTest : public DeviceTest {};

TEST_F(ConvolutionThreadsTest, BitsDoNotDependOnThreadsOrTiers) {
  for (const Pinned& p : {
           Pinned{{3, 50, 23, 29},
                  {70, 50, 3, 3},
                  {3, 70, 23, 29},
                  1,
                  5537512310997777679u,
                  9629948427717899884u,
                  4413007787460175688u,
                  12389122377466683069u},
           Pinned{{4, 20, 70, 65},
                  {20, 1, 3, 3},
                  {4, 20, 70, 65},
                  20,
                  5334705162754191935u,
                  632793677495663832u,
                  5017831308307852800u,
                  13091666218781740359u},
       }) {
    Tensor x({.dims = p.input}), w({.dims = p.weight}), y({.dims = p.output});
    Tensor b({.dims = {p.output[1]}}), dx({.dims = p.input}), dw({.dims = p.weight});
    const Tensor db({.dims = {p.output[1]}});
    WriteAs(x, FixedNumbers(x.count()));
    WriteAs(w, FixedNumbers(w.count()));
    WriteAs(b, FixedNumbers(b.count()));
    const int64_t ones[] = {1, 1}, zeros[] = {0, 0};
    const aclIntArray* one = aclCreateIntArray(ones, 2);
    const aclIntArray* zero = aclCreateIntArray(zeros, 2);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvolutionGetWorkspaceSize(x.handle(), w.handle(), b.handle(), one, one, one,
                                                  false, zero, p.groups, y.handle(), 0, s, e);
        },
        aclnnConvolution);
    EXPECT_EQ(Fingerprint(y.ElementBytes()), p.out);
    const bool wanted[] = {true, true, true};
    const aclBoolArray* mask = aclCreateBoolArray(wanted, 3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvolutionBackwardGetWorkspaceSize(
              y.handle(), x.handle(), w.handle(), nullptr, one, one, one, false, zero, p.groups,
              mask, 0, dx.handle(), dw.handle(), db.handle(), s, e);
        },
        aclnnConvolutionBackward);
    EXPECT_EQ(Fingerprint(dx.ElementBytes()), p.dx);
    EXPECT_EQ(Fingerprint(dw.ElementBytes()), p.dw);
    EXPECT_EQ(Fingerprint(db.ElementBytes()), p.db);
    aclDestroyIntArray(one);
    aclDestroyIntArray(zero);
    aclDestroyBoolArray(mask);
  }
}

}  // namespace
}  // namespace anyacl::test
