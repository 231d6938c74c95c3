// SPDX-License-Identifier: Apache-2.0
// What aclnnFFN, V2 and V3 refuse: 161001 without what they need, 161002 with anything else.
#include "aclnn/opdev/op_errno.h"
#include "ops/feed_forward_case.h"

namespace anyacl::test::feed_forward {
namespace {

// A call of layouts; a row of no dimensions is left out.
struct Given {
  Call call;
  std::map<std::string_view, Layout> layouts;
};

Layout Of(const Sizes& dims, aclDataType type = ACL_FLOAT16) {
  return {.dims = dims, .dtype = type};
}

Given Plain(int version) {
  return {{.version = version},
          {{"x", Of({5, 4})}, {"weight1", Of({4, 6})}, {"weight2", Of({6, 4})}, {"y", Of({5, 4})}}};
}
Given Experts(int version) {
  Given g = Plain(version);
  g.call.tokens = {2, 3};
  g.layouts["weight1"] = Of({2, 4, 6});
  g.layouts["weight2"] = Of({2, 6, 4});
  return g;
}
Given Integers(int version) {
  Given g = Plain(version);
  for (const char* name : {"x", "weight1", "weight2"}) g.layouts[name].dtype = ACL_INT8;
  g.layouts["scale"] = g.layouts["offset"] = Of({1}, ACL_FLOAT);
  g.layouts["deqScale1"] = Of({6}, ACL_UINT64);
  g.layouts["deqScale2"] = Of({4}, ACL_UINT64);
  return g;
}
Given Factors(int version, aclDataType weight = ACL_INT8) {
  Given g = Plain(version);
  g.layouts["weight1"].dtype = g.layouts["weight2"].dtype = weight;
  g.layouts["antiquantScale1"] = g.layouts["antiquantOffset1"] = Of({6});
  g.layouts["antiquantScale2"] = g.layouts["antiquantOffset2"] = Of({4});
  return g;
}

class FeedForwardRefusalTest : public DeviceTest {
 protected:
  using Change = std::function<void(Given&)>;

  // Names of the third version end in Optional but for those that are always needed.
  static void Refused(Given given, const Change& change, int code,
                      std::initializer_list<std::string_view> words) {
    change(given);
    NamedTensors tensors;
    for (const auto& [name, layout] : given.layouts) {
      tensors[name] = std::make_unique<Tensor>(layout);
    }
    const Phases phases(given.call, tensors);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return phases.First(s, e); }, code, words);
  }
  static void Invalid(const Given& given, const Change& change,
                      std::initializer_list<std::string_view> words) {
    Refused(given, change, ACLNN_ERR_PARAM_INVALID, words);
  }
  static Change Set(const char* name, const Layout& layout) {
    return [=](Given& g) { g.layouts[name] = layout; };
  }
  static Change Drop(const char* name) {
    return [=](Given& g) { g.layouts.erase(name); };
  }
};

TEST_F(FeedForwardRefusalTest, Null) {
  for (int version : {1, 2, 3}) {
    for (const char* name : {"x", "weight1", "weight2", "y"}) {
      Refused(Plain(version), Drop(name), ACLNN_ERR_PARAM_NULLPTR, {name, "null"});
    }
    Refused(Plain(version), [](Given& g) { g.call.activation = nullptr; }, ACLNN_ERR_PARAM_NULLPTR,
            {"activation", "null"});
  }
}

