// SPDX-License-Identifier: Apache-2.0
// Sort, Topk and relatives against plain loops.
#include "reference/sorting.h"

#include <cmath>
#include <set>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_kthvalue.h"
#include "aclnnop/aclnn_median.h"
#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"
#include "ops/movement_case.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                  ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                  ACL_UINT8, ACL_UINT16,  ACL_BOOL};

bool IsFloating(aclDataType type) {
  return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16 || type == ACL_DOUBLE;
}

struct Case {
  Shape shape;
  int64_t dim;
};
const Case kCases[] = {{{7}, 0},      {{3, 5}, 0}, {{3, 5}, -1}, {{2, 3, 4}, 1}, {{4, 300}, 1},
                       {{300, 4}, 0}, {{0, 3}, 1}, {{}, 0},      {{2, 3000}, 1}, {{40, 33}, 1}};

class SortingTest : public DeviceTest {
 protected:
  // Few different ones, so that many are equal; every kind of zero, infinities and NaN.
  std::vector<double> Values(int64_t count, aclDataType type) {
    std::vector<double> values;
    const std::vector<double> special = {0.0, -0.0, INFINITY, -INFINITY, NAN};
    for (int64_t i = 0; i < count; ++i) {
      const bool is_signed = type != ACL_UINT8 && type != ACL_UINT16 && type != ACL_BOOL;
      double value = static_cast<double>(random().Int(is_signed ? -50 : 0, 50));
      if (type == ACL_BOOL) value = random().Chance(0.5);
      if (IsFloating(type)) value = random().Chance(0.1) ? random().Pick(special) : value / 4;
      values.push_back(value);
    }
    return values;
  }
  static size_t DimOf(const Case& c) {
    return static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.shape) : c.dim);
  }
  static std::vector<std::vector<int64_t>> Rows(const Case& c) {
    return c.shape.empty() ? std::vector<std::vector<int64_t>>{{0}}
                           : RowsOf(c.shape, static_cast<int64_t>(DimOf(c)));
  }
  static void ExpectEqual(double actual, double expected) {
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual));
    } else {
      EXPECT_EQ(actual, expected);
      EXPECT_EQ(std::signbit(actual), std::signbit(expected));
    }
  }
};

TEST_F(SortingTest, SortedValuesOfAnotherType) {
  Tensor self({.dims = {4}, .dtype = ACL_INT8});
  const Tensor values({.dims = {4}, .dtype = ACL_FLOAT}), places({.dims = {4}, .dtype = ACL_INT64});
  WriteAs(self, {3, -7, 100, 3});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnSortGetWorkspaceSize(self.handle(), true, 0, true, values.handle(),
                                         places.handle(), size, executor);
      },
      aclnnSort);
  EXPECT_EQ(ReadAs(values), (std::vector<double>{100, 3, 3, -7}));
  EXPECT_EQ(ReadAs(places), (std::vector<double>{2, 0, 3, 1}));
}

TEST_F(SortingTest, SortAndArgsort) {
  for (const Case& c : kCases) {
    for (aclDataType type : kTypes) {
      for (Lie lie : kOutputLies) {
        for (bool descending : {false, true}) {
          SCOPED_TRACE(::testing::PrintToString(c.shape) + std::to_string(type));
          const std::vector<double> values = Values(CountOf(c.shape), type);
          Tensor self(Lying(c.shape, type, lie)), out(Lying(c.shape, type, lie));
          Tensor places(Lying(c.shape, ACL_INT64, lie)), alone(Lying(c.shape, ACL_INT64, lie));
          WriteAs(self, values);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnSortGetWorkspaceSize(self.handle(), true, c.dim, descending,
                                                 out.handle(), places.handle(), size, executor);
              },
              aclnnSort);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnArgsortGetWorkspaceSize(self.handle(), c.dim, descending,
                                                    alone.handle(), size, executor);
              },
              aclnnArgsort);
          const std::vector<double> sorted = ReadAs(out);
          const std::vector<int64_t> where = places.Read<int64_t>();
          EXPECT_EQ(alone.Read<int64_t>(), where);
          for (const std::vector<int64_t>& row : Rows(c)) {
            std::vector<double> elements;
            for (int64_t k : row) elements.push_back(values[static_cast<size_t>(k)]);
            const std::vector<int64_t> order = OrderOf(elements, descending);
            for (size_t i = 0; i < row.size(); ++i) {
              const auto at = static_cast<size_t>(row[i]);
              ASSERT_EQ(where[at], order[i]);
              ExpectEqual(sorted[at], elements[static_cast<size_t>(order[i])]);
            }
          }
          EXPECT_TRUE(out.GuardsIntact());
          EXPECT_TRUE(places.GuardsIntact());
        }
      }
    }
  }
}

