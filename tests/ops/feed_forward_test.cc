// SPDX-License-Identifier: Apache-2.0
// aclnnFFN, V2 and V3 against their formulas in double precision: numbers, quantised weights and
// integers, of experts and of none, with every activation.
#include <cstdio>
#include <filesystem>
#include <string>

#include "ops/feed_forward_case.h"

namespace anyacl::test::feed_forward {
namespace {

struct Case {
  Call call = {};
  aclDataType x = ACL_FLOAT16, weight = ACL_FLOAT16, y = ACL_FLOAT16, dequant = ACL_UINT64;
  Sizes leading = {9};  // of x and y
  int64_t k1 = 24, k2 = 40;
  bool bias = true;
  bool by_columns = false;           // scale
  int64_t groups1 = 0, groups2 = 0;  // of k that have factors; 0: of columns
  bool strided = false;
  int64_t rest = 0;  // rows of no expert
  Sizes kept = {};   // of experts, of a list that tells other rows than there are
};

class FeedForwardTest : public grouped::GroupedIntegersTest {
 protected:
  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << "x " << c.x << " weight " << c.weight << " y " << c.y << " dequant "
                 << c.dequant << " " << c.call.activation << " experts " << c.call.tokens.size()
                 << " ends " << c.call.ends << " version " << c.call.version << " k " << c.k1
                 << ", " << c.k2 << " groups " << c.groups1 << ", " << c.groups2 << " strided "
                 << c.strided);
    int64_t rows = 1;
    for (int64_t size : c.leading) rows *= size;
    const bool experts = !c.call.tokens.empty();
    const int64_t count = experts ? static_cast<int64_t>(c.call.tokens.size()) : 1;
    const int64_t n1 = IsGated(c.call.activation) ? 2 * c.k2 : c.k2;
    const bool integers = c.x == ACL_INT8, factors = c.x != c.weight;
    const aclDataType biases = integers ? ACL_INT32 : c.x == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16;
    const Numbers x = Draw(c.x, rows * c.k1, 1);
    std::map<std::string_view, Numbers> drawn;
    NamedTensors tensors;
    // [E, ...] of numbers that are drawn so, or without E.
    const auto add = [&](std::string_view name, Sizes dims, aclDataType type, Numbers values) {
      if (experts) dims.insert(dims.begin(), count);
      Layout layout = {.dims = dims, .dtype = type};
      if (c.strided && type != ACL_INT4 && dims.size() > 1) {
        layout.strides = ContiguousStrides(dims);
        const size_t last = dims.size() - 1;
        layout.strides[last] = dims[last - 1];
        layout.strides[last - 1] = 1;
      }
      tensors[name] = std::make_unique<Tensor>(layout);
      if (type == ACL_UINT64 || type == ACL_INT64) {
        std::vector<uint64_t> bits;
        for (double value : values) {
          bits.push_back(uint64_t{0xABCDEF} << 32 |
                         std::bit_cast<uint32_t>(static_cast<float>(value)));
        }
        tensors[name]->Write(bits);
      } else {
        WriteAs(*tensors[name], values);
      }
      drawn[name] = std::move(values);
    };
    const double most = integers || factors ? 1 : 0.5;
    add("weight1", {c.k1, n1}, c.weight, Draw(c.weight, count * c.k1 * n1, most));
    add("weight2", {c.k2, c.k1}, c.weight, Draw(c.weight, count * c.k2 * c.k1, most));
    if (c.bias) {
      add("bias1", {n1}, biases, Draw(biases, count * n1, 0.5));
      add("bias2", {c.k1}, biases, Draw(biases, count * c.k1, 0.5));
    }
    if (integers) {
      add("deqScale1", {n1}, c.dequant, DrawFactors(c.dequant, count * n1, 0.001));
      add("deqScale2", {c.k1}, c.dequant, DrawFactors(c.dequant, count * c.k1, 0.001));
      const int64_t scales = c.by_columns ? n1 : 1;
      const Numbers scale = Draw(ACL_FLOAT, count * scales, 2), offset = Draw(ACL_FLOAT, count, 9);
      if (experts && !c.by_columns) {
        add("scale", {}, ACL_FLOAT, scale);
      } else {
        add("scale", {scales}, ACL_FLOAT, scale);
      }
      add("offset", experts ? Sizes{} : Sizes{1}, ACL_FLOAT, offset);
    }
    if (factors && !integers) {
      const auto dims = [&](int64_t groups, int64_t columns) {
        return groups == 0 ? Sizes{columns} : Sizes{groups, columns};
      };
      const int64_t g1 = std::max<int64_t>(1, c.groups1), g2 = std::max<int64_t>(1, c.groups2);
      add("antiquantScale1", dims(c.groups1, n1), c.x, DrawFactors(c.x, count * g1 * n1, 0.02));
      add("antiquantScale2", dims(c.groups2, c.k1), c.x, DrawFactors(c.x, count * g2 * c.k1, 0.02));
      add("antiquantOffset1", dims(c.groups1, n1), c.x, Draw(c.x, count * g1 * n1, 4));
      add("antiquantOffset2", dims(c.groups2, c.k1), c.x, Draw(c.x, count * g2 * c.k1, 4));
    }
    Sizes dims = c.leading;
    dims.push_back(c.k1);
    const auto rows_of = [&](aclDataType type) {
      Layout layout = {.dims = dims, .dtype = type};
      if (c.strided) {
        layout.strides = ContiguousStrides(dims);
        for (size_t i = 0; i + 1 < dims.size(); ++i) layout.strides[i] *= 3;
        layout.strides.back() = 2;
        layout.offset = 3;
      }
      return std::make_unique<Tensor>(layout);
    };
    tensors["x"] = rows_of(c.x);
    WriteAs(*tensors["x"], x);
    tensors["y"] = rows_of(c.y);
    const Tensor& y = *tensors["y"];
    const Phases phases(c.call, tensors);
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phases.First(s, e); },
                phases.Second());

    const Numbers results = ReadAs(y);
    const auto part = [&](std::string_view name, int64_t expert) {
      const Numbers& all = drawn[name];
      const auto size = static_cast<std::ptrdiff_t>(all.size()) / count;
      const auto begin = all.begin() + expert * size;
      return Numbers(begin, begin + size);
    };
    // Weights with their factors are numbers, each step rounded to fp32.
    const auto weight = [&](std::string_view name, std::string_view scale, std::string_view offset,
                            int64_t expert, int64_t depth, int64_t columns) {
      Numbers w = part(name, expert);
      if (!factors || integers) return w;
      const Numbers s = part(scale, expert), o = part(offset, expert);
      const int64_t groups = static_cast<int64_t>(s.size()) / columns;
      for (size_t i = 0; i < w.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        const auto factor =
            static_cast<size_t>(at / columns / (depth / groups) * columns + at % columns);
        w[i] = (w[i] + o[factor]) * s[factor];
      }
      return w;
    };
    int64_t begin = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t told = experts ? c.call.tokens[static_cast<size_t>(i)] : rows;
      const int64_t size = !c.kept.empty() ? c.kept[static_cast<size_t>(i)]
                           : c.call.ends   ? told - begin
                                           : told;
      Expert e = {
          .k1 = c.k1,
          .n1 = n1,
          .k2 = c.k2,
          .x = c.x,
          .y = c.y,
          .activation = c.call.activation,
          .weight1 = weight("weight1", "antiquantScale1", "antiquantOffset1", i, c.k1, n1),
          .weight2 = weight("weight2", "antiquantScale2", "antiquantOffset2", i, c.k2, c.k1),
          .bias1 = part("bias1", i),
          .bias2 = part("bias2", i),
          .dequant1 = part("deqScale1", i),
          .dequant2 = part("deqScale2", i),
          .scale = part("scale", i)};
      if (integers) e.offset = part("offset", i)[0];
      const Numbers own(x.begin() + begin * c.k1, x.begin() + (begin + size) * c.k1);
      const std::vector<Near> expected = Forward(e, own, size);
      for (size_t k = 0; k < expected.size(); ++k) {
        const double result = results[static_cast<size_t>(begin * c.k1) + k];
        ASSERT_NEAR(result, expected[k].value, expected[k].error) << "expert " << i << ", " << k;
      }
      begin += size;
    }
    EXPECT_EQ(begin + c.rest, rows);
    EXPECT_TRUE(y.GuardsIntact());
    const std::vector<Int128> bits = ReadBits(y);
    for (size_t i = static_cast<size_t>(begin * c.k1); i < bits.size(); ++i) {
      ASSERT_EQ(static_cast<int64_t>(bits[i]), 0x101 * Tensor::kCanary) << i;
    }
  }

  // Without experts, and of each version's ways to tell their rows.
  void CheckExperts(Case c) {
    for (int version : {1, 2, 3}) {
      c.call.version = version;
      c.call.ends = false;
      c.call.tokens = {};
      Check(c);
      c.call.tokens = {4, 0, 2, 3};
      Check(c);
      if (version == 1) continue;
      c.call.ends = true;
      c.call.tokens = {0, 5, 5, 9};
      Check(c);
    }
  }
};

