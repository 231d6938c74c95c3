// SPDX-License-Identifier: Apache-2.0
// Plain loops. Products of BF16, the norm before the second product, and the parts of heads are
// tensors of BF16 on the way, as op-plugin's test of the operator has them; integers keep fp32.
#include "reference/mla_prolog.h"

#include <algorithm>
#include <cmath>

#include "reference/turned_row.h"

namespace anyacl::test {
namespace {

using Nears = std::vector<Near>;

// As BF16, whose numbers have 8 bits: the next one where the error reaches the middle.
Near Narrow(const Near& x) {
  if (x.value == 0) return x;
  const double unit = std::ldexp(1, std::ilogb(x.value) - 7);
  const double steps = x.value / unit;
  const double rounded = std::nearbyint(steps) * unit;
  const double to_middle = (0.5 - std::abs(steps - std::nearbyint(steps))) * unit;
  if (x.error < to_middle) return {rounded, 0};
  return {rounded, unit + x.error};
}

// To a whole number within INT8.
Near Whole(const Near& x) {
  const double rounded = std::clamp(std::nearbyint(x.value), -128.0, 127.0);
  const double to_middle = 0.5 - std::abs(x.value - std::nearbyint(x.value));
  return {rounded, x.error < to_middle ? 0 : 1 + std::floor(x.error)};
}

constexpr double kUnit = 0x1p-24;  // of fp32, relative

Near Times(const Near& a, const Near& b) {
  const double value = a.value * b.value;
  return {value, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error +
                     std::abs(value) * kUnit};
}
Near Times(const Near& a, double b) { return Times(a, Near{b, 0}); }

// [rows, inner] @ [inner, columns]: sums of `inner` terms in fp32, exact ones of integers.
Nears Product(const Nears& a, const std::vector<double>& b, int64_t rows, int64_t inner,
              int64_t columns, bool integers) {
  Nears out(static_cast<size_t>(rows * columns));
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      Near& sum = out[static_cast<size_t>(r * columns + c)];
      double size = 0;
      for (int64_t k = 0; k < inner; ++k) {
        const Near& left = a[static_cast<size_t>(r * inner + k)];
        const double right = b[static_cast<size_t>(k * columns + c)];
        sum.value += left.value * right;
        sum.error += left.error * std::abs(right);
        size += std::abs(left.value * right);
      }
      if (!integers) sum.error += static_cast<double>(inner) * kUnit * size;
    }
  }
  return out;
}

// Products as the next step reads them: integers times the factors of rows and columns.
void Dequantise(Nears& product, const Nears& rows, const std::vector<double>& columns) {
  const size_t n = columns.size();
  for (size_t i = 0; i < product.size(); ++i) {
    product[i] = Times(Times(product[i], rows[i / n]), columns[i % n]);
    product[i].error += std::abs(product[i].value) * kUnit;  // of the sum itself
  }
}

Nears Exactly(const std::vector<double>& values) {
  Nears nears;
  for (double value : values) nears.push_back({value, 0});
  return nears;
}

// A row in place.
void RmsNorm(Near* x, size_t count, const std::vector<double>& gamma, double eps, double factor) {
  double squares = 0, slack = 0;
  for (size_t i = 0; i < count; ++i) {
    squares += x[i].value * x[i].value;
    slack += 2 * std::abs(x[i].value) * x[i].error;
  }
  const auto n = static_cast<double>(count);
  const double rms = std::sqrt(squares / n + eps);
  const double relative = slack / (2 * n * rms * rms) + 5 * kUnit;
  for (size_t i = 0; i < count; ++i) {
    const double scaled = x[i].value / rms * gamma[i] * factor;
    x[i] = {scaled, x[i].error / rms * std::abs(gamma[i] * factor) + std::abs(scaled) * relative};
  }
}

// A row in place, which becomes integers; its factor.
Near Quantise(Near* x, size_t count) {
  Near step;
  for (size_t i = 0; i < count; ++i) {
    step.value = std::max(step.value, std::abs(x[i].value) / 127);
    step.error = std::max(step.error, x[i].error / 127);
  }
  step.error += step.value * kUnit;
  for (size_t i = 0; i < count; ++i) {
    const double scaled = step.value == 0 ? 0 : x[i].value / step.value;
    const double relative = step.value == 0 ? 0 : step.error / step.value + kUnit;
    const double own = step.value == 0 ? 0 : x[i].error / step.value;
    x[i] = Whole({scaled, own + std::abs(scaled) * relative});
  }
  return step;
}

