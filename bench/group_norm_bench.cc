// SPDX-License-Identifier: Apache-2.0
#include "group_norm_bench.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "ceilings.h"
#include "device.h"
#include "machine.h"
#include "operator_call.h"
#include "reference/group_norm.h"
#include "support/element.h"
#include "support/fixed.h"

namespace anyacl::bench {
namespace {

struct GroupNormCase {
  const char* model;
  int64_t n, c, h, w;
  aclDataType type;

  int64_t count() const { return n * c * h * w; }
};

constexpr int64_t kGroups = 32;

// The layers of an image generator's denoiser and decoder.
struct Shape {
  const char* model;
  int64_t n, c, h, w;
};
constexpr Shape kShapes[] = {
    {"sd_unet", 2, 320, 64, 64},       {"sd_unet", 2, 640, 32, 32},
    {"sd_unet", 2, 1280, 16, 16},      {"sd_unet", 2, 1280, 8, 8},
    {"sdxl_unet", 2, 960, 128, 128},   {"sd_unet_batch_8", 8, 512, 64, 64},
    {"vae_decoder", 1, 512, 128, 128}, {"vae_decoder", 1, 128, 512, 512},
};

const char* NameOf(aclDataType type) {
  return type == ACL_FLOAT ? "fp32" : type == ACL_FLOAT16 ? "fp16" : "bf16";
}

std::string NameOf(const GroupNormCase& gn) {
  std::ostringstream name;
  name << gn.model << "/" << gn.n << "x" << gn.c << "x" << gn.h << "x" << gn.w << "/"
       << NameOf(gn.type);
  return name.str();
}

std::unique_ptr<Tensor> MakeTensor(aclDataType type, const std::vector<int64_t>& shape) {
  return std::make_unique<Tensor>(type, shape);
}

// Element i is value(i).
template <class Value>
void Fill(const Tensor& tensor, aclDataType type, Value value) {
  std::vector<char> bytes(tensor.bytes());
  const auto count = static_cast<int64_t>(bytes.size()) * 8 / test::BitsOf(type);
  for (int64_t i = 0; i < count; ++i) {
    test::StoreElement(type, value(static_cast<uint64_t>(i)), bytes.data(), i);
  }
  tensor.Upload(bytes.data());
}

std::unique_ptr<Tensor> MakeData(const GroupNormCase& gn) {
  return MakeTensor(gn.type, {gn.n, gn.c, gn.h, gn.w});
}

aclTensor* Out(const std::unique_ptr<Tensor>& tensor) {
  return const_cast<aclTensor*>(tensor->get());
}

// One group of a problem as a problem of its own.
struct GroupOf {
  const GroupNormCase& gn;
  int64_t group;  // of all batches

  int64_t channels() const { return gn.c / kGroups; }
  test::GroupNormShape shape() const { return {1, channels(), gn.h * gn.w, 1}; }
  // What FixedValue(step * i) gave the data, or by channel.
  std::vector<double> Data(uint64_t step) const { return Take(group, shape().count(), step); }
  std::vector<double> Channels(uint64_t step) const {
    return Take(group % kGroups, channels(), step);
  }

 private:
  static std::vector<double> Take(int64_t piece, int64_t count, uint64_t step) {
    std::vector<double> values;
    for (int64_t i = piece * count; i < (piece + 1) * count; ++i) {
      values.push_back(test::FixedValue(step * static_cast<uint64_t>(i)));
    }
    return values;
  }
};

// Empty if the elements of the first group and of the last are expected(group), as far as the type
// tells.
template <class Expected>
std::string DifferenceInGroups(const GroupNormCase& gn, const char* name, const Tensor& tensor,
                               Expected expected) {
  std::vector<char> bytes(tensor.bytes());
  tensor.Download(bytes.data());
  const double unit = gn.type == ACL_FLOAT ? 2e-6 : gn.type == ACL_FLOAT16 ? 1e-3 : 8e-3;
  for (int64_t group : {int64_t{0}, gn.n * kGroups - 1}) {
    const std::vector<double> values = expected(GroupOf{gn, group});
    const size_t first = static_cast<size_t>(group) * values.size();
    for (size_t i = 0; i < values.size(); ++i) {
      const double actual =
          test::LoadElement(gn.type, bytes.data(), static_cast<int64_t>(first + i));
      if (!(std::fabs(actual - values[i]) <= unit * (1 + std::fabs(values[i])))) {
        return std::string(name) + "[" + std::to_string(first + i) +
               "] = " + std::to_string(actual) + ", expected " + std::to_string(values[i]);
      }
    }
  }
  return "";
}

// x and gamma of FixedValue; beta null.
class ForwardCall : public OperatorCall {
 public:
  ForwardCall(const GroupNormCase& gn, aclrtStream stream)
      : OperatorCall(stream, gn.count()),
        case_(gn),
        x_(MakeData(gn)),
        gamma_(MakeTensor(gn.type, {gn.c})),
        out_(MakeData(gn)),
        mean_(MakeTensor(gn.type, {gn.n, kGroups})),
        rstd_(MakeTensor(gn.type, {gn.n, kGroups})) {
    Fill(*x_, gn.type, [](uint64_t i) { return test::FixedValue(i); });
    Fill(*gamma_, gn.type, [](uint64_t i) { return test::FixedValue(5 * i); });
    Run();
    set_error(Difference());
  }

