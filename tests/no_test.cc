// SPDX-License-Identifier: Apache-2.0
// The program that owns the headers that tests have precompiled.

int main() { return 0; }
