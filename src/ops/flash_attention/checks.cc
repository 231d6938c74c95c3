// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say: 161002 for types and for shapes without a meaning, 561002 for
// constraints.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "ops/flash_attention/op.h"

namespace anyacl::flash_attention {
namespace {

// Of the compressed masks: a triangle, and below it a rectangle.
constexpr int64_t kTriangle = 2048;
constexpr int64_t kRectangle = 1024;
constexpr int64_t kMaxPrefixBatch = 2048;
// More elements than any memory holds: products of four sizes stay below 2^63.
constexpr int64_t kMaxSize = int64_t{1} << 31;

Status ParseLayout(const Operands& operands, Layout* layout) {
  constexpr Layout kLayouts[] = {Layout::kBsh, Layout::kSbh, Layout::kBsnd, Layout::kBnsd};
  size_t place = 0;
  if (Status s = operands.CheckText(kInputLayout, {"BSH", "SBH", "BSND", "BNSD"}, &place);
      !s.ok()) {
    return s;
  }
  *layout = kLayouts[place];
  const std::string_view text = operands.Text(kInputLayout);
  for (int id : {kQuery, kKey, kValue}) {
    const size_t rank = operands[id].shape().rank();
    if (rank == text.size()) continue;
    return Fail(kInvalid, "{} has {} dimensions, expected {} as inputLayout is {}",
                operands.NameOf(id), rank, text.size(), text);
  }
  return {};
}

// N, and D of query.
Status ReadQuery(const Operands& operands, Sizes* s) {
  const Dims& query = operands[kQuery].shape();
  const attention::Axes axes = AxesOf(s->layout);
  s->heads = operands.Int(kHeadNum);
  if (axes.batch >= 0) s->batch = query[static_cast<size_t>(axes.batch)];
  s->query = query[static_cast<size_t>(axes.row)];
  if (s->heads <= 0) return Fail(kInvalid, "headNum = {}, expected 1 or more", s->heads);
  if (axes.head < 0) {
    s->dim = query.back() / s->heads;
    if (query.back() % s->heads == 0) return {};
    return Fail(kConstraint, "query.shape = {}: H = {}, expected a multiple of headNum = {}",
                query.ToString(), query.back(), s->heads);
  }
  s->dim = query.back();
  const int64_t heads = query[static_cast<size_t>(axes.head)];
  if (heads == s->heads) return {};
  return Fail(kConstraint, "headNum = {}, expected {} as query.shape = {}", s->heads, heads,
              query.ToString());
}

// Heads and D of keys and values.
Status ReadKeys(const Operands& operands, Sizes* s) {
  const Dims& key = operands[kKey].shape();
  const Dims& value = operands[kValue].shape();
  const attention::Axes axes = AxesOf(s->layout);
  s->key = key[static_cast<size_t>(axes.row)];
  int64_t key_dim = key.back();
  s->value_dim = value.back();
  if (axes.head < 0) {
    s->kv_heads = s->dim == 0 ? 0 : key.back() / s->dim;
    key_dim = s->dim;
    if (s->kv_heads == 0 ? key.back() != 0 : key.back() % s->dim != 0) {
      return Fail(kInvalid, "{}.shape = {}: H = {}, expected a multiple of D = {} of query",
                  operands.NameOf(kKey), key.ToString(), key.back(), s->dim);
    }
    if (s->kv_heads > 0) {
      s->value_dim = value.back() / s->kv_heads;
      if (value.back() % s->kv_heads != 0) {
        return Fail(kInvalid, "value.shape = {}: H = {}, expected a multiple of the {} heads of {}",
                    value.ToString(), value.back(), s->kv_heads, operands.NameOf(kKey));
      }
    }
  } else {
    s->kv_heads = key[static_cast<size_t>(axes.head)];
  }
  if (key_dim != s->dim) {
    return Fail(kInvalid, "D of {} is {}, expected {} as of query", operands.NameOf(kKey), key_dim,
                s->dim);
  }
  if (s->value_dim > s->dim) {
    return Fail(kInvalid, "D of value is {}, expected at most {} as of query", s->value_dim,
                s->dim);
  }
  if (s->dim <= attention::kMaxDim) return {};
  return Fail(kInvalid, "D of query is {}, expected at most {}", s->dim, attention::kMaxDim);
}

Dims ShapeOf(const Sizes& s, int64_t rows, int64_t heads, int64_t dim) {
  switch (s.layout) {
    case Layout::kBsh:
      return {s.batch, rows, heads * dim};
    case Layout::kSbh:
      return {rows, s.batch, heads * dim};
    case Layout::kBsnd:
      return {s.batch, rows, heads, dim};
    case Layout::kTnd:
      return {rows, heads, dim};
    default:
      return {s.batch, heads, rows, dim};
  }
}

Status CheckIs(const Operands& operands, int id, const Dims& expected, int code) {
  const Dims& shape = operands[id].shape();
  if (shape == expected) return {};
  return Fail(code, "{}.shape = {}, expected {}", operands.NameOf(id), shape.ToString(),
              expected.ToString());
}

Status CheckHeads(const Operands& operands, const Sizes& s) {
  const Dims key = ShapeOf(s, s.key, s.kv_heads, s.dim);
  if (Status status = CheckIs(operands, kKey, key, kConstraint); !status.ok()) return status;
  const Dims value = ShapeOf(s, s.key, s.kv_heads, s.value_dim);
  if (Status status = CheckIs(operands, kValue, value, kConstraint); !status.ok()) return status;
  for (int64_t size : {s.batch, s.query, s.key, s.heads}) {
    if (size < kMaxSize) continue;
    return Fail(kConstraint, "a size of query or {} is {}, expected less than 2^31",
                operands.NameOf(kKey), size);
  }
  if (s.kv_heads > 0 ? s.heads % s.kv_heads == 0 : s.no_columns()) return {};
  return Fail(kConstraint, "headNum = {}, expected a multiple of the {} heads of {}", s.heads,
              s.kv_heads, operands.NameOf(kKey));
}

Status CheckPse(const Operands& operands, const Sizes& s) {
  if (Status status = CheckPseType(operands); !status.ok() || !Has(operands, kPse)) return status;
  if (HasSlopes(operands)) {
    if (s.query != s.key) {
      return Fail(kConstraint, "Sq = {} and S2 = {}, expected the same as pseType = {}", s.query,
                  s.key, operands.Int(kPseType));
    }
    return CheckSlopes(operands, s.batch, s.heads, s.query);
  }
  const Dims& shape = operands[kPse].shape();
  const bool fits = shape.rank() == 4 && (shape[0] == s.batch || shape[0] == 1) &&
                    shape[1] == s.heads && (shape[2] == s.query || shape[2] == 1) &&
                    shape[3] == s.key;
  if (fits) return {};
  return Fail(kConstraint,
              "{}.shape = {}, expected [B or 1, N, Sq or 1, S2] with B = {}, N = {}, Sq = {}, "
              "S2 = {}",
              operands.NameOf(kPse), shape.ToString(), s.batch, s.heads, s.query, s.key);
}

}  // namespace

Status CheckSink(const Operands& operands, const Sizes& s) {
  if (!operands.HasRow(kSink)) return {};
  const bool given = Has(operands, kSink);
  if (given) {
    if (Status status = CheckIs(operands, kSink, {s.heads}, kConstraint); !status.ok()) {
      return status;
    }
  }
  if (!operands.HasRow(kDsink)) return {};
  if (given && !operands.Given(kDsink)) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "dsinkOut is null, expected a tensor as {} is given",
                operands.NameOf(kSink));
  }
  if (given) return CheckIs(operands, kDsink, {s.heads}, kInvalid);
  if (!Has(operands, kDsink)) return {};
  return Fail(kInvalid, "dsinkOut.shape = {}, expected null or empty as {} is",
              operands[kDsink].shape().ToString(), operands.NameOf(kSink));
}

