// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say of two products with an activation between them. Null is 161001,
// everything else 161002, as a tensor that the types of the others ask for.
#include <cctype>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "base/division.h"
#include "ops/matmul/elements.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/feed_forward.h"

namespace anyacl::matmul::feed_forward {
namespace {

constexpr int64_t kMostExperts = 256;
constexpr int64_t kMostDepth = 65535;

struct Activation {
  std::string_view name;
  elementwise::Op op;
  bool gated = false;
};
constexpr Activation kActivations[] = {
    {"fastgelu", elementwise::Op::kSwish},   {"gelu", elementwise::Op::kGelu},
    {"relu", elementwise::Op::kRelu},        {"silu", elementwise::Op::kSilu},
    {"geglu", elementwise::Op::kGelu, true}, {"swiglu", elementwise::Op::kSilu, true},
    {"reglu", elementwise::Op::kRelu, true},
};

bool SameLetters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

Status ReadActivation(const Operands& operands, Params* p) {
  const std::string_view name = operands.Text(kActivation);
  for (const Activation& known : kActivations) {
    if (!SameLetters(name, known.name)) continue;
    p->activation = known.op;
    p->gated = known.gated;
    return {};
  }
  return Fail(operands.spec().codes.shape,
              "activation = {}, expected fastgelu, gelu, relu, silu, geglu, swiglu or reglu", name);
}

// An argument beside x and the weights: its types, none where it must be null.
struct Rule {
  int id;
  DTypeSet dtypes;
  bool required = false;
};

Status CheckRule(const Operands& operands, const Rule& rule) {
  const int code = operands.spec().codes.dtype;
  const bool given = operands.Given(rule.id);
  const char* const name = operands.NameOf(rule.id);
  const auto beside = [&] {
    return Format("beside x of {}, weight1 of {} and y of {}", NameOf(operands[kX].dtype()),
                  NameOf(operands[kFirst].dtype()), NameOf(operands[kY].dtype()));
  };
  if (!given) {
    if (!rule.required) return {};
    return Fail(code, "{} is null, expected {} {}", name, rule.dtypes.ToString(), beside());
  }
  if (rule.dtypes.Contains(operands[rule.id].dtype())) return {};
  if (rule.dtypes.ToString().empty()) {
    return Fail(code, "{} is given, expected null {}", name, beside());
  }
  return Fail(code, "{}.dtype = {}, expected {} {}", name, NameOf(operands[rule.id].dtype()),
              rule.dtypes.ToString(), beside());
}

Status CheckTypes(const Operands& operands, Params* p) {
  const aclDataType x = operands[kX].dtype(), weight = operands[kFirst].dtype();
  const bool integers = x == ACL_INT8;
  const DTypeSet weights = integers ? DTypeSet{ACL_INT8} : DTypeSet{x, ACL_INT8, ACL_INT4};
  if (Status s = CheckRule(operands, {kFirst, weights}); !s.ok()) return s;
  if (Status s = CheckRule(operands, {kSecond, {weight}}); !s.ok()) return s;
  p->form = integers      ? GroupedForm::kIntegers
            : weight == x ? GroupedForm::kNumbers
                          : GroupedForm::kFactors;
  const DTypeSet results = integers ? kHalves : DTypeSet{x};
  const DTypeSet biases = integers        ? DTypeSet{ACL_INT32}
                          : x == ACL_BF16 ? DTypeSet{ACL_FLOAT}
                                          : DTypeSet{ACL_FLOAT16};
  const DTypeSet singles = integers ? DTypeSet{ACL_FLOAT} : DTypeSet{};
  const DTypeSet dequants = !integers ? DTypeSet{}
                            : operands[kY].dtype() == ACL_BF16
                                ? DTypeSet{ACL_BF16}
                                : DTypeSet{ACL_UINT64, ACL_INT64, ACL_FLOAT};
  const bool with_factors = p->form == GroupedForm::kFactors;
  const DTypeSet factors = with_factors ? DTypeSet{x} : DTypeSet{};
  for (const Rule& rule :
       {Rule{kY, results, true}, Rule{kFirstBias, biases}, Rule{kSecondBias, biases},
        Rule{kScale, singles, integers}, Rule{kOffset, singles, integers},
        Rule{kFirstDequant, dequants, integers}, Rule{kSecondDequant, dequants, integers},
        Rule{kFirstFactor, factors, with_factors}, Rule{kSecondFactor, factors, with_factors},
        Rule{kFirstSummand, factors, with_factors}, Rule{kSecondSummand, factors, with_factors}}) {
    if (Status s = CheckRule(operands, rule); !s.ok()) return s;
  }
  if (!integers || operands[kFirstDequant].dtype() == operands[kSecondDequant].dtype()) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as {}.dtype",
              operands.NameOf(kSecondDequant), NameOf(operands[kSecondDequant].dtype()),
              NameOf(operands[kFirstDequant].dtype()), operands.NameOf(kFirstDequant));
}

// A gate is of FLOAT16 without experts; innerPrecise is what the document has for the types.
Status CheckModes(const Operands& operands, const Params& p) {
  const int code = operands.spec().codes.shape;
  const char* const activation = operands.Text(kActivation);
  const aclDataType x = operands[kX].dtype();
  if (p.gated && (x != ACL_FLOAT16 || p.form != GroupedForm::kNumbers)) {
    return Fail(
        operands.spec().codes.dtype,
        "activation = {} beside x of {} and weight1 of {}, expected fastgelu, gelu, relu or "
        "silu, or FLOAT16",
        activation, NameOf(x), NameOf(operands[kFirst].dtype()));
  }
  if (p.gated && p.experts) {
    return Fail(code, "{} is given, expected null as activation = {}", operands.NameOf(kTokens),
                activation);
  }
  if (p.form != GroupedForm::kNumbers) return {};
  const int64_t precise = operands.Int(kPrecision);
  if (p.gated && precise != 1) {
    return Fail(code, "innerPrecise = {}, expected 1 as activation = {}", precise, activation);
  }
  if (x == ACL_BF16 && precise != 0) {
    return Fail(code, "innerPrecise = {}, expected 0 beside x and weights of BF16", precise);
  }
  return {};
}

bool IsHostList(const Operands& operands) {
  return operands.RowOf(kTokens)->kind == Kind::kIntArray;
}

// The first version has none but numbers of tokens.
bool TellsEnds(const Operands& operands) { return operands.HasRow(kEnds) && operands.Flag(kEnds); }

// Experts are told by the list; then all that belongs to one has a dimension of them.
void ReadExperts(Operands& operands, Params* p) {
  const bool host = IsHostList(operands);
  if (!host && operands.Given(kTokens) && operands[kTokens].IsEmpty()) operands.Drop(kTokens);
  p->experts = host ? !operands.Ints(kTokens).empty() : operands.Given(kTokens);
  p->listed = p->experts && !host;
}

// Numbers on the host, which tell every row.
Status ReadHostTokens(const Operands& operands, Params* p) {
  const int code = operands.spec().codes.shape;
  const auto tokens = operands.Ints(kTokens);
  if (static_cast<int64_t>(tokens.size()) != operands.Size("E")) {
    return Fail(code, "{} has {} numbers, expected {}, the experts of weight1",
                operands.NameOf(kTokens), tokens.size(), operands.Size("E"));
  }
  const bool ends = TellsEnds(operands);
  int64_t end = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const int64_t least = ends ? end : 0, most = ends ? p->rows : p->rows - end;
    if (tokens[i] < least || tokens[i] > most) {
      return Fail(code, "{}[{}] = {}, expected {} to {}: x has {} rows", operands.NameOf(kTokens),
                  i, tokens[i], least, most, p->rows);
    }
    end = ends ? tokens[i] : end + tokens[i];
    p->ends.push_back(end);
  }
  if (end == p->rows) return {};
  return Fail(code, "{} tells {} rows, expected {}, the rows of x", operands.NameOf(kTokens), end,
              p->rows);
}

