// SPDX-License-Identifier: Apache-2.0
// Keys compressed block by block, and the gradients, against the document's sums in double.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_nsa_compress.h"
#include "aclnnop/aclnn_nsa_compress_grad.h"
#include "ops/nsa_case.h"

namespace anyacl::test {
namespace {

using namespace nsa;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;

struct Case {
  Lengths lengths = {40, 0, 15, 70, 16};
  int64_t heads = 3, dim = 32, window = 32, stride = 16;
  aclDataType type = ACL_BF16;
  bool strided = false;
};

std::vector<Case> Cases() {
  return {{},
          {.type = ACL_FLOAT16, .strided = true},
          {.window = 16},
          {.heads = 1, .dim = 256, .window = 128, .stride = 128, .type = ACL_FLOAT16},
          {.lengths = {200}, .window = 128},
          // A stride that the window is no multiple of.
          {.lengths = {100, 49, 48}, .window = 48, .stride = 32, .strided = true},
          {.lengths = {33, 64}, .heads = 128, .dim = 16}};
}

class NsaCompressTest : public NsaTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> dy, input, weight, output, dx, dw;
    std::unique_ptr<IntArray> ends;
    int64_t window, stride, ends_type = 0;
    std::string layout = "TND";
    bool has_layout = true;

    const aclIntArray* Ends() const { return ends == nullptr ? nullptr : ends->handle(); }
    char* Layout() { return has_layout ? layout.data() : nullptr; }
    aclnnStatus Forward(uint64_t* s, aclOpExecutor** e) {
      return aclnnNsaCompressGetWorkspaceSize(HandleOf(input), HandleOf(weight), Ends(), Layout(),
                                              window, stride, ends_type, ResultOf(output), s, e);
    }
    aclnnStatus Backward(uint64_t* s, aclOpExecutor** e) {
      return aclnnNsaCompressGradGetWorkspaceSize(HandleOf(dy), HandleOf(input), HandleOf(weight),
                                                  Ends(), window, stride, ends_type, Layout(),
                                                  HandleOf(dx), HandleOf(dw), s, e);
    }
  };

  Call Prepared(const Case& c, CompressProblem* p) {
    *p = {.ends = EndsOf(c.lengths),
          .heads = c.heads,
          .dim = c.dim,
          .window = c.window,
          .stride = c.stride};
    const Shape rows = {Total(c.lengths), c.heads, c.dim}, blocks = {p->blocks(), c.heads, c.dim};
    const Shape weights = {c.window, c.heads};
    return {.dy = Filled(blocks, c.type, &p->dy, c.strided),
            .input = Filled(rows, c.type, &p->input, c.strided),
            .weight = Filled(weights, c.type, &p->weight, c.strided),
            .output = Empty(blocks, c.type, c.strided),
            .dx = Empty(rows, c.type, c.strided),
            .dw = Empty(weights, c.type, c.strided),
            .ends = std::make_unique<IntArray>(p->ends),
            .window = c.window,
            .stride = c.stride};
  }
  void RunForward(Call& call) {
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.Forward(s, e); },
                aclnnNsaCompress);
  }
  void RunBackward(Call& call) {
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.Backward(s, e); },
                aclnnNsaCompressGrad);
  }
};

TEST_F(NsaCompressTest, SumsUpTheRowsOfEachBlock) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(testing::Message() << c.window << " every " << c.stride << " of type " << c.type);
    CompressProblem p;
    Call call = Prepared(c, &p);
    RunForward(call);
    ExpectNear(*call.output, Compress(p), 0x1p-24 * static_cast<double>(c.window));
  }
}

TEST_F(NsaCompressTest, GradientsSumUpTheBlocksOfARowAndAllProductsOfAWeight) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(testing::Message() << c.window << " every " << c.stride << " of type " << c.type);
    CompressProblem p;
    Call call = Prepared(c, &p);
    RunBackward(call);
    const CompressGradients expected = CompressGradient(p);
    ExpectNear(*call.dx, expected.input, 0x1p-24 * static_cast<double>(c.window));
    ExpectNear(*call.dw, expected.weight, 0x1p-24 * static_cast<double>(c.dim));
  }
}