Status CheckPseType(const Operands& operands) {
  const char* const name = operands.NameOf(kPse);
  const bool given = Has(operands, kPse);
  // Ropes have no pse, and these versions take both types of one.
  const bool ropes = operands.HasRow(kQueryRope) && !operands.HasRow(kSink);
  int64_t type = static_cast<int64_t>(PseOf(operands));
  if (operands.Given(kPseType)) {
    const int64_t most = ropes ? 1 : 3;
    type = operands.Int(kPseType);
    if (type < 0 || type > most) {
      return Fail(kConstraint, "pseType = {}, expected 0 to {}", type, most);
    }
    if (!given && type != 1 && !ropes) {
      return Fail(HasSlopes(operands) ? kInvalid : kConstraint,
                  "pseType = {}, expected 1 as {} is {}", type, name,
                  operands.Given(kPse) ? "empty" : "null");
    }
  }
  const aclDataType expected = HasSlopes(operands) ? ACL_FLOAT : operands[kQuery].dtype();
  if (!given || operands[kPse].dtype() == expected) return {};
  return Fail(kInvalid, "{}.dtype = {}, expected {} as pseType = {}", name,
              NameOf(operands[kPse].dtype()), NameOf(expected), type);
}

Status CheckSlopes(const Operands& operands, int64_t batch, int64_t heads, int64_t size) {
  const Dims& shape = operands[kPse].shape();
  if (shape != Dims{heads} && shape != Dims{batch, heads}) {
    return Fail(kConstraint, "{}.shape = {}, expected [{}] or [{}, {}] as pseType = {}",
                operands.NameOf(kPse), shape.ToString(), heads, batch, heads,
                operands.Int(kPseType));
  }
  // Distances are integers of 32 bits.
  constexpr int64_t kMost = int64_t{1} << 29;
  if (size > kMost) {
    return Fail(kConstraint, "a length is {}, expected at most {} as pseType = {}", size, kMost,
                operands.Int(kPseType));
  }
  for (int id : {kQueryStart, kKeyStart}) {
    const auto start = operands.Ints(id);
    if (start.size() > 1) {
      return Fail(kConstraint, "{} has {} values, expected one", operands.NameOf(id), start.size());
    }
    if (start.empty() || (start[0] >= -kMost && start[0] <= kMost)) continue;
    return Fail(kConstraint, "{}[0] = {}, expected {} to {}", operands.NameOf(id), start[0], -kMost,
                kMost);
  }
  return {};
}