// Threads share a row.
TEST_F(SortingTest, LongRows) {
  constexpr int64_t kCount = 300000;
  for (aclDataType type : {ACL_FLOAT, ACL_INT64, ACL_BF16}) {
    const std::vector<double> values = Values(kCount, type);
    const std::vector<int64_t> order = OrderOf(values, false);
    Tensor self({.dims = {kCount}, .dtype = type}), out({.dims = {kCount}, .dtype = type});
    Tensor places({.dims = {kCount}, .dtype = ACL_INT64});
    WriteAs(self, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnSortGetWorkspaceSize(self.handle(), false, 0, false, out.handle(),
                                           places.handle(), size, executor);
        },
        aclnnSort);
    EXPECT_EQ(places.Read<int64_t>(), order);
    const std::vector<double> sorted = ReadAs(out);
    for (size_t i = 0; i < sorted.size(); i += 97) {
      ExpectEqual(sorted[i], values[static_cast<size_t>(order[i])]);
    }
  }
}

TEST_F(SortingTest, Topk) {
  for (const Case& c : kCases) {
    const int64_t length = c.shape.empty() ? 1 : c.shape[DimOf(c)];
    // The last one of a twentieth of the longest row is a number: NaNs and infinities are fewer.
    for (int64_t k : {int64_t{0}, int64_t{1}, length / 20, length / 2, length}) {
      for (aclDataType type : kTypes) {
        for (bool largest : {false, true}) {
          for (Lie lie : {Lie::kDense, Lie::kGaps}) {
            SCOPED_TRACE(::testing::PrintToString(c.shape) + std::to_string(type) + " k " +
                         std::to_string(k));
            if (type == ACL_BOOL || (c.shape.empty() && k != 1)) continue;
            Shape shape = c.shape;
            if (!shape.empty()) shape[DimOf(c)] = k;
            const std::vector<double> values = Values(CountOf(c.shape), type);
            Tensor self(Lying(c.shape, type, lie)), out(Lying(shape, type, lie));
            Tensor places(Lying(shape, ACL_INT64, lie));
            WriteAs(self, values);
            RunTwoPhase(
                [&](uint64_t* size, aclOpExecutor** executor) {
                  return aclnnTopkGetWorkspaceSize(self.handle(), k, c.dim, largest, true,
                                                   out.handle(), places.handle(), size, executor);
                },
                aclnnTopk);
            if (CountOf(shape) == 0) continue;
            const std::vector<double> best = ReadAs(out);
            const std::vector<int64_t> where = places.Read<int64_t>();
            const auto rows = Rows(c);
            const auto out_rows =
                c.shape.empty() ? rows : RowsOf(shape, static_cast<int64_t>(DimOf(c)));
            for (size_t r = 0; r < rows.size(); ++r) {
              std::vector<double> elements;
              for (int64_t i : rows[r]) elements.push_back(values[static_cast<size_t>(i)]);
              const std::vector<int64_t> order = OrderOf(elements, largest);
              for (size_t i = 0; i < static_cast<size_t>(k); ++i) {
                const auto at = static_cast<size_t>(out_rows[r][i]);
                ASSERT_EQ(where[at], order[i]);
                ExpectEqual(best[at], elements[static_cast<size_t>(order[i])]);
              }
            }
            EXPECT_TRUE(out.GuardsIntact());
          }
        }
      }
    }
  }
}

// A single number's results may be vectors; with k = 0 nothing is written, whatever they are.
TEST_F(SortingTest, TopkIntoOneElement) {
  Tensor self({.dims = {}}), values({.dims = {1}});
  const Tensor none({.dims = {0}}), places({.dims = {1}, .dtype = ACL_INT64});
  WriteAs(self, {7});
  WriteAs(values, {3});
  const auto call = [&](const Tensor& from, int64_t k) -> Phase1 {
    return [&, k](uint64_t* size, aclOpExecutor** executor) {
      return aclnnTopkGetWorkspaceSize(from.handle(), k, 0, true, true, values.handle(),
                                       places.handle(), size, executor);
    };
  };
  RunTwoPhase(call(none, 0), aclnnTopk);
  EXPECT_EQ(ReadAs(values), std::vector<double>{3});
  RunTwoPhase(call(self, 1), aclnnTopk);
  EXPECT_EQ(ReadAs(values), std::vector<double>{7});
  EXPECT_EQ(ReadAs(places), std::vector<double>{0});
}

