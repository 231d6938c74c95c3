// SPDX-License-Identifier: Apache-2.0
// HcclGetErrorString: the texts that HCOMM gives, which programs print.
#include <array>

#include "hccl/hccl_comm.h"

namespace {

// By code, from HCCL_SUCCESS.
constexpr std::array<const char*, HCCL_E_OOM + 1> kTexts = {
    "no error",
    "parameter error",
    "empty pointer",
    "memory error",
    "internal error",
    "not support feature",
    "not found specific resource",
    "resource unavailable",
    "call system interface error",
    "timeout",
    "open file fail",
    "tcp connect fail",
    "roce connect fail",
    "tcp transfer fail",
    "roce transfer fail",
    "call runtime api fail",
    "call driver api fail",
    "call profiling api fail",
    "call cce api fail",
    "call network api fail",
    "try again",
    "error cqe",
    "error communicator suspending",
    "retry constraint",
    "out of memory",
};
static_assert(kTexts.back() != nullptr);

}  // namespace

extern "C" const char* HcclGetErrorString(HcclResult code) {
  const int number = code;
  if (number < HCCL_SUCCESS || number >= HCCL_E_RESERVED) return "unknown error";
  // A code without a text, such as HCCL_E_IN_STATUS.
  if (number > HCCL_E_OOM) return "unknown err";
  return kTexts[static_cast<size_t>(number)];
}
