// SPDX-License-Identifier: Apache-2.0
// Element-wise operators of complex numbers, against formulas of their parts.
#include <cmath>
#include <complex>
#include <map>
#include <set>

#include "aclnnop/aclnn_angle_v2.h"
#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_polar.h"
#include "aclnnop/aclnn_real.h"
#include "elementwise_case.h"

namespace anyacl::test {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;
using Formula = Complex (*)(const Complex* x, const Complex* s);

Complex Product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
Complex Inverse(Complex a) {
  const double square = a.real() * a.real() + a.imag() * a.imag();
  return {a.real() / square, -a.imag() / square};
}
Complex Exponential(Complex a) {
  return {std::exp(a.real()) * std::cos(a.imag()), std::exp(a.real()) * std::sin(a.imag())};
}
Complex Logarithm(Complex a) {
  return {std::log(std::hypot(a.real(), a.imag())), std::atan2(a.imag(), a.real())};
}
Complex Root(Complex a) { return Exponential(0.5 * Logarithm(a)); }
Complex Power(Complex a, Complex b) { return Exponential(Product(b, Logarithm(a))); }

constexpr Complex kI = {0, 1};
Complex TanhOf(Complex a) {
  const Complex e = Exponential(2.0 * a);
  return Product(e - 1.0, Inverse(e + 1.0));
}
Complex AsinhOf(Complex a) { return Logarithm(a + Root(Product(a, a) + 1.0)); }
Complex AtanhOf(Complex a) { return 0.5 * (Logarithm(1.0 + a) - Logarithm(1.0 - a)); }

const std::map<std::string, Formula> kFormulas = {
    {"Add", [](const Complex* x, const Complex* s) { return x[0] + Product(s[0], x[1]); }},
    {"InplaceAdd", [](const Complex* x, const Complex* s) { return x[0] + Product(s[0], x[1]); }},
    {"Adds", [](const Complex* x, const Complex* s) { return x[0] + Product(s[0], s[1]); }},
    {"Sub", [](const Complex* x, const Complex* s) { return x[0] - Product(s[0], x[1]); }},
    {"InplaceSubs", [](const Complex* x, const Complex* s) { return x[0] - Product(s[0], s[1]); }},
    {"Mul", [](const Complex* x, const Complex*) { return Product(x[0], x[1]); }},
    {"Muls", [](const Complex* x, const Complex* s) { return Product(x[0], s[0]); }},
    {"InplaceMuls", [](const Complex* x, const Complex* s) { return Product(x[0], s[0]); }},
    {"Div", [](const Complex* x, const Complex*) { return Product(x[0], Inverse(x[1])); }},
    {"Divs", [](const Complex* x, const Complex* s) { return Product(x[0], Inverse(s[0])); }},
    {"Neg", [](const Complex* x, const Complex*) { return 0.0 - x[0]; }},
    {"Sign",
     [](const Complex* x, const Complex*) { return x[0] / std::hypot(x[0].real(), x[0].imag()); }},
    {"Exp", [](const Complex* x, const Complex*) { return Exponential(x[0]); }},
    {"Log", [](const Complex* x, const Complex*) { return Logarithm(x[0]); }},
    {"Sqrt", [](const Complex* x, const Complex*) { return Root(x[0]); }},
    {"Rsqrt", [](const Complex* x, const Complex*) { return Inverse(Root(x[0])); }},
    {"Reciprocal", [](const Complex* x, const Complex*) { return Inverse(x[0]); }},
    {"InplaceSigmoid",
     [](const Complex* x, const Complex*) { return Inverse(1.0 + Exponential(0.0 - x[0])); }},
    {"Sin",
     [](const Complex* x, const Complex*) {
       const double a = x[0].real(), b = x[0].imag();
       return Complex(std::sin(a) * std::cosh(b), std::cos(a) * std::sinh(b));
     }},
    {"Cos",
     [](const Complex* x, const Complex*) {
       const double a = x[0].real(), b = x[0].imag();
       return Complex(std::cos(a) * std::cosh(b), -std::sin(a) * std::sinh(b));
     }},
    {"PowTensorScalar", [](const Complex* x, const Complex* s) { return Power(x[0], s[0]); }},
    {"PowTensorTensor", [](const Complex* x, const Complex*) { return Power(x[0], x[1]); }},
    {"EqTensor", [](const Complex* x, const Complex*) { return Complex(x[0] == x[1]); }},
    {"InplaceNeTensor", [](const Complex* x, const Complex*) { return Complex(x[0] != x[1]); }},
    {"EqScalar", [](const Complex* x, const Complex* s) { return Complex(x[0] == s[0]); }},
    {"NeScalar", [](const Complex* x, const Complex* s) { return Complex(x[0] != s[0]); }},
    {"LogicalAnd",
     [](const Complex* x, const Complex*) { return Complex(x[0] != 0.0 && x[1] != 0.0); }},
    {"LogicalOr",
     [](const Complex* x, const Complex*) { return Complex(x[0] != 0.0 || x[1] != 0.0); }},
    {"LogicalXor",
     [](const Complex* x, const Complex*) { return Complex((x[0] != 0.0) != (x[1] != 0.0)); }},
    {"SWhere", [](const Complex* x, const Complex*) { return x[0] != 0.0 ? x[1] : x[2]; }},
    {"Rsub", [](const Complex* x, const Complex* s) { return x[1] - Product(s[0], x[0]); }},
    {"AddV3", [](const Complex* x, const Complex* s) { return s[0] + Product(s[1], x[0]); }},
    {"Rsubs", [](const Complex* x, const Complex* s) { return s[0] - Product(s[1], x[0]); }},
    {"PowScalarTensor", [](const Complex* x, const Complex* s) { return Power(s[0], x[0]); }},
    {"Log2", [](const Complex* x, const Complex*) { return Logarithm(x[0]) / std::log(2.0); }},
    {"Log10", [](const Complex* x, const Complex*) { return Logarithm(x[0]) / std::log(10.0); }},
    {"Tan",
     [](const Complex* x, const Complex*) { return Product(kI, TanhOf(Product(-kI, x[0]))); }},
    {"Sinh", [](const Complex* x,
                const Complex*) { return 0.5 * (Exponential(x[0]) - Exponential(0.0 - x[0])); }},
    {"Cosh", [](const Complex* x,
                const Complex*) { return 0.5 * (Exponential(x[0]) + Exponential(0.0 - x[0])); }},
    {"Asinh", [](const Complex* x, const Complex*) { return AsinhOf(x[0]); }},
    {"Acos", [](const Complex* x,
                const Complex*) { return M_PI_2 - Product(-kI, AsinhOf(Product(kI, x[0]))); }},
    {"Acosh",
     [](const Complex* x, const Complex*) {
       return Logarithm(x[0] + Product(Root(x[0] + 1.0), Root(x[0] - 1.0)));
     }},
    {"Atanh", [](const Complex* x, const Complex*) { return AtanhOf(x[0]); }},
    {"SigmoidBackward",
     [](const Complex* x, const Complex*) {
       return Product(x[0], std::conj(Product(1.0 - x[1], x[1])));
     }},
};

const std::set<std::string> kLogic = {"EqTensor",   "InplaceNeTensor", "EqScalar",  "NeScalar",
                                      "LogicalAnd", "LogicalOr",       "LogicalXor"};

class ComplexScalar {
 public:
  explicit ComplexScalar(Complex value) : handle_(aclCreateScalar(&value, ACL_COMPLEX128)) {}
  ~ComplexScalar() { aclDestroyScalar(handle_); }
  ComplexScalar(const ComplexScalar&) = delete;
  ComplexScalar& operator=(const ComplexScalar&) = delete;
  const aclScalar* get() const { return handle_; }

