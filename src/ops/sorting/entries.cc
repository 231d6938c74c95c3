// SPDX-License-Identifier: Apache-2.0
#include "ops/sorting/entries.h"

#include "nnop/copy_runs.h"
#include "nnop/promotion.h"

namespace anyacl::sorting {
namespace {

// Bits of floating point: negative numbers in reverse.
template <class Bits, int kMantissa>
uint64_t FloatKey(Bits bits) {
  constexpr int kBits = sizeof(Bits) * 8;
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kBits - 1));
  constexpr Bits kInfinity =
      static_cast<Bits>(((Bits{1} << (kBits - 1 - kMantissa)) - 1) << kMantissa);
  const Bits magnitude = static_cast<Bits>(bits & static_cast<Bits>(~kSign));
  if (magnitude > kInfinity) return static_cast<Bits>(~Bits{0});
  if (magnitude == 0) return kSign;
  return static_cast<Bits>((bits & kSign) != 0 ? static_cast<Bits>(~bits)
                                               : static_cast<Bits>(bits | kSign));
}

// The reverse; of zeros and NaNs it makes no difference.
template <class Bits>
Bits FloatBits(Bits key) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  return static_cast<Bits>((key & kSign) != 0 ? static_cast<Bits>(key ^ kSign)
                                              : static_cast<Bits>(~key));
}

struct Fp64 {
  using Bits = uint64_t;
  static uint64_t Key(Bits bits) { return FloatKey<Bits, 52>(bits); }
  static Bits Element(Bits key) { return FloatBits(key); }
  static constexpr bool kAmbiguous = true;
};
struct Fp32 {
  using Bits = uint32_t;
  static uint64_t Key(Bits bits) { return FloatKey<Bits, 23>(bits); }
  static Bits Element(Bits key) { return FloatBits(key); }
  static constexpr bool kAmbiguous = true;
};
struct Fp16 {
  using Bits = uint16_t;
  static uint64_t Key(Bits bits) { return FloatKey<Bits, 10>(bits); }
  static Bits Element(Bits key) { return FloatBits(key); }
  static constexpr bool kAmbiguous = true;
};
struct Bf16 {
  using Bits = uint16_t;
  static uint64_t Key(Bits bits) { return FloatKey<Bits, 7>(bits); }
  static Bits Element(Bits key) { return FloatBits(key); }
  static constexpr bool kAmbiguous = true;
};
template <class T>
struct Unsigned {
  using Bits = T;
  static uint64_t Key(Bits bits) { return bits; }
  static Bits Element(Bits key) { return key; }
  static constexpr bool kAmbiguous = false;
};
template <class T>
struct Signed {
  using Bits = T;
  static uint64_t Key(Bits bits) {
    return static_cast<T>(bits ^ static_cast<T>(T{1} << (sizeof(T) * 8 - 1)));
  }
  static Bits Element(Bits key) { return static_cast<Bits>(Key(key)); }
  static constexpr bool kAmbiguous = false;
};
struct Bool {
  using Bits = uint8_t;
  static uint64_t Key(Bits bits) { return bits != 0; }
  static Bits Element(Bits key) { return key; }
  static constexpr bool kAmbiguous = false;
};

template <class Type, class Entry>
void Load(const char* from, int64_t step, int64_t count, uint64_t flip, int64_t first, Entry* to) {
  using Bits = typename Type::Bits;
  const uint64_t mask = flip & static_cast<Bits>(~Bits{0});
  if (step == int64_t{sizeof(Bits)}) {
    for (int64_t i = 0; i < count; ++i) {
      const Bits bits = LoadElement<Bits>(from + i * int64_t{sizeof(Bits)});
      to[i] = Entry::Of(Type::Key(bits) ^ mask, first + i);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    to[i] = Entry::Of(Type::Key(LoadElement<Bits>(from + i * step)) ^ mask, first + i);
  }
}

template <class Type, class Entry>
void Store(const Entry* entries, int64_t count, uint64_t flip, const char* from, int64_t from_step,
           char* to, int64_t to_step) {
  using Bits = typename Type::Bits;
  constexpr Bits kAll = static_cast<Bits>(~Bits{0});
  constexpr Bits kZero = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const Bits mask = static_cast<Bits>(flip & kAll);
  for (int64_t i = 0; i < count; ++i) {
    const Bits key = static_cast<Bits>(static_cast<Bits>(entries[i].key()) ^ mask);
    Bits element = Type::Element(key);
    if (Type::kAmbiguous && (key == kZero || key == kAll)) {
      element = LoadElement<Bits>(from + entries[i].place() * from_step);
    }
    StoreElement(to + i * to_step, element);
  }
}

// f(Type()) with the type of elements.
template <class Function>
auto OfType(aclDataType dtype, const Function& f) {
  switch (dtype) {
    case ACL_FLOAT:
      return f(Fp32());
    case ACL_FLOAT16:
      return f(Fp16());
    case ACL_BF16:
      return f(Bf16());
    case ACL_DOUBLE:
      return f(Fp64());
    case ACL_INT8:
      return f(Signed<uint8_t>());
    case ACL_INT16:
      return f(Signed<uint16_t>());
    case ACL_INT32:
      return f(Signed<uint32_t>());
    case ACL_INT64:
      return f(Signed<uint64_t>());
    case ACL_UINT8:
      return f(Unsigned<uint8_t>());
    case ACL_UINT16:
      return f(Unsigned<uint16_t>());
    case ACL_UINT32:
      return f(Unsigned<uint32_t>());
    case ACL_UINT64:
      return f(Unsigned<uint64_t>());
    default:
      return f(Bool());
  }
}

}  // namespace

KeyType KeyTypeOf(aclDataType dtype) {
  KeyType type;
  type.bits = BitsOf(dtype);
  type.floating = CategoryOf(dtype) == Category::kFloating;
  if (type.floating) {
    type.nan = type.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits) - 1;
    type.zero = uint64_t{1} << (type.bits - 1);
  }
  return type;
}

template <class Entry>
LoadFunction<Entry> LoaderOf(aclDataType dtype) {
  return OfType(dtype, []<class Type>(Type) -> LoadFunction<Entry> { return Load<Type, Entry>; });
}

template <class Entry>
StoreFunction<Entry> StorerOf(aclDataType dtype) {
  return OfType(dtype, []<class Type>(Type) -> StoreFunction<Entry> { return Store<Type, Entry>; });
}

template LoadFunction<Narrow> LoaderOf<Narrow>(aclDataType);
template LoadFunction<Wide> LoaderOf<Wide>(aclDataType);
template StoreFunction<Narrow> StorerOf<Narrow>(aclDataType);
template StoreFunction<Wide> StorerOf<Wide>(aclDataType);

}  // namespace anyacl::sorting