  size_t bytes() const override { return x_->bytes() + out_->bytes(); }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(aclnnGroupNormGetWorkspaceSize(x_->get(), gamma_->get(), nullptr, case_.n, case_.c,
                                         case_.h * case_.w, kGroups, kEps, Out(out_), Out(mean_),
                                         Out(rstd_), &size, &executor),
          "aclnnGroupNormGetWorkspaceSize");
    if (workspace_ == nullptr) workspace_ = MakeTensor(ACL_INT8, {static_cast<int64_t>(size)});
    Check(aclnnGroupNorm(workspace_->data(), size, executor, stream()), "aclnnGroupNorm");
  }

 private:
  static constexpr double kEps = 1e-5;

  std::string Difference() const {
    return DifferenceInGroups(case_, "out", *out_, [](const GroupOf& of) {
      return test::GroupNorm(of.shape(), of.Data(1), of.Channels(5), {}, kEps).out;
    });
  }

  const GroupNormCase case_;
  std::unique_ptr<Tensor> x_, gamma_, out_, mean_, rstd_, workspace_;
};

// dy and x of values that make all groups alike in distribution; mean 0.125, rstd 0.875, so that
// gradients do not vanish; gamma of FixedValue.
class BackwardCall : public OperatorCall {
 public:
  BackwardCall(const GroupNormCase& gn, aclrtStream stream)
      : OperatorCall(stream, gn.count()),
        case_(gn),
        dy_(MakeData(gn)),
        x_(MakeData(gn)),
        mean_(MakeTensor(gn.type, {gn.n, kGroups})),
        rstd_(MakeTensor(gn.type, {gn.n, kGroups})),
        gamma_(MakeTensor(gn.type, {gn.c})),
        dx_(MakeData(gn)),
        dgamma_(MakeTensor(gn.type, {gn.c})),
        dbeta_(MakeTensor(gn.type, {gn.c})) {
    Fill(*dy_, gn.type, [](uint64_t i) { return test::FixedValue(3 * i); });
    Fill(*x_, gn.type, [](uint64_t i) { return test::FixedValue(i); });
    Fill(*mean_, gn.type, [](uint64_t) { return kMean; });
    Fill(*rstd_, gn.type, [](uint64_t) { return kRstd; });
    Fill(*gamma_, gn.type, [](uint64_t i) { return test::FixedValue(5 * i); });
    constexpr bool kAll[] = {true, true, true};
    mask_ = aclCreateBoolArray(kAll, 3);
    Run();
    set_error(Difference());
  }
  ~BackwardCall() override { aclDestroyBoolArray(mask_); }

  size_t bytes() const override { return dy_->bytes() + x_->bytes() + dx_->bytes(); }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(aclnnGroupNormBackwardGetWorkspaceSize(dy_->get(), x_->get(), mean_->get(), rstd_->get(),
                                                 gamma_->get(), case_.n, case_.c, case_.h * case_.w,
                                                 kGroups, mask_, Out(dx_), Out(dgamma_),
                                                 Out(dbeta_), &size, &executor),
          "aclnnGroupNormBackwardGetWorkspaceSize");
    if (workspace_ == nullptr) workspace_ = MakeTensor(ACL_INT8, {static_cast<int64_t>(size)});
    Check(aclnnGroupNormBackward(workspace_->data(), size, executor, stream()),
          "aclnnGroupNormBackward");
  }

 private:
  static constexpr float kMean = 0.125f;
  static constexpr float kRstd = 0.875f;

  std::string Difference() const {
    return DifferenceInGroups(case_, "gradInput", *dx_, [](const GroupOf& of) {
      return test::GroupNormGrad({.shape = of.shape(),
                                  .dy = of.Data(3),
                                  .x = of.Data(1),
                                  .mean = {kMean},
                                  .rstd = {kRstd},
                                  .gamma = of.Channels(5)})
          .dx.value;
    });
  }

  const GroupNormCase case_;
  std::unique_ptr<Tensor> dy_, x_, mean_, rstd_, gamma_, dx_, dgamma_, dbeta_, workspace_;
  aclBoolArray* mask_ = nullptr;
};

void MeasureForward(benchmark::State& state, OperatorCall& call) {
  if (call.bytes() > LastLevelCacheBytes()) {
    MeasureThroughput(state, call, {"memory triad", MemoryTriadRate});
  } else {
    MeasureThroughput(state, call, {"L3 read", [&] { return CacheReadRate(call.bytes()); }});
  }
}

// In the caches against a loop that does the same loads and stores and computes next to nothing:
// the second pass comes on top of what the last cache delivers.
void MeasureBackward(benchmark::State& state, OperatorCall& call, size_t group_bytes) {
  if (call.bytes() > LastLevelCacheBytes()) {
    MeasureThroughput(state, call, {"memory triad", MemoryTriadRate});
  } else {
    MeasureThroughput(state, call,
                      {"two passes", [&] { return TwoPassRate(group_bytes, call.bytes()); }});
  }
}

}  // namespace

void RegisterGroupNorm(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  for (const Shape& shape : kShapes) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      const GroupNormCase gn = {shape.model, shape.n, shape.c, shape.h, shape.w, type};
      RegisterCall(
          "GroupNorm/" + NameOf(gn), current,
          [=] { return std::make_unique<ForwardCall>(gn, stream); }, MeasureForward);
      const size_t group_bytes = gn.count() / gn.n / kGroups * (type == ACL_FLOAT ? 4 : 2);
      RegisterCall(
          "GroupNormBackward/" + NameOf(gn), current,
          [=] { return std::make_unique<BackwardCall>(gn, stream); },
          [=](benchmark::State& state, OperatorCall& call) {
            MeasureBackward(state, call, group_bytes);
          });
    }
  }
}

}  // namespace anyacl::bench
