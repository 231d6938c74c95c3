// SPDX-License-Identifier: Apache-2.0
#include "gemm/gemm_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels.h"
#include "reference/gemm.h"
#include "support/element.h"

namespace anyacl::test {

namespace {

constexpr unsigned char kCanary = 0xa5;

}  // namespace

TestMatrix::TestMatrix(Element type, int64_t batches, int64_t rows, int64_t columns, Layout layout,
                       bool shared)
    : batches_(shared ? std::min<int64_t>(batches, 1) : batches),
      rows_(rows),
      columns_(columns),
      size_(BitsOf(DataTypeOf(type)) / 8) {
  const int64_t gap = layout == Layout::kGaps ? 2 : 1;
  matrix_.type = type;
  matrix_.column_step = layout == Layout::kColumns ? rows + 3 : gap;
  matrix_.row_step = layout == Layout::kColumns ? 1 : columns * gap + (gap - 1) * 5;
  const int64_t pitch = layout == Layout::kColumns ? columns * (rows + 3) : rows * matrix_.row_step;
  matrix_.batch_step[0] = shared ? 0 : pitch + (layout == Layout::kGaps ? 7 : 0);
  if (layout == Layout::kBackwards) {
    base_ = (rows - 1) * matrix_.row_step;
    matrix_.row_step = -matrix_.row_step;
  }
  int64_t last = 0;
  for (const int64_t row : {int64_t{0}, rows - 1}) {
    if (rows > 0 && columns > 0 && batches > 0) {
      last = std::max(last, IndexOf(batches - 1, row, columns - 1) + 1);
    }
  }
  bytes_ = GuardedBytes(static_cast<size_t>(last * size_));
  if (!bytes_.empty()) std::memset(bytes_.data(), kCanary, bytes_.size());
}

int64_t TestMatrix::IndexOf(int64_t batch, int64_t row, int64_t column) const {
  return base_ + batch * matrix_.batch_step[0] + row * matrix_.row_step +
         column * matrix_.column_step;
}

// Of several sizes, by few random numbers: normal ones took more time than all products.
void TestMatrix::Fill(Random& random) {
  constexpr double kSizes[] = {0.25, 0.5, 1, 2, 4, 8, 16};
  for (int64_t i = 0; i < batches_; ++i) {
    for (int64_t r = 0; r < rows_; ++r) {
      for (int64_t c = 0; c < columns_; ++c) {
        const bool integer = matrix_.type == Element::kInt8 || matrix_.type == Element::kInt32;
        const double value = integer ? static_cast<double>(random.Int(-128, 127))
                                     : random.Uniform(-1, 1) * kSizes[random.Int(0, 6)];
        Set(i, r, c, value);
      }
    }
  }
}

void TestMatrix::Set(int64_t batch, int64_t row, int64_t column, double value) {
  SetBits(batch, row, column, EncodeElement(DataTypeOf(matrix_.type), value));
}

// Of a number of bytes that compilers know: calls for each element took a tenth of the time.
void TestMatrix::SetBits(int64_t batch, int64_t row, int64_t column, uint64_t bits) {
  unsigned char* const to = bytes_.data() + IndexOf(batch, row, column) * size_;
  size_ == 4   ? std::memcpy(to, &bits, 4)
  : size_ == 2 ? std::memcpy(to, &bits, 2)
               : std::memcpy(to, &bits, 1);
}

uint32_t TestMatrix::BitsAt(int64_t batch, int64_t row, int64_t column) const {
  const unsigned char* const from = bytes_.data() + IndexOf(batch, row, column) * size_;
  uint32_t bits = 0;
  size_ == 4   ? std::memcpy(&bits, from, 4)
  : size_ == 2 ? std::memcpy(&bits, from, 2)
               : std::memcpy(&bits, from, 1);
  return bits;
}

double TestMatrix::At(int64_t batch, int64_t row, int64_t column) const {
  return DecodeElement(DataTypeOf(matrix_.type), BitsAt(batch, row, column));
}

std::vector<float> TestMatrix::Numbers(int64_t batch) const {
  std::vector<float> numbers(static_cast<size_t>(rows_ * columns_));
  float* next = numbers.data();
  for (int64_t r = 0; r < rows_; ++r) {
    for (int64_t c = 0; c < columns_; ++c) *next++ = static_cast<float>(At(batch, r, c));
  }
  return numbers;
}

bool TestMatrix::GapsAreUntouched() const {
  std::vector<char> owned(bytes_.size());
  for (int64_t i = 0; i < batches_; ++i) {
    for (int64_t r = 0; r < rows_; ++r) {
      for (int64_t c = 0; c < columns_; ++c) {
        std::fill_n(owned.data() + IndexOf(i, r, c) * size_, size_, 1);
      }
    }
  }
  for (size_t i = 0; i < owned.size(); ++i) {
    if (!owned[i] && bytes_[i] != kCanary) return false;
  }
  return true;
}

Case SizedCase(int64_t rows, int64_t columns, int64_t depth) {
  Case test;
  test.problem.rows = rows;
  test.problem.columns = columns;
  test.problem.depth = depth;
  return test;
}

bool MayTakeAnyOrder(const gemm::Problem& p) {
  const gemm::KernelSet& kernels = Kernels().gemm;
  const auto half = [&](Element type) {
    return type == Element::kFp16 || type == Element::kBf16 ||
           (type == Element::kFp32 && p.allows_16_bits);
  };
  if (p.a.type == Element::kBf16 && p.b.type == Element::kBf16) return kernels.bf16 != kernels.fp32;
  // Few rows times columns or rows that are contiguous are computed in fp32.
  const bool few = p.rows <= gemm::kFewRows && p.columns >= p.rows && p.b_group == 0 &&
                   (p.b.row_step == 1 || p.b.column_step == 1);
  if (half(p.a.type) && (half(p.b.type) || p.b_group > 0)) {
    return !few && kernels.half != kernels.fp32;
  }
  const auto is_float = [](Element type) {
    return type != Element::kInt8 && type != Element::kInt4;
  };
  // Batches that share B are rows of one product.
  const int64_t rows = p.rows * (p.batch_rank == 0 ? 1 : p.batch[0]);
  return is_float(p.a.type) && is_float(p.b.type) && p.b_group == 0 && rows >= 96 &&
         p.columns >= 96 && p.depth >= 32 && rows * p.columns * p.depth >= 1 << 21 &&
         kernels.whole != kernels.fp32;
}

void Case::Place(Random& random, const std::vector<Layout>& layouts, bool share_b) {
  gemm::Problem& p = problem;
  const int64_t batches = p.batch_rank == 0 ? 1 : p.batch[0];
  const auto place = [&](TestMatrix& to, gemm::Matrix& matrix, int64_t rows, int64_t columns,
                         bool shared) {
    to = TestMatrix(matrix.type, batches, rows, columns, random.Pick(layouts), shared);
    matrix = to.matrix();
  };
  place(a, p.a, p.rows, p.depth, false);
  place(b, p.b, p.depth, p.columns, share_b);
  place(c, p.c, p.rows, p.columns, false);
  a.Fill(random);
  b.Fill(random);
  if (p.has_d) {
    place(d, p.d, p.rows, p.columns, random.Chance(0.5));
    d.Fill(random);
  }
  const auto factors = [&](int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float& value : values) value = static_cast<float>(random.Uniform(0.01, 2));
    return values;
  };
  if (p.has_row_scale) row_scale = factors(p.rows);
  if (p.has_column_scale) column_scale = factors(p.columns);
}

