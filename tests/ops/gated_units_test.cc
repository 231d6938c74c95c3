// SPDX-License-Identifier: Apache-2.0
// Gated units, a step of an LSTM, and rows that are scaled and shifted, against the formulas of
// their documents.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fatrelu_mul.h"
#include "aclnnop/aclnn_gelu_mul.h"
#include "aclnnop/aclnn_modulate.h"
#include "aclnnop/aclnn_modulate_backward.h"
#include "aclnnop/aclnn_thnn_fused_lstm_cell.h"
#include "aclnnop/aclnn_thnn_fused_lstm_cell_backward.h"
#include "ops/gated_units_case.h"

namespace anyacl::test {
namespace {

TEST_F(GatedUnitsTest, GeluMul) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Layout& layout :
         {Layout{.dims = {3, 14}, .dtype = type}, Layout{.dims = {2, 5, 700}, .dtype = type},
          Layout{.dims = {3, 14}, .dtype = type, .strides = {1, 5}, .offset = 2}}) {
      for (const char* mode : {"none", "tanh", static_cast<const char*>(nullptr)}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << " mode " << mode);
        const Tensor x = Drawn(layout);
        std::vector<int64_t> dims = layout.dims;
        dims.back() /= 2;
        const Tensor out({.dims = dims, .dtype = type});
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnGeluMulGetWorkspaceSize(x.handle(), const_cast<char*>(mode), out.handle(),
                                                  s, e);
            },
            aclnnGeluMul);
        const Numbers xs = ReadAs(x);
        const auto width = static_cast<size_t>(dims.back());
        const bool tanh = mode != nullptr && std::string_view(mode) == "tanh";
        Numbers expected;
        for (size_t i = 0; i < xs.size() / 2; ++i) {
          const size_t at = i / width * 2 * width + i % width;
          const double a = xs[at], b = xs[at + width];
          const double gelu =
              tanh ? 0.5 * a * (1 + std::tanh(std::sqrt(2 / M_PI) * (a + 0.044715 * a * a * a)))
                   : 0.5 * a * (1 + std::erf(a / std::sqrt(2)));
          expected.push_back(gelu * b);
        }
        ExpectClose(out, expected);
      }
    }
  }
}

TEST_F(GatedUnitsTest, FatreluMul) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Layout& layout :
         {Layout{.dims = {3, 14}, .dtype = type}, Layout{.dims = {2, 0, 6}, .dtype = type},
          Layout{.dims = {3, 14}, .dtype = type, .strides = {1, 5}, .offset = 2}}) {
      for (const std::vector<int64_t>& one : {std::vector<int64_t>{}, {1}, {1, 1, 1}}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << " rank " << one.size());
        Tensor x = Drawn(layout);
        const Tensor threshold = Drawn({.dims = one, .dtype = type}, 2);
        std::vector<int64_t> dims = layout.dims;
        dims.back() /= 2;
        const Tensor out({.dims = dims, .dtype = type});
        Numbers xs = ReadAs(x);
        const double limit = ReadAs(threshold)[0];
        if (!xs.empty()) xs[0] = limit;
        WriteAs(x, xs);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnFatreluMulGetWorkspaceSize(x.handle(), threshold.handle(), out.handle(),
                                                     s, e);
            },
            aclnnFatreluMul);
        const auto width = static_cast<size_t>(dims.back());
        Numbers expected;
        for (size_t i = 0; i < xs.size() / 2; ++i) {
          const size_t at = i / width * 2 * width + i % width;
          expected.push_back((xs[at] > limit ? xs[at] : 0) * xs[at + width]);
        }
        ExpectClose(out, expected);
      }
    }
  }
  const Tensor x({.dims = {3, 4}}), two({.dims = {2}}), one({.dims = {1}}), out({.dims = {3, 2}});
  const Tensor flat({.dims = {4}}), odd({.dims = {3, 3}});
  const auto call = [&](const Tensor& input, const Tensor& threshold) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnFatreluMulGetWorkspaceSize(input.handle(), threshold.handle(), out.handle(), s,
                                             e);
    };
  };
  ExpectRefused(call(x, two), ACLNN_ERR_PARAM_INVALID, {"threshold.shape = [2]", "one element"});
  ExpectRefused(call(flat, one), ACLNN_ERR_PARAM_INVALID, {"input.shape = [4]", "2 to 8"});
  ExpectRefused(call(odd, one), ACLNN_ERR_PARAM_INVALID, {"input.shape[1] = 3", "even"});
}

