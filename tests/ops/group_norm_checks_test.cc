// SPDX-License-Identifier: Apache-2.0
// Phase 1 of aclnnGroupNormBackward: the faults that the check table does not describe, their codes
// and order, and what must not be refused.
#include <functional>
#include <string>
#include <vector>

#include "ops/group_norm_case.h"

namespace anyacl::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;

// Data [2, 6, 5] in 3 groups, every parameter there to be broken.
class ChecksTest : public GroupNormTest {
 protected:
  void SetUp() override {
    GroupNormTest::SetUp();
    problem_ = {.shape = {2, 6, 5, 3}};
    layouts_ = LayoutsOf(problem_);
    mask_.emplace(std::vector<uint8_t>{1, 1, 1});
  }

  enum Parameter { kDy, kX, kMean, kRstd, kGamma, kDx, kDgamma, kDbeta, kCount };

  // Phase 1 with the tensors as they are laid out, without values; null for those left out.
  Phase1 Call() {
    tensors_.clear();
    const Layout* layouts[kCount] = {&layouts_.dy,     &layouts_.x,     &layouts_.mean,
                                     &layouts_.rstd,   &layouts_.gamma, &layouts_.dx,
                                     &layouts_.dgamma, &layouts_.dbeta};
    std::vector<aclTensor*> t;
    for (int i = 0; i < kCount; ++i) {
      if (!left_out_[i]) tensors_.emplace_back(*layouts[i]);
      t.push_back(left_out_[i] ? nullptr : tensors_.back().handle());
    }
    const aclBoolArray* mask = mask_ ? mask_->handle() : nullptr;
    const GroupNormShape s = problem_.shape;
    return [=](uint64_t* workspace_size, aclOpExecutor** executor) {
      return aclnnGroupNormBackwardGetWorkspaceSize(
          t[kDy], t[kX], t[kMean], t[kRstd], t[kGamma], s.n, s.c, s.hxw, s.group, mask, t[kDx],
          t[kDgamma], t[kDbeta], workspace_size, executor);
    };
  }

  void ExpectCode(int code, std::initializer_list<std::string_view> words) {
    ExpectRefused(Call(), code, words);
    const Prepared prepared = Prepare(Call());
    EXPECT_TRUE(HasWord(TakeMessages(), "aclnnGroupNormBackwardGetWorkspaceSize"));
    EXPECT_EQ(prepared.code, code);
  }

  void ExpectAccepted() {
    const Prepared prepared = Prepare(Call());
    ASSERT_OK(prepared.code);
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }

  GradProblem problem_;
  GradLayouts layouts_;
  std::optional<BoolArray> mask_;
  bool left_out_[kCount] = {};
  std::vector<Tensor> tensors_;
};

TEST_F(ChecksTest, MissingInputs) {
  const char* names[] = {"gradOut", "input", "mean", "rstd"};
  for (int i = kRstd; i >= kDy; --i) {
    left_out_[i] = true;  // with those after it: the first is reported
    ExpectCode(kNullptr, {names[i], "null"});
  }
}

TEST_F(ChecksTest, MissingOutParameters) {
  const Phase1 call = Call();
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  TakeMessages();
  ExpectFailure(call(nullptr, &executor), kNullptr, {"workspaceSize", "null"});
  ExpectFailure(call(&workspace_size, nullptr), kNullptr, {"executor", "null"});
}

TEST_F(ChecksTest, Mask) {
  mask_.reset();
  ExpectCode(kInvalid, {"outputMask", "null"});
  for (size_t size : {0, 1, 2, 4, 8}) {
    mask_.emplace(std::vector<uint8_t>(size, 1));
    ExpectCode(kInvalid, {"outputMask", std::to_string(size), "3"});
  }
  // The inputs come first, a missing output after the mask.
  left_out_[kDx] = true;
  ExpectCode(kInvalid, {"outputMask"});
  left_out_[kRstd] = true;
  ExpectCode(kNullptr, {"rstd"});
}

TEST_F(ChecksTest, DeadMask) {
  std::optional<BoolArray> dead(std::vector<uint8_t>{1, 1, 1});
  const aclBoolArray* handle = dead->handle();
  dead.reset();
  const GradTensors t = MakeTensors(RandomGrad({2, 6, 5, 3}, {}, random()), layouts_);
  for (const aclBoolArray* mask :
       {handle, reinterpret_cast<const aclBoolArray*>(t.x.handle()),
        reinterpret_cast<const aclBoolArray*>(uintptr_t{0xdeadbeefdeadbeef})}) {
    ExpectRefused(
        [&](uint64_t* workspace_size, aclOpExecutor** executor) {
          return aclnnGroupNormBackwardGetWorkspaceSize(
              t.dy.handle(), t.x.handle(), t.mean.handle(), t.rstd.handle(), nullptr, 2, 6, 5, 3,
              mask, t.dx.handle(), t.dgamma.handle(), t.dbeta.handle(), workspace_size, executor);
        },
        kInvalid, {"outputMask"});
  }
}

