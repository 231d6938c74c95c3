// SPDX-License-Identifier: Apache-2.0
// The limits of the machine: memory and cache rates, arithmetic peaks. Memory rates change by a
// factor of two within minutes where neighbours share the machine, so operators are compared with
// a copy that runs right before and after them.
#pragma once

#include <cstddef>

namespace anyacl::bench {

// One benchmark per limit, for one thread and for all of BenchThreads().
void RegisterCeilings();

// The bytes per second, read and written, of a copy on all threads in memory far larger than the
// caches, without reading what it overwrites (where the CPU can do that).
double MemoryCopyRate();

// The same for three streams: two arrays read, one written.
double MemoryTriadRate();

// The bytes per second of a read loop on all threads within `footprint` bytes, read before.
double CacheReadRate(size_t footprint);

// The same for two arrays read twice and one written: each piece of `piece` bytes of an array is
// read, then read again, from its end, and its result written (past the caches, if that is faster).
// Every byte counts once; `footprint` is of all three arrays.
double TwoPassRate(size_t piece, size_t footprint);

// The same for a copy within `footprint` bytes, source and target together, that has run before.
double CacheCopyRate(size_t footprint);

// The bytes per second that all threads read from such memory.
double MemoryReadRate();

// The operations per second of int8 dot products on all threads, with the best instruction of the
// tier that ANYACL_ISA names.
double Int8DotRate();

// The operations per second of a peak of compute_peaks.h on all threads; 0 if the CPU has none of
// that name.
double ComputePeakRate(const char* name);

}  // namespace anyacl::bench