TEST_F(FeedForwardRefusalTest, Types) {
  for (int version : {1, 2}) {
    const Given plain = Plain(version), integers = Integers(version), factors = Factors(version);
    Invalid(plain, Set("weight1", Of({4, 6}, ACL_BF16)), {"weight1.dtype = BF16", "FLOAT16"});
    Invalid(plain, Set("weight2", Of({6, 4}, ACL_INT8)), {"weight2.dtype = INT8", "FLOAT16"});
    Invalid(plain, Set("y", Of({5, 4}, ACL_BF16)), {"y.dtype = BF16", "FLOAT16"});
    Invalid(plain, Set("bias1", Of({6}, ACL_FLOAT)), {"bias1.dtype = FLOAT", "FLOAT16"});
    Invalid(plain, Set("bias2", Of({4}, ACL_INT32)), {"bias2.dtype = INT32", "FLOAT16"});
    Invalid(integers, Set("weight1", Of({4, 6}, ACL_INT4)), {"weight1.dtype = INT4", "INT8"});
    Invalid(integers, Set("bias1", Of({6})), {"bias1.dtype = FLOAT16", "INT32"});
    Invalid(integers, Set("deqScale1", Of({6}, ACL_BF16)), {"deqScale1.dtype = BF16", "UINT64"});
    Invalid(integers, Set("deqScale2", Of({4}, ACL_FLOAT)),
            {"deqScale2.dtype = FLOAT", "UINT64 as deqScale1.dtype"});
    Invalid(integers, Set("y", Of({5, 4}, ACL_BF16)), {"deqScale1.dtype = UINT64", "BF16"});
    Invalid(factors, Set("antiquantScale2", Of({4}, ACL_BF16)),
            {"antiquantScale2.dtype = BF16", "FLOAT16"});
    Invalid(factors,
            [](Given& g) {
              for (auto& [name, layout] : g.layouts) {
                if (layout.dtype == ACL_FLOAT16) layout.dtype = ACL_BF16;
              }
              g.layouts["bias2"] = Of({4});
            },
            {"bias2.dtype = FLOAT16", "FLOAT beside x of BF16"});
    for (const char* name : {"scale", "offset"}) {
      Invalid(integers, Drop(name), {name, "null", "FLOAT"});
      Invalid(plain, Set(name, Of({1}, ACL_FLOAT)), {name, "is given", "null"});
      Invalid(factors, Set(name, Of({1}, ACL_FLOAT)), {name, "is given", "null"});
    }
    for (const char* name : {"deqScale1", "deqScale2"}) {
      const Layout layout = integers.layouts.at(name);
      Invalid(integers, Drop(name), {name, "null", "UINT64"});
      Invalid(plain, Set(name, layout), {name, "is given", "null"});
      Invalid(factors, Set(name, layout), {name, "is given", "null"});
    }
    for (const char* name :
         {"antiquantScale1", "antiquantScale2", "antiquantOffset1", "antiquantOffset2"}) {
      const Layout layout = factors.layouts.at(name);
      Invalid(factors, Drop(name), {name, "null", "FLOAT16"});
      Invalid(plain, Set(name, layout), {name, "is given", "null"});
      Invalid(integers, Set(name, layout), {name, "is given", "null"});
    }
  }
}

TEST_F(FeedForwardRefusalTest, Modes) {
  for (int version : {1, 2, 3}) {
    const auto gated = [](Given& g) {
      g.call.activation = "swiglu";
      g.call.precise = 1;
    };
    Invalid(Plain(version), [](Given& g) { g.call.activation = "tanh"; },
            {"activation = tanh", "fastgelu"});
    Invalid(Plain(version), [](Given& g) { g.call.precise = 2; }, {"innerPrecise", "2"});
    Invalid(Plain(version),
            [&](Given& g) {
              gated(g);
              g.call.precise = 0;
            },
            {"innerPrecise = 0", "1 as activation = swiglu"});
    Invalid(Experts(version), gated, {"is given", "null as activation = swiglu"});
    Invalid(Integers(version), gated, {"activation = swiglu beside x of INT8"});
    Invalid(Factors(version), gated, {"activation = swiglu", "weight1 of INT8"});
    Invalid(Plain(version), [](Given& g) { g.call.activation = "reglu", g.call.precise = 1; },
            {"weight1 has N1 = 6", "12"});
    Invalid(Plain(version),
            [](Given& g) {
              for (auto& [name, layout] : g.layouts) layout.dtype = ACL_BF16;
              g.call.precise = 1;
            },
            {"innerPrecise = 1", "0 beside x and weights of BF16"});
  }
}

