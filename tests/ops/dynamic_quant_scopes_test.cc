// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV3 and V4: scales of tokens, of channels and of whole tensors, to the bit.
#include <cmath>
#include <string>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dynamic_quant_v3.h"
#include "aclnnop/aclnn_dynamic_quant_v4.h"
#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

const aclTensor* HandleOf(const std::optional<Tensor>& tensor) {
  return tensor ? tensor->handle() : nullptr;
}

class ScopesTest : public DynamicQuantTest {
 protected:
  struct Case {
    QuantProblem problem;
    std::string mode = "pertoken";
    bool strided = false;
    bool v4 = false;
  };

  static int64_t Tokens(const Case& c) { return c.problem.dims[c.problem.dims.size() - 2]; }

  // As many factors as the mode has.
  Case Random(const QuantForm& form, const std::vector<int64_t>& dims, const std::string& mode) {
    Case c = {.problem = RandomProblem(form, dims, random()), .mode = mode};
    if (mode != "perchannel" || c.problem.smooth.empty()) return c;
    c.problem.smooth.resize(static_cast<size_t>(Tokens(c)));
    for (float& value : c.problem.smooth) value = static_cast<float>(random().Uniform(0.25, 4));
    return c;
  }

  static QuantLayouts LayoutsOfCase(const Case& c) {
    QuantLayouts layouts = LayoutsOf(c.problem);
    const size_t rank = c.problem.dims.size();
    if (c.mode == "pertensor") layouts.scale.dims = {1};
    if (c.mode == "perchannel") {
      layouts.scale.dims = c.problem.dims;
      layouts.scale.dims.erase(layouts.scale.dims.end() - 2);
      layouts.smooth.dims = {Tokens(c)};
    }
    layouts.offset = layouts.scale;
    if (!c.strided) return layouts;
    for (Layout* layout :
         {&layouts.x, &layouts.y, &layouts.scale, &layouts.offset, &layouts.smooth}) {
      if (layout->dtype == ACL_INT4) continue;
      int64_t step = 2;
      layout->strides.assign(layout->dims.size(), 0);
      for (size_t i = layout->dims.size(); i-- > 0;) {
        layout->strides[i] = step;
        step = step * layout->dims[i] + 1;
      }
    }
    if (rank == 2) layouts.x.strides = {1, c.problem.dims[0]};
    return layouts;
  }

  static Phase1 CallOf(const QuantTensors& t, const Case& c) {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      const bool symmetric = !c.problem.asymmetric;
      return c.v4 ? aclnnDynamicQuantV4GetWorkspaceSize(
                        t.x.handle(), HandleOf(t.smooth), HandleOf(t.group), t.dst_type, symmetric,
                        c.mode.c_str(), 100, t.y.handle(), t.scale.handle(), HandleOf(t.offset),
                        size, executor)
                  : aclnnDynamicQuantV3GetWorkspaceSize(
                        t.x.handle(), HandleOf(t.smooth), HandleOf(t.group), t.dst_type, symmetric,
                        c.mode.c_str(), t.y.handle(), t.scale.handle(), HandleOf(t.offset), size,
                        executor);
    };
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.mode << " of " << ::testing::PrintToString(c.problem.dims)
                 << (c.strided ? " strided" : "") << " y " << c.problem.y_type << " asymmetric "
                 << c.problem.asymmetric);
    const QuantTensors tensors = MakeTensors(c.problem, LayoutsOfCase(c));
    RunTwoPhase(CallOf(tensors, c), c.v4 ? &aclnnDynamicQuantV4 : &aclnnDynamicQuantV3);
    EXPECT_TRUE(tensors.GuardsIntact());
    const DynamicQuantInput input = InputOf(c.problem);
    ExpectSameOutput(ReadOutput(tensors),
                     c.mode == "pertoken"     ? DynamicQuant(input)
                     : c.mode == "perchannel" ? DynamicQuantOfChannels(input, Tokens(c))
                                              : DynamicQuantOfTensor(input),
                     c.problem.cols());
  }
};