TEST_F(GatedUnitsTest, Modulate) {
  const int64_t batch = 2, length = 3, width = 700;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int form = 0; form < 8; ++form) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " form " << form);
      const bool scaled = form % 2 > 0, shifted = form / 2 % 2 > 0, strided = form / 4 > 0;
      const Layout layout = {.dims = {batch, length, width}, .dtype = type};
      const Layout rows = {.dims = {batch, width}, .dtype = type};
      const Layout turned = {.dims = rows.dims, .dtype = type, .strides = {1, 3}, .offset = 2};
      const Tensor x = Drawn(strided ? Layout{.dims = layout.dims,
                                              .dtype = type,
                                              .strides = {1, 2 * width, 2},
                                              .offset = 3}
                                     : layout);
      const Tensor scale = Drawn(strided ? turned : rows);
      const Tensor shift = Drawn({.dims = {batch, 1, width}, .dtype = type});
      const Tensor flat_shift = Drawn(rows), gradient = Drawn(layout), out(layout);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnModulateGetWorkspaceSize(x.handle(), scaled ? scale.handle() : nullptr,
                                                 shifted ? shift.handle() : nullptr, out.handle(),
                                                 s, e);
          },
          aclnnModulate);
      const Tensor grad_x(layout), grad_scale(rows), grad_shift(strided ? turned : rows);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnModulateBackwardGetWorkspaceSize(
                gradient.handle(), x.handle(), scaled ? scale.handle() : nullptr,
                shifted ? flat_shift.handle() : nullptr, grad_x.handle(),
                scaled ? grad_scale.handle() : nullptr, shifted ? grad_shift.handle() : nullptr, s,
                e);
          },
          aclnnModulateBackward);
      const Numbers xs = ReadAs(x), by = ReadAs(scale), add = ReadAs(shift), g = ReadAs(gradient);
      Numbers expected, dx, dscale(by.size()), dshift(by.size());
      for (size_t i = 0; i < xs.size(); ++i) {
        const size_t w = static_cast<size_t>(width), at = i / w / length * w + i % w;
        expected.push_back(xs[i] * (1 + (scaled ? by[at] : 0)) + (shifted ? add[at] : 0));
        dx.push_back(g[i] * (scaled ? by[at] : 1));
        dscale[at] += g[i] * xs[i];
        dshift[at] += g[i];
      }
      ExpectClose(out, expected);
      ExpectClose(grad_x, dx);
      if (scaled) {
        ExpectClose(grad_scale, dscale);
      }
      if (shifted) {
        ExpectClose(grad_shift, dshift);
      }
    }
  }
  const Tensor x({.dims = {2, 3, 4}}), none({.dims = {2, 0, 4}}), out({.dims = {2, 3, 4}});
  const Tensor scale({.dims = {2, 4}}), wide({.dims = {2, 3, 4}}),
      half({.dims = {2, 4}, .dtype = ACL_FLOAT16});
  const auto call = [&](const Tensor& self, const Tensor& by, const Tensor& to) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnModulateGetWorkspaceSize(self.handle(), by.handle(), nullptr, to.handle(), s, e);
    };
  };
  Tensor no_sum({.dims = {2, 4}}), no_shift({.dims = {2, 4}});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnModulateBackwardGetWorkspaceSize(none.handle(), none.handle(), nullptr, nullptr,
                                                     none.handle(), no_sum.handle(),
                                                     no_shift.handle(), s, e);
      },
      aclnnModulateBackward);
  EXPECT_EQ(ReadAs(no_sum), Numbers(8));
  EXPECT_EQ(ReadAs(no_shift), Numbers(8));
  ExpectRefused(call(none, scale, none), ACLNN_ERR_PARAM_INVALID,
                {"scaleOptional.shape = [2, 4]", "no elements", "self"});
  ExpectRefused(call(x, wide, out), ACLNN_ERR_PARAM_INVALID, {"scaleOptional"});
  ExpectRefused(call(x, half, out), ACLNN_ERR_PARAM_INVALID, {"scaleOptional.dtype = FLOAT16"});
}