TEST_F(FeedForwardTest, Numbers) {
  for (const char* activation : {"fastgelu", "gelu", "relu", "silu"}) {
    for (bool bias : {false, true}) {
      for (int64_t precise : {0, 1}) {
        CheckExperts({.call = {.activation = activation, .precise = precise}, .bias = bias});
      }
      CheckExperts({.call = {.activation = activation},
                    .x = ACL_BF16,
                    .weight = ACL_BF16,
                    .y = ACL_BF16,
                    .bias = bias});
    }
  }
}

// The left half of the columns times the activated right one.
TEST_F(FeedForwardTest, Gates) {
  for (const char* activation : {"geglu", "swiglu", "reglu"}) {
    for (int version : {1, 2, 3}) {
      for (bool bias : {false, true}) {
        for (bool strided : {false, true}) {
          Check({.call = {.activation = activation, .precise = 1, .version = version},
                 .bias = bias,
                 .strided = strided});
        }
      }
    }
  }
}

TEST_F(FeedForwardTest, QuantisedWeights) {
  for (aclDataType x : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType weight : {ACL_INT8, ACL_INT4}) {
      for (bool bias : {false, true}) {
        for (int64_t precise : {0, 1}) {
          CheckExperts({.call = {.activation = "silu", .precise = precise},
                        .x = x,
                        .weight = weight,
                        .y = x,
                        .bias = bias});
        }
      }
    }
    for (const Sizes& groups : {Sizes{1, 1}, Sizes{2, 5}, Sizes{3, 1}}) {
      CheckExperts({.x = x,
                    .weight = ACL_INT4,
                    .y = x,
                    .k1 = 192,
                    .k2 = 160,
                    .groups1 = groups[0],
                    .groups2 = groups[1]});
    }
  }
}

