// SPDX-License-Identifier: Apache-2.0
// FusedAddTopkDiv: the experts of tokens, by the sentence in atb/atb_acl.h in double precision.
#include <cmath>
#include <numeric>

#include "atb/atb_acl.h"
#include "atb/atb_case.h"

namespace anyacl::test {
namespace {

class AtbAddTopkTest : public AtbTest {
 protected:
  struct Sizes {
    int64_t tokens = 20, experts = 64;
    uint32_t groups = 8, chosen = 4, summed = 2, k = 8;
    bool normalises = true;
    float scale = 2.5F;
    int activation = 8;
  };
  struct Call {
    const aclTensor *x, *bias, *copies = nullptr, *table = nullptr, *y, *indices;
    bool maps = false;
  };
  atb::Status Prepare(const Sizes& z, const Call& c, uint64_t* bytes, atb::Operation** op) {
    TakeMessages();
    return AtbFusedAddTopkDivGetWorkspaceSize(
        c.x, c.bias, c.copies, c.table, z.groups, z.chosen, z.summed, z.k, z.activation,
        z.normalises, z.scale, c.maps, const_cast<aclTensor*>(c.y),
        const_cast<aclTensor*>(c.indices), bytes, op, context());
  }
  // What the stream ends with.
  int Choose(const Sizes& z, const Call& c) {
    uint64_t bytes = 0;
    atb::Operation* op = nullptr;
    EXPECT_EQ(Prepare(z, c, &bytes, &op), 0) << aclGetRecentErrMsg();
    if (op == nullptr) return -1;
    const DeviceBuffer workspace(std::max<size_t>(bytes, 1));
    EXPECT_EQ(AtbFusedAddTopkDiv(workspace.data(), bytes, op, context()), 0);
    const int code = aclrtSynchronizeStream(stream());
    EXPECT_EQ(atb::DestroyOperation(op), 0);
    return code;
  }

  // The places of the largest, of equal ones the first; in order.
  static std::vector<size_t> Largest(const Numbers& values, size_t count) {
    std::vector<size_t> places(values.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](size_t a, size_t b) { return values[a] > values[b]; });
    places.resize(count);
    return places;
  }
  static void Exact(const Sizes& z, const Numbers& x, const Numbers& bias, Numbers* y,
                    std::vector<size_t>* experts) {
    const auto count = static_cast<size_t>(z.experts), size = count / z.groups;
    for (size_t t = 0; t < static_cast<size_t>(z.tokens); ++t) {
      Numbers s, v, sums;
      for (size_t e = 0; e < count; ++e) {
        s.push_back(1 / (1 + std::exp(-x[t * count + e])));
        v.push_back(s[e] + bias[e]);
      }
      for (size_t g = 0; g < z.groups; ++g) {
        const auto begin = v.begin() + static_cast<int64_t>(g * size);
        const Numbers group(begin, begin + static_cast<int64_t>(size));
        double sum = 0;
        for (size_t place : Largest(group, z.summed)) sum += group[place];
        sums.push_back(sum);
      }
      const std::vector<size_t> kept = Largest(sums, z.chosen);
      for (size_t e = 0; e < count; ++e) {
        if (std::find(kept.begin(), kept.end(), e / size) == kept.end()) v[e] = 0;
      }
      const std::vector<size_t> chosen = Largest(v, z.k);
      double sum = 0;
      for (size_t e : chosen) sum += s[e];
      for (size_t e : chosen) {
        y->push_back(z.normalises ? s[e] / sum * double{z.scale} : s[e]);
        experts->push_back(e);
      }
    }
  }