// Of `bits` probabilities.
Status CheckDropBits(const Operands& operands, int64_t bits, bool no_columns) {
  const double keep = operands.Real(kKeepProb);
  if (!(keep > 0 && keep <= 1)) {
    return Fail(kConstraint, "keepProb = {}, expected more than 0 and at most 1", keep);
  }
  if (!Has(operands, kDropMask)) {
    if (keep == 1 || no_columns) return {};
    return Fail(kConstraint, "keepProb = {}, expected 1 as dropMaskOptional is {}", keep,
                operands.Given(kDropMask) ? "empty" : "null");
  }
  const Dims& shape = operands[kDropMask].shape();
  const int64_t bytes = bits / 8 + (bits % 8 != 0 ? 1 : 0);
  if (shape.rank() == 1 && shape[0] >= bytes) return {};
  return Fail(kConstraint, "dropMaskOptional.shape = {}, expected [{}] or more", shape.ToString(),
              bytes);
}

namespace {

Status CheckDropout(const Operands& operands, const Sizes& s) {
  const int64_t bits = ElementCount(Dims{s.batch, s.heads, s.query, s.key}).value_or(INT64_MAX);
  return CheckDropBits(operands, bits, s.no_columns());
}

Status CheckPadding(const Operands& operands) {
  if (!Has(operands, kPaddingMask)) return {};
  return Fail(kInvalid, "paddingMaskOptional.shape = {}, expected null: the parameter is reserved",
              operands[kPaddingMask].shape().ToString());
}

// What is neither read nor written need only be a tensor.
Status CheckUnused(const Operands& operands) {
  if (!operands.Given(kSoftmax) || ElementCount(operands[kSoftmax].shape())) return {};
  return Fail(kInvalid, "{}.shape = {}, expected sizes of 0 or more", operands.NameOf(kSoftmax),
              operands[kSoftmax].shape().ToString());
}

}  // namespace

// Of sparse modes 2, 3, 4 and 6.
Status CheckCompressedMask(const Operands& operands) {
  const Dims& shape = operands[kAttenMask].shape();
  const int64_t mode = operands.Int(kSparseMode);
  const Dims expected{mode == 6 ? kTriangle + kRectangle : kTriangle, kTriangle};
  const size_t rank = shape.rank();
  if (rank >= 2 && shape[rank - 2] == expected[0] && shape[rank - 1] == expected[1]) return {};
  return Fail(kConstraint, "attenMaskOptional.shape = {}, expected {} as sparseMode = {}",
              shape.ToString(), expected.ToString(), mode);
}

