// SPDX-License-Identifier: Apache-2.0
#include "ops/rotary/cache_checks.h"

#include "base/format.h"
#include "ops/rotary/operators.h"

namespace anyacl::rotary {

Status RequireOutputs(Operands& operands, std::initializer_list<int> ids) {
  for (int id : ids) {
    if (!operands.Flag(kOutputKv)) {
      operands.Drop(id);
    } else if (Status s = operands.Require(id); !s.ok()) {
      return s;
    }
  }
  return {};
}

int64_t GroupOf(const Operand& cache) { return cache.dtype() == ACL_INT8 ? 32 : 16; }

Status CheckCacheType(const Operands& operands, const CacheIds& ids, int source) {
  const aclDataType cache = operands[ids.cache].dtype(), wanted = operands[source].dtype();
  const char* const name = operands.NameOf(ids.cache);
  const bool quantised = cache == ACL_INT8;
  if (!quantised && cache != wanted) {
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} or INT8 as {}.dtype is {}",
                name, NameOf(cache), NameOf(wanted), operands.NameOf(source), NameOf(wanted));
  }
  if (quantised && !operands.Given(ids.scale)) {
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {}.dtype is INT8",
                operands.NameOf(ids.scale), name);
  }
  for (int id : {ids.scale, ids.offset}) {
    if (quantised || !operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is given, expected null as {}.dtype is {}",
                operands.NameOf(id), name, NameOf(cache));
  }
  return {};
}

Status CheckPlaces(const Operands& operands, const CacheIds& ids, size_t dim) {
  const Operand& cache = operands[ids.cache];
  const int64_t places = cache.shape()[dim], group = GroupOf(cache);
  if (places % group == 0 && places != 0) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape[{}] = {}, expected a multiple of {} places in a block for {}",
              operands.NameOf(ids.cache), dim, places, group, NameOf(cache.dtype()));
}

Status CheckEpsilon(const Operands& operands) {
  const double eps = operands.Real(kEpsilon);
  if (eps >= 0) return {};
  return Fail(operands.spec().codes.shape, "epsilon = {}, expected 0 or more", eps);
}

namespace {

Status ReadMode(const Operands& operands, CacheMode* mode) {
  static constexpr CacheMode kModes[] = {
      {Index::kOfBatch, false, false}, {Index::kOfToken, true, false},
      {Index::kOfToken, true, false},  {Index::kOfToken, true, true},
      {Index::kOfBlock, true, false},  {Index::kOfBlock, true, true}};
  size_t place = 0;
  Status s = operands.CheckText(
      kCacheMode, {"Norm", "PA", "PA_BNSD", "PA_NZ", "PA_BLK_BNSD", "PA_BLK_NZ"}, &place);
  *mode = kModes[place];
  return s;
}

// One number, or one for each column, or for each column of each head.
Status CheckFactors(const Operands& operands, int id, int64_t length, int64_t heads) {
  if (!operands.Given(id)) return {};
  const Dims& shape = operands[id].shape();
  if (shape.rank() == 1 && (shape[0] == 1 || shape[0] == length)) return {};
  if (shape.rank() == 2 && (shape[0] == 1 || shape[0] == heads) && shape[1] == length) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [1], [{}] or [{}, {}]",
              operands.NameOf(id), shape.ToString(), length, heads, length);
}

Status CheckCache(const Operands& operands, const CacheMode& mode, const CacheIds& ids,
                  int64_t length) {
  const int64_t heads = operands[kKv].shape()[1];
  const int code = operands.spec().codes.shape;
  const Operand& cache = operands[ids.cache];
  const char* const name = operands.NameOf(ids.cache);
  if (Status s = CheckCacheType(operands, ids, kKv); !s.ok()) return s;
  for (int id : {ids.scale, ids.offset}) {
    if (Status s = CheckFactors(operands, id, length, heads); !s.ok()) return s;
  }
  const Dims& shape = cache.shape();
  const size_t of_heads = mode.paged ? 2 : 1;
  if (shape[of_heads] != heads) {
    return Fail(code, "{}.shape = {}, expected {} in dimension {}", name, shape.ToString(),
                heads == 1 ? "one head" : Format("{} heads", heads), of_heads);
  }
  if (shape[3] != length) {
    return Fail(code, "{}.shape[3] = {}, expected {} as kv.shape = {}", name, shape[3], length,
                operands[kKv].shape().ToString());
  }
  if (!mode.paged) return {};
  if (Status s = CheckPlaces(operands, ids, 1); !s.ok()) return s;
  if (!mode.fractal) return {};
  const int64_t group = GroupOf(cache);
  if (length % group != 0) {
    return Fail(code, "{}.shape[3] = {}, expected a multiple of {} in FRACTAL_NZ of {}", name,
                length, group, NameOf(cache.dtype()));
  }
  if (cache.IsContiguous()) return {};
  return Fail(code, "{}.strides = {}, expected contiguous blocks in FRACTAL_NZ", name,
              cache.strides().ToString());
}

