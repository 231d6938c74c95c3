// SPDX-License-Identifier: Apache-2.0
// Functions on memory and strings that are told how large the destination is (libc_sec), with the
// names and codes of openEuler's libboundscheck, which CANN brings along. Not here: the scanf_s
// family, gets_s and the functions on wide characters.
//
// destMax is the size of the destination in bytes, 1 to 2^31 - 1. What is wrong is returned, the
// worst first: ERANGE if destMax is not in that range, EINVAL if an address is null, else a code
// *_AND_RESET, which says that the destination was made empty (strings) or zero (memory).
#ifndef ANYACL_SECUREC_H_
#define ANYACL_SECUREC_H_

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SECUREC_DEFINED_ERRNO_TYPE
#define SECUREC_DEFINED_ERRNO_TYPE
typedef int errno_t;
#endif

#ifndef EOK
#define EOK 0
#endif

#define EINVAL_AND_RESET 150    // A null source; the destination was reset.
#define ERANGE_AND_RESET 162    // The destination is too small; it was reset.
#define EOVERLAP_AND_RESET 182  // Source and destination overlap; the destination was reset.

#define SECUREC_STRING_MAX_LEN 0x7fffffffUL
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL

#if defined(__GNUC__)
#define SECUREC_ATTRIBUTE(format_index, arguments) \
  __attribute__((format(printf, format_index, arguments)))
#pragma GCC visibility push(default)
#else
#define SECUREC_ATTRIBUTE(format_index, arguments)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A text that names the version of libboundscheck whose codes these are, and its number unless
// verNumber is null.
const char* GetHwSecureCVersion(unsigned short* verNumber);

// count bytes become c. If count is larger than destMax, the whole destination does
// (ERANGE_AND_RESET).
errno_t memset_s(void* dest, size_t destMax, int c, size_t count);

// A destination that is the source is no overlap. memmove_s allows any.
errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count);
errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count);

// The strings end with 0, which needs room as well. At most count characters of the source are
// taken; a count above 2^31 - 1 is out of range (ERANGE_AND_RESET). A destination without an end is
// EINVAL_AND_RESET.
errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc);
errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count);
errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc);
errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count);

// The number of characters, or -1 with an empty destination if an argument is wrong, the text does
// not fit or the format has %n. snprintf_s also returns -1 for a text of more than count
// characters, whose beginning it leaves if that fits. The truncated ones return destMax - 1 for
// what they cut.
int sprintf_s(char* strDest, size_t destMax, const char* format, ...) SECUREC_ATTRIBUTE(3, 4);
int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList)
    SECUREC_ATTRIBUTE(3, 0);
int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...)
    SECUREC_ATTRIBUTE(4, 5);
int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list argList)
    SECUREC_ATTRIBUTE(4, 0);
int snprintf_truncated_s(char* strDest, size_t destMax, const char* format, ...)
    SECUREC_ATTRIBUTE(3, 4);
int vsnprintf_truncated_s(char* strDest, size_t destMax, const char* format, va_list argList)
    SECUREC_ATTRIBUTE(3, 0);

// The next token of strToken, or with null of what *context points to; null at the end or if there
// is nothing to look at.
char* strtok_s(char* strToken, const char* strDelimit, char** context);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif  // ANYACL_SECUREC_H_