Status CheckRank(const Operands& operands, int id, size_t rank, const Params& p) {
  if (!operands.Given(id) || operands[id].shape().rank() == rank) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape = {} has rank {}, expected rank {} as {} is {}", operands.NameOf(id),
              operands[id].shape().ToString(), operands[id].shape().rank(), rank,
              operands.NameOf(kTokens), p.experts ? "given" : "null");
}

Status CheckRanks(const Operands& operands, const Params& p) {
  for (int id : {kFirst, kSecond}) {
    if (Status s = CheckRank(operands, id, p.experts ? 3 : 2, p); !s.ok()) return s;
  }
  for (int id : {kFirstBias, kSecondBias, kFirstDequant, kSecondDequant}) {
    if (Status s = CheckRank(operands, id, p.experts ? 2 : 1, p); !s.ok()) return s;
  }
  return {};
}

Status CheckSizes(const Operands& operands, const Params& p) {
  const int code = operands.spec().codes.shape;
  if (p.experts && operands.Size("E") > kMostExperts) {
    return Fail(code, "weight1 has E = {}, expected at most {} experts", operands.Size("E"),
                kMostExperts);
  }
  const int64_t k1 = operands.Size("K1"), n1 = operands.Size("N1"), k2 = operands.Size("K2");
  if (k1 > kMostDepth) {
    return Fail(code, "x has K1 = {}, expected at most {}", k1, kMostDepth);
  }
  if (k2 > kMostDepth) {
    return Fail(code, "weight2 has K2 = {}, expected at most {}", k2, kMostDepth);
  }
  const int64_t expected = p.gated ? 2 * k2 : k2;
  if (n1 != expected) {
    return Fail(code, "weight1 has N1 = {}, expected {} as weight2 has K2 = {} and activation = {}",
                n1, expected, k2, operands.Text(kActivation));
  }
  constexpr int64_t kUnit = 32, kMostRows = INT32_MAX;
  if (p.rows <= kMostRows && RoundUp(p.rows, kUnit) < kMostRows) return {};
  return Fail(code, "x has {} rows, expected fewer than {} when made up to {}", p.rows, kMostRows,
              kUnit);
}

