// SPDX-License-Identifier: Apache-2.0
// A head's row turned by its position, in double precision.
#pragma once

#include <string_view>
#include <vector>

namespace anyacl::test {

// x * cos + rotated * sin: half, interleave, quarter, or neighbours "to halves".
inline std::vector<double> TurnRow(const std::vector<double>& x, const std::vector<double>& cos,
                                   const std::vector<double>& sin, std::string_view mode) {
  const size_t d = x.size();
  std::vector<double> plain = x, rotated(d);
  if (mode == "half") {
    for (size_t i = 0; i < d / 2; ++i) rotated[i] = -x[d / 2 + i], rotated[d / 2 + i] = x[i];
  } else if (mode == "interleave") {
    for (size_t i = 0; i < d; i += 2) rotated[i] = -x[i + 1], rotated[i + 1] = x[i];
  } else if (mode == "quarter") {
    for (size_t i = 0; i < d / 4; ++i) {
      for (size_t half : {size_t{0}, d / 2}) {
        rotated[half + i] = -x[half + d / 4 + i];
        rotated[half + d / 4 + i] = x[half + i];
      }
    }
  } else {
    for (size_t i = 0; i < d / 2; ++i) {
      plain[i] = x[2 * i], plain[d / 2 + i] = x[2 * i + 1];
      rotated[i] = -x[2 * i + 1], rotated[d / 2 + i] = x[2 * i];
    }
  }
  std::vector<double> y;
  for (size_t i = 0; i < d; ++i) y.push_back(plain[i] * cos[i] + rotated[i] * sin[i]);
  return y;
}

}  // namespace anyacl::test