TEST_F(SortingTest, MediansOfNothing) {
  const Tensor self({.dims = {0, 2}}), places({.dims = {2}, .dtype = ACL_INT64});
  Tensor values({.dims = {2}});
  WriteAs(values, {3, 4});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnMedianDimGetWorkspaceSize(self.handle(), 0, false, values.handle(),
                                              places.handle(), size, executor);
      },
      aclnnMedianDim);
  EXPECT_EQ(ReadAs(values), (std::vector<double>{3, 4}));
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnNanMedianDimGetWorkspaceSize(self.handle(), 0, false, values.handle(),
                                                 places.handle(), size, executor);
      },
      161002, {"self.shape", "[0, 2]"});
}

// What a row's elements give: the place of the result.
using PlaceOf = int64_t (*)(const std::vector<double>&);
int64_t MedianPlace(const std::vector<double>& row) {
  for (size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) return static_cast<int64_t>(i);
  }
  return OrderOf(row, false)[(row.size() - 1) / 2];
}
int64_t NanMedianPlace(const std::vector<double>& row) {
  size_t numbers = 0;
  for (double x : row) numbers += !std::isnan(x);
  return OrderOf(row, false)[numbers == 0 ? 0 : (numbers - 1) / 2];
}
int64_t SecondPlace(const std::vector<double>& row) { return OrderOf(row, false)[1]; }

TEST_F(SortingTest, MediansAndKthvalue) {
  using Call = std::function<aclnnStatus(const aclTensor*, int64_t, bool, aclTensor*, aclTensor*,
                                         uint64_t*, aclOpExecutor**)>;
  struct Member {
    Call first;
    Phase2 second;
    PlaceOf place;
  };
  const Member members[] = {{aclnnMedianDimGetWorkspaceSize, aclnnMedianDim, MedianPlace},
                            {aclnnNanMedianDimGetWorkspaceSize, aclnnNanMedianDim, NanMedianPlace},
                            {[](const aclTensor* self, int64_t dim, bool keep, aclTensor* values,
                                aclTensor* places, uint64_t* size, aclOpExecutor** executor) {
                               return aclnnKthvalueGetWorkspaceSize(self, 2, dim, keep, values,
                                                                    places, size, executor);
                             },
                             aclnnKthvalue, SecondPlace}};
  for (const Member& member : members) {
    for (const Case& c : kCases) {
      if (c.shape.empty() || CountOf(c.shape) == 0) continue;
      for (aclDataType type : kTypes) {
        for (bool keep : {false, true}) {
          SCOPED_TRACE(::testing::PrintToString(c.shape) + std::to_string(type));
          Shape shape = c.shape;
          shape[DimOf(c)] = 1;
          if (!keep) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(DimOf(c)));
          const std::vector<double> values = Values(CountOf(c.shape), type);
          Tensor self(Lying(c.shape, type, Lie::kGaps)), out(Lying(shape, type, Lie::kColumns));
          Tensor places(Lying(shape, ACL_INT64, Lie::kGaps));
          WriteAs(self, values);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return member.first(self.handle(), c.dim, keep, out.handle(), places.handle(), size,
                                    executor);
              },
              member.second);
          const std::vector<double> results = ReadAs(out);
          const std::vector<int64_t> where = places.Read<int64_t>();
          const auto rows = Rows(c);
          for (size_t r = 0; r < rows.size(); ++r) {
            std::vector<double> elements;
            for (int64_t i : rows[r]) elements.push_back(values[static_cast<size_t>(i)]);
            const int64_t place = member.place(elements);
            ASSERT_EQ(where[r], place);
            ExpectEqual(results[r], elements[static_cast<size_t>(place)]);
          }
        }
      }
    }
  }
}