TEST_F(NsaCompressTest, RowsOfNoBlockHaveNoGradientAndSequencesMayBeShort) {
  CompressProblem p;
  Call call = Prepared({.lengths = {31, 5}}, &p);
  ASSERT_EQ(p.blocks(), 0);
  RunForward(call);
  RunBackward(call);
  for (double number : ReadAs(*call.dx)) ASSERT_EQ(number, 0);
  for (double number : ReadAs(*call.dw)) ASSERT_EQ(number, 0);
}

TEST_F(NsaCompressTest, RefusesWhatDoesNotFit) {
  CompressProblem p;
  const auto refused = [&](const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    for (const bool back : {false, true}) {
      Call call = Prepared({}, &p);
      change(call);
      ExpectRefused(
          [&](uint64_t* s, aclOpExecutor** e) {
            return back ? call.Backward(s, e) : call.Forward(s, e);
          },
          code, words);
    }
  };
  const auto made = [](const Shape& shape, aclDataType type = ACL_BF16) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  const auto ends = [](const Lengths& values) { return std::make_unique<IntArray>(values); };
  refused([](Call& c) { c.input = nullptr; }, kNull, {"input is null"});
  refused([](Call& c) { c.weight = nullptr; }, kNull, {"weight is null"});
  refused([](Call& c) { c.ends = nullptr; }, kNull, {"is null"});
  refused([&](Call& c) { c.ends = ends({}); }, kInvalid, {"has 0 values"});
  refused([&](Call& c) { c.ends = ends({40, 39, 141}); }, kInvalid, {"= 39", "40 to 141"});
  refused([&](Call& c) { c.ends = ends({-1, 141}); }, kInvalid, {"= -1", "0 to 141"});
  refused([&](Call& c) { c.ends = ends({40, 142}); }, kInvalid, {"= 142", "40 to 141"});
  refused([&](Call& c) { c.ends = ends({40, 140}); }, kInvalid, {"ends at 140", "141"});
  refused([&](Call& c) { c.ends = ends({141}); }, kInvalid, {"expected 7 blocks"});
  refused([](Call& c) { c.layout = "BSND"; }, kInvalid, {"\"BSND\"", "TND"});
  refused([](Call& c) { c.has_layout = false; }, kInvalid, {"is null", "TND"});
  refused([](Call& c) { c.ends_type = 1; }, kInvalid, {"actSeqLenType is 1"});
  refused([](Call& c) { c.stride = 24; }, kInvalid, {"compressStride = 24", "a multiple of 16"});
  refused([](Call& c) { c.stride = 48; }, kInvalid, {"compressStride = 48", "at most 32"});
  refused([](Call& c) { c.stride = 0; }, kInvalid, {"compressStride is 0"});
  refused([](Call& c) { c.window = 16; }, kInvalid,
          {"weight.shape[0] = 32", "compressBlockSize = 16"});
  refused([&](Call& c) { c.weight = made({32, 2}); }, kInvalid, {"weight.shape[1] = 2"});
  refused([&](Call& c) { c.weight = made({32, 3}, ACL_FLOAT16); }, kInvalid, {"FLOAT16"});
  refused([&](Call& c) { c.input = made({141, 3, 32}, ACL_FLOAT); }, kInvalid, {"FLOAT"});
  refused(
      [&](Call& c) {
        c.output = made({6, 3, 32});
        c.dy = made({6, 3, 32});
      },
      kInvalid, {"[6, 3, 32]", "4 blocks"});
  refused(
      [&](Call& c) {
        c.input = made({141, 3, 24});
        c.dx = made({141, 3, 24});
        c.output = made({4, 3, 24});
        c.dy = made({4, 3, 24});
      },
      kInvalid, {"D = 24", "a multiple of 16 up to 256"});
  refused(
      [&](Call& c) {
        c.input = made({141, 129, 16});
        c.dx = made({141, 129, 16});
        c.output = made({4, 129, 16});
        c.dy = made({4, 129, 16});
        c.weight = made({32, 129});
        c.dw = made({32, 129});
      },
      kInvalid, {"input.shape = [141, 129, 16]", "1 to 128 heads"});
}

}  // namespace
}  // namespace anyacl::test
