// SPDX-License-Identifier: Apache-2.0
// The bits of the results, pinned: run with different ANYACL_THREADS and ANYACL_ISA, they must not
// change. Whoever changes the order of summation on purpose puts the new sums here.
#include "ops/reduction_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

// From integers alone: odd multiples of 2^-6 in (-8, 8) times a third, rounded to fp32.
std::vector<double> Values(int64_t count) {
  std::vector<double> values;
  FixedSequence sequence;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(AsHeld(ACL_FLOAT, (static_cast<double>(sequence.Bits(10)) - 511.5) / 64 / 3));
  }
  return values;
}

struct Pinned {
  const char* name;
  std::vector<int64_t> dims;
  std::vector<int64_t> reduce;
  uint64_t fingerprint;
};

TEST_F(ReductionTest, BitsDoNotDependOnThreadsOrTiers) {
  for (const Pinned& pinned : {Pinned{"ReduceSum", {300001}, {0}, 0x32b8975a3319e6acu},
                               Pinned{"ReduceSum", {77, 3001}, {1}, 0x5909897827870adcu},
                               Pinned{"ReduceSum", {5003, 70}, {0}, 0x912eae7e48e32b9du},
                               Pinned{"ReduceSum", {140, 5000}, {0}, 0xf9a1d439b02568cau},
                               Pinned{"ReduceSum", {3, 70001}, {1}, 0xe7400113b1f2a547u},
                               Pinned{"Mean", {7, 900, 40}, {0, 2}, 0xbdca3cc68a3f6de0u},
                               Pinned{"LogSumExp", {40, 5000}, {1}, 0xc16408c088ad0bbau},
                               Pinned{"LogSumExp", {5000, 40}, {0}, 0xb980b0f55bee161bu},
                               Pinned{"Amax", {5000, 40}, {0}, 0xb678af46e2ad5125u},
                               Pinned{"ArgMax", {3, 30000}, {1}, 0x8f558691a3bcaf4cu}}) {
    const Reduction& op = ReductionNamed(pinned.name);
    ReductionProblem p{.op = &op, .self = {.dims = pinned.dims}, .dims = pinned.reduce};
    Tensor self(p.self);
    const Tensor out(p.OutLayout());
    WriteAs(self, Values(self.count()));
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.phase1(self.handle(), p.dims, false, p.out_type(), out.handle(), size,
                           executor);
        },
        op.phase2);
    EXPECT_EQ(Fingerprint(out.ElementBytes()), pinned.fingerprint)
        << pinned.name << " of rank " << pinned.dims.size();
  }
}

}  // namespace
}  // namespace anyacl::test