TEST_F(FeedForwardTest, Integers) {
  for (const char* activation : {"fastgelu", "gelu", "relu", "silu"}) {
    for (aclDataType dequant : {ACL_UINT64, ACL_INT64, ACL_FLOAT, ACL_BF16}) {
      for (bool by_columns : {false, true}) {
        if (by_columns && dequant == ACL_FLOAT) continue;
        for (bool bias : {false, true}) {
          CheckExperts({.call = {.activation = activation, .precise = by_columns ? 1 : 0},
                        .x = ACL_INT8,
                        .weight = ACL_INT8,
                        .y = dequant == ACL_BF16 ? ACL_BF16 : ACL_FLOAT16,
                        .dequant = dequant,
                        .bias = bias,
                        .by_columns = by_columns});
        }
      }
    }
  }
}

TEST_F(FeedForwardTest, Layouts) {
  for (const Sizes& leading : {Sizes{9}, Sizes{3, 3}, Sizes{1, 3, 1, 1, 3, 1, 1}}) {
    for (bool strided : {false, true}) {
      for (aclDataType weight : {ACL_FLOAT16, ACL_INT8, ACL_INT4}) {
        CheckExperts({.weight = weight, .leading = leading, .strided = strided});
      }
      CheckExperts({.x = ACL_INT8,
                    .weight = ACL_INT8,
                    .leading = leading,
                    .by_columns = true,
                    .strided = strided});
    }
  }
}

