// SPDX-License-Identifier: Apache-2.0
// The gradient of Chamfer distances against the document's formula in double precision, and
// PdistForward against Pdist.
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_chamfer_distance_backward.h"
#include "aclnnop/aclnn_pdist.h"
#include "aclnnop/aclnn_pdist_forward.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

class ChamferTest : public MoeTest {
 protected:
  Numbers Places(int64_t count, int64_t limit) {
    Numbers places;
    for (int64_t i = 0; i < count; ++i) {
      places.push_back(static_cast<double>(random().Int(0, limit - 1)));
    }
    return places;
  }
};

TEST_F(ChamferTest, GradientsAreTheFormula) {
  struct Case {
    int64_t batches, n, m;
  };
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (bool s : {false, true}) {
      for (const auto& [batches, n, m] : {Case{3, 5, 7}, Case{1, 1, 1}, Case{40, 16, 16}}) {
        const auto count = [](int64_t size) { return static_cast<size_t>(size); };
        const Numbers xyz[] = {Drawn(type, count(2 * batches * n), -2, 2),
                               Drawn(type, count(2 * batches * m), -2, 2)};
        const Numbers places[] = {Places(batches * n, m), Places(batches * m, n)};
        const Numbers grads[] = {Drawn(type, count(batches * n), -2, 2),
                                 Drawn(type, count(batches * m), -2, 2)};
        const Tensor xyz1 = Holding({batches, n, 2}, type, xyz[0], s);
        const Tensor xyz2 = Holding({batches, m, 2}, type, xyz[1], s);
        const Tensor idx1 = Holding({batches, n}, ACL_INT32, places[0], s);
        const Tensor idx2 = Holding({batches, m}, ACL_INT32, places[1], s);
        const Tensor grad1 = Holding({batches, n}, type, grads[0], s);
        const Tensor grad2 = Holding({batches, m}, type, grads[1], s);
        const Tensor out[] = {Made({batches, n, 2}, type, s), Made({batches, m, 2}, type, s)};
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnChamferDistanceBackwardGetWorkspaceSize(
                  xyz1.handle(), xyz2.handle(), idx1.handle(), idx2.handle(), grad1.handle(),
                  grad2.handle(), out[0].handle(), out[1].handle(), size, e);
            },
            aclnnChamferDistanceBackward);
        Numbers expected[] = {Numbers(xyz[0].size()), Numbers(xyz[1].size())};
        const size_t sizes[] = {count(n), count(m)};
        for (size_t from : {0, 1}) {
          const size_t to = 1 - from;
          for (size_t i = 0; i < places[from].size(); ++i) {
            const size_t other = i / sizes[from] * sizes[to] + static_cast<size_t>(places[from][i]);
            for (size_t k : {0, 1}) {
              const double d = 2 * grads[from][i] * (xyz[from][2 * i + k] - xyz[to][2 * other + k]);
              expected[from][2 * i + k] += d;
              expected[to][2 * other + k] -= d;
            }
          }
        }
        for (size_t k : {0, 1}) {
          const Numbers actual = ReadAs(out[k]);
          for (size_t i = 0; i < actual.size(); ++i) {
            ASSERT_NEAR(actual[i], expected[k][i], 3e-5 + 1.01 * HalfUnitOf(type, expected[k][i]));
          }
          EXPECT_TRUE(out[k].GuardsIntact());
        }
      }
    }
  }
}

TEST_F(ChamferTest, PlacesThatAreNoneFailTheTask) {
  const Tensor points = Holding({1, 2, 2}, ACL_FLOAT, Numbers(4, 1));
  const Tensor grads = Holding({1, 2}, ACL_FLOAT, Numbers(2, 1));
  const Tensor good = Holding({1, 2}, ACL_INT32, {0, 1}), out = Made({1, 2, 2}, ACL_FLOAT);
  for (double wrong : {2.0, -1.0}) {
    const Tensor bad = Holding({1, 2}, ACL_INT32, {0, wrong});
    const auto before = out.Bytes();
    ExpectTaskFails(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnChamferDistanceBackwardGetWorkspaceSize(
              points.handle(), points.handle(), good.handle(), bad.handle(), grads.handle(),
              grads.handle(), out.handle(), out.handle(), size, e);
        },
        aclnnChamferDistanceBackward, "idx2[0, 1]");
    EXPECT_EQ(out.Bytes(), before);
  }
  // No point has a nearest one where there is none.
  const Tensor none = Made({1, 0, 2}, ACL_FLOAT), no_places = Made({1, 0}, ACL_INT32);
  const Tensor no_grads = Made({1, 0}, ACL_FLOAT);
  ExpectTaskFails(
      [&](uint64_t* size, aclOpExecutor** e) {
        return aclnnChamferDistanceBackwardGetWorkspaceSize(
            points.handle(), none.handle(), good.handle(), no_places.handle(), grads.handle(),
            no_grads.handle(), out.handle(), none.handle(), size, e);
      },
      aclnnChamferDistanceBackward, "idx1[0, 0]");
}

TEST_F(ChamferTest, PdistForward) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (double p : {0.0, 1.0, 2.0, 2.5, std::numeric_limits<double>::infinity()}) {
      for (int64_t rows : {0, 1, 6}) {
        const Tensor self =
            Holding({rows, 5}, type, Drawn(type, static_cast<size_t>(rows) * 5, -2, 2), true);
        const Tensor out = Made({rows * (rows - 1) / 2}, type),
                     same = Made({rows * (rows - 1) / 2}, type);
        aclScalar* const scalar = aclCreateScalar(&p, ACL_DOUBLE);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnPdistForwardGetWorkspaceSize(self.handle(), scalar, out.handle(), size,
                                                       e);
            },
            aclnnPdistForward);
        aclDestroyScalar(scalar);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnPdistGetWorkspaceSize(self.handle(), static_cast<float>(p), same.handle(),
                                                size, e);
            },
            aclnnPdist);
        EXPECT_EQ(out.Bytes(), same.Bytes());
      }
    }
  }
  const Tensor self = Made({3, 2}, ACL_FLOAT), out = Made({3}, ACL_FLOAT);
  double p = -1;
  aclScalar* const scalar = aclCreateScalar(&p, ACL_DOUBLE);
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** e) {
        return aclnnPdistForwardGetWorkspaceSize(self.handle(), scalar, out.handle(), size, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"-1"});
  aclDestroyScalar(scalar);
}

}  // namespace
}  // namespace anyacl::test
