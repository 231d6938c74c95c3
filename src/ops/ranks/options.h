// SPDX-License-Identifier: Apache-2.0
// What the environment says about waiting.
#pragma once

namespace anyacl::ranks {

// Read once, at the first call.
struct Options {
  bool spin = false;  // ANYACL_POLL=spin: a core of its own for every waiting call
  bool fair = false;  // ANYACL_FAIR_GROUPS=1

  static const Options& Get();
};

}  // namespace anyacl::ranks
