// SPDX-License-Identifier: Apache-2.0
// Sums and means of complex numbers, the two parts each by itself; products; traces.
#include <cmath>
#include <complex>

#include "aclnnop/aclnn_trace.h"
#include "ops/reduction_case.h"

namespace anyacl::test {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

aclDataType PartOf(aclDataType dtype) { return dtype == ACL_COMPLEX64 ? ACL_FLOAT : ACL_DOUBLE; }

std::vector<double> Parts(const Numbers& numbers, bool imaginary) {
  std::vector<double> parts;
  for (Complex z : numbers) parts.push_back(imaginary ? z.imag() : z.real());
  return parts;
}

// Strides of the layout whose last dimensions are the outer ones, `gap` elements apart.
std::vector<int64_t> Reversed(const std::vector<int64_t>& dims, int64_t gap) {
  std::vector<int64_t> strides;
  for (int64_t size : dims) {
    strides.push_back(gap);
    gap *= size;
  }
  return strides;
}

class ComplexReductionTest : public ReductionTest {
 protected:
  Numbers RandomNumbers(int64_t count, aclDataType dtype) {
    Numbers numbers;
    for (int64_t i = 0; i < count; ++i) {
      const double real = random().Normal(0, 3), imaginary = random().Normal(1, 2);
      numbers.emplace_back(AsHeld(PartOf(dtype), real), AsHeld(PartOf(dtype), imaginary));
    }
    return numbers;
  }

  Phase1 First(const ReductionProblem& p, const Tensor& self, const Tensor& out,
               aclDataType dtype) const {
    return [&p, &self, &out, dtype](uint64_t* size, aclOpExecutor** executor) {
      return p.op->phase1(self.handle(), p.dims, p.keep, dtype, out.handle(), size, executor);
    };
  }

  // Real elements are the numbers' real parts.
  Numbers Run(const ReductionProblem& p, const Numbers& numbers,
              std::optional<aclDataType> dtype = {}) {
    Tensor self(p.self);
    const Tensor out(p.OutLayout());
    WriteComplex(self, numbers);
    RunTwoPhase(First(p, self, out, dtype.value_or(p.out_type())), p.op->phase2);
    EXPECT_TRUE(out.GuardsIntact());
    return ReadComplex(out);
  }

  void ExpectCorrect(const ReductionProblem& p) {
    int64_t count = 1;
    for (int64_t size : p.self.dims) count *= size;
    const Numbers numbers = RandomNumbers(count, p.self.dtype);
    const Numbers actual = Run(p, numbers);
    const double unit = p.self.dtype == ACL_COMPLEX64 ? 1 : 0x1p-29;
    for (bool imaginary : {false, true}) {
      const auto groups = Grouped(p.self.dims, Parts(numbers, imaginary), p.reduce());
      const std::vector<double> parts = Parts(actual, imaginary);
      ASSERT_EQ(parts.size(), groups.size());
      for (size_t i = 0; i < groups.size(); ++i) {
        const double expected = OracleOf(p.op->name)(groups[i]);
        const double bound = unit * BoundOf(p.op->name, groups[i]) +
                             1.01 * HalfUnitOf(PartOf(p.self.dtype), expected);
        ASSERT_NEAR(parts[i], expected, bound) << p.op->name << " result " << i;
      }
    }
  }
};

TEST_F(ComplexReductionTest, ShapesAndLayouts) {
  struct Shape {
    std::vector<int64_t> dims, reduce;
  };
  const Shape shapes[] = {{{70}, {0}},
                          {{5, 70}, {-1}},
                          {{70, 40}, {0}},
                          {{3, 40, 6}, {1}},
                          {{3, 5, 37}, {0, 2}},
                          {{5000}, {}},
                          {{2100, 3}, {0}},
                          {{3, 2100}, {1}},
                          {{600, 300}, {0}},
                          {{1, 1}, {1}},
                          {{}, {}},
                          {{2, 1, 3, 2, 2, 3, 2, 2}, {6}},
                          {{2, 2, 3, 1, 2, 2, 2, 2}, {0, 2, 6}}};
  for (aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const char* name : {"ReduceSum", "Mean"}) {
      for (const Shape& shape : shapes) {
        for (int layout = 0; layout < 4; ++layout) {
          SCOPED_TRACE(::testing::Message()
                       << "type " << type << " rank " << shape.dims.size() << " layout " << layout);
          ReductionProblem p{.op = &ReductionNamed(name),
                             .self = {.dims = shape.dims, .dtype = type},
                             .dims = shape.reduce,
                             .keep = layout % 2 == 1};
          if (layout == 1) p.self.strides = Reversed(shape.dims, 1);
          if (layout == 2) p.self.strides = Reversed(shape.dims, 3);
          if (layout == 3) p.out_strides = Reversed(p.OutLayout().dims, 2);
          p.self.offset = layout;
          ExpectCorrect(p);
        }
      }
    }
  }
}

