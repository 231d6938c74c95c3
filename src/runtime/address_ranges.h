// SPDX-License-Identifier: Apache-2.0
// A set of addresses as ranges that touch nowhere: a memory pool that grows by thousands of
// adjoining mappings is one range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace anyacl {

class AddressRanges {
 public:
  struct Range {
    uintptr_t begin;
    uintptr_t end;
  };

  // No address of the new range may be in the set already.
  void Add(Range range) {
    auto next = by_begin_.lower_bound(range.begin);
    if (next != by_begin_.end() && next->first == range.end) {
      range.end = next->second;
      next = by_begin_.erase(next);
    }
    if (next != by_begin_.begin() && std::prev(next)->second == range.begin) {
      std::prev(next)->second = range.end;
    } else {
      by_begin_.emplace_hint(next, range.begin, range.end);
    }
  }

  // The addresses must be in the set.
  void Remove(Range range) {
    const auto around = std::prev(by_begin_.upper_bound(range.begin));
    const uintptr_t end = around->second;
    if (around->first == range.begin) {
      by_begin_.erase(around);
    } else {
      around->second = range.begin;
    }
    if (range.end != end) by_begin_.emplace(range.end, end);
  }

  // The range that contains the address.
  std::optional<Range> Find(uintptr_t address) const {
    auto next = by_begin_.upper_bound(address);
    if (next == by_begin_.begin() || std::prev(next)->second <= address) return std::nullopt;
    --next;
    return Range{next->first, next->second};
  }

  size_t count() const { return by_begin_.size(); }

 private:
  std::map<uintptr_t, uintptr_t> by_begin_;  // to the end
};

}  // namespace anyacl
