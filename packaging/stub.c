// SPDX-License-Identifier: Apache-2.0
// An empty library, for names that build lines of CANN programs link and nothing is called from.
extern int anyacl_stub_is_empty;  // ISO C wants at least one declaration in a file.