TEST_F(FeedForwardRefusalTest, Sizes) {
  for (int version : {1, 2, 3}) {
    const Given plain = Plain(version), experts = Experts(version);
    Invalid(plain, Set("x", Of({4})), {"x.shape = [4]", "rank 1"});
    Invalid(plain, Set("x", Of({1, 1, 1, 1, 1, 1, 1, 1, 4})), {"x.shape", "rank 9"});
    Invalid(plain, Set("y", Of({5, 1, 4})), {"y.shape"});
    Invalid(plain, Set("weight1", Of({3, 6})), {"weight1.shape[0] = 3"});
    Invalid(plain, Set("weight1", Of({4, 5})), {"weight1 has N1 = 5", "6", "K2 = 6"});
    Invalid(plain, Set("weight2", Of({6, 5})), {"weight2.shape[1] = 5"});
    const std::string bias1 = version == 3 ? "bias1Optional" : "bias1",
                      bias2 = version == 3 ? "bias2Optional" : "bias2";
    Invalid(plain, Set("bias1", Of({5})), {bias1});
    Invalid(plain, Set("bias2", Of({1, 4})), {bias2, "rank 2", "rank 1"});
    Invalid(experts, Set("bias1", Of({6})), {bias1, "rank 1", "rank 2"});
    Invalid(experts, Set("bias1", Of({3, 6})), {bias1, "3"});
    Invalid(plain, Set("weight1", Of({2, 4, 6})), {"weight1", "rank 3", "rank 2", "null"});
    Invalid(plain, Set("weight2", Of({2, 6, 4})), {"weight2", "rank 3", "rank 2", "null"});
    Invalid(experts, Set("weight1", Of({4, 6})), {"weight1", "rank 2", "rank 3", "given"});
    Invalid(plain,
            [](Given& g) {
              g.layouts["x"] = g.layouts["y"] = Of({1, 65536});
              g.layouts["weight1"] = Of({65536, 1});
              g.layouts["weight2"] = Of({1, 65536});
            },
            {"x has K1 = 65536", "at most 65535"});
    Invalid(plain,
            [](Given& g) {
              g.layouts["weight1"] = Of({4, 65536});
              g.layouts["weight2"] = Of({65536, 4});
            },
            {"weight2 has K2 = 65536", "at most 65535"});
    Invalid(plain,
            [](Given& g) {
              Layout many = Of({INT32_MAX - 30, 4});
              many.strides = {0, 1};
              g.layouts["x"] = many;
              many.strides = {4, 1};
              many.storage = {4};
              g.layouts["y"] = many;
            },
            {"x has 2147483617 rows", "32"});
  }
}

TEST_F(FeedForwardRefusalTest, Experts) {
  for (int version : {1, 2}) {
    const Given experts = Experts(version);
    Invalid(experts,
            [](Given& g) {
              g.call.tokens = {2, 3, 0};
            },
            {"expertTokens has 3 numbers", "2, the experts of weight1"});
    Invalid(experts,
            [](Given& g) {
              g.call.tokens = {2, 2};
            },
            {"expertTokens tells 4 rows", "5, the rows of x"});
    Invalid(experts, [](Given& g) { g.call.tokens = {2, 4}; }, {"expertTokens[1] = 4", "0 to 3"});
    Invalid(experts, [](Given& g) { g.call.tokens = {-1, 6}; }, {"expertTokens[0] = -1", "0 to 5"});
  }
  const auto ends = [](const Sizes& tokens) {
    return [=](Given& g) { g.call.tokens = tokens, g.call.ends = true; };
  };
  Invalid(Experts(2), ends({3, 2}), {"expertTokens[1] = 2", "3 to 5"});
  Invalid(Experts(2), ends({3, 4}), {"expertTokens tells 4 rows", "5, the rows of x"});
  Invalid(Experts(2), ends({3, 6}), {"expertTokens[1] = 6", "3 to 5"});
  Invalid(Experts(3),
          [](Given& g) {
            g.call.tokens = {2, 3, 0};
          },
          {"expertTokensOptional.shape[0] = 3", "2"});
  for (int version : {1, 2, 3}) {
    Invalid(Experts(version),
            [](Given& g) {
              g.call.tokens = Sizes(257, 0);
              g.call.tokens[0] = 5;
              g.layouts["weight1"].dims[0] = g.layouts["weight2"].dims[0] = 257;
            },
            {"weight1 has E = 257", "at most 256"});
  }
}

TEST_F(FeedForwardRefusalTest, Scales) {
  for (int version : {1, 2}) {
    const Given integers = Integers(version);
    Invalid(integers, Set("scale", Of({5}, ACL_FLOAT)), {"scale.shape = [5]", "[1] or [6]"});
    Invalid(integers, Set("scale", Of({1, 6}, ACL_FLOAT)), {"scale.shape = [1, 6]", "[1] or [6]"});
    Invalid(integers, Set("offset", Of({6}, ACL_FLOAT)), {"offset.shape = [6]", "[1]"});
    Invalid(integers, Set("deqScale1", Of({5}, ACL_UINT64)), {"deqScale1"});
    Invalid(integers, Set("deqScale2", Of({1, 4}, ACL_UINT64)), {"deqScale2", "rank 2", "rank 1"});
    Invalid(integers,
            [](Given& g) {
              g.layouts["deqScale1"].dtype = g.layouts["deqScale2"].dtype = ACL_FLOAT;
              g.layouts["scale"] = Of({6}, ACL_FLOAT);
            },
            {"deqScale1.dtype = FLOAT", "UINT64 or INT64 as scale.shape = [6]"});
    Given experts = Integers(version);
    experts.call.tokens = {2, 3};
    for (const char* name : {"weight1", "weight2", "deqScale1", "deqScale2"}) {
      experts.layouts[name].dims.insert(experts.layouts[name].dims.begin(), 2);
    }
    experts.layouts["scale"] = experts.layouts["offset"] = Of({2}, ACL_FLOAT);
    Invalid(experts, Set("scale", Of({6}, ACL_FLOAT)), {"scale.shape = [6]", "[2] or [2, 6]"});
    Invalid(experts, Set("scale", Of({1}, ACL_FLOAT)), {"scale.shape = [1]", "[2] or [2, 6]"});
    Invalid(experts, Set("offset", Of({1}, ACL_FLOAT)), {"offset.shape = [1]", "[2]"});
  }
}