// As a device's list tells them: rows of no expert are not written.
TEST_F(FeedForwardTest, RowsOfNoExpert) {
  Check({.call = {.tokens = {4, 2}, .version = 3}, .rest = 3});
  Check({.call = {.tokens = {1, 6}, .ends = true, .version = 3}, .rest = 3});
  Check({.call = {.tokens = {1, 5}, .version = 3}, .leading = {3, 3}, .strided = true, .rest = 3});
}

// What leaves x is cut off, what is below 0 or falls is none.
TEST_F(FeedForwardTest, RowsThatAreNotThere) {
  const auto check = [&](const Sizes& tokens, bool ends, const Sizes& kept, int64_t rest) {
    Case c = {.call = {.tokens = tokens, .ends = ends, .version = 3}, .rest = rest, .kept = kept};
    Check(c);
    c.leading = {3, 3};
    c.strided = true;
    Check(c);
  };
  check({4, 9}, false, {4, 5}, 0);
  check({-3, 4}, false, {0, 4}, 5);
  check({INT64_MAX, 1}, false, {9, 0}, 0);
  check({INT64_MIN, INT64_MAX}, false, {0, 9}, 0);
  check({7, 3}, true, {3, 0}, 6);
  check({-1, 20}, true, {0, 9}, 0);
}

// The task tells of them: what this program logs when it runs tests above. A log's level is read
// once in a process.
TEST_F(FeedForwardTest, RowsThatAreNotThereAreWarnedOf) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const auto log_of = [&](const std::string& test) {
    const std::string command = "ASCEND_GLOBAL_LOG_LEVEL=2 ASCEND_LOG_PRINT_TO_STDOUT=1 '" +
                                program + "' --gtest_filter=FeedForwardTest." + test + " 2>&1";
    std::string text(1 << 16, '\0');
    FILE* const pipe = popen(command.c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    size_t size = 0;
    for (size_t more = 1; more > 0 && size < text.size(); size += more) {
      more = std::fread(text.data() + size, 1, text.size() - size, pipe);
    }
    EXPECT_EQ(pclose(pipe), 0);
    text.resize(size);
    return text;
  };
  constexpr std::string_view kWarning =
      "expertTokensOptional has groups that are not within 0 to 9";
  EXPECT_NE(log_of("RowsThatAreNotThere").find(kWarning), std::string::npos);
  EXPECT_EQ(log_of("RowsOfNoExpert").find("has groups"), std::string::npos);
}

// Names may be of any case.
TEST_F(FeedForwardTest, UpperCase) {
  for (int version : {1, 2, 3}) {
    for (const char* name : {"ReLU", "SILU"})
      Check({.call = {.activation = name, .version = version}});
  }
  Check({.call = {.activation = "SwiGLU", .precise = 1}});
}

// The stride of one row may be any number.
TEST_F(FeedForwardTest, OneRowAnywhere) {
  NamedTensors t;
  const auto add = [&](const char* name, const Sizes& dims, const Sizes& strides,
                       const Numbers& values) {
    t[name] =
        std::make_unique<Tensor>(Layout{.dims = dims, .dtype = ACL_FLOAT16, .strides = strides});
    if (!values.empty()) WriteAs(*t[name], values);
  };
  add("x", {1, 4}, {INT64_MAX, 1}, {1, 2, 3, 4});
  add("weight1", {4, 1}, {1, INT64_MAX}, {1, 1, 1, 1});
  add("weight2", {1, 4}, {INT64_MIN, 1}, {1, 2, 3, 4});
  add("y", {1, 4}, {INT64_MAX, 1}, {});
  for (int version : {1, 2, 3}) {
    const Call call = {.version = version};
    const Phases phases(call, t);
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phases.First(s, e); },
                phases.Second());
    EXPECT_EQ(ReadAs(*t["y"]), (Numbers{10, 20, 30, 40}));
  }
}

