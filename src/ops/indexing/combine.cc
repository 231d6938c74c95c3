// SPDX-License-Identifier: Apache-2.0
// What scattering does to single elements.
#include <algorithm>
#include <type_traits>

#include "base/dtype.h"
#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/indexing/scatter_rows.h"

namespace anyacl::indexing {
namespace {

// Sums are "or", products are "and".
struct Truth {
  uint8_t byte;

  friend Truth operator+(Truth a, Truth b) {
    return {static_cast<uint8_t>(a.byte != 0 || b.byte != 0)};
  }
  friend Truth operator*(Truth a, Truth b) {
    return {static_cast<uint8_t>(a.byte != 0 && b.byte != 0)};
  }
};

template <class T>
struct Complex {
  T real, imaginary;

  friend Complex operator+(Complex a, Complex b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
  friend Complex operator*(Complex a, Complex b) {
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
  }
};

template <class T, Reduce kReduce>
T Combined(T a, T b) {
  if constexpr (kReduce == Reduce::kAssign) {
    return b;
  } else if constexpr (kReduce == Reduce::kAdd) {
    return static_cast<T>(a + b);
  } else {
    return static_cast<T>(a * b);
  }
}

// Runs of at least so many elements are worth the call of an element-wise kernel.
constexpr int64_t kLongRun = 16;

// to[i] = to[i] + from[i], or their product.
template <Reduce kReduce>
void CombineBlock(Element form, void* to, const void* from, int64_t n) {
  using elementwise::Op;
  blocks::Rows(n, form)(kReduce == Reduce::kAdd ? Op::kAdd : Op::kMul, to, to, from);
}

template <class T, Reduce kReduce>
void CombineRun(const Rows& rows, char* to, const char* from, const T* factor) {
  constexpr bool kReads = kReduce != Reduce::kAssign;
  const auto each = [&](int64_t to_step, int64_t from_step, const auto& value) {
    for (int64_t i = 0; i < rows.n; ++i) {
      char* const at = to + i * to_step;
      const T was = kReads ? LoadElement<T>(at) : T();
      StoreElement(at, Combined<T, kReduce>(was, value(from + i * from_step)));
    }
  };
  const auto plain = [](const char* at) { return LoadElement<T>(at); };
  const auto scaled = [factor](const char* at) {
    return static_cast<T>(LoadElement<T>(at) * *factor);
  };
  constexpr int64_t kSize = sizeof(T);
  const bool dense = rows.target_step == kSize && rows.plain_step == kSize;
  if constexpr (std::is_same_v<T, float> && kReads) {
    if (dense && factor == nullptr && rows.n >= kLongRun) {
      return CombineBlock<kReduce>(Element::kFp32, to, from, rows.n);
    }
  }
  if (factor != nullptr) {
    dense ? each(kSize, kSize, scaled) : each(rows.target_step, rows.plain_step, scaled);
  } else {
    dense ? each(kSize, kSize, plain) : each(rows.target_step, rows.plain_step, plain);
  }
}

template <class T, Reduce kReduce>
void CombineRows(const Rows& rows) {
  T factor{};
  if (rows.factor != nullptr) factor = LoadElement<T>(rows.factor);
  const T* const scale = rows.factor == nullptr ? nullptr : &factor;
  const bool run = kReduce == Reduce::kAssign && rows.target_step == int64_t{sizeof(T)} &&
                   rows.plain_step == int64_t{sizeof(T)} && scale == nullptr;
  constexpr int64_t kSoon = 2;
  const bool asks = rows.n > 1 && rows.target_step == int64_t{sizeof(T)};
  for (int64_t j = 0; j < rows.count; ++j) {
    if (asks && j + kSoon < rows.count) {
      const int64_t soon = rows.offsets[j + kSoon];
      if (soon >= rows.low && soon <= rows.high) {
        AskForRun(rows.target + soon, rows.n * rows.target_step);
      }
    }
    if (rows.offsets[j] < rows.low || rows.offsets[j] > rows.high) continue;
    char* const to = rows.target + rows.offsets[j];
    const char* const from = rows.plain + j * rows.step;
    if (rows.n == 1 && scale == nullptr) {
      StoreElement(to, Combined<T, kReduce>(LoadElement<T>(to), LoadElement<T>(from)));
    } else if (run) {
      CopyRun(to, from, rows.n * int64_t{sizeof(T)});
    } else {
      CombineRun<T, kReduce>(rows, to, from, scale);
    }
  }
}

template <class T, Reduce kReduce>
void Combine(char* to, T value) {
  const T was = kReduce == Reduce::kAssign ? T() : LoadElement<T>(to);
  StoreElement(to, Combined<T, kReduce>(was, value));
}

template <class T, Reduce kReduce>
void CombineSingles(const Singles& x) {
  for (int64_t i = 0; i < x.count; ++i) {
    Combine<T, kReduce>(x.target + x.offsets[i], LoadElement<T>(x.plain + i * x.step));
  }
}

template <class T>
struct Placed {
  uint32_t at;
  T value;
};

template <class T>
void Place(const PlacedRun& run) {
  const int64_t mask = (int64_t{1} << run.shift) - 1;
  const int64_t low = run.low, step = run.step;
  const int shift = run.shift, scale = run.scale;
  const char* from = run.plain;
  uint32_t* const next = run.next;
  auto* const placed = reinterpret_cast<Placed<T>*>(run.placed);
  for (int64_t i = 0; i < run.count; ++i, from += step) {
    const int64_t offset = run.offsets[i] - low;
    Placed<T>* const to = placed + next[offset >> shift]++;
    // The caches do not foresee so many streams: 67 % of the time went into these stores.
    __builtin_prefetch(to + 128 / sizeof *to, 1);
    *to = {static_cast<uint32_t>((offset & mask) << scale), LoadElement<T>(from)};
  }
}

template <class T, Reduce kReduce>
void CombinePlaced(char* target, const char* placed, int64_t count) {
  const auto* const from = reinterpret_cast<const Placed<T>*>(placed);
  for (int64_t i = 0; i < count; ++i) Combine<T, kReduce>(target + from[i].at, from[i].value);
}

template <class T, Reduce kReduce, class I>
bool CombineLine(const SingleLine& line) {
  return ForLine<T, I>(
      line, [](char* to, const char* from) { Combine<T, kReduce>(to, LoadElement<T>(from)); });
}

template <class T, Reduce kReduce>
constexpr Combiners kCombiners{CombineRows<T, kReduce>,
                               CombineSingles<T, kReduce>,
                               {CombineLine<T, kReduce, int32_t>, CombineLine<T, kReduce, int64_t>},
                               Place<T>,
                               CombinePlaced<T, kReduce>};

template <Reduce kReduce>
Combiners NumbersOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT:
      return kCombiners<float, kReduce>;
    case ACL_DOUBLE:
      return kCombiners<double, kReduce>;
    case ACL_INT8:
    case ACL_UINT8:
      return kCombiners<uint8_t, kReduce>;
    case ACL_INT16:
    case ACL_UINT16:
      return kCombiners<uint16_t, kReduce>;
    case ACL_INT32:
    case ACL_UINT32:
      return kCombiners<uint32_t, kReduce>;
    case ACL_INT64:
    case ACL_UINT64:
      return kCombiners<uint64_t, kReduce>;
    case ACL_BOOL:
      return kCombiners<Truth, kReduce>;
    case ACL_COMPLEX64:
      return kCombiners<Complex<float>, kReduce>;
    case ACL_COMPLEX128:
      return kCombiners<Complex<double>, kReduce>;
    default:
      return {};
  }
}

Combiners AssignmentOf(aclDataType dtype) {
  return WithBytes(BitsOf(dtype) / 8, []<class T>(T) -> Combiners {
    using E = std::conditional_t<sizeof(T) == 16, Complex<double>, T>;
    return kCombiners<E, Reduce::kAssign>;
  });
}

template <aclDataType kType, Reduce kReduce>
void CombineGroup(const Group& group) {
  constexpr int64_t kBlock = 512;
  constexpr int64_t kBytes = kType == ACL_FLOAT ? 4 : 2;
  const bool scaled = group.factor != nullptr || group.mean;
  if (group.members == 1 && !scaled && group.target_step == kBytes && group.plain_step == kBytes) {
    const char* const from = group.plain + group.entries[0].plain;
    return CombineBlock<kReduce>(ElementOf(kType), group.target, from, group.n);
  }
  const auto load = blocks::Loader(Element::kFp32, kType);
  const auto store = blocks::Storer(Element::kFp32, kType);
  const auto row = [](const char* data, int64_t step, int64_t n) {
    return blocks::Tile{const_cast<char*>(data), 1, n, 0, step / kBytes, false};
  };
  alignas(64) float sums[kBlock], values[kBlock];
  float factor = group.factor == nullptr ? 1.0f : LoadElement<float>(group.factor);
  if (group.mean) factor /= static_cast<float>(group.members);
  for (int64_t done = 0; done < group.n; done += kBlock) {
    const int64_t n = std::min(kBlock, group.n - done);
    const blocks::Tile to = row(group.target + done * group.target_step, group.target_step, n);
    load(to, sums);
    for (int64_t m = 0; m < group.members; ++m) {
      const char* const from = group.plain + group.entries[m].plain + done * group.plain_step;
      load(row(from, group.plain_step, n), values);
      for (int64_t i = 0; i < n && scaled; ++i) values[i] *= factor;
      CombineBlock<kReduce>(Element::kFp32, sums, values, n);
    }
    store(sums, to);
  }
}

template <Reduce kReduce>
GroupFunction GroupsOf(aclDataType dtype) {
  return dtype == ACL_FLOAT     ? CombineGroup<ACL_FLOAT, kReduce>
         : dtype == ACL_FLOAT16 ? CombineGroup<ACL_FLOAT16, kReduce>
                                : CombineGroup<ACL_BF16, kReduce>;
}

}  // namespace

bool Grouped(aclDataType dtype, Reduce reduce, bool by_frequency) {
  const bool half = dtype == ACL_FLOAT16 || dtype == ACL_BF16;
  return reduce != Reduce::kAssign && (half || by_frequency);
}

Combiners CombinersOf(aclDataType dtype, Reduce reduce) {
  switch (reduce) {
    case Reduce::kAssign:
      return AssignmentOf(dtype);
    case Reduce::kAdd:
      return NumbersOf<Reduce::kAdd>(dtype);
    default:
      return NumbersOf<Reduce::kMultiply>(dtype);
  }
}

GroupFunction GroupOf(aclDataType dtype, Reduce reduce) {
  return reduce == Reduce::kAdd ? GroupsOf<Reduce::kAdd>(dtype)
                                : GroupsOf<Reduce::kMultiply>(dtype);
}

}  // namespace anyacl::indexing