TEST_F(FeedForwardRefusalTest, Factors) {
  for (int version : {1, 2}) {
    const Given factors = Factors(version);
    Invalid(factors, Set("antiquantScale1", Of({5})), {"antiquantScale1"});
    Invalid(factors, Set("antiquantOffset2", Of({1, 4})),
            {"antiquantOffset2.shape = [1, 4]", "[4]"});
    Invalid(factors, Set("antiquantScale2", Of({2, 2, 4})), {"antiquantScale2", "rank 3"});
    Invalid(factors,
            [](Given& g) {
              g.layouts["antiquantScale1"] = g.layouts["antiquantOffset1"] = Of({1, 6});
              g.layouts["antiquantScale2"] = g.layouts["antiquantOffset2"] = Of({1, 4});
            },
            {"antiquantScale1.shape = [1, 6]", "no groups of K beside weights of INT8"});
    const auto grouped = [](int64_t first, int64_t second) {
      return [=](Given& g) {
        g.layouts["x"] = g.layouts["y"] = Of({5, 64});
        g.layouts["weight1"] = Of({64, 96}, ACL_INT4);
        g.layouts["weight2"] = Of({96, 64}, ACL_INT4);
        g.layouts["antiquantScale1"] = g.layouts["antiquantOffset1"] = Of({first, 96});
        g.layouts["antiquantScale2"] = g.layouts["antiquantOffset2"] = Of({second, 64});
      };
    };
    Invalid(factors, grouped(3, 3), {"antiquantScale1.shape[0] = 3", "K = 64"});
    Invalid(factors, grouped(4, 3), {"antiquantScale1.shape[0] = 4", "multiple of 32"});
    Invalid(factors, grouped(2, 4), {"antiquantScale2.shape[0] = 4", "K = 96"});
    Invalid(factors,
            [&](Given& g) {
              grouped(2, 3)(g);
              g.layouts["antiquantScale2"] = g.layouts["antiquantOffset2"] = Of({64});
            },
            {"antiquantScale2.shape = [64]", "rank 1", "rank 2 as antiquantScale1"});
    Invalid(Factors(version, ACL_INT4),
            [](Given& g) {
              g.layouts["weight1"].dims = {4, 5};
              g.layouts["weight2"].dims = {5, 4};
              g.layouts["antiquantScale1"] = g.layouts["antiquantOffset1"] = Of({5});
            },
            {"weight1.shape[1] = 5", "even number"});
    Given experts = factors;
    experts.call.tokens = {2, 3};
    for (auto& [name, layout] : experts.layouts) {
      if (name != "x" && name != "y") layout.dims.insert(layout.dims.begin(), 2);
    }
    Invalid(experts,
            [](Given& g) {
              g.layouts["antiquantScale1"] = g.layouts["antiquantOffset1"] = Of({3, 6});
            },
            {"antiquantScale1.shape[0] = 3", "2, the experts"});
  }
}

// Of the first version alone.
TEST_F(FeedForwardRefusalTest, NoElements) {
  Invalid(Plain(1),
          [](Given& g) {
            g.layouts["x"] = g.layouts["y"] = Of({0, 4});
          },
          {"x.shape = [0, 4]", "some elements"});
  Invalid(Plain(1),
          [](Given& g) {
            g.layouts["weight1"] = Of({4, 0});
            g.layouts["weight2"] = Of({0, 4});
          },
          {"weight1.shape = [4, 0]", "some elements"});
}

}  // namespace
}  // namespace anyacl::test::feed_forward