void Case::Run() {
  const gemm::Plan plan(problem);
  // As numbers these bytes are large ones.
  std::vector<char> memory(plan.workspace_bytes() + 64, '\x7f');
  const auto address = reinterpret_cast<uintptr_t>(memory.data());
  char* const workspace = memory.data() + (64 - address % 64) % 64;
  plan.Run({.a = a.data(),
            .b = b.data(),
            .d = d.data(),
            .row_scale = row_scale.data(),
            .column_scale = column_scale.data(),
            .c = c.data()},
           workspace);
}

std::string Case::Check() const {
  const gemm::Problem& p = problem;
  const auto depth = static_cast<size_t>(p.depth);
  for (int64_t i = 0; i < (p.batch_rank == 0 ? 1 : p.batch[0]); ++i) {
    const std::vector<float> rows = a.Numbers(i);
    const std::vector<float> columns = b.Numbers(i);
    for (int64_t m = 0; m < p.rows; ++m) {
      const float* const row = rows.data() + static_cast<size_t>(m) * depth;
      const std::string wrong = MayTakeAnyOrder(p) ? CheckNear(i, m, row, columns.data())
                                                   : CheckBits(i, m, row, columns.data());
      if (!wrong.empty()) return wrong;
    }
  }
  return c.GapsAreUntouched() ? std::string() : Description() + ": written beside C";
}