TEST_F(ScopesTest, EveryModeIsTheFormula) {
  for (const QuantForm& form : AllForms()) {
    SCOPED_TRACE(NameOf(form));
    for (const char* mode : {"pertoken", "perchannel", "pertensor"}) {
      if (form.smooth == Smooth::kPerExpert && std::string(mode) != "pertoken") continue;
      for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{
               {1, 8}, {5, 16}, {3, 264}, {2, 1, 520}, {2, 3, 7, 24}, {33, 1032}}) {
        Case c = Random(form, dims, mode);
        Check(c);
        c.strided = c.v4 = true;
        Check(c);
      }
    }
  }
}

// Lengths that 8 bits alone have.
TEST_F(ScopesTest, AnyLength) {
  for (int64_t columns : {1, 3, 255, 257, 700}) {
    for (bool asymmetric : {false, true}) {
      for (const char* mode : {"perchannel", "pertensor"}) {
        Check(Random({.asymmetric = asymmetric, .smooth = Smooth::kRow}, {4, 9, columns}, mode));
      }
    }
  }
  Check(Random({.y_type = ACL_INT4}, {6, 258}, "perchannel"));
}

// Channels whose tokens come in blocks, the last one shorter, with the extremes in any of them.
TEST_F(ScopesTest, ChannelsOfManyTokens) {
  for (const QuantForm& form : AllForms()) {
    if (form.smooth == Smooth::kPerExpert) continue;
    SCOPED_TRACE(NameOf(form));
    for (const std::vector<int64_t>& dims :
         std::vector<std::vector<int64_t>>{{129, 256}, {2, 70, 264}, {2050, 16}, {70, 66, 8}}) {
      Case c = Random(form, dims, "perchannel");
      Check(c);
      c.strided = true;
      Check(c);
    }
  }
  Case c = {.problem = {.dims = {129, 256}, .x = std::vector<float>(129 * 256, 1)},
            .mode = "perchannel"};
  for (int64_t row = 0; row < 129; ++row) c.problem.x[static_cast<size_t>(row * 256 + row)] = NAN;
  Check(c);
}

TEST_F(ScopesTest, ValuesWithoutAQuotient) {
  for (bool asymmetric : {false, true}) {
    for (const char* mode : {"perchannel", "pertensor"}) {
      for (const std::vector<float>& some :
           std::vector<std::vector<float>>{{0, 0, 0},
                                           {NAN, 1, -2},
                                           {1, NAN, 2},
                                           {INFINITY, 1, 0},
                                           {-INFINITY, 1, 2},
                                           {INFINITY, -INFINITY, NAN},
                                           {3, 3, 3},
                                           {6e-8f, 0, -6e-8f}}) {
        Case c = {.problem = {.dims = {3, 2}, .asymmetric = asymmetric}, .mode = mode};
        for (float value : some) c.problem.x.insert(c.problem.x.end(), {value, 1});
        Check(c);
        c.problem.x_type = ACL_BF16;
        for (float& value : c.problem.x) value *= 1e-32f;  // a scale of 0, of numbers that are not
        c.problem.smooth.assign(std::string(mode) == "pertensor" ? 2 : 3, 1e-12f);
        Check(c);
      }
    }
  }
}

TEST_F(ScopesTest, NothingIsWrittenOfNothing) {
  for (const char* mode : {"pertoken", "perchannel", "pertensor"}) {
    for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{{0, 8}, {3, 0}}) {
      const Case c = {.problem = {.dims = dims}, .mode = mode};
      const QuantTensors tensors = MakeTensors(c.problem, LayoutsOfCase(c));
      const std::vector<uint8_t> before = tensors.OutputBytes();
      RunTwoPhase(CallOf(tensors, c), &aclnnDynamicQuantV3);
      EXPECT_EQ(tensors.OutputBytes(), before);
    }
  }
}