  void Check(const Sizes& z, aclDataType type, bool strided, int copies) {
    SCOPED_TRACE(::testing::Message() << z.tokens << "x" << z.experts << " groups " << z.groups
                                      << " k " << z.k << " type " << type << " copies " << copies);
    const auto layout = [&](Shape dims, aclDataType of) {
      Layout made{.dims = dims, .dtype = of};
      if (!strided) return made;
      made.strides = ContiguousStrides(dims);
      for (int64_t& stride : made.strides) stride *= 2;
      made.offset = 3;
      return made;
    };
    Tensor x(layout({z.tokens, z.experts}, type)), bias(layout({z.experts}, type));
    const Numbers numbers = Fill(x, -4, 4), add = Fill(bias, -1, 1);
    Tensor counts(layout({z.experts}, ACL_INT32));
    Tensor table(layout({z.experts, std::max(copies, 1)}, ACL_INT32));
    const Tensor y(layout({z.tokens, z.k}, ACL_FLOAT)), out(layout({z.tokens, z.k}, ACL_INT32));
    std::vector<int32_t> of, names;
    for (int64_t e = 0; e < z.experts; ++e) {
      of.push_back(static_cast<int32_t>(e % (copies + 1)));  // none is one
      for (int64_t i = 0; i < std::max(copies, 1); ++i) {
        names.push_back(static_cast<int32_t>(1000 * i + e));
      }
    }
    counts.Write(of);
    table.Write(names);
    ASSERT_EQ(Choose(z, {x.handle(), bias.handle(), counts.handle(), table.handle(), y.handle(),
                         out.handle(), copies > 0}),
              0)
        << aclGetRecentErrMsg();
    Numbers weights;
    std::vector<size_t> experts;
    Exact(z, numbers, add, &weights, &experts);
    ExpectClose(y, weights, 1e-6);
    const std::vector<int32_t> chosen = out.Read<int32_t>();
    for (size_t i = 0; i < chosen.size(); ++i) {
      const auto e = static_cast<int32_t>(experts[i]);
      const auto token = static_cast<int32_t>(i / z.k);
      const int32_t copy = copies == 0 ? 0 : token % std::max(1, of[experts[i]]);
      EXPECT_EQ(chosen[i], 1000 * copy + e) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(AtbAddTopkTest, ChoosesExperts) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int copies : {0, 1, 3}) {
        Check({}, type, strided, copies);
        Check({.tokens = 7, .experts = 6, .groups = 1, .chosen = 1, .summed = 1, .k = 6}, type,
              strided, copies);
        Check({.experts = 12, .groups = 6, .chosen = 5, .summed = 2, .k = 1, .normalises = false},
              type, strided, copies);
        Check({.tokens = 300, .experts = 256, .k = 20}, type, strided, copies);
        Check({.tokens = 0}, type, strided, copies);
      }
    }
  }
}