TEST_F(GatedUnitsTest, LstmCell) {
  const int64_t batch = 3, hidden = 70;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (int form = 0; form < 4; ++form) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " form " << form);
      const bool biased = form % 2 > 0, strided = form / 2 > 0;
      const Layout four = {.dims = {batch, 4 * hidden}, .dtype = type};
      const Layout one = {.dims = {batch, hidden}, .dtype = type};
      const Layout turned = {.dims = four.dims, .dtype = type, .strides = {1, 5}, .offset = 2};
      const Layout bias = {.dims = {4 * hidden}, .dtype = type};
      const Tensor input = Drawn(strided ? turned : four), state = Drawn(four), cx = Drawn(one);
      const Tensor input_bias = Drawn(bias, 1), state_bias = Drawn(bias, 1);
      const Tensor hy(one), cy(one), storage(strided ? turned : four);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnThnnFusedLstmCellGetWorkspaceSize(
                input.handle(), state.handle(), cx.handle(), biased ? input_bias.handle() : nullptr,
                biased ? state_bias.handle() : nullptr, hy.handle(), cy.handle(), storage.handle(),
                s, e);
          },
          aclnnThnnFusedLstmCell);
      const Numbers a = ReadAs(input), b = ReadAs(state), c = ReadAs(cx);
      const Numbers d = ReadAs(input_bias), f = ReadAs(state_bias);
      Numbers gates, next, out;
      const auto width = static_cast<size_t>(hidden);
      for (size_t i = 0; i < a.size(); ++i) {
        const size_t column = i % (4 * width);
        const double x = a[i] + b[i] + (biased ? d[column] + f[column] : 0);
        gates.push_back(column / width == 2 ? std::tanh(x) : 1 / (1 + std::exp(-x)));
      }
      for (size_t i = 0; i < c.size(); ++i) {
        const double* const of = &gates[i / width * 4 * width + i % width];
        next.push_back(of[width] * c[i] + of[0] * of[2 * width]);
        out.push_back(of[3 * width] * std::tanh(next.back()));
      }
      ExpectClose(storage, gates);
      ExpectClose(cy, next);
      ExpectClose(hy, out);
    }
  }
  const Tensor gates({.dims = {2, 8}}), cx({.dims = {2, 2}}), wide({.dims = {2, 3}});
  const Tensor bias({.dims = {8}});
  const auto call = [&](const Tensor& cell, const Tensor* one, const Tensor* other) {
    return [&, one, other](uint64_t* s, aclOpExecutor** e) {
      return aclnnThnnFusedLstmCellGetWorkspaceSize(
          gates.handle(), gates.handle(), cell.handle(), one != nullptr ? one->handle() : nullptr,
          other != nullptr ? other->handle() : nullptr, cell.handle(), cell.handle(),
          gates.handle(), s, e);
    };
  };
  ExpectRefused(call(cx, &bias, nullptr), ACLNN_ERR_PARAM_NULLPTR, {"hiddenBiasOptional is null"});
  ExpectRefused(call(cx, nullptr, &bias), ACLNN_ERR_PARAM_NULLPTR, {"inputBiasOptional is null"});
  ExpectRefused(call(wide, nullptr, nullptr), ACLNN_ERR_PARAM_INVALID,
                {"inputGates.shape[1] = 8", "4 * 3"});
  // Four times so many columns, or so many bytes, have no 64 bits.
  const Tensor no_gates({.dims = {0, 0}}), no_rows({.dims = {0, int64_t{1} << 62}});
  const int64_t rows = int64_t{1} << 33, columns = int64_t{1} << 20;
  const Tensor far_gates({.dims = {rows, 4 * columns}}), far({.dims = {rows, columns}});
  const auto beyond = [](const Tensor& of, const Tensor& cell) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnThnnFusedLstmCellGetWorkspaceSize(of.handle(), of.handle(), cell.handle(),
                                                    nullptr, nullptr, cell.handle(), cell.handle(),
                                                    of.handle(), s, e);
    };
  };
  ExpectRefused(beyond(no_gates, no_rows), ACLNN_ERR_PARAM_INVALID, {"inputGates.shape[1] = 0"});
  ExpectRefused(beyond(far_gates, far), ACLNN_ERR_PARAM_INVALID, {"the gates", "2^57 bytes"});
}