TEST_F(ScopesTest, RefusesWhatDoesNotFit) {
  const Tensor x({.dims = {4, 8}, .dtype = ACL_FLOAT16}), y({.dims = {4, 8}, .dtype = ACL_INT8});
  const Tensor y8({.dims = {4, 8}, .dtype = ACL_HIFLOAT8});
  const Tensor by_token({.dims = {4}, .dtype = ACL_FLOAT});
  const Tensor by_channel({.dims = {8}, .dtype = ACL_FLOAT}),
      one({.dims = {1}, .dtype = ACL_FLOAT});
  const Tensor smooth({.dims = {8}, .dtype = ACL_FLOAT16});
  const Tensor smooth4({.dims = {4}, .dtype = ACL_FLOAT16});
  const Tensor smooths({.dims = {2, 8}, .dtype = ACL_FLOAT16});
  const Tensor groups({.dims = {2}, .dtype = ACL_INT32});
  struct Bad {
    const Tensor* smooth = nullptr;
    const Tensor* group = nullptr;
    int64_t type = ACL_INT8;
    bool symmetric = true;
    const char* mode = "pertoken";
    float most = 0;
    const Tensor* y;
    const Tensor* scale;
    const Tensor* offset = nullptr;
  };
  const auto refused = [&](const Bad& bad, int code,
                           std::initializer_list<std::string_view> words) {
    const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnDynamicQuantV4GetWorkspaceSize(
              x.handle(), handle(bad.smooth), handle(bad.group), bad.type, bad.symmetric, bad.mode,
              bad.most, handle(bad.y), handle(bad.scale), handle(bad.offset), s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused({.type = ACL_HIFLOAT8, .y = &y8, .scale = &by_token}, kInvalid, {"yOut", "HIFLOAT8"});
  refused({.type = ACL_HIFLOAT8, .y = &y, .scale = &by_token}, kInvalid,
          {"dstType = 34", "HIFLOAT8", "INT8"});
  refused({.type = ACL_INT4, .y = &y, .scale = &by_token}, kInvalid, {"dstType = 29", "INT8"});
  refused({.mode = "perblock", .y = &y, .scale = &by_token}, kInvalid, {"quantMode", "perblock"});
  refused({.mode = nullptr, .y = &y, .scale = &by_token}, ACLNN_ERR_PARAM_NULLPTR, {"quantMode"});
  refused({.y = &y, .scale = &by_token, .offset = &by_token}, kInvalid, {"offsetOut"});
  refused({.symmetric = false, .y = &y, .scale = &by_token}, kInvalid,
          {"offsetOut", "isSymmetrical"});
  refused({.most = -1, .y = &y, .scale = &by_token}, kInvalid, {"dstTypeMax = -1"});
  refused({.most = 32769, .y = &y, .scale = &by_token}, kInvalid, {"dstTypeMax", "32768"});
  refused({.most = NAN, .y = &y, .scale = &by_token}, kInvalid, {"dstTypeMax"});
  refused({.y = &y, .scale = &by_channel}, kInvalid, {"scaleOut", "[4]"});
  refused({.mode = "perchannel", .y = &y, .scale = &by_token}, kInvalid, {"scaleOut", "[8]"});
  refused({.mode = "pertensor", .y = &y, .scale = &by_token}, kInvalid, {"scaleOut", "[1]"});
  refused({.symmetric = false, .mode = "pertensor", .y = &y, .scale = &one, .offset = &by_token},
          kInvalid, {"offsetOut", "[1]"});
  refused({.smooth = &smooth4, .y = &y, .scale = &by_token}, kInvalid,
          {"smoothScalesOptional", "[8]"});
  refused({.smooth = &smooth, .mode = "perchannel", .y = &y, .scale = &by_channel}, kInvalid,
          {"smoothScalesOptional", "[4]"});
  refused({.smooth = &smooth, .group = &groups, .y = &y, .scale = &by_token}, kInvalid,
          {"smoothScalesOptional", "[2, 8]"});
  for (const char* mode : {"perchannel", "pertensor"}) {
    refused({.smooth = &smooths,
             .group = &groups,
             .mode = mode,
             .y = &y,
             .scale = mode[3] == 'c' ? &by_channel : &one},
            kInvalid, {"groupIndexOptional", mode});
  }
}

}  // namespace
}  // namespace anyacl::test