namespace {

Status CheckMaskShape(const Operands& operands, const Sizes& s) {
  const Dims& shape = operands[kAttenMask].shape();
  const int64_t mode = operands.Int(kSparseMode);
  if (mode >= 2 && mode != 5) return CheckCompressedMask(operands);
  const bool plane = shape == Dims{s.query, s.key};
  const bool one = shape == Dims{1, 1, s.query, s.key};
  const bool per_batch =
      shape == Dims{s.batch, 1, s.query, s.key} || shape == Dims{s.batch, s.heads, s.query, s.key};
  if (per_batch || ((plane || one) && (mode != 5 || s.batch == 1))) return {};
  return Fail(kConstraint,
              "attenMaskOptional.shape = {}, expected {}[B, 1, Sq, S2] or [B, N, Sq, S2] with "
              "B = {}, N = {}, Sq = {}, S2 = {} as sparseMode = {}",
              shape.ToString(), mode == 5 ? "" : "[Sq, S2], [1, 1, Sq, S2], ", s.batch, s.heads,
              s.query, s.key, mode);
}

// A band that shows something. Modes 0 and 4 have one, from the upper left and the lower right.
Status CheckBand(const Operands& operands, const Sizes& s) {
  const int64_t mode = operands.Int(kSparseMode);
  if ((mode != 0 && mode != 4) || s.no_columns()) return {};
  const int64_t shift = mode == 4 ? s.key - s.query : 0;
  const auto clamp = [](int64_t tokens) {
    return std::clamp<int64_t>(tokens, -INT32_MAX, INT32_MAX);
  };
  const int64_t before = clamp(operands.Int(kPreTokens)) - shift;
  const int64_t after = clamp(operands.Int(kNextTokens)) + shift;
  const bool shows = before + after >= 0 && -before < s.key && -after < s.query;
  if (shows) return {};
  return Fail(
      kConstraint,
      "preTokens = {} and nextTokens = {}, expected a band that leaves some of Sq = {} times "
      "S2 = {} as sparseMode = {}",
      operands.Int(kPreTokens), operands.Int(kNextTokens), s.query, s.key, mode);
}

Status CheckPrefix(const Operands& operands, const Sizes& s) {
  const int64_t mode = operands.Int(kSparseMode);
  if (mode != 5 && mode != 6) return {};
  const auto prefix = operands.Ints(kPrefix);
  if (s.batch > kMaxPrefixBatch) {
    return Fail(kConstraint, "B = {}, expected at most {} as sparseMode = {}", s.batch,
                kMaxPrefixBatch, mode);
  }
  if (static_cast<int64_t>(prefix.size()) != s.batch) {
    return Fail(kConstraint, "prefixOptional has {} values, expected B = {} as sparseMode = {}",
                prefix.size(), s.batch, mode);
  }
  const int64_t least = std::max<int64_t>(0, s.key - s.query);
  for (size_t b = 0; b < prefix.size(); ++b) {
    if (prefix[b] >= least && prefix[b] <= s.key) continue;
    return Fail(kConstraint, "prefixOptional[{}] = {}, expected {} to {}", b, prefix[b], least,
                s.key);
  }
  return {};
}

Status CheckColumns(const Operands& operands, const Sizes& s) {
  const int64_t mode = operands.Int(kSparseMode);
  // Without a mask all columns count, whatever the mode says.
  if (!Has(operands, kAttenMask)) return {};
  if (mode < 0 || mode > 6) return Fail(kConstraint, "sparseMode = {}, expected 0 to 6", mode);
  for (const auto check : {CheckMaskShape, CheckBand, CheckPrefix}) {
    if (Status status = check(operands, s); !status.ok()) return status;
  }
  return {};
}

}  // namespace

Status CheckShapes(const Operands& operands, Sizes* s) {
  using Read = Status (*)(const Operands&, Sizes*);
  for (const Read read : {Read{ReadQuery}, Read{ReadKeys}}) {
    if (Status status = read(operands, s); !status.ok()) return status;
  }
  return CheckHeads(operands, *s);
}

Status CheckReserved(const Operands& operands) {
  if (Status status = CheckPadding(operands); !status.ok()) return status;
  return CheckUnused(operands);
}