// More rows than wait at a time.
TEST_F(FeedForwardTest, ManyRows) {
  Check({.call = {.tokens = {258, 0, 2}, .activation = "silu", .version = 3},
         .leading = {260},
         .k1 = 2,
         .k2 = 17000});
  Check({.call = {.activation = "reglu", .precise = 1}, .leading = {258}, .k1 = 1, .k2 = 8500});
  Check({.x = ACL_INT8, .weight = ACL_INT8, .leading = {258}, .k1 = 1, .k2 = 17000});
}

// Numbers are rounded once between the products: to the nearest, ties to even, within -128 to 127.
TEST_F(FeedForwardTest, IntegersBetween) {
  NamedTensors t;
  const auto add = [&](const char* name, const Sizes& dims, aclDataType type,
                       const Numbers& values) { t[name] = Made(dims, type, values); };
  add("x", {6, 2}, ACL_INT8, {1, 0, 3, 0, 5, 0, 100, 0, -100, 0, 7, 0});
  add("weight1", {2, 2}, ACL_INT8, {1, 0, 0, 0});
  add("weight2", {2, 2}, ACL_INT8, {1, 0, 0, 0});
  for (const char* name : {"deqScale1", "deqScale2"}) add(name, {2}, ACL_FLOAT, {1, 1});
  add("scale", {1}, ACL_FLOAT, {1.5});
  add("offset", {1}, ACL_FLOAT, {-1});
  add("y", {6, 2}, ACL_FLOAT16, {});
  const Call call;
  const Phases phases(call, t);
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phases.First(s, e); }, phases.Second());
  EXPECT_EQ(ReadAs(*t["y"]), (Numbers{0, 0, 4, 0, 6, 0, 127, 0, -1, 0, 10, 0}));
}

// Later versions take no rows, and tensors without elements for none.
TEST_F(FeedForwardTest, Nothing) {
  for (int version : {2, 3}) {
    for (const Sizes& dims : {Sizes{0, 4}, Sizes{2, 0, 3, 4}}) {
      NamedTensors t;
      t["x"] = Made(dims, ACL_FLOAT16, {});
      t["y"] = Made(dims, ACL_FLOAT16, {});
      t["weight1"] = Made({4, 6}, ACL_FLOAT16, {});
      t["weight2"] = Made({6, 4}, ACL_FLOAT16, {});
      for (const char* name : {"bias1", "bias2"}) t[name] = Made({0}, ACL_FLOAT16, {});
      for (const char* name : {"scale", "offset"}) t[name] = Made({0}, ACL_FLOAT, {});
      const Call call = {.version = version};
      const Phases phases(call, t);
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phases.First(s, e); },
                  phases.Second());
    }
    // No numbers between: what is left is the second bias.
    NamedTensors t;
    t["x"] = Made({2, 3}, ACL_FLOAT16, {1, 2, 3, 4, 5, 6});
    t["weight1"] = Made({3, 0}, ACL_FLOAT16, {});
    t["weight2"] = Made({0, 3}, ACL_FLOAT16, {});
    t["bias2"] = Made({3}, ACL_FLOAT16, {7, 8, 9});
    t["y"] = Made({2, 3}, ACL_FLOAT16, {});
    const Call call = {.version = version};
    const Phases phases(call, t);
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phases.First(s, e); },
                phases.Second());
    EXPECT_EQ(ReadAs(*t["y"]), (Numbers{7, 8, 9, 7, 8, 9}));
  }
}

}  // namespace
}  // namespace anyacl::test::feed_forward