// One for each tensor, or for each column of the first product.
Status CheckScale(const Operands& operands, const Params& p) {
  if (p.form != GroupedForm::kIntegers) return {};
  const int code = operands.spec().codes.shape;
  const Dims& scale = operands[kScale].shape();
  const int64_t columns = operands.Size("N1"), tensors = p.experts ? operands.Size("E") : 1;
  const bool by_columns =
      p.experts ? scale == Dims{tensors, columns} : scale == Dims{columns} && columns != 1;
  if (!by_columns && !(scale == Dims{tensors})) {
    return Fail(code, "{}.shape = {}, expected [{}] or {}", operands.NameOf(kScale),
                scale.ToString(), tensors,
                (p.experts ? Dims{tensors, columns} : Dims{columns}).ToString());
  }
  if (by_columns && operands[kFirstDequant].dtype() == ACL_FLOAT) {
    return Fail(operands.spec().codes.dtype,
                "{}.dtype = FLOAT, expected UINT64 or INT64 as {}.shape = {}",
                operands.NameOf(kFirstDequant), operands.NameOf(kScale), scale.ToString());
  }
  return CheckShapeIs(operands, kOffset, {tensors});
}

// Of columns, or of columns and groups of k.
Status CheckFactor(const Operands& operands, const Params& p, int id, int summand, int64_t depth) {
  const int code = operands.spec().codes.shape;
  const Dims& shape = operands[id].shape();
  const size_t of_columns = p.experts ? 2 : 1;
  if (shape.rank() != of_columns && shape.rank() != of_columns + 1) {
    return Fail(code, "{}.shape = {} has rank {}, expected rank {} or {} as {} is {}",
                operands.NameOf(id), shape.ToString(), shape.rank(), of_columns, of_columns + 1,
                operands.NameOf(kTokens), p.experts ? "given" : "null");
  }
  if (p.experts && shape[0] != operands.Size("E")) {
    return Fail(code, "{}.shape[0] = {}, expected {}, the experts of weight1", operands.NameOf(id),
                shape[0], operands.Size("E"));
  }
  if (Status s = CheckShapeIs(operands, summand, shape); !s.ok()) return s;
  if (shape.rank() == of_columns) return {};
  if (operands[kFirst].dtype() != ACL_INT4) {
    return Fail(code, "{}.shape = {}, expected no groups of K beside weights of {}",
                operands.NameOf(id), shape.ToString(), NameOf(operands[kFirst].dtype()));
  }
  const int64_t groups = shape[of_columns - 1];
  const bool whole = groups > 0 && depth % groups == 0;
  if (whole && (groups == 1 || depth / groups % kGroupUnit == 0)) return {};
  return Fail(code, "{}.shape[{}] = {}, expected groups of a multiple of {} k as K = {}",
              operands.NameOf(id), of_columns - 1, groups, kGroupUnit, depth);
}