TEST_F(SortingTest, MedianOfAll) {
  for (const Shape& shape : {Shape{7}, Shape{3, 4}, Shape{}, Shape{20, 30, 4}}) {
    for (aclDataType type : kTypes) {
      for (Lie lie : kOutputLies) {
        for (bool skips : {false, true}) {
          const std::vector<double> values = Values(CountOf(shape), type);
          Tensor self(Lying(shape, type, lie)), out({.dims = {}, .dtype = type});
          WriteAs(self, values);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return skips ? aclnnNanMedianGetWorkspaceSize(self.handle(), out.handle(), size,
                                                              executor)
                             : aclnnMedianGetWorkspaceSize(self.handle(), out.handle(), size,
                                                           executor);
              },
              skips ? aclnnNanMedian : aclnnMedian);
          const int64_t place = skips ? NanMedianPlace(values) : MedianPlace(values);
          ExpectEqual(ReadAs(out)[0], values[static_cast<size_t>(place)]);
        }
      }
    }
  }
}

TEST_F(SortingTest, SearchSorted) {
  struct Shapes {
    Shape sequence, self;
  };
  const Shapes shapes[] = {{{9}, {4, 3}}, {{3, 9}, {3, 5}}, {{2, 2, 4}, {2, 2, 1}},
                           {{0}, {3}},    {{500}, {3000}},  {{5}, {}}};
  for (const Shapes& s : shapes) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT64, ACL_INT8}) {
      for (bool right : {false, true}) {
        for (bool sorts : {false, true}) {
          std::vector<double> sequence, values;
          for (int64_t i = 0; i < CountOf(s.sequence); ++i) {
            sequence.push_back(static_cast<double>(random().Int(-20, 20)));
          }
          for (int64_t i = 0; i < CountOf(s.self); ++i) {
            values.push_back(static_cast<double>(random().Int(-22, 22)));
          }
          const int64_t length = s.sequence.back();
          const int64_t rows = length == 0 ? 0 : CountOf(s.sequence) / length;
          std::vector<int64_t> sorter;
          std::vector<double> ordered;
          for (int64_t r = 0; r < rows; ++r) {
            const std::vector<double> row(sequence.begin() + r * length,
                                          sequence.begin() + (r + 1) * length);
            for (int64_t i : OrderOf(row, false)) {
              sorter.push_back(i);
              ordered.push_back(row[static_cast<size_t>(i)]);
            }
          }
          Tensor given(Lying(s.sequence, type, Lie::kGaps));
          Tensor self(Lying(s.self, type == ACL_INT8 ? ACL_FLOAT : type, Lie::kGaps));
          Tensor by(Lying(s.sequence, ACL_INT64, Lie::kDense));
          Tensor out(Lying(s.self, sorts ? ACL_INT32 : ACL_INT64, Lie::kGaps));
          WriteAs(given, sorts ? sequence : ordered);
          WriteAs(self, values);
          by.Write(sorter);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnSearchSortedGetWorkspaceSize(given.handle(), self.handle(), sorts,
                                                         right, sorts ? by.handle() : nullptr,
                                                         out.handle(), size, executor);
              },
              aclnnSearchSorted);
          const std::vector<double> actual = ReadAs(out);
          const int64_t per_row = s.self.empty() ? 1 : s.self.back();
          for (size_t k = 0; k < values.size(); ++k) {
            const int64_t row = rows > 1 ? static_cast<int64_t>(k) / per_row : 0;
            int64_t place = 0;
            while (place < length) {
              const double x = ordered[static_cast<size_t>(row * length + place)];
              if (right ? x > values[k] : x >= values[k]) break;
              ++place;
            }
            ASSERT_EQ(actual[k], static_cast<double>(place));
          }
        }
      }
    }
  }
}

TEST_F(SortingTest, MultinomialFollowsTheWeights) {
  const std::vector<double> weights = {1, 0, 3, 4, 0};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    constexpr int64_t kSamples = 40000;
    Tensor self({.dims = {5}, .dtype = type}), out({.dims = {kSamples}, .dtype = ACL_INT64});
    WriteAs(self, weights);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMultinomialGetWorkspaceSize(self.handle(), kSamples, true, 7, 3, out.handle(),
                                                  size, executor);
        },
        aclnnMultinomial);
    std::vector<double> counts(5);
    for (int64_t i : out.Read<int64_t>()) ++counts[static_cast<size_t>(i)];
    for (size_t i = 0; i < 5; ++i) {
      // Five standard deviations.
      const double share = weights[i] / 8;
      EXPECT_NEAR(counts[i], kSamples * share, 5 * std::sqrt(kSamples * share * (1 - share)));
    }
  }
}