// So the rules of the order of summation, threads and instruction sets are those of fp32 and fp64.
TEST_F(ComplexReductionTest, PartsHaveTheBitsOfSumsOfParts) {
  for (int64_t rows : {3, 700, 2100}) {
    ReductionProblem p{.op = &ReductionNamed("ReduceSum"),
                       .self = {.dims = {rows, 50}, .dtype = ACL_COMPLEX64},
                       .dims = {0}};
    const Numbers numbers = RandomNumbers(rows * 50, ACL_COMPLEX64);
    const Numbers sums = Run(p, numbers);
    p.self.dtype = ACL_FLOAT;
    for (bool imaginary : {false, true}) {
      p.values = Parts(numbers, imaginary);
      EXPECT_EQ(ReductionTest::Run(p), Parts(sums, imaginary)) << rows;
    }
  }
}

TEST_F(ComplexReductionTest, ElementsBecomeDtype) {
  const auto reduce = [&](const char* name, aclDataType self, aclDataType dtype, aclDataType out,
                          const Numbers& numbers) {
    ReductionProblem p{.op = &ReductionNamed(name),
                       .self = {.dims = {static_cast<int64_t>(numbers.size())}, .dtype = self},
                       .dims = {0}};
    p.out = out;
    return Run(p, numbers, dtype)[0];
  };
  const auto sum = [&](aclDataType self, aclDataType out, const Numbers& numbers) {
    return reduce("ReduceSum", self, out, out, numbers);
  };
  const Complex i(0, 1);
  EXPECT_EQ(sum(ACL_COMPLEX64, ACL_COMPLEX128, {0x1p40, 1.0 + i}), 0x1p40 + 1 + i);
  EXPECT_EQ(sum(ACL_COMPLEX128, ACL_COMPLEX64, {0x1p60, 1.0 + i, -0x1p60}), 1.0 + i);
  // Real numbers have an imaginary part of 0.
  for (aclDataType real : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_BOOL}) {
    EXPECT_EQ(sum(real, ACL_COMPLEX64, {1, 0, 1, 1}), 3.0) << real;
    EXPECT_EQ(sum(real, ACL_COMPLEX128, {1, 0, 1, 1}), 3.0) << real;
  }
  // Complex ones lose theirs on the way to real ones, but for BOOL.
  EXPECT_EQ(sum(ACL_COMPLEX64, ACL_FLOAT, {1.5 + i, 2.5 - i}), 4.0);
  EXPECT_EQ(sum(ACL_COMPLEX128, ACL_INT32, {1.5 + i, 2.5 - i}), 3.0);  // truncated before the sum
  EXPECT_EQ(sum(ACL_COMPLEX64, ACL_BOOL, {0, i}), 1.0);
  EXPECT_EQ(sum(ACL_COMPLEX64, ACL_BOOL, {0, 0}), 0.0);

  EXPECT_EQ(reduce("Mean", ACL_FLOAT, ACL_FLOAT, ACL_COMPLEX64, {1, 2}), 1.5);
  EXPECT_EQ(reduce("Mean", ACL_INT32, ACL_COMPLEX64, ACL_COMPLEX128, {1, 2}), 1.5);
  EXPECT_EQ(reduce("Mean", ACL_INT32, ACL_INT32, ACL_COMPLEX64, {1, 2}), 1.0);
  EXPECT_EQ(reduce("Mean", ACL_COMPLEX64, ACL_COMPLEX128, ACL_COMPLEX64, {1.0 + i, 2.0 - i}), 1.5);
}

TEST_F(ComplexReductionTest, Refusals) {
  for (const char* name : {"ReduceSum", "Mean"}) {
    for (int64_t dim : {0, 1}) {
      const ReductionProblem p{.op = &ReductionNamed(name),
                               .self = {.dims = {0, 3}, .dtype = ACL_COMPLEX64},
                               .dims = {dim}};
      const Tensor self(p.self), out(p.OutLayout());
      ExpectRefused(First(p, self, out, ACL_COMPLEX64), 161002, {"self", "[0, 3]", "COMPLEX64"});
    }
  }
  const ReductionProblem p{
      .op = &ReductionNamed("Mean"), .self = {.dims = {2, 3}, .dtype = ACL_COMPLEX64}, .dims = {1}};
  const Tensor self(p.self), out(p.OutLayout()), real({.dims = {2}});
  ExpectRefused(First(p, self, out, ACL_FLOAT), 161002, {"dtype", "FLOAT", "COMPLEX64"});
  ExpectRefused(First(p, self, real, ACL_COMPLEX64), 161002, {"out", "FLOAT", "COMPLEX64"});
}

// Turns by small angles: their product stays near the unit circle.
Numbers Turns(int64_t count, aclDataType dtype) {
  Numbers numbers;
  for (int64_t i = 0; i < count; ++i) {
    const Complex z = std::polar(1 + 1e-4 * static_cast<double>(i % 7 - 3), 0.1 * (i % 11));
    numbers.emplace_back(AsHeld(PartOf(dtype), z.real()), AsHeld(PartOf(dtype), z.imag()));
  }
  return numbers;
}

