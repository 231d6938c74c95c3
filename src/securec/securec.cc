// SPDX-License-Identifier: Apache-2.0
// libc_sec: functions on memory and strings with the destination's size.
#include "securec.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace anyacl {
namespace {

// Whether `size` bytes at each address have one in common.
bool Overlap(const void* a, const void* b, size_t size) {
  const auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  const uintptr_t distance = first < second ? second - first : first - second;
  return distance != 0 && distance < size;
}

errno_t ResetMemory(void* dest, size_t size, errno_t code) {
  std::memset(dest, 0, size);
  return code;
}

errno_t ResetString(char* dest, errno_t code) {
  dest[0] = '\0';
  return code;
}

errno_t CheckMemory(void* dest, size_t size, const void* source, size_t count) {
  if (size == 0 || size > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (dest == nullptr) return EINVAL;
  if (source == nullptr) return ResetMemory(dest, size, EINVAL_AND_RESET);
  if (count > size) return ResetMemory(dest, size, ERANGE_AND_RESET);
  return EOK;
}

errno_t CheckStrings(char* dest, size_t size, const char* source) {
  if (size == 0 || size > SECUREC_STRING_MAX_LEN) return ERANGE;
  if (dest == nullptr) return EINVAL;
  if (source == nullptr) return ResetString(dest, EINVAL_AND_RESET);
  return EOK;
}

// Appends at most `limit` characters.
errno_t Append(char* dest, size_t size, const char* source, size_t limit) {
  const size_t before = strnlen(dest, size);
  const size_t added = strnlen(source, limit);
  const bool ahead = dest < source;
  const bool overlap = ahead ? before + added >= static_cast<size_t>(source - dest)
                             : dest > source && added >= static_cast<size_t>(dest - source);
  // Without an end of the destination there is nothing to append to.
  const bool endless = before == size;
  if (overlap && !(ahead && endless && before <= static_cast<size_t>(source - dest))) {
    return ResetString(dest, EOVERLAP_AND_RESET);
  }
  if (endless) return ResetString(dest, EINVAL_AND_RESET);
  if (before + added >= size || dest == source) return ResetString(dest, ERANGE_AND_RESET);
  std::memcpy(dest + before, source, added);
  dest[before + added] = '\0';
  return EOK;
}

// %n writes to memory that nobody has given the size of.
bool WritesBack(const char* format) {
  for (const char* at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
    at += 1 + std::strspn(at + 1, "-+ #0'123456789.*$hlLqjzt");
    if (*at == 'n') return true;
    if (*at != '\0') ++at;
  }
  return false;
}

enum class Outcome { kWhole, kCut, kFailed };

Outcome Print(char* dest, size_t room, const char* format, va_list arguments, int* length) {
  if (WritesBack(format)) return Outcome::kFailed;
  *length = std::vsnprintf(dest, room, format, arguments);
  if (*length < 0) return Outcome::kFailed;
  return static_cast<size_t>(*length) < room ? Outcome::kWhole : Outcome::kCut;
}

bool CheckPrint(char* dest, size_t size, const char* format) {
  if (dest == nullptr || size == 0 || size > SECUREC_STRING_MAX_LEN) return false;
  if (format != nullptr) return true;
  dest[0] = '\0';
  return false;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

const char* GetHwSecureCVersion(unsigned short* verNumber) {
  if (verNumber != nullptr) *verNumber = 0x510;
  return "anyacl, as libboundscheck 1.1.16";
}

errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (dest == nullptr) return EINVAL;
  std::memset(dest, c, count < destMax ? count : destMax);
  return count <= destMax ? EOK : ERANGE_AND_RESET;
}

errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  if (const errno_t code = CheckMemory(dest, destMax, src, count); code != EOK) return code;
  if (Overlap(dest, src, count)) return ResetMemory(dest, destMax, EOVERLAP_AND_RESET);
  std::memmove(dest, src, count);
  return EOK;
}

errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
  if (const errno_t code = CheckMemory(dest, destMax, src, count); code != EOK) return code;
  std::memmove(dest, src, count);
  return EOK;
}

errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc) {
  if (const errno_t code = CheckStrings(strDest, destMax, strSrc); code != EOK) return code;
  const size_t length = strnlen(strSrc, destMax);
  if (length == destMax) return ResetString(strDest, ERANGE_AND_RESET);
  if (Overlap(strDest, strSrc, length + 1)) return ResetString(strDest, EOVERLAP_AND_RESET);
  std::memmove(strDest, strSrc, length + 1);
  return EOK;
}

errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  if (const errno_t code = CheckStrings(strDest, destMax, strSrc); code != EOK) return code;
  if (count > SECUREC_STRING_MAX_LEN) return ResetString(strDest, ERANGE_AND_RESET);
  if (count == 0) return ResetString(strDest, EOK);
  const size_t length = strnlen(strSrc, count < destMax ? count : destMax);
  if (length == destMax) return ResetString(strDest, ERANGE_AND_RESET);
  if (Overlap(strDest, strSrc, length + 1)) return ResetString(strDest, EOVERLAP_AND_RESET);
  std::memmove(strDest, strSrc, length);
  strDest[length] = '\0';
  return EOK;
}

errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc) {
  if (const errno_t code = CheckStrings(strDest, destMax, strSrc); code != EOK) return code;
  // More than there is room for need not be looked at.
  return Append(strDest, destMax, strSrc, destMax - strnlen(strDest, destMax));
}

errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  if (const errno_t code = CheckStrings(strDest, destMax, strSrc); code != EOK) return code;
  if (count > SECUREC_STRING_MAX_LEN) return ResetString(strDest, ERANGE_AND_RESET);
  return Append(strDest, destMax, strSrc, count);
}

int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList) {
  if (!CheckPrint(strDest, destMax, format)) return -1;
  int length = 0;
  if (Print(strDest, destMax, format, argList, &length) == Outcome::kWhole) return length;
  strDest[0] = '\0';
  return -1;
}

int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list argList) {
  if (!CheckPrint(strDest, destMax, format)) return -1;
  if (count > SECUREC_STRING_MAX_LEN - 1) {
    strDest[0] = '\0';
    return -1;
  }
  const bool counted = count < destMax;
  int length = 0;
  const Outcome outcome = Print(strDest, counted ? count + 1 : destMax, format, argList, &length);
  if (outcome == Outcome::kWhole) return length;
  if (outcome == Outcome::kFailed || !counted) strDest[0] = '\0';
  return -1;
}

int vsnprintf_truncated_s(char* strDest, size_t destMax, const char* format, va_list argList) {
  if (!CheckPrint(strDest, destMax, format)) return -1;
  int length = 0;
  const Outcome outcome = Print(strDest, destMax, format, argList, &length);
  if (outcome == Outcome::kWhole) return length;
  if (outcome == Outcome::kCut) return static_cast<int>(destMax - 1);
  strDest[0] = '\0';
  return -1;
}

int sprintf_s(char* strDest, size_t destMax, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vsprintf_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return result;
}

int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vsnprintf_s(strDest, destMax, count, format, arguments);
  va_end(arguments);
  return result;
}

int snprintf_truncated_s(char* strDest, size_t destMax, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vsnprintf_truncated_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return result;
}

char* strtok_s(char* strToken, const char* strDelimit, char** context) {
  if (context == nullptr || strDelimit == nullptr) return nullptr;
  char* token = strToken != nullptr ? strToken : *context;
  if (token == nullptr) return nullptr;
  token += std::strspn(token, strDelimit);
  char* end = token + std::strcspn(token, strDelimit);
  *context = end;
  if (end == token) return nullptr;
  if (*end != '\0') {
    *end = '\0';
    ++*context;
  }
  return token;
}
}