 private:
  aclScalar* const handle_;
};

class ElementwiseComplexTest : public DeviceTest {
 protected:
  static Phase1 First(const std::string& name, const Tensors& in, const ScalarList& scalars,
                      Tensor& out) {
    const ElementwiseOperator& op = OperatorNamed(name);
    return [&op, in, scalars, &out](uint64_t* size, aclOpExecutor** executor) {
      return op.first(in, scalars, out.handle(), size, executor);
    };
  }
  void Run(const std::string& name, const Tensors& in, const ScalarList& scalars, Tensor& out) {
    RunTwoPhase(First(name, in, scalars, out), OperatorNamed(name).second);
  }
  void ExpectRefusedDType(const std::string& name, const Tensors& in, const ScalarList& scalars,
                          Tensor& out, const char* word) {
    ExpectRefused(First(name, in, scalars, out), 161002, {word});
  }

  Values SomeOf(int64_t count, bool few) {
    Values values;
    for (int64_t i = 0; i < count; ++i) {
      values.emplace_back(few ? static_cast<double>(random().Int(0, 1)) : random().Uniform(-2, 2),
                          few ? static_cast<double>(random().Int(0, 1)) : random().Uniform(-2, 2));
    }
    return values;
  }

  // 40 x 70; the second operand is a row.
  void Check(const std::string& name, Formula formula, aclDataType dtype, const Layout& layout) {
    SCOPED_TRACE(::testing::Message() << name << " of type " << dtype);
    const ElementwiseOperator& op = OperatorNamed(name);
    const bool logic = kLogic.contains(name);
    std::vector<Tensor> tensors;
    std::vector<Values> values;
    Tensors handles;
    for (int i = 0; i < op.inputs; ++i) {
      Layout in = i == 1 ? Layout{.dims = {70}} : layout;
      in.dtype = name == "SWhere" && i == 0 ? ACL_BOOL : dtype;
      tensors.emplace_back(in);
      WriteComplex(tensors.back(), SomeOf(tensors.back().count(), logic || in.dtype == ACL_BOOL));
      values.push_back(ReadComplex(tensors.back()));
    }
    for (Tensor& tensor : tensors) handles.push_back(tensor.handle());
    const Complex s[] = {logic ? Complex(0, 1) : Complex(1.25, -0.5), Complex(-0.75, 2)};
    const ComplexScalar scalars[] = {ComplexScalar(s[0]), ComplexScalar(s[1])};
    ScalarList given;
    for (int i = 0; i < op.scalars; ++i) given.push_back(scalars[i].get());
    Layout to = layout;
    to.dtype = op.in_place || !logic ? dtype : ACL_BOOL;
    Tensor out(to);
    Run(name, handles, given, out);
    const Tensor& written = op.in_place ? tensors[0] : out;
    const Values actual = ReadComplex(written);
    EXPECT_TRUE(written.GuardsIntact());
    for (size_t k = 0; k < actual.size(); ++k) {
      Complex x[3];
      for (size_t i = 0; i < values.size(); ++i) x[i] = values[i][i == 1 ? k % 70 : k];
      const Complex expected = formula(x, s);
      const double unit = dtype == ACL_COMPLEX64 ? 0x1p-23 : 0x1p-46;
      // Sums cancel, with terms of 8 at most.
      ASSERT_LE(std::abs(actual[k] - expected), unit * std::abs(expected) + 0x1p-44)
          << "element " << k << ": " << actual[k] << ", expected " << expected;
    }
  }
};

TEST_F(ElementwiseComplexTest, EveryOperation) {
  const Layout layouts[] = {{.dims = {40, 70}},
                            {.dims = {40, 70}, .strides = {1, 40}},
                            {.dims = {40, 70}, .strides = {-300, 3}, .offset = 39 * 300}};
  for (const auto& [name, formula] : kFormulas) {
    for (aclDataType dtype : {ACL_COMPLEX64, ACL_COMPLEX128}) {
      for (const Layout& layout : layouts) {
        Check(name, formula, dtype, layout);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(ElementwiseComplexTest, PowersAtZero) {
  Tensor self({.dims = {2}, .dtype = ACL_COMPLEX128}), out({.dims = {2}, .dtype = ACL_COMPLEX128});
  WriteComplex(self, {0, {3, 4}});
  for (const auto& [exponent, expected] :
       {std::pair{Complex(0), Values{1, 1}}, {Complex(2), Values{0, {-7, 24}}}}) {
    const ComplexScalar scalar(exponent);
    Run("PowTensorScalar", {self.handle()}, {scalar.get()}, out);
    EXPECT_EQ(ReadComplex(out), expected);
  }
}

TEST_F(ElementwiseComplexTest, AbsoluteValuesAreReal) {
  Tensor self({.dims = {3}, .dtype = ACL_COMPLEX64}), out({.dims = {3}, .dtype = ACL_FLOAT});
  WriteComplex(self, {{3, -4}, 0, {0, -7}});
  Run("Abs", {self.handle()}, {}, out);
  EXPECT_EQ(ReadComplex(out), (Values{5, 0, 7}));
  Tensor halves({.dims = {1}, .dtype = ACL_COMPLEX32}), half({.dims = {1}, .dtype = ACL_FLOAT16});
  halves.Write(std::vector<uint32_t>{0xC400'4200});  // 3 - 4i
  Run("Abs", {halves.handle()}, {}, half);
  EXPECT_EQ(ReadComplex(half), Values{5});
}

TEST_F(ElementwiseComplexTest, PartsBecomeNumbersAndBack) {
  Tensor real({.dims = {2, 1}, .dtype = ACL_DOUBLE}), imaginary({.dims = {3}, .dtype = ACL_DOUBLE});
  Tensor whole({.dims = {2, 3}, .dtype = ACL_COMPLEX128, .strides = {1, 2}});
  Tensor part({.dims = {2, 3}, .dtype = ACL_DOUBLE}), angle({.dims = {2, 3}, .dtype = ACL_FLOAT});
  WriteComplex(real, {0, -2});
  WriteComplex(imaginary, {2, 0, -2});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnComplexGetWorkspaceSize(real.handle(), imaginary.handle(), whole.handle(), size,
                                            executor);
      },
      aclnnComplex);
  EXPECT_EQ(ReadComplex(whole), (Values{{0, 2}, {0, 0}, {0, -2}, {-2, 2}, {-2, 0}, {-2, -2}}));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnRealGetWorkspaceSize(whole.handle(), part.handle(), size, executor);
      },
      aclnnReal);
  EXPECT_EQ(ReadComplex(part), (Values{0, 0, 0, -2, -2, -2}));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnAngleV2GetWorkspaceSize(whole.handle(), angle.handle(), size, executor);
      },
      aclnnAngleV2);
  const auto pi = static_cast<float>(M_PI), half = static_cast<float>(M_PI / 2);
  const auto quarter = static_cast<float>(M_PI / 4);
  EXPECT_EQ(angle.Read<float>(),
            (std::vector<float>{half, 0, -half, 3 * quarter, pi, -3 * quarter}));
  Tensor halves({.dims = {2}, .dtype = ACL_FLOAT16}), pair({.dims = {2}, .dtype = ACL_COMPLEX32});
  WriteAs(halves, {1, -2});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnComplexGetWorkspaceSize(halves.handle(), halves.handle(), pair.handle(), size,
                                            executor);
      },
      aclnnComplex);
  EXPECT_EQ(pair.Read<uint32_t>(), (std::vector<uint32_t>{0x3c003c00, 0xc000c000}));
  Tensor size({.dims = {2}}), turn({.dims = {2}}), polar({.dims = {2}, .dtype = ACL_COMPLEX64});
  size.Write(std::vector<float>{2, -3});
  turn.Write(std::vector<float>{0.5f, 2});
  RunTwoPhase(
      [&](uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnPolarGetWorkspaceSize(size.handle(), turn.handle(), polar.handle(), bytes,
                                          executor);
      },
      aclnnPolar);
  const Values points = ReadComplex(polar);
  EXPECT_LE(std::abs(points[0] - Complex(2 * std::cos(0.5), 2 * std::sin(0.5))), 1e-7);
  EXPECT_LE(std::abs(points[1] - Complex(-3 * std::cos(2.0), -3 * std::sin(2.0))), 2e-7);
  ExpectRefused(
      [&](uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnComplexGetWorkspaceSize(halves.handle(), size.handle(), pair.handle(), bytes,
                                            executor);
      },
      161002, {"imag.dtype = FLOAT", "FLOAT16"});
}

