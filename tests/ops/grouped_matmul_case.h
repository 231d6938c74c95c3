// SPDX-License-Identifier: Apache-2.0
// One call of GroupedMatmulSwigluQuant as a test sees it: logical values, the way the weights are
// stored, layouts that can be changed, the tensors made of them, the results compared with the
// oracle.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"
#include "reference/grouped_matmul.h"
#include "support/device_test.h"

namespace anyacl::test {

// How the weights are stored.
enum class Storage { kInt8Nz, kInt4Nd, kInt4Nz, kInt32Nd, kInt32Nz };
inline const std::vector<Storage> kAllStorages = {
    Storage::kInt8Nz, Storage::kInt4Nd, Storage::kInt4Nz, Storage::kInt32Nd, Storage::kInt32Nz};
inline const std::vector<Storage> kInt4Storages = {Storage::kInt4Nd, Storage::kInt4Nz,
                                                   Storage::kInt32Nd, Storage::kInt32Nz};
const char* NameOf(Storage storage);
bool IsInt4(Storage storage);
bool IsNz(Storage storage);

struct GroupedProblem {
  GroupedMatmulInput in;
  Storage storage = Storage::kInt8Nz;
  aclDataType scale_type = ACL_FLOAT;  // INT4: ACL_UINT64 or ACL_INT64
  bool scale_has_groups = false;       // [E, G, N]; necessarily so for G > 1
  uint64_t scale_upper = 0;            // upper halves of 64-bit scales
};

// Sizes of a problem. Bounds that are not given are drawn.
struct Sizes {
  int64_t m = 1, k = 16, n = 64, e = 1, g = 1;
  std::vector<int64_t> bounds = {};
};

// Values as quantised networks have them, with the auxiliary matrix as bias.
GroupedProblem RandomProblem(Storage storage, const Sizes& sizes, Random& random);

struct GroupedLayouts {
  Layout x, weight, bias, scale, x_scale, group_list, q, q_scale;
};
GroupedLayouts LayoutsOf(const GroupedProblem& problem);

struct GroupedTensors {
  Tensor x, weight;
  std::optional<Tensor> bias;
  Tensor scale, x_scale, group_list, q, q_scale;

  Phase1 Plain() const;
  Phase1 WeightNz() const;
  bool GuardsIntact() const;
};
GroupedTensors MakeTensors(const GroupedProblem& problem, const GroupedLayouts& layouts);
inline GroupedTensors MakeTensors(const GroupedProblem& problem) {
  return MakeTensors(problem, LayoutsOf(problem));
}

// The weights in the order of the storage's dimensions; INT4 one per element, INT32 eight.
std::vector<int8_t> StoredInt8(const GroupedProblem& problem);
std::vector<int32_t> StoredInt32(const GroupedProblem& problem);

struct GroupedOutput {
  std::vector<int8_t> q;
  std::vector<float> scale;
  friend bool operator==(const GroupedOutput& a, const GroupedOutput& b);
};

class GroupedMatmulTest : public DeviceTest {
 protected:
  // Runs both phases and checks that only rows below the last bound were written.
  GroupedOutput Run(const GroupedProblem& problem, const GroupedLayouts& layouts);
  GroupedOutput Run(const GroupedProblem& problem) { return Run(problem, LayoutsOf(problem)); }

  void ExpectMatchesReference(const GroupedProblem& problem, const GroupedLayouts& layouts);
  void ExpectMatchesReference(const GroupedProblem& problem) {
    ExpectMatchesReference(problem, LayoutsOf(problem));
  }
};

}  // namespace anyacl::test
