// SPDX-License-Identifier: Apache-2.0
// LSTM and GRU over a sequence, from their formulas, in double precision. Gradients are differences
// of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anyacl::test {

struct LayerSizes {
  size_t steps, batch, inputs, hidden;
};

// All of a layer's numbers in row-major order. Weights have a column for each gate and element of
// the state: of an LSTM i, j, f, o in the order of `columns`, of a GRU reset, update, new.
struct LayerInputs {
  std::vector<double> x;              // [steps, batch, inputs]
  std::vector<double> weight;         // [inputs, gates * hidden]
  std::vector<double> hidden_weight;  // [hidden, gates * hidden]
  std::vector<double> bias;           // [gates * hidden]
  std::vector<double> hidden_bias;    // of a GRU
  std::vector<double> h, c;           // [batch, hidden]
};
struct LayerOptions {
  std::vector<size_t> columns;
  bool backwards = false;  // the last step first
  double forget_bias = 0;
  std::vector<int64_t> lengths = {};  // of each sequence; empty: all are whole
};

// Each [steps, batch, hidden]: the output, the state behind each step, the gates.
struct LstmOutputs {
  std::vector<double> y, h, c, i, j, f, o, tanh_c;
};
LstmOutputs LstmReference(const LayerSizes& sizes, const LayerInputs& in,
                          const LayerOptions& options);

struct GruOutputs {
  std::vector<double> y, h, update, reset, fresh, hidden_fresh;
};
GruOutputs GruReference(const LayerSizes& sizes, const LayerInputs& in,
                        const LayerOptions& options);

}  // namespace anyacl::test
