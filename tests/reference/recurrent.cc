// SPDX-License-Identifier: Apache-2.0
#include "reference/recurrent.h"

#include <cmath>

namespace anyacl::test {
namespace {

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One gate of one element before its function: row b of `rows` times column `column`.
double Product(const std::vector<double>& rows, size_t row, size_t depth,
               const std::vector<double>& weight, size_t column, size_t columns) {
  double sum = 0;
  for (size_t k = 0; k < depth; ++k) sum += rows[row * depth + k] * weight[k * columns + column];
  return sum;
}

bool Counts(const LayerOptions& options, size_t step, size_t sequence) {
  return options.lengths.empty() || static_cast<int64_t>(step) < options.lengths[sequence];
}

}  // namespace

LstmOutputs LstmReference(const LayerSizes& s, const LayerInputs& in, const LayerOptions& options) {
  const size_t count = s.steps * s.batch * s.hidden, columns = 4 * s.hidden;
  LstmOutputs out;
  for (auto* all : {&out.y, &out.h, &out.c, &out.i, &out.j, &out.f, &out.o, &out.tanh_c}) {
    all->resize(count);
  }
  std::vector<double> h = in.h, c = in.c;
  for (size_t n = 0; n < s.steps; ++n) {
    const size_t t = options.backwards ? s.steps - 1 - n : n;
    std::vector<double> next_h = h, next_c = c;
    for (size_t b = 0; b < s.batch; ++b) {
      for (size_t k = 0; k < s.hidden; ++k) {
        const size_t at = (t * s.batch + b) * s.hidden + k, state = b * s.hidden + k;
        double gate[4];
        for (size_t g = 0; g < 4; ++g) {
          const size_t column = options.columns[g] * s.hidden + k;
          gate[g] = Product(in.x, t * s.batch + b, s.inputs, in.weight, column, columns) +
                    Product(h, b, s.hidden, in.hidden_weight, column, columns) +
                    (in.bias.empty() ? 0 : in.bias[column]);
        }
        const double i = out.i[at] = Sigmoid(gate[0]);
        const double j = out.j[at] = std::tanh(gate[1]);
        const double f = out.f[at] = Sigmoid(gate[2] + options.forget_bias);
        const double o = out.o[at] = Sigmoid(gate[3]);
        const double new_c = f * c[state] + i * j;
        const double new_h = o * (out.tanh_c[at] = std::tanh(new_c));
        const bool counts = Counts(options, t, b);
        if (counts) next_h[state] = new_h;
        if (counts) next_c[state] = new_c;
        out.y[at] = counts ? new_h : 0;
        out.h[at] = next_h[state];
        out.c[at] = next_c[state];
      }
    }
    h = next_h;
    c = next_c;
  }
  return out;
}

GruOutputs GruReference(const LayerSizes& s, const LayerInputs& in, const LayerOptions& options) {
  const size_t count = s.steps * s.batch * s.hidden, columns = 3 * s.hidden;
  GruOutputs out;
  for (auto* all : {&out.y, &out.h, &out.update, &out.reset, &out.fresh, &out.hidden_fresh}) {
    all->resize(count);
  }
  std::vector<double> h = in.h;
  for (size_t n = 0; n < s.steps; ++n) {
    const size_t t = options.backwards ? s.steps - 1 - n : n;
    std::vector<double> next = h;
    for (size_t b = 0; b < s.batch; ++b) {
      for (size_t k = 0; k < s.hidden; ++k) {
        const size_t at = (t * s.batch + b) * s.hidden + k, state = b * s.hidden + k;
        double of_input[3], of_state[3];
        for (size_t g = 0; g < 3; ++g) {
          const size_t column = options.columns[g] * s.hidden + k;
          of_input[g] = Product(in.x, t * s.batch + b, s.inputs, in.weight, column, columns) +
                        (in.bias.empty() ? 0 : in.bias[column]);
          of_state[g] = Product(h, b, s.hidden, in.hidden_weight, column, columns) +
                        (in.hidden_bias.empty() ? 0 : in.hidden_bias[column]);
        }
        const double reset = out.reset[at] = Sigmoid(of_input[0] + of_state[0]);
        const double update = out.update[at] = Sigmoid(of_input[1] + of_state[1]);
        out.hidden_fresh[at] = of_state[2];
        const double fresh = out.fresh[at] = std::tanh(of_input[2] + reset * of_state[2]);
        const double new_h = (1 - update) * fresh + update * h[state];
        const bool counts = Counts(options, t, b);
        if (counts) next[state] = new_h;
        out.y[at] = counts ? new_h : 0;
        out.h[at] = next[state];
      }
    }
    h = next;
  }
  return out;
}

}  // namespace anyacl::test