TEST_F(ComplexReductionTest, Products) {
  struct Shape {
    int64_t outer, count, inner;
  };
  for (aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const Shape& shape :
         {Shape{1, 1, 1}, {2, 5, 3}, {1, 9000, 1}, {3, 2100, 2}, {40, 1, 40}}) {
      for (int layout = 0; layout < 4; ++layout) {
        SCOPED_TRACE(::testing::Message()
                     << type << " count " << shape.count << " layout " << layout);
        ReductionProblem p{.op = &ReductionNamed("ProdDim"),
                           .self = {.dims = {shape.outer, shape.count, shape.inner}, .dtype = type},
                           .dims = {layout == 1 ? -2 : 1},
                           .keep = layout % 2 == 1};
        if (layout == 1) p.self.strides = Reversed(p.self.dims, 1);
        if (layout == 2) p.self.strides = Reversed(p.self.dims, 3);
        if (layout == 3) p.out_strides = Reversed(p.OutLayout().dims, 2);
        const Numbers numbers = Turns(shape.outer * shape.count * shape.inner, type);
        const Numbers actual = Run(p, numbers);
        ASSERT_EQ(actual.size(), static_cast<size_t>(shape.outer * shape.inner));
        const double unit =
            type == ACL_COMPLEX64 ? 0x1p-24 : 0x1p-50 * static_cast<double>(shape.count);
        for (int64_t r = 0; r < shape.outer * shape.inner; ++r) {
          std::complex<long double> expected = 1;
          for (int64_t i = 0; i < shape.count; ++i) {
            const Complex z =
                numbers[(r / shape.inner * shape.count + i) * shape.inner + r % shape.inner];
            expected *= std::complex<long double>(z.real(), z.imag());
          }
          const auto off =
              std::abs(expected - std::complex<long double>(actual[r].real(), actual[r].imag()));
          ASSERT_LE(off, 2 * unit * std::abs(expected)) << "result " << r;
        }
      }
    }
  }
}

TEST_F(ComplexReductionTest, ProductsOfOtherTypesAndOfInfinities) {
  const Complex i(0, 1);
  const auto product = [&](aclDataType self, aclDataType out, const Numbers& numbers) {
    ReductionProblem p{.op = &ReductionNamed("Prod"),
                       .self = {.dims = {static_cast<int64_t>(numbers.size())}, .dtype = self}};
    p.out = out;
    return Run(p, numbers)[0];
  };
  EXPECT_EQ(product(ACL_COMPLEX64, ACL_COMPLEX128, {1.0 + i, 2.0 + i, 3.0}), 3.0 + 9.0 * i);
  EXPECT_EQ(product(ACL_COMPLEX128, ACL_COMPLEX64, {0x1p100, 0x1p100 * i, 0x1p-120}), 0x1p80 * i);
  for (aclDataType real : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT64}) {
    EXPECT_EQ(product(real, ACL_COMPLEX64, {3, 2, -1}), -6.0) << real;
  }
  EXPECT_EQ(product(ACL_BOOL, ACL_COMPLEX128, {1, 1}), 1.0);
  EXPECT_EQ(product(ACL_COMPLEX64, ACL_COMPLEX64, {INFINITY}), Complex(INFINITY, 0));
}

TEST_F(ComplexReductionTest, RefusedProducts) {
  const ReductionProblem p{.op = &ReductionNamed("ProdDim"),
                           .self = {.dims = {0, 3}, .dtype = ACL_COMPLEX64},
                           .dims = {0}};
  const Tensor empty(p.self), out(p.OutLayout());
  ExpectRefused(First(p, empty, out, ACL_COMPLEX64), 161002, {"self", "[0, 3]", "COMPLEX64"});
  const Tensor self({.dims = {2, 3}, .dtype = ACL_COMPLEX64}), real({.dims = {3}});
  ExpectRefused(First(p, self, real, ACL_FLOAT), 161002, {"dtype", "FLOAT", "COMPLEX64"});
}

TEST_F(ComplexReductionTest, Traces) {
  const auto trace = [&](Layout layout, const Numbers& numbers, aclDataType type) {
    layout.dtype = type;
    Tensor self(layout);
    WriteComplex(self, numbers);
    const Tensor out({.dims = {}, .dtype = type});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnTraceGetWorkspaceSize(self.handle(), out.handle(), size, executor);
        },
        aclnnTrace);
    EXPECT_TRUE(out.GuardsIntact());
    return ReadComplex(out)[0];
  };
  const Complex i(0, 1);
  for (aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    const Numbers numbers = {1.0 + i, 7, 9, 5, 2.5 - 3.0 * i, 8};
    EXPECT_EQ(trace({.dims = {2, 3}}, numbers, type), 3.5 - 2.0 * i);
    EXPECT_EQ(trace({.dims = {2, 3}, .strides = {1, 4}}, numbers, type), 3.5 - 2.0 * i);
    EXPECT_EQ(trace({.dims = {0, 3}}, {}, type), 0.0);
  }
}

}  // namespace
}  // namespace anyacl::test
