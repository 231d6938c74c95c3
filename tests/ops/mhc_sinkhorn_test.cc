// SPDX-License-Identifier: Apache-2.0
// aclnnMhcSinkhorn and its gradient against the documents' steps in double precision; rows and
// columns add up to 1; the gradient is what a change of x does; what is kept for it lies where
// op-plugin's test puts it.
#include "aclnnop/aclnn_mhc_sinkhorn.h"
#include "aclnnop/aclnn_mhc_sinkhorn_backward.h"
#include "ops/mhc_case.h"

namespace anyacl::test::mhc_sinkhorn {
namespace {

constexpr float kEps = 1e-6f;

struct Case {
  Shape dims = {5, 4, 4};
  int64_t iterations = 20;
  bool strided = false;

  int64_t streams() const { return dims.back(); }
  int64_t tokens() const { return dims.size() == 3 ? dims[0] : dims[0] * dims[1]; }
};

class MhcSinkhornTest : public MhcTest {
 protected:
  struct Tensors {
    Tensor x, out, norms, sums, grad, grad_x;
  };
  Tensors TensorsOf(const Case& c) {
    const int64_t sums = 2 * c.iterations * c.tokens() * 8;
    return {Drawn(c.dims, ACL_FLOAT, c.strided, -3, 3),
            Drawn(c.dims, ACL_FLOAT, c.strided),
            Drawn({sums * c.streams()}, ACL_FLOAT, c.strided),
            Drawn({2 * c.iterations, sums / 2 / c.iterations}, ACL_FLOAT, c.strided),
            Drawn(c.dims, ACL_FLOAT, c.strided),
            Drawn(c.dims, ACL_FLOAT, c.strided)};
  }
  static Phase1 ForwardOf(const Tensors& t, int64_t iterations, bool kept = true) {
    return [&t, iterations, kept](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcSinkhornGetWorkspaceSize(t.x.handle(), kEps, iterations, t.out.handle(),
                                              kept ? t.norms.handle() : nullptr,
                                              kept ? t.sums.handle() : nullptr, s, e);
    };
  }
  static Phase1 BackwardOf(const Tensors& t) {
    return [&t](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcSinkhornBackwardGetWorkspaceSize(t.grad.handle(), t.norms.handle(),
                                                      t.sums.handle(), t.grad_x.handle(), s, e);
    };
  }

