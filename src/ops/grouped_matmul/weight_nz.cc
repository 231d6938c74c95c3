// SPDX-License-Identifier: Apache-2.0
// anyaclPackWeightNz and anyaclUnpackWeightNz: copies between rows and panels.
#include "anyacl/weight_nz.h"

#include <algorithm>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "base/shape.h"
#include "gemm/kernel_list.h"
#include "runtime/parallel.h"

namespace anyacl::grouped_matmul {
namespace {

using gemm::kPanelBytes;

struct Matrices {
  int64_t experts;
  int64_t k;
  int64_t row_bytes;  // of an ND row

  int64_t panels() const { return row_bytes / kPanelBytes; }
};

Status Check(const void* from, const char* from_name, const void* to, const char* to_name,
             int64_t experts, int64_t k, int64_t n, aclDataType dtype, Matrices* matrices) {
  if (from == nullptr || to == nullptr) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is null, expected an address",
                from == nullptr ? from_name : to_name);
  }
  if (dtype != ACL_INT8 && dtype != ACL_INT4 && dtype != ACL_INT32) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "dtype = {}, expected INT8, INT4 or INT32", NameOf(dtype));
  }
  const int64_t width = gemm::PanelColumns(dtype == ACL_INT8 ? Element::kInt8 : Element::kInt4);
  const auto positive = [](const char* name, int64_t value, int64_t unit) -> Status {
    if (value >= 0 && value % unit == 0) return {};
    return Fail(ACLNN_ERR_PARAM_INVALID, "{} = {}, expected a multiple of {}, and 0 or more", name,
                value, unit);
  };
  if (Status s = positive("experts", experts, 1); !s.ok()) return s;
  if (Status s = positive("k", k, 16); !s.ok()) return s;
  if (Status s = positive("n", n, width); !s.ok()) return s;
  if (!ElementCount({experts, k, n})) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "experts * k * n = {} * {} * {}, expected less than 2^63 weights", experts, k, n);
  }
  *matrices = {experts, k, n / width * kPanelBytes};
  const auto distance = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from);
  const auto bytes = static_cast<uintptr_t>(experts * k * matrices->row_bytes);
  if (distance < bytes || uintptr_t{0} - distance < bytes) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "{} and {} overlap, expected {} bytes each of their own",
                from_name, to_name, bytes);
  }
  return {};
}

// Calls copy(byte within the rows, byte within the panels) for every 32 bytes. Sixteen rows at a
// time: what they have of one panel lies together, so whole lines are written, and read again soon
// for the next panel.
template <class Copy>
void ForRows(const Matrices& m, Copy copy) {
  constexpr int64_t kRows = 16;
  const int64_t blocks = m.k / kRows;
  // 256 KiB of copies take about 20 us.
  const int64_t grain = std::max<int64_t>(1, (int64_t{256} << 10) / (kRows * m.row_bytes + 1));
  ParallelFor(m.experts * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t rows = block * kRows * m.row_bytes;
      const int64_t expert = block / blocks * m.k * m.row_bytes;
      const int64_t first = block % blocks * kRows * kPanelBytes;
      for (int64_t panel = 0; panel < m.panels(); ++panel) {
        const int64_t at = expert + panel * m.k * kPanelBytes + first;
        for (int64_t row = 0; row < kRows; ++row) {
          copy(rows + row * m.row_bytes + panel * kPanelBytes, at + row * kPanelBytes);
        }
      }
    }
  });
}

}  // namespace
}  // namespace anyacl::grouped_matmul

using namespace anyacl;
using namespace anyacl::grouped_matmul;

extern "C" {

aclnnStatus anyaclPackWeightNz(const void* nd, void* nz, int64_t experts, int64_t k, int64_t n,
                               aclDataType dtype) {
  return Entry("anyaclPackWeightNz", [&]() -> Status {
    Matrices matrices{};
    if (Status s = Check(nd, "nd", nz, "nz", experts, k, n, dtype, &matrices); !s.ok()) return s;
    const auto* from = static_cast<const char*>(nd);
    auto* to = static_cast<char*>(nz);
    ForRows(matrices,
            [=](int64_t row, int64_t panel) { std::memcpy(to + panel, from + row, kPanelBytes); });
    return {};
  });
}

aclnnStatus anyaclUnpackWeightNz(const void* nz, void* nd, int64_t experts, int64_t k, int64_t n,
                                 aclDataType dtype) {
  return Entry("anyaclUnpackWeightNz", [&]() -> Status {
    Matrices matrices{};
    if (Status s = Check(nz, "nz", nd, "nd", experts, k, n, dtype, &matrices); !s.ok()) return s;
    const auto* from = static_cast<const char*>(nz);
    auto* to = static_cast<char*>(nd);
    ForRows(matrices,
            [=](int64_t row, int64_t panel) { std::memcpy(to + row, from + panel, kPanelBytes); });
    return {};
  });
}
}