Status CheckFactors(const Operands& operands, const Params& p) {
  if (p.form != GroupedForm::kFactors) return {};
  const int code = operands.spec().codes.shape;
  if (Status s = CheckFactor(operands, p, kFirstFactor, kFirstSummand, operands.Size("K1"));
      !s.ok()) {
    return s;
  }
  if (Status s = CheckFactor(operands, p, kSecondFactor, kSecondSummand, operands.Size("K2"));
      !s.ok()) {
    return s;
  }
  const size_t first = operands[kFirstFactor].shape().rank();
  const size_t second = operands[kSecondFactor].shape().rank();
  if (first != second) {
    return Fail(code, "{}.shape = {} has rank {}, expected rank {} as {}",
                operands.NameOf(kSecondFactor), operands[kSecondFactor].shape().ToString(), second,
                first, operands.NameOf(kFirstFactor));
  }
  if (operands[kFirst].dtype() != ACL_INT4) return {};
  for (int id : {kFirst, kSecond}) {
    const Dims& shape = operands[id].shape();
    if (shape.back() % 2 == 0) continue;
    return Fail(code, "{}.shape[{}] = {}, expected an even number as it is INT4",
                operands.NameOf(id), shape.rank() - 1, shape.back());
  }
  return {};
}

}  // namespace

Status Check(Operands& operands, Params* params) {
  Params& p = *params;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  for (int id : {kFirstBias, kSecondBias, kScale, kOffset, kFirstDequant, kSecondDequant,
                 kFirstFactor, kSecondFactor, kFirstSummand, kSecondSummand}) {
    if (operands.Given(id) && operands[id].IsEmpty()) operands.Drop(id);
  }
  if (Status s = ReadActivation(operands, &p); !s.ok()) return s;
  ReadExperts(operands, &p);
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  // The document of the first version takes no tensor without elements.
  if (!operands.HasRow(kEnds)) {
    if (Status s = CheckElements(operands, {kX, kFirst, kSecond, kY}); !s.ok()) return s;
  }
  if (Status s = CheckTypes(operands, &p); !s.ok()) return s;
  if (Status s = CheckModes(operands, p); !s.ok()) return s;
  if (Status s = CheckRanks(operands, p); !s.ok()) return s;
  const Dims& x = operands[kX].shape();
  Dims rows;
  for (size_t i = 0; i + 1 < x.rank(); ++i) rows.push_back(x[i]);
  p.rows = ElementCount(rows).value_or(INT64_MAX);
  if (Status s = CheckSizes(operands, p); !s.ok()) return s;
  if (p.experts && !p.listed) {
    if (Status s = ReadHostTokens(operands, &p); !s.ok()) return s;
  }
  if (!p.experts) p.ends = {p.rows};
  if (Status s = CheckScale(operands, p); !s.ok()) return s;
  if (Status s = CheckFactors(operands, p); !s.ok()) return s;
  return operands.CheckStrides();
}

}  // namespace anyacl::matmul::feed_forward