TEST_F(ChecksTest, WantedOutputsAreRequired) {
  const char* names[] = {"gradInput", "gradGammaOut", "gradBetaOut"};
  for (int i = 0; i < 3; ++i) {
    left_out_[kDx + i] = true;
    mask_.emplace(std::vector<uint8_t>{1, 1, 1});
    ExpectCode(kNullptr, {names[i], "null", "outputMask"});
    std::vector<uint8_t> others = {1, 1, 1};
    others[static_cast<size_t>(i)] = 0;
    mask_.emplace(others);
    ExpectAccepted();
    left_out_[kDx + i] = false;
  }
  left_out_[kDx] = left_out_[kDgamma] = left_out_[kDbeta] = true;
  mask_.emplace(std::vector<uint8_t>{0, 0, 0});
  ExpectAccepted();
}

// Neither type nor shape nor life of an output that nobody wants is looked at.
TEST_F(ChecksTest, UnwantedOutputsMayBeAnything) {
  layouts_.dx = {.dims = {7}, .dtype = ACL_INT8, .format = ACL_FORMAT_FRACTAL_NZ};
  layouts_.dgamma = layouts_.dbeta = layouts_.dx;
  mask_.emplace(std::vector<uint8_t>{0, 0, 0});
  ExpectAccepted();
  mask_.emplace(std::vector<uint8_t>{0, 1, 0});
  ExpectCode(kInvalid, {"gradGammaOut", "INT8"});
}

TEST_F(ChecksTest, PairsOfTypes) {
  const std::vector<aclDataType> types = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  for (aclDataType data : types) {
    for (aclDataType parameters : types) {
      for (Layout* layout : {&layouts_.dy, &layouts_.x, &layouts_.dx}) layout->dtype = data;
      for (Layout* layout :
           {&layouts_.mean, &layouts_.rstd, &layouts_.gamma, &layouts_.dgamma, &layouts_.dbeta}) {
        layout->dtype = parameters;
      }
      if (parameters == data || parameters == ACL_FLOAT) {
        ExpectAccepted();
      } else {
        ExpectCode(kInvalid, {"mean", "gradOut"});
      }
    }
  }
}

TEST_F(ChecksTest, GroupsThatDoNotDivideTheChannels) {
  for (int64_t group : {0, -1, -6}) {
    problem_.shape.group = group;
    ExpectCode(kInvalid, {"group", std::to_string(group)});
  }
  for (int64_t group : {4, 5, 7, 12}) {
    problem_.shape.group = group;
    ExpectCode(kInvalid, {"C", "6", "group", std::to_string(group)});
  }
}

TEST_F(ChecksTest, NegativeSizes) {
  for (auto [which, name] : {std::pair{&GroupNormShape::n, "N"},
                             {&GroupNormShape::c, "C"},
                             {&GroupNormShape::hxw, "HxW"}}) {
    problem_.shape = {2, 6, 5, 3};
    problem_.shape.*which = -(problem_.shape.*which);
    ExpectCode(kInvalid, {name, std::to_string(problem_.shape.*which)});
    // Two signs that would cancel in the product.
    problem_.shape = {-2, -6, 5, 3};
    ExpectCode(kInvalid, {"N", "-2"});
  }
}

TEST_F(ChecksTest, ElementCounts) {
  problem_.shape.hxw = 4;
  ExpectCode(kInvalid, {"gradOut", "60", "48"});
  problem_.shape = {2, 6, 5, 2};
  ExpectCode(kInvalid, {"mean", "6", "4"});
  layouts_.mean.dims = {4};
  ExpectCode(kInvalid, {"rstd", "6", "4"});
  problem_.shape.group = 3;
  layouts_ = LayoutsOf(problem_);
  layouts_.x.dims = {2, 6, 6};
  ExpectCode(kInvalid, {"input", "72", "60"});
  layouts_ = LayoutsOf(problem_);
  layouts_.gamma.dims = {5};
  ExpectCode(kInvalid, {"gamma", "5", "6"});
}

// Their product is 60 modulo 2^64.
TEST_F(ChecksTest, ProductsThatOverflow) {
  problem_.shape = {(int64_t{1} << 62) + 2, 6, 5 * 4, 3};
  ExpectCode(kInvalid, {"gradOut"});
  problem_.shape = {int64_t{1} << 62, int64_t{1} << 62, int64_t{1} << 62, 1};
  ExpectCode(kInvalid, {"gradOut"});
  problem_.shape = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  ExpectCode(kInvalid, {"gradOut"});
}

