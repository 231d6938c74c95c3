// SPDX-License-Identifier: Apache-2.0
// A function by its name and address.
#ifndef ANYACL_TESTS_ABI_HEADER_C99_H
#define ANYACL_TESTS_ABI_HEADER_C99_H

#include <stddef.h>

typedef void (*Function)(void);

typedef struct Entry {
  const char* name;
  Function address;
} Entry;

#define ENTRY(function) \
  { #function, (Function)(function) }

extern const Entry kLibraryEntries[];
extern const size_t kLibraryEntryCount;

#endif
