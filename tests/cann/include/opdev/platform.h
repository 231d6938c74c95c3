// SPDX-License-Identifier: Apache-2.0
// The chip that a unit test asks for. anyacl answers as Atlas A2 and A3 (NpuArch 2201) do.
#pragma once

#include <cstdint>
#include <ostream>

// The guard of the header that has it in CANN.
#define __SOC_SPEC_H__
enum class NpuArch : uint32_t {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3102 = 3102,
  DAV_3510 = 3510,
  DAV_5102 = 5102,
  DAV_RESV = 0xFFFF
};

namespace op {

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND910_93,
  ASCEND950,
  ASCEND910_95 = ASCEND950,
  ASCEND910E,
  ASCEND310,
  ASCEND310P,
  ASCEND310B,
  ASCEND310C,
  ASCEND610LITE,
  RESERVED_VERSION = 99999
};

inline std::ostream& operator<<(std::ostream& out, SocVersion version) {
  return out << static_cast<int>(version);
}

inline SocVersion soc = SocVersion::ASCEND910B;
inline NpuArch arch = NpuArch::DAV_RESV;  // that of the chip, unless a test sets another

inline NpuArch CurrentArch() {
  if (arch != NpuArch::DAV_RESV) return arch;
  switch (soc) {
    case SocVersion::ASCEND910B:
    case SocVersion::ASCEND910_93:
      return NpuArch::DAV_2201;
    case SocVersion::ASCEND950:
      return NpuArch::DAV_3510;
    case SocVersion::ASCEND310P:
      return NpuArch::DAV_2002;
    default:
      return NpuArch::DAV_1001;
  }
}
inline bool IsThisGeneration() {
  return CurrentArch() == NpuArch::DAV_2201 &&
         (soc == SocVersion::ASCEND910B || soc == SocVersion::ASCEND910_93);
}

struct PlatformInfo {
  SocVersion GetSocVersion() const { return soc; }
  NpuArch GetCurNpuArch() const { return CurrentArch(); }
};
inline PlatformInfo platform_info;
inline const PlatformInfo& GetCurrentPlatformInfo() { return platform_info; }
inline void SetPlatformSocVersion(SocVersion version) { soc = version; }
inline void SetPlatformNpuArch(NpuArch npu_arch) { arch = npu_arch; }

class SocVersionManager {
 public:
  explicit SocVersionManager(SocVersion version) : before_(soc) { soc = version; }
  ~SocVersionManager() { soc = before_; }

 private:
  SocVersion before_;
};
class NpuArchManager {
 public:
  explicit NpuArchManager(NpuArch npu_arch) : before_(arch) { arch = npu_arch; }
  ~NpuArchManager() { arch = before_; }

 private:
  NpuArch before_;
};

}  // namespace op
