// SPDX-License-Identifier: Apache-2.0
// Scattering of single elements with one index, of which the positions along some dimensions are
// apart: a thread does one piece of such a dimension after the other.
#pragma once

#include <optional>

#include "ops/indexing/access.h"

namespace anyacl::indexing {

// How the work is cut.
struct Pieces {
  Axis column;          // the axis that is cut; its positions are apart
  Axis dependent;       // the positions of a column
  Axes outer;           // the others, which are apart, too
  bool across = false;  // columns lie closer to one another than the positions of one
  // A piece of target is made elsewhere: of fp32 numbers, which are rounded once, or because its
  // rows are so far apart that they share a few lines of the caches.
  bool image = false;
  bool widened = false;
  int64_t width = 1;        // columns of a piece
  int64_t image_bytes = 0;  // of a piece
  bool own_image = false;   // of the thread that needs it
};

// x's positions are sorted and joined. None: the positions are not of this kind, or so few are
// apart that threads could not share them.
std::optional<Pieces> PiecesOf(const Access& x, const Scattering& how);

// False: an index is out of range, and elements may have been written.
bool ScatterPieces(const Access& x, const Pieces& pieces, const Scattering& how);

}  // namespace anyacl::indexing