namespace {

// All but the results.
Status CheckInputs(Operands& operands, Sizes* s) {
  if (Status status = CheckShapes(operands, s); !status.ok()) return status;
  for (const auto check : {CheckSink, CheckPse, CheckDropout, CheckColumns}) {
    if (Status status = check(operands, *s); !status.ok()) return status;
  }
  return CheckReserved(operands);
}

Status CheckStatistics(const Operands& operands, const Sizes& s) {
  constexpr int64_t kTimes = attention::Params::kStatistics;
  const Dims expected = s.layout == Layout::kTnd ? Dims{s.query, s.heads, kTimes}
                                                 : Dims{s.batch, s.heads, s.query, kTimes};
  const Dims by_head{s.heads, s.query, kTimes};
  for (int id : {kSoftmaxMax, kSoftmaxSum}) {
    if (s.statistics_by_head && operands[id].shape() == by_head) continue;
    if (Status status = CheckIs(operands, id, expected, kInvalid); !status.ok()) return status;
  }
  return {};
}

bool AllEmpty(const Operands& operands, std::initializer_list<int> ids) {
  return std::none_of(ids.begin(), ids.end(), [&](int id) { return Has(operands, id); });
}

Status CheckPseGradient(const Operands& operands, const Sizes& s) {
  if (!Has(operands, kDpse)) return {};
  if (!Has(operands, kPse)) {
    return Fail(kInvalid, "dpseOut.shape = {}, expected null or empty as pseShiftOptional is",
                operands[kDpse].shape().ToString());
  }
  if (Status status = CheckIs(operands, kDpse, operands[kPse].shape(), kInvalid); !status.ok()) {
    return status;
  }
  if (operands[kDpse].dtype() != operands[kPse].dtype()) {
    return Fail(kInvalid, "dpseOut.dtype = {}, expected {} as of {}",
                NameOf(operands[kDpse].dtype()), NameOf(operands[kPse].dtype()),
                operands.NameOf(kPse));
  }
  const bool divides = WritesPseGradient(operands, s) && PseOf(operands) == Pse::kAddedToScaled;
  if (!divides || operands.Real(kScaleValue) != 0) return {};
  return Fail(kConstraint, "scaleValue = 0, expected another number as dpseOut is wanted");
}

}  // namespace

bool WritesPseGradient(const Operands& operands, const Sizes& s) {
  return Has(operands, kDpse) && !HasSlopes(operands) &&
         operands[kPse].shape() == Dims{s.batch, s.heads, s.query, s.key};
}

attention::Axes AxesOf(Layout layout) {
  switch (layout) {
    case Layout::kBsh:
      return {0, 1, -1};
    case Layout::kSbh:
      return {1, 0, -1};
    case Layout::kBsnd:
      return {0, 1, 2};
    case Layout::kTnd:
      return {-1, 0, 1};
    default:
      return {0, 2, 1};
  }
}

Status CheckTypesOf(const Operands& operands, std::initializer_list<int> results,
                    bool* nothing_to_do) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  *nothing_to_do = AllEmpty(operands, results);
  return {};
}

Status CheckResults(const Operands& operands, const Sizes& sizes) {
  if (Status s = CheckStatistics(operands, sizes); !s.ok()) return s;
  const Dims out = ShapeOf(sizes, sizes.query, sizes.heads, sizes.value_dim);
  return CheckIs(operands, kAttention, out, kInvalid);
}

Status CheckGradients(const Operands& operands, const Sizes& sizes) {
  if (Status s = CheckStatistics(operands, sizes); !s.ok()) return s;
  const Dims out = ShapeOf(sizes, sizes.query, sizes.heads, sizes.value_dim);
  for (int id : {kDy, kAttention}) {
    if (Status s = CheckIs(operands, id, out, kInvalid); !s.ok()) return s;
  }
  constexpr std::pair<int, int> kGradients[] = {{kDq, kQuery}, {kDk, kKey}, {kDv, kValue}};
  for (const auto& [gradient, id] : kGradients) {
    Status s = CheckIs(operands, gradient, operands[id].shape(), kInvalid);
    if (!s.ok()) return s;
  }
  return {};
}

Status CheckForward(Operands& operands, Sizes* sizes, bool* nothing_to_do) {
  Status types = CheckTypesOf(operands, {kSoftmaxMax, kSoftmaxSum, kAttention}, nothing_to_do);
  if (!types.ok() || *nothing_to_do) return types;
  if (Status s = ParseLayout(operands, &sizes->layout); !s.ok()) return s;
  if (Status s = CheckInputs(operands, sizes); !s.ok()) return s;
  if (Status s = CheckResults(operands, *sizes); !s.ok()) return s;
  return operands.CheckStrides();
}

Status CheckGradient(Operands& operands, Sizes* sizes, bool* nothing_to_do) {
  Status types = CheckTypesOf(operands, {kDq, kDk, kDv, kDpse, kDsink}, nothing_to_do);
  if (!types.ok() || *nothing_to_do) return types;
  if (Status s = ParseLayout(operands, &sizes->layout); !s.ok()) return s;
  if (Status s = CheckInputs(operands, sizes); !s.ok()) return s;
  if (Status s = CheckGradients(operands, *sizes); !s.ok()) return s;
  if (Status s = CheckPseGradient(operands, *sizes); !s.ok()) return s;
  return operands.CheckStrides();
}

}  // namespace anyacl::flash_attention