TEST_F(ElementwiseComplexTest, RealAndComplexPromote) {
  Tensor real({.dims = {2}, .dtype = ACL_FLOAT}), complex({.dims = {2}, .dtype = ACL_COMPLEX64});
  Tensor integers({.dims = {2}, .dtype = ACL_INT32}), out({.dims = {2}, .dtype = ACL_COMPLEX64});
  WriteComplex(real, {2, -1});
  WriteComplex(complex, {{1, 2}, {3, 4}});
  WriteComplex(integers, {5, 7});
  Run("Mul", {real.handle(), complex.handle()}, {}, out);
  EXPECT_EQ(ReadComplex(out), (Values{{2, 4}, {-3, -4}}));
  const ComplexScalar i({0, 1});
  Run("Muls", {real.handle()}, {i.get()}, out);
  EXPECT_EQ(ReadComplex(out), (Values{{0, 2}, {0, -1}}));
  const ScalarHandle one(1, ACL_INT64);
  Run("Adds", {integers.handle()}, {i.get(), one.get()}, out);
  EXPECT_EQ(ReadComplex(out), (Values{{5, 1}, {7, 1}}));
}

// What is computed is real, whatever it is stored as.
TEST_F(ElementwiseComplexTest, RealResultsAreStoredAsComplexNumbers) {
  Tensor self({.dims = {3}, .dtype = ACL_FLOAT});
  WriteComplex(self, {4, -1, 9});
  for (aclDataType dtype : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    Tensor out({.dims = {3}, .dtype = dtype, .strides = {2}});
    Run("Sqrt", {self.handle()}, {}, out);
    const Values roots = ReadComplex(out);
    EXPECT_EQ(roots[0], 2.0);
    EXPECT_TRUE(std::isnan(roots[1].real()));
    EXPECT_EQ(roots[1].imag(), 0);
    EXPECT_EQ(roots[2], 3.0);
    const ScalarHandle zero(0, ACL_DOUBLE);
    Run("GtScalar", {self.handle()}, {zero.get()}, out);
    EXPECT_EQ(ReadComplex(out), (Values{1, 0, 1}));
    EXPECT_TRUE(out.GuardsIntact());
  }
}