// All alike: the first groups, and of them the first experts; what is left out is 0, which comes
// before what is less.
TEST_F(AtbAddTopkTest, OfEqualOnesTheFirstComeFirst) {
  Tensor x({.dims = {1, 8}, .dtype = ACL_FLOAT}), bias({.dims = {8}, .dtype = ACL_FLOAT});
  const Tensor y({.dims = {1, 3}, .dtype = ACL_FLOAT}), out({.dims = {1, 3}, .dtype = ACL_INT32});
  WriteAs(x, Numbers(8, 0));
  const auto chosen = [&](double add) {
    WriteAs(bias, Numbers(8, add));
    const Sizes z = {.groups = 4, .chosen = 2, .summed = 1, .k = 3, .scale = 1};
    EXPECT_EQ(
        Choose(z,
               {.x = x.handle(), .bias = bias.handle(), .y = y.handle(), .indices = out.handle()}),
        0);
    ExpectClose(y, Numbers(3, 1.0 / 3), 1e-6);
    return out.Read<int32_t>();
  };
  EXPECT_EQ(chosen(1), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(chosen(-1), (std::vector<int32_t>{4, 5, 6}));
}

TEST_F(AtbAddTopkTest, NumbersThatAreNoneAreOrderedToo) {
  Tensor x({.dims = {1, 8}, .dtype = ACL_FLOAT}), bias({.dims = {8}, .dtype = ACL_FLOAT});
  const Tensor y({.dims = {1, 2}, .dtype = ACL_FLOAT}), out({.dims = {1, 2}, .dtype = ACL_INT32});
  WriteAs(x, {0, 0, std::nan(""), 0, 0, std::nan(""), 0, 0});
  WriteAs(bias, Numbers(8, 1));
  const Sizes z = {.groups = 2, .chosen = 2, .summed = 4, .k = 2};
  ASSERT_EQ(
      Choose(z, {.x = x.handle(), .bias = bias.handle(), .y = y.handle(), .indices = out.handle()}),
      0);
  EXPECT_EQ(out.Read<int32_t>(), (std::vector<int32_t>{2, 5}));
}

// As without them.
TEST_F(AtbAddTopkTest, MapsWithoutElements) {
  Tensor x({.dims = {1, 4}, .dtype = ACL_FLOAT}), bias({.dims = {4}, .dtype = ACL_FLOAT});
  WriteAs(x, {0, 1, 3, 2});
  WriteAs(bias, Numbers(4, 0));
  const Tensor none({.dims = {0}, .dtype = ACL_INT32}), table({.dims = {0, 0}, .dtype = ACL_INT32});
  const Tensor one({.dims = {4}, .dtype = ACL_INT32}),
      no_names({.dims = {4, 0}, .dtype = ACL_INT32});
  const Tensor y({.dims = {1, 2}, .dtype = ACL_FLOAT}), out({.dims = {1, 2}, .dtype = ACL_INT32});
  const Sizes z = {.groups = 1, .chosen = 1, .summed = 1, .k = 2};
  const std::pair<const Tensor*, const Tensor*> kMaps[] = {
      {&none, &none}, {&none, &table}, {&one, &no_names}};
  for (const auto& [copies, names] : kMaps) {
    ASSERT_EQ(Choose(z, {x.handle(), bias.handle(), copies->handle(), names->handle(), y.handle(),
                         out.handle(), true}),
              0)
        << aclGetRecentErrMsg();
    EXPECT_EQ(out.Read<int32_t>(), (std::vector<int32_t>{2, 3}));
  }
}

TEST_F(AtbAddTopkTest, MoreCopiesThanNamesEndTheTask) {
  Tensor x({.dims = {2, 8}, .dtype = ACL_FLOAT}), bias({.dims = {8}, .dtype = ACL_FLOAT});
  Tensor counts({.dims = {8}, .dtype = ACL_INT32}), table({.dims = {8, 2}, .dtype = ACL_INT32});
  Tensor y({.dims = {2, 2}, .dtype = ACL_FLOAT});
  const Tensor out({.dims = {2, 2}, .dtype = ACL_INT32});
  Fill(x);
  Fill(bias);
  const Numbers before = Fill(y);
  counts.Write(std::vector<int32_t>{1, 1, 1, 1, 1, 3, 1, 1});
  const Sizes z = {.groups = 2, .chosen = 1, .summed = 1, .k = 2};
  EXPECT_EQ(Choose(z, {x.handle(), bias.handle(), counts.handle(), table.handle(), y.handle(),
                       out.handle(), true}),
            ACL_ERROR_RT_AICORE_EXCEPTION);
  const std::string message = aclGetRecentErrMsg();
  EXPECT_NE(message.find("mappingNum[5] = 3, expected at most 2"), std::string::npos) << message;
  EXPECT_EQ(ReadAs(y), before);
}

TEST_F(AtbAddTopkTest, RefusesWhatDoesNotFit) {
  const Tensor x({.dims = {2, 8}, .dtype = ACL_FLOAT}), bias({.dims = {8}, .dtype = ACL_FLOAT});
  const Tensor half({.dims = {8}, .dtype = ACL_FLOAT16}), few({.dims = {7}, .dtype = ACL_FLOAT});
  const Tensor counts({.dims = {8}, .dtype = ACL_INT32}),
      table({.dims = {7, 2}, .dtype = ACL_INT32});
  const Tensor y({.dims = {2, 2}, .dtype = ACL_FLOAT}), out({.dims = {2, 2}, .dtype = ACL_INT32});
  const Tensor wide({.dims = {2, 9}, .dtype = ACL_FLOAT});
  const Tensor wide_out({.dims = {2, 9}, .dtype = ACL_INT32});
  const Sizes right = {.groups = 2, .chosen = 1, .summed = 1, .k = 2};
  const auto refused = [&](const Sizes& z, const Call& c, int code, const char* words) {
    uint64_t bytes = 0;
    atb::Operation* op = nullptr;
    EXPECT_EQ(Prepare(z, c, &bytes, &op), code) << words;
    EXPECT_EQ(op, nullptr);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  const Call call = {
      .x = x.handle(), .bias = bias.handle(), .y = y.handle(), .indices = out.handle()};
  const int size = atb::ERROR_INVALID_TENSOR_DIM, type = atb::ERROR_INVALID_TENSOR_DTYPE;
  const auto with = [&](auto change) {
    Sizes z = right;
    change(z);
    return z;
  };
  refused(with([](Sizes& z) { z.groups = 0; }), call, size, "groupNum = 0, expected 1 to 8");
  refused(with([](Sizes& z) { z.groups = 3; }), call, size,
          "groupNum = 3, expected a divisor of 8");
  refused(with([](Sizes& z) { z.chosen = 3; }), call, size, "groupTopk = 3, expected 1 to 2");
  refused(with([](Sizes& z) { z.chosen = 0; }), call, size, "groupTopk = 0");
  refused(with([](Sizes& z) { z.summed = 5; }), call, size, "n = 5, expected 1 to 4");
  refused(with([](Sizes& z) { z.summed = 0; }), call, size, "n = 0");
  refused(with([](Sizes& z) { z.k = 0; }), call, size, "k is 0");
  refused(with([](Sizes& z) { z.k = 3; }), call, size, "y.shape");
  refused(with([](Sizes& z) { z.activation = 1; }), call, atb::ERROR_INVALID_PARAM,
          "activationType = 1, expected 8");
  Call c = call;
  c.y = wide.handle(), c.indices = wide_out.handle();
  refused(with([](Sizes& z) { z.k = 9; }), c, size, "k = 9, expected 1 to 8");
  c = call, c.bias = half.handle();
  refused(right, c, type, "addNum.dtype = FLOAT16");
  c = call, c.bias = few.handle();
  refused(right, c, size, "addNum.shape[0] = 7");
  // Strides of 0 let one number be those of any experts.
  const int64_t many = int64_t{1} << 55;
  const Tensor long_x({.dims = {1, many}, .dtype = ACL_FLOAT, .strides = {1, 0}}),
      long_bias({.dims = {many}, .dtype = ACL_FLOAT, .strides = {0}});
  const Tensor one({.dims = {1, 1}, .dtype = ACL_FLOAT}),
      one_out({.dims = {1, 1}, .dtype = ACL_INT32});
  c = {.x = long_x.handle(),
       .bias = long_bias.handle(),
       .y = one.handle(),
       .indices = one_out.handle()};
  refused({.groups = 1, .chosen = 1, .summed = 1, .k = 1}, c, size,
          "x.shape[1] = 36028797018963968, expected at most 2147483647");
  c = call, c.maps = true, c.copies = counts.handle();
  refused(right, c, atb::ERROR_INVALID_TENSOR_ADDR, "mappingTable is null");
  c.table = table.handle();
  refused(right, c, size, "mappingTable.shape[0] = 7");
  c.copies = nullptr;
  refused(right, c, atb::ERROR_INVALID_TENSOR_ADDR, "mappingNum is null");
  c = call, c.y = out.handle();
  refused(right, c, type, "y.dtype = INT32");
}

}  // namespace
}  // namespace anyacl::test
