// SPDX-License-Identifier: Apache-2.0
// Convolutions of sequences [time, batch, channels] and their gradients against the documents' sums
// in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "support/device_test.h"
#include "support/near.h"

namespace anyacl::test::conv_tbc {
namespace {

using Numbers = std::vector<double>;

struct Case {
  int64_t steps = 9, batch = 2, in = 3, out = 5, taps = 3, pad = 0;
  aclDataType type = ACL_FLOAT;
  bool strided = false;

  int64_t result() const { return steps + 2 * pad - taps + 1; }
};

class ConvTbcTest : public DeviceTest {
 protected:
  Tensor Drawn(const Case& c, std::vector<int64_t> dims) {
    Layout layout{.dims = dims, .dtype = c.type};
    if (c.strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 2;
      layout.offset = 3;
    }
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(c.type, random().Uniform(-1, 1)));
    }
    WriteAs(tensor, values);
    return tensor;
  }

  // Calls visit(out, in, weight) with the places of the elements of each product.
  template <class Visit>
  static void ForProducts(const Case& c, const Visit& visit) {
    for (int64_t t = 0; t < c.result(); ++t) {
      for (int64_t k = 0; k < c.taps; ++k) {
        const int64_t from = t + k - c.pad;
        if (from < 0 || from >= c.steps) continue;
        for (int64_t n = 0; n < c.batch; ++n) {
          for (int64_t i = 0; i < c.in; ++i) {
            for (int64_t o = 0; o < c.out; ++o) {
              visit(static_cast<size_t>((t * c.batch + n) * c.out + o),
                    static_cast<size_t>((from * c.batch + n) * c.in + i),
                    static_cast<size_t>((k * c.in + i) * c.out + o));
            }
          }
        }
      }
    }
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.steps << " " << c.taps << " pad " << c.pad << " type "
                                      << c.type << " strided " << c.strided);
    const std::vector<int64_t> ins = {c.steps, c.batch, c.in}, outs = {c.result(), c.batch, c.out};
    const std::vector<int64_t> weights = {c.taps, c.in, c.out};
    const Tensor x = Drawn(c, ins), w = Drawn(c, weights), b = Drawn(c, {c.out});
    const Tensor y = Drawn(c, outs), g = Drawn(c, outs), gx = Drawn(c, ins);
    const Tensor gw = Drawn(c, weights), gb = Drawn(c, {c.out});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvTbcGetWorkspaceSize(x.handle(), w.handle(), b.handle(), c.pad, y.handle(),
                                              0, s, e);
        },
        aclnnConvTbc);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvTbcBackwardGetWorkspaceSize(g.handle(), x.handle(), w.handle(),
                                                      b.handle(), c.pad, 0, gx.handle(),
                                                      gw.handle(), gb.handle(), s, e);
        },
        aclnnConvTbcBackward);
    const Numbers xs = ReadAs(x), ws = ReadAs(w), bs = ReadAs(b), gs = ReadAs(g);
    Summed sums(gs.size()), by_x(xs.size()), by_w(ws.size()), by_b(bs.size());
    for (size_t i = 0; i < gs.size(); ++i) {
      sums.Add(i, bs[i % bs.size()]);
      by_b.Add(i % bs.size(), gs[i]);
    }
    ForProducts(c, [&](size_t out, size_t in, size_t weight) {
      const double from = xs[in], tap = ws[weight];
      const double gradient = gs[out];
      sums.Add(out, from * tap);
      by_x.Add(in, gradient * tap);
      by_w.Add(weight, gradient * from);
    });
    ExpectNear(y, sums, 0x1p-18, "out");
    ExpectNear(gx, by_x, 0x1p-18, "gradInput");
    ExpectNear(gw, by_w, 0x1p-18, "gradWeight");
    ExpectNear(gb, by_b, 0x1p-18, "gradBias");
  }
};

TEST_F(ConvTbcTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t pad : {0, 1, 4}) Check({.pad = pad, .type = type, .strided = strided});
    }
  }
  Check({.steps = 1, .batch = 1, .in = 1, .out = 1, .taps = 1});
  Check({.steps = 3, .taps = 3});
  Check({.steps = 2, .taps = 5, .pad = 2});
  Check({.steps = 40, .batch = 7, .in = 33, .out = 18, .taps = 4, .pad = 1});
}

TEST_F(ConvTbcTest, WithoutTapsTheBiasAloneHasAGradient) {
  for (const int64_t t : {0, 5}) {
    const Case c{.type = ACL_FLOAT16};
    const Tensor g = Drawn(c, {t + 1, 2, 3}), x = Drawn(c, {t, 2, 4}), w = Drawn(c, {0, 4, 3});
    const Tensor b = Drawn(c, {3}), gx = Drawn(c, {t, 2, 4}), gw = Drawn(c, {0, 4, 3});
    const Tensor gb = Drawn(c, {3});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnConvTbcBackwardGetWorkspaceSize(g.handle(), x.handle(), w.handle(),
                                                      b.handle(), 0, 0, gx.handle(), gw.handle(),
                                                      gb.handle(), size, executor);
        },
        aclnnConvTbcBackward);
    const Numbers gs = ReadAs(g);
    Summed by_b(3);
    for (size_t i = 0; i < gs.size(); ++i) by_b.Add(i % 3, gs[i]);
    ExpectNear(gb, by_b, 0x1p-18, "gradBias");
    for (const double zero : ReadAs(gx)) EXPECT_EQ(zero, 0);
  }
}

TEST_F(ConvTbcTest, WithoutChannelsTheResultIsTheBias) {
  const Case c{.type = ACL_FLOAT16};
  const Tensor x = Drawn(c, {5, 2, 0}), w = Drawn(c, {3, 0, 4}), b = Drawn(c, {4});
  const Tensor y = Drawn(c, {5, 2, 4});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnConvTbcGetWorkspaceSize(x.handle(), w.handle(), b.handle(), 1, y.handle(), 0,
                                            size, executor);
      },
      aclnnConvTbc);
  const Numbers bias = ReadAs(b), result = ReadAs(y);
  for (size_t i = 0; i < result.size(); ++i) EXPECT_EQ(result[i], bias[i % 4]);
}

TEST_F(ConvTbcTest, RefusesWhatDoesNotFit) {
  const Case c;
  const Tensor x = Drawn(c, {9, 2, 3}), w = Drawn(c, {3, 3, 5}), b = Drawn(c, {5});
  const auto refused = [&](const Tensor& weight, const Tensor& bias, int64_t pad,
                           const std::vector<int64_t>& out,
                           std::initializer_list<std::string_view> words) {
    const Tensor y = Drawn(c, out);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvTbcGetWorkspaceSize(x.handle(), weight.handle(), bias.handle(), pad,
                                              y.handle(), 0, s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused(w, b, 0, {8, 2, 5}, {"out.shape[0] = 8", "9"});
  refused(w, b, 256, {519, 2, 5}, {"pad is 256"});
  refused(w, b, -1, {5, 2, 5}, {"pad is -1"});
  refused(Drawn(c, {3, 4, 5}), b, 0, {7, 2, 5}, {"weight.shape[1]", "4"});
  refused(w, Drawn(c, {4}), 0, {7, 2, 5}, {"bias.shape", "4"});
}

}  // namespace
}  // namespace anyacl::test::conv_tbc