// So many elements can only be one, seen many times; their sums would not fit a workspace.
TEST_F(ChecksTest, MoreElementsThanAnyMemory) {
  problem_.shape = {1, int64_t{1} << 57, 1, 1};
  layouts_.dy = {.dims = {int64_t{1} << 57}, .strides = {0}};
  layouts_.x = layouts_.dy;
  layouts_.mean = layouts_.rstd = {.dims = {1}};
  left_out_[kGamma] = true;
  mask_.emplace(std::vector<uint8_t>{0, 0, 0});
  ExpectCode(kInvalid, {"gradOut"});
}

TEST_F(ChecksTest, RanksUpToEight) {
  const std::vector<int64_t> eight = {2, 1, 6, 1, 1, 5, 1, 1}, nine = {2, 1, 6, 1, 1, 5, 1, 1, 1};
  layouts_.dy.dims = layouts_.x.dims = layouts_.dx.dims = eight;
  layouts_.mean.dims = {1, 2, 1, 1, 3, 1, 1, 1};
  layouts_.gamma.dims = layouts_.dgamma.dims = layouts_.dbeta.dims = {1, 1, 1, 6, 1, 1, 1, 1};
  ExpectAccepted();
  layouts_.dy.dims = nine;
  ExpectCode(kInvalid, {"gradOut", "rank", "9", "8"});
  layouts_.dy.dims = eight;
  layouts_.x.dims = nine;
  ExpectCode(kInvalid, {"input", "rank", "9", "8"});
}

TEST_F(ChecksTest, ShapesOfOutputs) {
  layouts_.dx.dims = {2, 30};
  ExpectCode(kInvalid, {"gradInput", "30", "input"});
  layouts_.dx.dims = {2, 6, 5, 1};
  ExpectCode(kInvalid, {"gradInput", "input"});
  layouts_.dx.dims = {2, 6, 5};
  layouts_.gamma.dims = {1, 6};
  ExpectCode(kInvalid, {"gradGammaOut", "6", "1", "gamma"});
  layouts_.dgamma.dims = {1, 6};
  ExpectCode(kInvalid, {"gradBetaOut", "6", "1", "gamma"});
  layouts_.dbeta.dims = {1, 6};
  ExpectAccepted();
  // Without gamma the gradients are [C], and nothing else.
  left_out_[kGamma] = true;
  ExpectCode(kInvalid, {"gradGammaOut", "C", "6", "gamma"});
  layouts_.dgamma.dims = {6};
  ExpectCode(kInvalid, {"gradBetaOut"});
  layouts_.dbeta.dims = {6};
  ExpectAccepted();
  mask_.emplace(std::vector<uint8_t>{1, 0, 1});
  layouts_.dbeta.dims = {6, 1};
  ExpectCode(kInvalid, {"gradBetaOut", "C", "6", "gamma"});
}

TEST_F(ChecksTest, ResultsNeedAnAddressForEachElement) {
  layouts_.dx.strides = {30, 0, 1};
  ExpectCode(kInvalid, {"gradInput"});
  layouts_.dx.strides = {};
  layouts_.dbeta.strides = {0};
  ExpectCode(kInvalid, {"gradBetaOut"});
  // Inputs may repeat.
  layouts_.dbeta.strides = {};
  layouts_.dy.strides = {0, 0, 0};
  layouts_.gamma.strides = {0};
  ExpectAccepted();
}

// Limits of the device's kernel that the document does not name.
TEST_F(ChecksTest, ManyChannels) {
  problem_.shape = {1, 8001, 1, 1};
  layouts_ = LayoutsOf(problem_);
  ExpectAccepted();
  problem_.shape = {1, 240001, 1, 1};
  layouts_ = LayoutsOf(problem_);
  ExpectAccepted();
}

// Types before sizes, sizes before shapes.
TEST_F(ChecksTest, FirstFaultWins) {
  layouts_.x.dims = {3};
  ExpectCode(kInvalid, {"input"});
  problem_.shape.group = 0;
  ExpectCode(kInvalid, {"group"});
  layouts_.dbeta.dtype = ACL_INT32;
  ExpectCode(kInvalid, {"gradBetaOut", "INT32"});
  left_out_[kDgamma] = true;
  ExpectCode(kNullptr, {"gradGammaOut"});
}

TEST_F(ChecksTest, SecondPhaseWithoutExecutorOrWorkspace) {
  TakeMessages();
  ExpectFailure(aclnnGroupNormBackward(nullptr, 0, nullptr, stream()), kNullptr, {"executor"});
  const GradTensors tensors = MakeTensors(RandomGrad({2, 6, 5, 3}, {}, random()), layouts_);
  const Prepared prepared = Prepare(tensors.Call());
  ASSERT_OK(prepared.code);
  ASSERT_GT(prepared.workspace_size, 0u);
  ExpectFailure(
      aclnnGroupNormBackward(nullptr, prepared.workspace_size, prepared.executor, stream()),
      kNullptr, {"workspace", "null"});
}

}  // namespace
}  // namespace anyacl::test
