// SPDX-License-Identifier: Apache-2.0
#include "base/dtype.h"

#include <array>
#include <vector>

#include "base/element.h"
#include "base/format.h"

namespace anyacl {
namespace {

struct DTypeRow {
  aclDataType dtype;
  const char* name;
  int bits;
  Element element = Element::kNone;
};

constexpr DTypeRow kDTypes[] = {
    {ACL_FLOAT, "FLOAT", 32, Element::kFp32},
    {ACL_FLOAT16, "FLOAT16", 16, Element::kFp16},
    {ACL_INT8, "INT8", 8, Element::kInt8},
    {ACL_INT32, "INT32", 32, Element::kInt32},
    {ACL_UINT8, "UINT8", 8, Element::kUint8},
    {ACL_INT16, "INT16", 16, Element::kInt16},
    {ACL_UINT16, "UINT16", 16, Element::kUint16},
    {ACL_UINT32, "UINT32", 32, Element::kUint32},
    {ACL_INT64, "INT64", 64, Element::kInt64},
    {ACL_UINT64, "UINT64", 64, Element::kUint64},
    {ACL_DOUBLE, "DOUBLE", 64, Element::kFp64},
    {ACL_BOOL, "BOOL", 8, Element::kBool},
    {ACL_STRING, "STRING", 0},
    {ACL_COMPLEX64, "COMPLEX64", 64},
    {ACL_COMPLEX128, "COMPLEX128", 128},
    {ACL_BF16, "BF16", 16, Element::kBf16},
    {ACL_INT4, "INT4", 4, Element::kInt4},
    {ACL_UINT1, "UINT1", 1},
    {ACL_COMPLEX32, "COMPLEX32", 32},
    {ACL_HIFLOAT8, "HIFLOAT8", 8},
    {ACL_FLOAT8_E5M2, "FLOAT8_E5M2", 8},
    {ACL_FLOAT8_E4M3FN, "FLOAT8_E4M3FN", 8},
    {ACL_FLOAT8_E8M0, "FLOAT8_E8M0", 8},
    {ACL_FLOAT6_E3M2, "FLOAT6_E3M2", 6},
    {ACL_FLOAT6_E2M3, "FLOAT6_E2M3", 6},
    {ACL_FLOAT4_E2M1, "FLOAT4_E2M1", 4},
    {ACL_FLOAT4_E1M2, "FLOAT4_E1M2", 4},
};

// By data type: kernels are looked up for each tile of elements.
constexpr auto kDTypesByNumber = [] {
  std::array<DTypeRow, 64> rows = {};
  for (const DTypeRow& row : kDTypes) rows[row.dtype] = row;
  return rows;
}();

// Without a name if there is no such type.
const DTypeRow& RowOf(aclDataType dtype) {
  static constexpr DTypeRow kUnknown = {};
  const auto number = static_cast<unsigned>(dtype);
  return number < kDTypesByNumber.size() ? kDTypesByNumber[number] : kUnknown;
}

struct FormatRow {
  aclFormat format;
  const char* name;
  bool plain;
};

constexpr FormatRow kFormats[] = {
    {ACL_FORMAT_UNDEFINED, "UNDEFINED", false},
    {ACL_FORMAT_NCHW, "NCHW", true},
    {ACL_FORMAT_NHWC, "NHWC", true},
    {ACL_FORMAT_ND, "ND", true},
    {ACL_FORMAT_NC1HWC0, "NC1HWC0", false},
    {ACL_FORMAT_FRACTAL_Z, "FRACTAL_Z", false},
    {ACL_FORMAT_NC1HWC0_C04, "NC1HWC0_C04", false},
    {ACL_FORMAT_HWCN, "HWCN", true},
    {ACL_FORMAT_NDHWC, "NDHWC", true},
    {ACL_FORMAT_FRACTAL_NZ, "FRACTAL_NZ", false},
    {ACL_FORMAT_NCDHW, "NCDHW", true},
    {ACL_FORMAT_NDC1HWC0, "NDC1HWC0", false},
    {ACL_FRACTAL_Z_3D, "FRACTAL_Z_3D", false},
    {ACL_FORMAT_NC, "NC", true},
    {ACL_FORMAT_NCL, "NCL", true},
    {ACL_FORMAT_FRACTAL_NZ_C0_16, "FRACTAL_NZ_C0_16", false},
    {ACL_FORMAT_FRACTAL_NZ_C0_32, "FRACTAL_NZ_C0_32", false},
    {ACL_FORMAT_FRACTAL_NZ_C0_2, "FRACTAL_NZ_C0_2", false},
    {ACL_FORMAT_FRACTAL_NZ_C0_4, "FRACTAL_NZ_C0_4", false},
    {ACL_FORMAT_FRACTAL_NZ_C0_8, "FRACTAL_NZ_C0_8", false},
};

}  // namespace

int BitsOf(aclDataType dtype) { return RowOf(dtype).bits; }

Element ElementOf(aclDataType dtype) { return RowOf(dtype).element; }

std::string NameOf(aclDataType dtype) {
  const char* name = RowOf(dtype).name;
  return name != nullptr ? name : Format("dtype {}", static_cast<int>(dtype));
}

std::string NameOf(aclFormat format) {
  for (const FormatRow& row : kFormats) {
    if (row.format == format) return row.name;
  }
  return Format("format {}", static_cast<int>(format));
}

bool IsPlainFormat(aclFormat format) {
  for (const FormatRow& row : kFormats) {
    if (row.format == format) return row.plain;
  }
  return false;
}

std::string DTypeSet::ToString(std::string_view last_separator) const {
  std::vector<const char*> names;
  for (const DTypeRow& row : kDTypes) {
    if (Contains(row.dtype)) names.push_back(row.name);
  }
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last_separator : std::string_view(", ");
    text += names[i];
  }
  return text;
}

}  // namespace anyacl