TEST_F(ElementwiseComplexTest, Conversions) {
  const Values values = {{1.75, -2.5}, 0, {0, 1}, {-3, 0}};
  for (aclDataType from : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    Tensor self({.dims = {4}, .dtype = from});
    WriteComplex(self, values);
    for (const auto& [to, expected] : {std::pair{ACL_COMPLEX64, values},
                                       {ACL_COMPLEX128, values},
                                       {ACL_FLOAT, Values{1.75, 0, 0, -3}},
                                       {ACL_INT64, Values{1, 0, 0, -3}},
                                       {ACL_BOOL, Values{1, 0, 1, 1}}}) {
      Tensor out({.dims = {4}, .dtype = to, .strides = {3}});
      Run("Cast", {self.handle()}, {}, out);
      EXPECT_EQ(ReadComplex(out), expected) << from << " to " << to;
      EXPECT_TRUE(out.GuardsIntact());
    }
    Tensor real({.dims = {4}, .dtype = ACL_INT32});
    WriteComplex(real, {-1, 2, 0, 9});
    Run("InplaceCopy", {self.handle(), real.handle()}, {}, self);
    EXPECT_EQ(ReadComplex(self), (Values{-1, 2, 0, 9}));
  }
}

TEST_F(ElementwiseComplexTest, FillsTakeBothParts) {
  const ComplexScalar value({3, -4});
  for (aclDataType dtype : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    Tensor self({.dims = {3}, .dtype = dtype});
    Run("InplaceFillScalar", {self.handle()}, {value.get()}, self);
    EXPECT_EQ(ReadComplex(self), (Values(3, {3, -4})));
  }
}

TEST_F(ElementwiseComplexTest, WhatIsNotComplexIsRefused) {
  Tensor real({.dims = {2}, .dtype = ACL_FLOAT}), complex({.dims = {2}, .dtype = ACL_COMPLEX64});
  Tensor flags({.dims = {2}, .dtype = ACL_BOOL});
  const ComplexScalar i({0, 1});
  ExpectRefusedDType("GtScalar", {real.handle()}, {i.get()}, flags, "COMPLEX64");
  ExpectRefusedDType("LeakyRelu", {real.handle()}, {i.get()}, real, "COMPLEX64");
  ExpectRefusedDType("Add", {real.handle(), real.handle()}, {i.get()}, real, "alpha");
  ExpectRefusedDType("Muls", {real.handle()}, {i.get()}, real, "out");
  Tensor integers({.dims = {2}, .dtype = ACL_INT32});
  ExpectRefusedDType("Abs", {complex.handle()}, {}, integers, "out");
  ExpectRefusedDType("Maximum", {complex.handle(), complex.handle()}, {}, complex, "self");
}

}  // namespace
}  // namespace anyacl::test
