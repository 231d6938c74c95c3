// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNorm and aclnnGroupNormBackward: trains the scale and shift of a layer until it does
// what another one does, and checks the gradients on the way by finite differences.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../device.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"

namespace {

constexpr int64_t kBatch = 2;
constexpr int64_t kChannels = 4;
constexpr int64_t kArea = 6;
constexpr int64_t kGroups = 2;
constexpr double kEps = 1e-5;
constexpr size_t kCount = kBatch * kChannels * kArea;

const std::vector<int64_t> kShape = {kBatch, kChannels, kArea};
const std::vector<int64_t> kStatistics = {kBatch, kGroups};

// What the other layer has, and the first guess.
const std::vector<float> kHiddenGamma = {0.5f, -1, 2, 1.25f};
const std::vector<float> kHiddenBeta = {1, 0, -0.5f, 0.25f};

struct Forward {
  std::vector<float> out, mean, rstd;
};

struct Gradients {
  std::vector<float> input, gamma, beta;
};

// Some waves.
std::vector<float> Input() {
  std::vector<float> x(kCount);
  for (size_t i = 0; i < kCount; ++i) x[i] = 3 + 2 * std::sin(1.7f * static_cast<float>(i));
  return x;
}

Forward Normalize(const std::vector<float>& x, const std::vector<float>& gamma,
                  const std::vector<float>& beta, aclrtStream stream) {
  DeviceTensor self(ACL_FLOAT, kShape, x);
  DeviceTensor scale(ACL_FLOAT, {kChannels}, gamma);
  DeviceTensor shift(ACL_FLOAT, {kChannels}, beta);
  DeviceTensor out(ACL_FLOAT, kShape);
  DeviceTensor mean(ACL_FLOAT, kStatistics);
  DeviceTensor rstd(ACL_FLOAT, kStatistics);
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnGroupNormGetWorkspaceSize(self.get(), scale.get(), shift.get(), kBatch, kChannels,
                                       kArea, kGroups, kEps, out.get(), mean.get(), rstd.get(),
                                       &workspace_size, &executor),
        "aclnnGroupNormGetWorkspaceSize");
  RunAndWait("aclnnGroupNorm", aclnnGroupNorm, workspace_size, executor, stream);
  return {out.Download<float>(), mean.Download<float>(), rstd.Download<float>()};
}

Gradients Backward(const std::vector<float>& grad_out, const std::vector<float>& x,
                   const Forward& forward, const std::vector<float>& gamma, aclrtStream stream) {
  DeviceTensor dy(ACL_FLOAT, kShape, grad_out);
  DeviceTensor input(ACL_FLOAT, kShape, x);
  DeviceTensor mean(ACL_FLOAT, kStatistics, forward.mean);
  DeviceTensor rstd(ACL_FLOAT, kStatistics, forward.rstd);
  DeviceTensor scale(ACL_FLOAT, {kChannels}, gamma);
  DeviceTensor grad_input(ACL_FLOAT, kShape);
  DeviceTensor grad_gamma(ACL_FLOAT, {kChannels});
  DeviceTensor grad_beta(ACL_FLOAT, {kChannels});
  const bool all[] = {true, true, true};
  aclBoolArray* mask = aclCreateBoolArray(all, 3);
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnGroupNormBackwardGetWorkspaceSize(dy.get(), input.get(), mean.get(), rstd.get(),
                                               scale.get(), kBatch, kChannels, kArea, kGroups, mask,
                                               grad_input.get(), grad_gamma.get(), grad_beta.get(),
                                               &workspace_size, &executor),
        "aclnnGroupNormBackwardGetWorkspaceSize");
  RunAndWait("aclnnGroupNormBackward", aclnnGroupNormBackward, workspace_size, executor, stream);
  aclDestroyBoolArray(mask);
  return {grad_input.Download<float>(), grad_gamma.Download<float>(), grad_beta.Download<float>()};
}

// The mean of the squares of what is missing.
double Loss(const std::vector<float>& out, const std::vector<float>& target) {
  double sum = 0;
  for (size_t i = 0; i < kCount; ++i) sum += std::pow(out[i] - target[i], 2);
  return sum / kCount;
}

std::vector<float> LossGradient(const std::vector<float>& out, const std::vector<float>& target) {
  std::vector<float> gradient(kCount);
  for (size_t i = 0; i < kCount; ++i) gradient[i] = 2 * (out[i] - target[i]) / kCount;
  return gradient;
}

// How the loss changes with one element of the input, by two further runs of the layer.
double SlopeOf(size_t i, std::vector<float> x, const std::vector<float>& gamma,
               const std::vector<float>& beta, const std::vector<float>& target,
               aclrtStream stream) {
  constexpr float kStep = 0.01f;
  const float at = x[i];
  x[i] = at + kStep;
  const double above = Loss(Normalize(x, gamma, beta, stream).out, target);
  x[i] = at - kStep;
  const double below = Loss(Normalize(x, gamma, beta, stream).out, target);
  return (above - below) / (2 * kStep);
}

void Expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
  const Device device;
  const std::vector<float> x = Input();
  const std::vector<float> target = Normalize(x, kHiddenGamma, kHiddenBeta, device.stream()).out;
  std::vector<float> gamma(kChannels, 1), beta(kChannels, 0);

  std::printf("gradInput by the operator and by finite differences:\n");
  const Forward first = Normalize(x, gamma, beta, device.stream());
  const Gradients slopes =
      Backward(LossGradient(first.out, target), x, first, gamma, device.stream());
  for (size_t i = 0; i < kCount; i += 11) {
    const double slope = SlopeOf(i, x, gamma, beta, target, device.stream());
    std::printf("  [%2zu] %9.5f %9.5f\n", i, static_cast<double>(slopes.input[i]), slope);
    Expect(std::fabs(slopes.input[i] - slope) < 1e-4, "gradInput");
  }

  std::printf("\nstep      loss\n");
  double loss = 0;
  for (int step = 0; step <= 20; ++step) {
    const Forward forward = Normalize(x, gamma, beta, device.stream());
    loss = Loss(forward.out, target);
    if (step % 4 == 0) std::printf("%4d  %.6f\n", step, loss);
    const Gradients gradients =
        Backward(LossGradient(forward.out, target), x, forward, gamma, device.stream());
    for (int64_t c = 0; c < kChannels; ++c) {
      gamma[c] -= gradients.gamma[c];
      beta[c] -= gradients.beta[c];
    }
  }
  Expect(loss < 1e-6, "the loss after training");

  std::printf("\nchannel  gamma (hidden)      beta (hidden)\n");
  for (int64_t c = 0; c < kChannels; ++c) {
    std::printf("%7d  %6.3f (%6.3f)   %7.3f (%6.3f)\n", static_cast<int>(c),
                static_cast<double>(gamma[c]), static_cast<double>(kHiddenGamma[c]),
                static_cast<double>(beta[c]), static_cast<double>(kHiddenBeta[c]));
    Expect(std::fabs(gamma[c] - kHiddenGamma[c]) < 0.01f, "gamma");
    Expect(std::fabs(beta[c] - kHiddenBeta[c]) < 0.01f, "beta");
  }
  return EXIT_SUCCESS;
}
