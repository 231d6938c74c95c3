// SPDX-License-Identifier: Apache-2.0
// The bits of the results, pinned: run with different ANYACL_THREADS and
// ANYACL_ISA, and on different machines, they must not change. Whoever changes the order of
// summation on purpose puts the new sums here.
#include "aclnnop/aclnn_group_norm.h"
#include "ops/group_norm_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

// From integers alone, so that no library function decides on the inputs: multiples of 2^-6 in
// [-8, 8), which every type holds to its own precision.
std::vector<double> Values(int64_t count, uint64_t stream) {
  std::vector<double> values;
  FixedSequence sequence(stream * 0x9e3779b97f4a7c15u + 1);
  for (int64_t i = 0; i < count; ++i) {
    values.push_back((static_cast<double>(sequence.Bits(10)) - 512) / 64);
  }
  return values;
}

struct Pinned {
  GroupNormShape shape;
  TypePair types;
  uint64_t fingerprint;
};

TEST_F(GroupNormTest, BitsDoNotDependOnThreadsOrTiers) {
  // Many small groups, groups for one thread each, few groups that are shared, cut and not.
  const GroupNormShape small = {7, 24, 50, 3}, medium = {3, 64, 700, 8}, shared = {1, 40, 1500, 1},
                       cut = {2, 2, 70001, 2};
  for (const Pinned& pinned : {Pinned{small, {ACL_FLOAT, ACL_FLOAT}, 0x52f06cda47fb048bu},
                               Pinned{small, {ACL_FLOAT16, ACL_FLOAT}, 0xff7dcfe770a8ddb2u},
                               Pinned{small, {ACL_BF16, ACL_BF16}, 0xb9d1eda37dc73fd6u},
                               Pinned{medium, {ACL_FLOAT, ACL_FLOAT}, 0xc05aea15a15d518fu},
                               Pinned{medium, {ACL_FLOAT16, ACL_FLOAT16}, 0x53d083df485b575au},
                               Pinned{medium, {ACL_BF16, ACL_FLOAT}, 0x51645e1f12f4cb34u},
                               Pinned{shared, {ACL_FLOAT, ACL_FLOAT}, 0x991764c6aa2e3be3u},
                               Pinned{shared, {ACL_FLOAT16, ACL_FLOAT}, 0x1ab0bd4c1b7e140fu},
                               Pinned{shared, {ACL_BF16, ACL_FLOAT}, 0x5c28c3761d83c1a1u},
                               Pinned{cut, {ACL_FLOAT, ACL_FLOAT}, 0x444fc1a909986ffeu},
                               Pinned{cut, {ACL_FLOAT16, ACL_FLOAT}, 0x72101c4655ee0f17u},
                               Pinned{cut, {ACL_BF16, ACL_BF16}, 0x3005f5ae0a767927u}}) {
    const GroupNormShape& s = pinned.shape;
    GradProblem problem{.shape = s, .types = pinned.types};
    problem.dy = Values(s.count(), 1);
    problem.x = Values(s.count(), 2);
    problem.gamma = Values(s.c, 3);
    problem.mean = Values(s.n * s.group, 4);
    problem.rstd = Values(s.n * s.group, 5);
    const GradTensors tensors = MakeTensors(problem, LayoutsOf(problem));
    RunTwoPhase(tensors.Call(), &aclnnGroupNormBackward);
    uint64_t fingerprint = Fingerprint(tensors.dx.ElementBytes());
    fingerprint = Fingerprint(tensors.dgamma.ElementBytes(), fingerprint);
    fingerprint = Fingerprint(tensors.dbeta.ElementBytes(), fingerprint);
    EXPECT_EQ(fingerprint, pinned.fingerprint) << NameOf(pinned.types) << " " << s.n << "x" << s.c
                                               << "x" << s.hxw << ": 0x" << std::hex << fingerprint;
  }
}

TEST_F(GroupNormTest, ForwardBitsDoNotDependOnThreadsOrTiers) {
  const GroupNormShape whole = {3, 64, 700, 8}, cut = {1, 2, 70001, 1};
  for (const Pinned& pinned : {Pinned{whole, {ACL_FLOAT, ACL_FLOAT}, 0xd9dfccdcfc90f0e3u},
                               Pinned{whole, {ACL_FLOAT16, ACL_FLOAT16}, 0xad1675fe30f20f2cu},
                               Pinned{whole, {ACL_BF16, ACL_BF16}, 0x8eb5e4178e3bc165u},
                               Pinned{cut, {ACL_FLOAT, ACL_FLOAT}, 0x5dee74fed95c3528u},
                               Pinned{cut, {ACL_FLOAT16, ACL_FLOAT16}, 0xa0a727939e62f604u},
                               Pinned{cut, {ACL_BF16, ACL_BF16}, 0x7a822a51708780d8u}}) {
    const GroupNormShape& s = pinned.shape;
    GradProblem problem{.shape = s, .types = pinned.types};
    problem.dy = problem.x = Values(s.count(), 2);
    problem.gamma = Values(s.c, 3);
    problem.mean = problem.rstd = Values(s.n * s.group, 4);
    const GradTensors t = MakeTensors(problem, LayoutsOf(problem));
    RunTwoPhase(
        [&](uint64_t* workspace_size, aclOpExecutor** executor) {
          return aclnnGroupNormGetWorkspaceSize(
              t.x.handle(), t.gamma->handle(), nullptr, s.n, s.c, s.hxw, s.group, 1e-5,
              t.dx.handle(), t.mean.handle(), t.rstd.handle(), workspace_size, executor);
        },
        &aclnnGroupNorm);
    uint64_t fingerprint = Fingerprint(t.dx.ElementBytes());
    fingerprint = Fingerprint(t.mean.ElementBytes(), fingerprint);
    fingerprint = Fingerprint(t.rstd.ElementBytes(), fingerprint);
    EXPECT_EQ(fingerprint, pinned.fingerprint) << NameOf(pinned.types) << " " << s.n << "x" << s.c
                                               << "x" << s.hxw << ": 0x" << std::hex << fingerprint;
  }
}

}  // namespace
}  // namespace anyacl::test