// What a row of kv is cut into, or turned in part.
Status CheckParts(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& kv = operands[kKv].shape();
  const int64_t norm = operands[kGamma].shape()[0], turned = operands[kCos].shape()[3];
  if (!operands.Given(kValue)) {
    if (kv[3] != norm + turned || turned % 2 != 0) {
      return Fail(code, "kv.shape[3] = {}, expected {} + {} of gamma and cos, the latter even",
                  kv[3], norm, turned);
    }
    if (kv[1] == 1) return {};
    return Fail(code, "kv.shape = {}, expected one head in dimension 1 as vOptional is null",
                kv.ToString());
  }
  if (kv[3] != norm) {
    return Fail(code, "kv.shape[3] = {}, expected {} of gamma as vOptional is given", kv[3], norm);
  }
  if (turned <= norm && turned % 2 == 0) return {};
  return Fail(code, "cos.shape[3] = {}, expected an even number up to {}: kv.shape[3]", turned,
              norm);
}

// Angles are the same for all tokens of a batch or heads, or not.
Status CheckAngles(const Operands& operands) {
  const Dims& kv = operands[kKv].shape();
  const Dims& cos = operands[kCos].shape();
  for (size_t i : {1, 2}) {
    if (cos[i] == kv[i] || cos[i] == 1) continue;
    return Fail(operands.spec().codes.shape, "cos.shape[{}] = {}, expected {} or 1: kv.shape = {}",
                i, cos[i], kv[i], kv.ToString());
  }
  return {};
}

Status CheckShapes(const Operands& operands, const CacheMode& mode) {
  const int code = operands.spec().codes.shape;
  const int64_t batch = operands.Size("B"), tokens = operands.Size("S");
  if (Status s = CheckParts(operands); !s.ok()) return s;
  if (Status s = CheckAngles(operands); !s.ok()) return s;
  const bool separate = operands.Given(kValue);
  const int64_t key = operands[separate ? kGamma : kCos].shape().back();
  const int64_t value = operands[separate ? kValue : kGamma].shape().back();
  if (Status s = CheckCache(operands, mode, {kKeyCache, kKeyScale, kKeyOffset}, key); !s.ok()) {
    return s;
  }
  if (Status s = CheckCache(operands, mode, {kValueCache, kValueScale, kValueOffset}, value);
      !s.ok()) {
    return s;
  }
  const std::pair<int, int64_t> outs[] = {{kRopeOut, key}, {kNormOut, value}};
  for (const auto& [id, columns] : outs) {
    if (!operands.Given(id) || operands[id].shape()[3] == columns) continue;
    return Fail(code, "{}.shape[3] = {}, expected {}", operands.NameOf(id), operands[id].shape()[3],
                columns);
  }
  const Dims& cache = operands[kKeyCache].shape();
  if (!mode.paged && cache[0] < batch) {
    return Fail(code, "kCacheRef.shape[0] = {}, expected at least {}: kv.shape[0]", cache[0],
                batch);
  }
  switch (mode.index) {
    case Index::kOfBatch:
      return CheckShapeIs(operands, kIndex, {batch, tokens});
    case Index::kOfToken:
      return CheckShapeIs(operands, kIndex, {batch * tokens});
    default:
      return CheckShapeIs(operands, kIndex, {batch * ((tokens + cache[1] - 1) / cache[1])});
  }
}

}  // namespace

Status CheckKvCache(const Operands& operands, CacheMode* mode) {
  if (Status s = ReadMode(operands, mode); !s.ok()) return s;
  return CheckShapes(operands, *mode);
}

}  // namespace anyacl::rotary