// form: which gradients are given, whether there is a bias, strides.
TEST_F(GatedUnitsTest, LstmCellBackward) {
  for (const auto& [batch, hidden] : {std::pair<int64_t, int64_t>{3, 70}, {40, 700}, {0, 3}}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
      for (int form = 0; form < 16; ++form) {
        SCOPED_TRACE(::testing::Message() << batch << " type " << type << " form " << form);
        const bool of_state = form % 2 > 0, of_cell = form / 2 % 2 > 0;
        const bool biased = form / 4 % 2 > 0, strided = form / 8 > 0;
        const Layout four = {.dims = {batch, 4 * hidden}, .dtype = type};
        const Layout one = {.dims = {batch, hidden}, .dtype = type};
        const Layout turned = {
            .dims = four.dims, .dtype = type, .strides = {1, batch + 2}, .offset = 2};
        const Layout thin = {
            .dims = one.dims, .dtype = type, .strides = {1, batch + 1}, .offset = 3};
        const Tensor dh = Drawn(strided ? thin : one), dc = Drawn(one, 2);
        const Tensor cx = Drawn(one, 2), cy = Drawn(strided ? thin : one, 2);
        const Tensor storage = Drawn(strided ? turned : four, 1);
        const Tensor gates(strided ? turned : four), dcx(strided ? thin : one);
        const Tensor bias({.dims = {4 * hidden}, .dtype = type}), untouched(bias.layout());
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
                  of_state ? dh.handle() : nullptr, of_cell ? dc.handle() : nullptr, cx.handle(),
                  cy.handle(), storage.handle(), biased, gates.handle(), dcx.handle(),
                  bias.handle(), s, e);
            },
            aclnnThnnFusedLstmCellBackward);
        const Numbers h = ReadAs(dh), c = ReadAs(dc), before = ReadAs(cx), after = ReadAs(cy);
        const Numbers s = ReadAs(storage);
        const auto width = static_cast<size_t>(hidden);
        Numbers expected(s.size()), cells, sums(4 * width);
        for (size_t n = 0; n < before.size(); ++n) {
          const size_t at = n / width * 4 * width + n % width;
          const double i = s[at], f = s[at + width], g = s[at + 2 * width], o = s[at + 3 * width];
          const double up = of_state ? h[n] : 0, t = std::tanh(after[n]);
          const double total = up * o * (1 - t * t) + (of_cell ? c[n] : 0);
          cells.push_back(total * f);
          expected[at] = total * g * i * (1 - i);
          expected[at + width] = total * before[n] * f * (1 - f);
          expected[at + 2 * width] = total * i * (1 - g * g);
          expected[at + 3 * width] = up * t * o * (1 - o);
          for (size_t gate = 0; gate < 4; ++gate) {
            sums[gate * width + n % width] += expected[at + gate * width];
          }
        }
        ExpectClose(gates, expected);
        ExpectClose(dcx, cells);
        if (biased) {
          ExpectClose(bias, sums, static_cast<double>(batch));
        } else {
          EXPECT_EQ(bias.Bytes(), untouched.Bytes());
        }
      }
    }
  }
}

// gradCxOut may be cx, gradGatesOut the gates.
TEST_F(GatedUnitsTest, LstmCellBackwardInPlace) {
  const Layout one = {.dims = {5, 600}}, four = {.dims = {5, 2400}};
  const Tensor dh = Drawn(one), dc = Drawn(one), cy = Drawn(one), cx = Drawn(one);
  const Tensor storage = Drawn(four, 1), gates(four), dcx(one), bias({.dims = {2400}});
  const auto call = [&](const Tensor& to_gates, const Tensor& to_cell) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
          dh.handle(), dc.handle(), cx.handle(), cy.handle(), storage.handle(), true,
          to_gates.handle(), to_cell.handle(), bias.handle(), s, e);
    };
  };
  RunTwoPhase(call(gates, dcx), aclnnThnnFusedLstmCellBackward);
  RunTwoPhase(call(storage, cx), aclnnThnnFusedLstmCellBackward);
  EXPECT_EQ(ReadAs(storage), ReadAs(gates));
  EXPECT_EQ(ReadAs(cx), ReadAs(dcx));
}

TEST_F(GatedUnitsTest, LstmCellBackwardRefusesWhatDoesNotFit) {
  const Tensor cell({.dims = {2, 2}}), gates({.dims = {2, 8}}), bias({.dims = {8}});
  const Tensor wide({.dims = {2, 3}}), half({.dims = {2, 2}, .dtype = ACL_FLOAT16});
  const Tensor seven({.dims = {7}});
  const auto call = [&](const Tensor& cx, const Tensor& dh, bool biased, const Tensor* db) {
    return [&, biased, db](uint64_t* s, aclOpExecutor** e) {
      return aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
          dh.handle(), nullptr, cx.handle(), cx.handle(), gates.handle(), biased, gates.handle(),
          cx.handle(), db == nullptr ? nullptr : db->handle(), s, e);
    };
  };
  ExpectRefused(call(wide, wide, true, &bias), ACLNN_ERR_PARAM_INVALID,
                {"storage.shape[1] = 8", "4 * 3"});
  ExpectRefused(call(cell, wide, true, &bias), ACLNN_ERR_PARAM_INVALID, {"shape[1]"});
  ExpectRefused(call(cell, half, true, &bias), ACLNN_ERR_PARAM_INVALID,
                {"gradHyOptional.dtype = FLOAT16"});
  ExpectRefused(call(cell, cell, true, &seven), ACLNN_ERR_PARAM_INVALID, {"gradBiasOut"});
  ExpectRefused(call(cell, cell, false, nullptr), ACLNN_ERR_PARAM_NULLPTR, {"gradBiasOut is null"});
  const int64_t rows = int64_t{1} << 33, columns = int64_t{1} << 20;
  const Tensor far_gates({.dims = {rows, 4 * columns}}), far({.dims = {rows, columns}});
  const Tensor far_bias({.dims = {4 * columns}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
            nullptr, nullptr, far.handle(), far.handle(), far_gates.handle(), true,
            far_gates.handle(), far.handle(), far_bias.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"the gates' gradients", "2^57 bytes"});
}

}  // namespace
}  // namespace anyacl::test