  static void ExpectNear(const Tensor& tensor, const Numbers& expected, double size) {
    ExpectWithin(
        tensor, expected.size(), [&](size_t i) { return expected[i]; },
        [&](size_t) { return size * 0x1p-18; });
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.tokens() << " tokens of " << c.streams() << ", "
                                      << c.iterations << " iterations, strided " << c.strided);
    const Tensors t = TensorsOf(c);
    const SinkhornSteps steps = Sinkhorn(ReadAs(t.x), c.streams(), c.iterations, kEps);
    RunTwoPhase(ForwardOf(t, c.iterations, false), aclnnMhcSinkhorn);
    ExpectNear(t.out, steps.out(), 1);
    const Numbers alone = ReadAs(t.out);
    RunTwoPhase(ForwardOf(t, c.iterations), aclnnMhcSinkhorn);
    EXPECT_EQ(ReadAs(t.out), alone) << "what is kept changes the result";
    RunTwoPhase(BackwardOf(t), aclnnMhcSinkhornBackward);
    const Numbers grad = ReadAs(t.grad);
    ExpectNear(t.grad_x, SinkhornGradient(grad, c.streams(), steps), 4);
  }
};

TEST_F(MhcSinkhornTest, MatricesAndGradientsAreThoseOfTheSteps) {
  for (int64_t n : {4, 6, 8}) {
    Check({.dims = {3, n, n}, .iterations = 1});
    Check({.dims = {1, n, n}});
    Check({.dims = {2, 65, n, n}, .iterations = 7});
    Check({.dims = {70, n, n}, .iterations = 2, .strided = true});
    Check({.dims = {700, n, n}, .iterations = 3});  // more than a block
  }
}

TEST_F(MhcSinkhornTest, RunsAreCutAsOnTheDevice) {
  // More than 64 runs of 280, of 160 and of 112 tokens.
  Check({.dims = {18200, 4, 4}, .iterations = 2});
  Check({.dims = {12000, 6, 6}, .iterations = 2});
  Check({.dims = {8000, 8, 8}, .iterations = 2});
}

TEST_F(MhcSinkhornTest, RowsAndColumnsAddUpToOne) {
  const Tensors t = TensorsOf({.dims = {9, 6, 6}, .iterations = 100});
  RunTwoPhase(ForwardOf(t, 100), aclnnMhcSinkhorn);
  const Numbers y = ReadAs(t.out);
  for (size_t m = 0; m < 9; ++m) {
    for (size_t i = 0; i < 6; ++i) {
      double row = 0, column = 0;
      for (size_t j = 0; j < 6; ++j) {
        row += y[m * 36 + i * 6 + j];
        column += y[m * 36 + j * 6 + i];
      }
      EXPECT_NEAR(row, 1, 1e-4);
      EXPECT_NEAR(column, 1, 1e-5);
    }
  }
}

TEST_F(MhcSinkhornTest, TheGradientIsWhatAChangeDoes) {
  const Case c{.dims = {2, 4, 4}, .iterations = 5};
  const Tensors t = TensorsOf(c);
  RunTwoPhase(ForwardOf(t, c.iterations), aclnnMhcSinkhorn);
  RunTwoPhase(BackwardOf(t), aclnnMhcSinkhornBackward);
  const Numbers x = ReadAs(t.x), grad = ReadAs(t.grad), actual = ReadAs(t.grad_x);
  for (size_t i = 0; i < x.size(); ++i) {
    const double slope = Slope(x, i, 1e-4, [&](const Numbers& moved) {
      const Numbers y = Sinkhorn(moved, 4, c.iterations, kEps).out();
      return Dot(grad, SizedNumbers(y.begin(), y.end()));
    });
    EXPECT_NEAR(actual[i], slope, 2e-5) << i;
  }
}

// The places by another way than the operator's: as tensors that are put together.
TEST_F(MhcSinkhornTest, KeptNumbersLieWhereClientsPutThem) {
  const Case c{.dims = {12000, 6, 6}, .iterations = 2};
  const size_t n = 6, tokens = 12000, core = 188, run = 160;
  const Tensors t = TensorsOf(c);
  RunTwoPhase(ForwardOf(t, c.iterations), aclnnMhcSinkhorn);
  const SinkhornSteps steps = Sinkhorn(ReadAs(t.x), c.streams(), c.iterations, kEps);
  Numbers norms, sums;
  for (size_t first = 0; first < tokens;) {
    const size_t end = std::min({(first / core + 1) * core, first + run, tokens});
    for (const Numbers& norm : steps.norms) {
      for (size_t i = 0; i < n; ++i) {
        for (size_t token = first; token < end; ++token) {
          for (size_t j = 0; j < 8; ++j) {
            norms.push_back(j < n ? norm[(token * n + i) * n + j] : 0);
          }
        }
      }
    }
    for (size_t k = 0; k < 2; ++k) {
      for (size_t i = 0; i < 8; ++i) {
        for (size_t token = first; token < end; ++token) {
          sums.push_back(i < n ? steps.sums[2 * k][token * n + i] : 1);
        }
      }
      for (size_t token = first; token < end; ++token) {
        for (size_t j = 0; j < 8; ++j) {
          sums.push_back(j < n ? steps.sums[2 * k + 1][token * n + j] : 0);
        }
      }
    }
    first = end;
  }
  ExpectNear(t.norms, norms, 1);
  ExpectNear(t.sums, sums, 4);
}

TEST_F(MhcSinkhornTest, InfinitiesAndNaNStayInTheirMatrix) {
  Tensors t = TensorsOf({.dims = {3, 4, 4}, .iterations = 2});
  Numbers x = ReadAs(t.x);
  x[16 + 5] = INFINITY;
  x[32 + 1] = NAN;
  WriteAs(t.x, x);
  RunTwoPhase(ForwardOf(t, 2), aclnnMhcSinkhorn);
  const Numbers y = ReadAs(t.out);
  for (size_t i = 0; i < 48; ++i) EXPECT_EQ(std::isnan(y[i]), i >= 16) << i;
}

TEST_F(MhcSinkhornTest, WrongCallsAreRefused) {
  const int invalid = ACLNN_ERR_PARAM_INVALID;
  const Tensors t = TensorsOf({.dims = {3, 4, 4}, .iterations = 2});
  ExpectRefused(ForwardOf(t, 0), invalid, {"numIters", "0", "1"});
  ExpectRefused(ForwardOf(t, 101), invalid, {"numIters", "101", "100"});
  ExpectRefused(ForwardOf(t, 3), invalid, {"normOut", "4 * 144 elements"});
  const Tensors five = TensorsOf({.dims = {3, 5, 5}, .iterations = 2});
  ExpectRefused(ForwardOf(five, 2), invalid, {"x", "5", "4, 6 or 8"});
  const Tensors none = TensorsOf({.dims = {0, 4, 4}, .iterations = 2});
  ExpectRefused(ForwardOf(none, 2), invalid, {"x", "0", "some elements"});
  const auto backward = [&](const Tensor& norms, const Tensor& sums) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcSinkhornBackwardGetWorkspaceSize(t.grad.handle(), norms.handle(),
                                                      sums.handle(), t.grad_x.handle(), s, e);
    };
  };
  ExpectRefused(backward(t.sums, t.sums), invalid, {"normOut", "4 * 96 elements"});
  const Tensor ragged = Drawn({2 * 2 * 3 * 8 + 1}, ACL_FLOAT);
  ExpectRefused(backward(t.norms, ragged), invalid, {"sumOut", "97", "numIters"});
  const Tensor most = Drawn({2 * 101 * 3 * 8}, ACL_FLOAT);
  ExpectRefused(backward(t.norms, most), invalid, {"sumOut", "100"});
}

}  // namespace
}  // namespace anyacl::test::mhc_sinkhorn