// `turned` neighbours from x on, by the angles of a token, into halves.
Nears Turned(const Near* x, const MlaProlog& p, int64_t token) {
  const auto n = static_cast<size_t>(p.turned);
  const auto row = [&](const std::vector<double>& angles) {
    const auto begin = angles.begin() + token * p.turned;
    return std::vector<double>(begin, begin + p.turned);
  };
  const std::vector<double> cos = row(p.cos), sin = row(p.sin);
  std::vector<double> values;
  for (size_t i = 0; i < n; ++i) values.push_back(x[i].value);
  const std::vector<double> turned = TurnRow(values, cos, sin, "to halves");
  Nears out;
  for (size_t i = 0; i < n; ++i) {
    const size_t pair = i % (n / 2) * 2;
    double size = 0, error = 0;
    for (size_t k : {pair, pair + 1}) {
      const double angle = std::max(std::abs(cos[i]), std::abs(sin[i]));
      size += std::abs(x[k].value) * angle;
      error += x[k].error * angle;
    }
    out.push_back({turned[i], error + 3 * kUnit * size});
  }
  return out;
}

void MakeQueries(const MlaProlog& p, MlaPrologResult* result) {
  const auto ranks = static_cast<size_t>(p.query_rank);
  Nears c = Product(Exactly(p.x), p.weight_dq, p.tokens, p.width, p.query_rank, p.int8_tokens);
  if (p.int8_tokens) {
    Dequantise(c, Exactly(p.factors_x), p.factors_dq);
  } else {
    for (Near& number : c) number = Narrow(number);
  }
  Nears steps;
  for (int64_t t = 0; t < p.tokens; ++t) {
    Near* const row = c.data() + static_cast<size_t>(t) * ranks;
    RmsNorm(row, ranks, p.gamma_cq, p.eps_cq, p.query_factor);
    for (size_t i = 0; i < ranks; ++i) {
      if (!p.smooth.empty()) row[i] = Times(row[i], p.smooth[i]);
      if (!p.int8_queries) row[i] = Narrow(row[i]);
    }
    if (p.int8_queries) steps.push_back(Quantise(row, ranks));
  }
  result->norm = c;
  result->norm_factors = steps;
  const int64_t head = p.plain + p.turned, columns = p.heads * head;
  Nears up = Product(c, p.weight_uq_qr, p.tokens, p.query_rank, columns, p.int8_queries);
  if (p.int8_queries) {
    Dequantise(up, steps, p.factors_uq_qr);
  } else {
    for (Near& number : up) number = Narrow(number);
  }
  for (int64_t t = 0; t < p.tokens; ++t) {
    for (int64_t n = 0; n < p.heads; ++n) {
      const Near* const from = up.data() + t * columns + n * head;
      Nears plain;
      for (int64_t i = 0; i < p.plain; ++i) plain.push_back(Narrow(from[i]));
      const auto begin = p.weight_uk.begin() + n * p.plain * p.key_rank;
      Nears query =
          Product(plain, {begin, begin + p.plain * p.key_rank}, 1, p.plain, p.key_rank, false);
      for (Near& number : query) number = Narrow(number);
      Nears rope = Turned(from + p.plain, p, t);
      for (Near& number : rope) number = Narrow(number);
      if (p.int8_tokens && p.int8_keys) {
        const Near step = Quantise(query.data(), query.size());
        result->query_factors.push_back(step);
        const double inverse = p.scale_ckv[0] / step.value;
        const Near factor = {inverse, inverse * (step.error / step.value + kUnit)};
        for (Near& number : rope) number = Narrow(Times(number, factor));
      }
      result->query.insert(result->query.end(), query.begin(), query.end());
      result->query_rope.insert(result->query_rope.end(), rope.begin(), rope.end());
    }
  }
}

}  // namespace

MlaPrologResult ExactMlaProlog(const MlaProlog& p) {
  MlaPrologResult result;
  MakeQueries(p, &result);
  const int64_t columns = p.key_rank + p.turned;
  Nears kv = Product(Exactly(p.x), p.weight_dkv_kr, p.tokens, p.width, columns, p.int8_tokens);
  if (p.int8_tokens) {
    Dequantise(kv, Exactly(p.factors_x), p.factors_dkv_kr);
  } else {
    for (Near& number : kv) number = Narrow(number);
  }
  for (int64_t t = 0; t < p.tokens; ++t) {
    Near* const row = kv.data() + t * columns;
    RmsNorm(row, static_cast<size_t>(p.key_rank), p.gamma_ckv, p.eps_ckv, p.key_factor);
    for (int64_t i = 0; i < p.key_rank; ++i) {
      const size_t of = p.int8_tokens ? 0 : static_cast<size_t>(i);  // one factor of the tensor
      result.keys.push_back(p.int8_keys ? Whole(Times(row[i], p.scale_ckv[of])) : Narrow(row[i]));
    }
    const Nears rope = Turned(row + p.key_rank, p, t);
    for (size_t i = 0; i < rope.size(); ++i) {
      const bool whole = p.int8_keys && !p.int8_tokens;
      result.ropes.push_back(whole ? Whole(Times(rope[i], p.scale_ckr[i])) : Narrow(rope[i]));
    }
  }
  return result;
}

}  // namespace anyacl::test
