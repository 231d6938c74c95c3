// SPDX-License-Identifier: Apache-2.0
// aclnnMhcPost and its gradients against the documents' sums in double precision; gradients also as
// what a change of the inputs does.
#include "aclnnop/aclnn_mhc_post.h"
#include "aclnnop/aclnn_mhc_post_backward.h"
#include "ops/mhc_case.h"

namespace anyacl::test {
namespace {

struct Case {
  Shape tokens = {5};
  int64_t streams = 4, columns = 70;
  aclDataType type = ACL_BF16;
  bool residual = true, strided = false;

  Shape With(const Shape& each) const {
    Shape dims = tokens;
    dims.insert(dims.end(), each.begin(), each.end());
    return dims;
  }
};

class MhcPostTest : public MhcTest {
 protected:
  struct Tensors {
    Tensor x, residual, hidden, post, out, grad, grad_x, grad_residual, grad_hidden, grad_post;
  };
  Tensors TensorsOf(const Case& c) {
    const auto drawn = [&](const Shape& each, aclDataType type) {
      return Drawn(c.With(each), type, c.strided);
    };
    const Shape streams = {c.streams, c.columns}, matrix = {c.streams, c.streams};
    return {drawn(streams, c.type),        drawn(matrix, ACL_FLOAT), drawn({c.columns}, c.type),
            drawn({c.streams}, ACL_FLOAT), drawn(streams, c.type),   drawn(streams, c.type),
            drawn(streams, c.type),        drawn(matrix, ACL_FLOAT), drawn({c.columns}, c.type),
            drawn({c.streams}, ACL_FLOAT)};
  }
  static Phase1 ForwardOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcPostGetWorkspaceSize(t.x.handle(), c.residual ? t.residual.handle() : nullptr,
                                          t.hidden.handle(), t.post.handle(), t.out.handle(), s, e);
    };
  }
  static Phase1 BackwardOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcPostBackwardGetWorkspaceSize(
          t.grad.handle(), t.x.handle(), c.residual ? t.residual.handle() : nullptr,
          t.hidden.handle(), t.post.handle(), t.grad_x.handle(), t.grad_residual.handle(),
          t.grad_hidden.handle(), t.grad_post.handle(), s, e);
    };
  }
  static PostProblem ProblemOf(const Case& c, const Tensors& t) {
    int64_t tokens = 1;
    for (int64_t size : c.tokens) tokens *= size;
    return {.tokens = tokens,
            .streams = c.streams,
            .columns = c.columns,
            .x = ReadAs(t.x),
            .residual = c.residual ? ReadAs(t.residual) : Numbers{},
            .hidden = ReadAs(t.hidden),
            .post = ReadAs(t.post)};
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.streams << " x " << c.columns << " type " << c.type
                                      << " residual " << c.residual << " strided " << c.strided);
    const Tensors t = TensorsOf(c);
    const PostProblem p = ProblemOf(c, t);
    RunTwoPhase(ForwardOf(c, t), aclnnMhcPost);
    ExpectNear(t.out, Post(p), "out");
    RunTwoPhase(BackwardOf(c, t), aclnnMhcPostBackward);
    const PostGradients expected = PostGradient(p, ReadAs(t.grad));
    ExpectNear(t.grad_x, expected.x, "gradX");
    ExpectNear(t.grad_residual, expected.residual, "gradHRes");
    ExpectNear(t.grad_hidden, expected.hidden, "gradHOut");
    ExpectNear(t.grad_post, expected.post, "gradHPost");
  }
};

TEST_F(MhcPostTest, ResultsAreThoseOfTheSums) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    for (bool residual : {true, false}) {
      Check({.type = type, .residual = residual});
      Check({.tokens = {2, 3}, .streams = 6, .columns = 1100, .type = type, .residual = residual});
      Check({.tokens = {2, 3}, .streams = 8, .type = type, .residual = residual, .strided = true});
      Check({.tokens = {1}, .streams = 1, .columns = 1, .type = type, .residual = residual});
    }
  }
  Check({.tokens = {33}, .columns = 2048});
  Check({.tokens = {2}, .streams = 64, .columns = 130});
}

TEST_F(MhcPostTest, ResultsMayBeInputs) {
  const Case c{.columns = 1300};
  Tensors apart = TensorsOf(c);
  RunTwoPhase(ForwardOf(c, apart), aclnnMhcPost);
  RunTwoPhase(BackwardOf(c, apart), aclnnMhcPostBackward);
  const Numbers out = ReadAs(apart.out), grad_x = ReadAs(apart.grad_x);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMhcPostBackwardGetWorkspaceSize(
            apart.grad.handle(), apart.x.handle(), apart.residual.handle(), apart.hidden.handle(),
            apart.post.handle(), apart.grad.handle(), apart.grad_residual.handle(),
            apart.grad_hidden.handle(), apart.grad_post.handle(), s, e);
      },
      aclnnMhcPostBackward);
  EXPECT_EQ(ReadAs(apart.grad), grad_x);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMhcPostGetWorkspaceSize(apart.x.handle(), apart.residual.handle(),
                                            apart.hidden.handle(), apart.post.handle(),
                                            apart.x.handle(), s, e);
      },
      aclnnMhcPost);
  EXPECT_EQ(ReadAs(apart.x), out);
}

TEST_F(MhcPostTest, GradientsAreWhatAChangeDoes) {
  const Case c{.tokens = {2}, .columns = 9, .type = ACL_FLOAT16};
  const Tensors t = TensorsOf(c);
  RunTwoPhase(BackwardOf(c, t), aclnnMhcPostBackward);
  const PostProblem p = ProblemOf(c, t);
  const Numbers grad = ReadAs(t.grad);
  const auto check = [&](Numbers PostProblem::*of, const Tensor& result) {
    const Numbers actual = ReadAs(result);
    for (size_t i = 0; i < actual.size(); ++i) {
      const double slope = Slope(p.*of, i, 1e-3, [&](const Numbers& moved) {
        PostProblem changed = p;
        changed.*of = moved;
        return Dot(grad, Post(changed));
      });
      EXPECT_NEAR(actual[i], slope, 1e-4 + HalfUnitOf(result.layout().dtype, slope)) << i;
    }
  };
  check(&PostProblem::x, t.grad_x);
  check(&PostProblem::residual, t.grad_residual);
  check(&PostProblem::hidden, t.grad_hidden);
  check(&PostProblem::post, t.grad_post);
}

TEST_F(MhcPostTest, WrongCallsAreRefused) {
  const Case none{.tokens = {0}}, many{.tokens = {1}, .streams = 65, .columns = 2};
  ExpectRefused(ForwardOf(none, TensorsOf(none)), ACLNN_ERR_PARAM_INVALID, {"x", "some elements"});
  ExpectRefused(ForwardOf(many, TensorsOf(many)), ACLNN_ERR_PARAM_INVALID, {"x", "65", "1 to 64"});
  ExpectRefused(BackwardOf(many, TensorsOf(many)), ACLNN_ERR_PARAM_INVALID,
                {"gradOutput", "65", "1 to 64"});
}

}  // namespace
}  // namespace anyacl::test