std::string Case::CheckBits(int64_t i, int64_t m, const float* row, const float* columns) const {
  const gemm::Problem& p = problem;
  const bool integers = p.a.type == Element::kInt8 && p.b.type == Element::kInt8;
  const bool integer_d = p.has_d && integers && p.d.type == Element::kInt32;
  std::vector<float> values(static_cast<size_t>(p.columns));
  std::vector<int64_t> sums(values.size());
  integers ? RowInteger(row, columns, p.depth, p.columns, sums.data())
           : RowFp32(row, columns, p.depth, p.columns, values.data());
  for (int64_t n = 0; n < p.columns; ++n) {
    const auto at = static_cast<size_t>(n);
    if (integer_d) sums[at] += static_cast<int64_t>(d.At(i, m, n));
    float value = integers ? static_cast<float>(static_cast<int32_t>(sums[at])) : values[at];
    if (p.has_row_scale) value *= row_scale[static_cast<size_t>(m)];
    if (p.has_column_scale) value *= column_scale[at];
    if (p.alpha != 1) value *= p.alpha;
    if (p.has_d && !integer_d && p.beta != 0) {
      value = std::fma(p.beta, static_cast<float>(d.At(i, m, n)), value);
    }
    const auto expected = static_cast<uint32_t>(p.c.type == Element::kInt32
                                                    ? static_cast<uint64_t>(sums[at])
                                                    : EncodeElement(DataTypeOf(p.c.type), value));
    if (c.BitsAt(i, m, n) != expected) return Place(i, m, n) + std::to_string(value);
  }
  return {};
}

// One rounding of fp32 for each product and sum, and C's own.
std::string Case::CheckNear(int64_t i, int64_t m, const float* row, const float* columns) const {
  const gemm::Problem& p = problem;
  std::vector<double> sums(static_cast<size_t>(p.columns)), magnitudes(sums.size());
  RowFp64(row, columns, p.depth, p.columns, sums.data(), magnitudes.data());
  const double rounded = p.allows_16_bits ? 0x1p-16 : 0;
  const double unit = p.c.type == Element::kFp32   ? 0x1p-22
                      : p.c.type == Element::kFp16 ? 0x1p-11
                                                   : 0x1p-8;
  const double least = p.c.type == Element::kFp16 ? 0x1p-25 : 0x1p-126;
  for (int64_t n = 0; n < p.columns; ++n) {
    const auto at = static_cast<size_t>(n);
    double result = sums[at] * static_cast<double>(p.alpha);
    if (p.has_d) result += static_cast<double>(p.beta) * d.At(i, m, n);
    const double bound = magnitudes[at] * std::abs(static_cast<double>(p.alpha)) *
                         (static_cast<double>(p.depth + 2) * 0x1p-23 + rounded);
    if (!(std::abs(c.At(i, m, n) - result) <= bound + unit * std::abs(result) + least)) {
      return Place(i, m, n) + std::to_string(result);
    }
  }
  return {};
}

std::string Case::Place(int64_t i, int64_t m, int64_t n) const {
  return Description() + ", element " + std::to_string(i) + ", " + std::to_string(m) + ", " +
         std::to_string(n) + ": " + std::to_string(c.At(i, m, n)) + ", expected ";
}

std::string Case::Description() const {
  const gemm::Problem& p = problem;
  const auto matrix = [](const char* name, const gemm::Matrix& m) {
    return std::string(" ") + name + " type " + std::to_string(static_cast<int>(m.type)) +
           " steps " + std::to_string(m.row_step) + ", " + std::to_string(m.column_step);
  };
  return std::to_string(p.rows) + " x " + std::to_string(p.columns) + " x " +
         std::to_string(p.depth) + matrix("A", p.a) + matrix("B", p.b) + matrix("C", p.c) +
         (p.has_d ? matrix("D", p.d) : "") + " alpha " + std::to_string(p.alpha) + " beta " +
         std::to_string(p.beta);
}

}  // namespace anyacl::test