TEST_F(SortingTest, MultinomialWithoutReplacement) {
  constexpr int64_t kRows = 3000;
  std::vector<double> weights;
  for (int64_t r = 0; r < kRows; ++r) weights.insert(weights.end(), {1, 0, 3, 4});
  Tensor self({.dims = {kRows, 4}}), out({.dims = {kRows, 3}, .dtype = ACL_INT64});
  WriteAs(self, weights);
  const auto call = [&](int64_t samples) {
    return [&, samples](uint64_t* size, aclOpExecutor** executor) {
      return aclnnMultinomialGetWorkspaceSize(self.handle(), samples, false, 7, 3, out.handle(),
                                              size, executor);
    };
  };
  RunTwoPhase(call(3), aclnnMultinomial);
  const std::vector<int64_t> drawn = out.Read<int64_t>();
  double first[4] = {};
  for (int64_t r = 0; r < kRows; ++r) {
    const auto* row = &drawn[static_cast<size_t>(r * 3)];
    EXPECT_EQ(std::set<int64_t>(row, row + 3), (std::set<int64_t>{0, 2, 3}));
    ++first[row[0]];
  }
  for (size_t i : {0u, 2u, 3u}) {
    const double share = weights[i] / 8;
    EXPECT_NEAR(first[i], kRows * share, 5 * std::sqrt(kRows * share * (1 - share)));
  }
  RunTwoPhase(call(3), aclnnMultinomial);
  EXPECT_EQ(out.Read<int64_t>(), drawn);
  ExpectRefused(call(5), ACLNN_ERR_PARAM_INVALID, {"out", "[3000, 3]", "[3000, 5]"});
}

// The numbers of the call with the same seed and the sum of both offsets, read when the task runs.
TEST_F(SortingTest, MultinomialTensorReadsItsSeeds) {
  const Tensor out({.dims = {20, 3}, .dtype = ACL_INT64});
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    for (bool replacement : {false, true}) {
      Tensor self({.dims = {20, 6}, .dtype = type});
      std::vector<double> chances;
      while (chances.size() < 120) chances.push_back(random().Uniform(0.1, 1));
      WriteAs(self, chances);
      Tensor seed({.dims = {1}, .dtype = ACL_INT64}), offset({.dims = {1}, .dtype = ACL_INT64});
      for (int64_t s : {int64_t{7}, INT64_MIN}) {
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnMultinomialGetWorkspaceSize(self.handle(), 3, replacement, s, 12,
                                                      out.handle(), size, executor);
            },
            aclnnMultinomial);
        const std::vector<int64_t> expected = out.Read<int64_t>();
        seed.Write<int64_t>({s + 1});
        offset.Write<int64_t>({1000});
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              const int code = aclnnMultinomialTensorGetWorkspaceSize(
                  self.handle(), 3, replacement, seed.handle(), offset.handle(), 4, out.handle(),
                  size, executor);
              // Between the phases, as a graph's replay does it.
              seed.Write<int64_t>({s});
              offset.Write<int64_t>({8});
              return code;
            },
            aclnnMultinomialTensor);
        EXPECT_EQ(out.Read<int64_t>(), expected) << "type " << type;
      }
    }
  }
  const Tensor self({.dims = {20, 6}}), seed({.dims = {1}, .dtype = ACL_INT64});
  const Tensor two({.dims = {2}, .dtype = ACL_INT64}), real({.dims = {1}});
  const auto refused = [&](const Tensor& of_seed, const Tensor* of_offset, int64_t samples,
                           int code, std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMultinomialTensorGetWorkspaceSize(
              self.handle(), samples, false, of_seed.handle(),
              of_offset != nullptr ? of_offset->handle() : nullptr, 0, out.handle(), size,
              executor);
        },
        code, words);
  };
  refused(seed, nullptr, 3, ACLNN_ERR_PARAM_NULLPTR, {"offsetTensor"});
  refused(real, &seed, 3, ACLNN_ERR_PARAM_INVALID, {"seedTensor.dtype = FLOAT"});
  refused(seed, &two, 3, ACLNN_ERR_PARAM_INVALID, {"offsetTensor.shape[0] = 2", "1"});
  refused(seed, &seed, 0, ACLNN_ERR_PARAM_INVALID, {"numsamples is 0"});
  refused(seed, &seed, 2, ACLNN_ERR_PARAM_INVALID, {"out", "[20, 3]", "[20, 2]"});
}

}  // namespace
}  // namespace anyacl::test
