// SPDX-License-Identifier: Apache-2.0
// Boxes by name: which stay where many overlap.
#include <algorithm>
#include <cmath>
#include <functional>

#include "acl/acl.h"
#include "node.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;
using SuppressionNodeTest = NodeTest;

double SharedPart(const double* a, const double* b) {
  const double across = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const double down = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  return std::max(across, 0.0) * std::max(down, 0.0);
}
double PartOfUnion(const double* a, const double* b) {
  const double shared = SharedPart(a, b);
  const double whole = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared;
  return whole > 0 ? shared / whole : 0;
}
// Rows of four corners, of which many overlap.
Values Rows(Random& random, int64_t count) {
  Values rows;
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(random.Int(0, 20)),
               y = static_cast<double>(random.Int(0, 20));
    for (double corner : {x, y, x + static_cast<double>(random.Int(1, 9)),
                          y + static_cast<double>(random.Int(1, 9))}) {
      rows.push_back(corner);
    }
  }
  return rows;
}

TEST_F(SuppressionNodeTest, SuppressesBoxesOfLowerScores) {
  constexpr int64_t kCount = 700;
  for (int64_t most : {int64_t{5}, kCount}) {
    const Values boxes = Rows(random(), kCount);
    Values scores;
    for (int64_t i = 0; i < kCount; ++i) {
      scores.push_back(static_cast<double>(random().Int(0, 64)) / 64);
    }
    Values turned = boxes;  // the other two corners
    for (size_t i = 0; i < kCount; i += 3) std::swap(turned[4 * i], turned[4 * i + 2]);
    Node node("NonMaxSuppressionV4");
    node.In({kCount, 4}, turned).In({kCount}, scores).In({}, {double(most)}, ACL_INT32);
    node.In({}, {0.5}).In({}, {0.25}).Out({most + 3}, ACL_INT32).Out({}, ACL_INT32);
    node.Bool("pad_to_max_output_size", false);
    std::vector<size_t> order;
    for (size_t i = 0; i < kCount; ++i) {
      if (scores[i] > 0.25) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    Values kept;
    for (size_t i : order) {
      bool stays = static_cast<int64_t>(kept.size()) < most;
      for (double k : kept) {
        stays = stays && PartOfUnion(&boxes[4 * i], &boxes[4 * static_cast<size_t>(k)]) <= 0.5;
      }
      if (stays) kept.push_back(static_cast<double>(i));
    }
    const auto count = static_cast<double>(kept.size());
    kept.resize(static_cast<size_t>(most + 3));
    EXPECT_EQ(Run(node), kept);
    EXPECT_EQ(node.Result(1, stream()), Values{count});
  }
  Node many("NonMaxSuppressionV4"), empty("NonMaxSuppressionV4");
  many.In({1, 4}).In({1}).In({}, {3}, ACL_INT32).In({}, {0.5}).In({}, {0});
  many.Out({2}, ACL_INT32).Out({}, ACL_INT32);
  ExpectTaskFails(many, {"max_output_size = 3", "0 to 2"});
  empty.In({0, 4}).In({0}).In({}, {2}, ACL_INT32).In({}, {0.5}).In({}, {0});
  empty.Out({2}, ACL_INT32).Out({}, ACL_INT32);
  EXPECT_EQ(Run(empty), (Values{0, 0}));
}

TEST_F(SuppressionNodeTest, MarksBoxesThatStay) {
  constexpr int64_t kCount = 600;
  const Values boxes = Rows(random(), kCount);
  Values rows, expected;
  for (size_t i = 0; i < kCount; ++i) {
    rows.insert(rows.end(), boxes.begin() + static_cast<int64_t>(4 * i),
                boxes.begin() + static_cast<int64_t>(4 * i + 4));
    rows.push_back(1 - static_cast<double>(i) / 1024);
    bool stays = true;
    for (size_t k = 0; k < i; ++k) {
      stays = stays && (expected[k] == 0 || PartOfUnion(&boxes[4 * k], &boxes[4 * i]) <= 0.25);
    }
    expected.push_back(stays);
  }
  Node node("NMSWithMask");
  node.In({kCount, 5}, rows).Out({kCount, 5}).Out({kCount}, ACL_INT32).Out({kCount}, ACL_UINT8);
  node.Real("iou_threshold", 0.25F);
  EXPECT_EQ(Run(node), rows);
  EXPECT_EQ(node.Result(2, stream()), expected);
  const Values index = node.Result(1, stream());
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(index[i], static_cast<double>(i));
}

TEST_F(SuppressionNodeTest, SuppressesByClasses) {
  constexpr int64_t kImages = 2, kCount = 60, kClasses = 3, kEach = 7, kTotal = 12;
  for (bool turned : {false, true}) {
    for (int64_t q : {int64_t{1}, kClasses}) {
      const Values rows = Rows(random(), kImages * kCount * q);
      Values boxes = rows, scores;  // [image, box, q, 4]
      if (turned) {
        for (int64_t i = 0; i < kImages * kCount * q * 4; ++i) {
          const int64_t k = i % 4, c = i / 4 % q, box = i / 4 / q % kCount, n = i / 4 / q / kCount;
          boxes[static_cast<size_t>(((n * q + c) * 4 + k) * kCount + box)] =
              rows[static_cast<size_t>(i)];
        }
      }
      for (int64_t i = 0; i < kImages * kCount * kClasses; ++i) {
        scores.push_back(static_cast<double>((i * 7919) % 1009) / 1024);  // no two are equal
      }
      Node node("BatchMultiClassNonMaxSuppression");
      node.In(turned ? std::vector<int64_t>{kImages, q, 4, kCount}
                     : std::vector<int64_t>{kImages, kCount, q, 4},
              boxes);
      node.In({kImages, kCount, kClasses}, scores);
      node.Out({kImages, kTotal, 4}).Out({kImages, kTotal}).Out({kImages, kTotal});
      node.Out({kImages}, ACL_INT32);
      node.Real("score_threshold", 0.5F).Real("iou_threshold", 0.3F);
      node.Int("max_size_per_class", kEach).Int("max_total_size", kTotal);
      node.Bool("change_coordinate_frame", false).Bool("transpose_box", turned);
      ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
      Values expected[4];
      for (int64_t n = 0; n < kImages; ++n) {
        struct Found {
          double score, in_class;
          const double* box;
        };
        std::vector<Found> all;
        for (int64_t c = 0; c < kClasses; ++c) {
          std::vector<Found> candidates, kept;
          for (int64_t i = 0; i < kCount; ++i) {
            const double score = scores[static_cast<size_t>((n * kCount + i) * kClasses + c)];
            const int64_t at = ((n * kCount + i) * q + (q == 1 ? 0 : c)) * 4;
            if (score > 0.5) {
              candidates.push_back({score, static_cast<double>(c), &rows[static_cast<size_t>(at)]});
            }
          }
          std::sort(candidates.begin(), candidates.end(),
                    [](const Found& a, const Found& b) { return a.score > b.score; });
          for (const Found& found : candidates) {
            bool stays = static_cast<int64_t>(kept.size()) < kEach;
            for (const Found& k : kept) {
              stays = stays && PartOfUnion(k.box, found.box) <= static_cast<double>(0.3F);
            }
            if (stays) kept.push_back(found);
          }
          all.insert(all.end(), kept.begin(), kept.end());
        }
        std::sort(all.begin(), all.end(),
                  [](const Found& a, const Found& b) { return a.score > b.score; });
        all.resize(std::min<size_t>(all.size(), kTotal));
        expected[3].push_back(static_cast<double>(all.size()));
        all.resize(kTotal, {0, 0, nullptr});
        for (const Found& found : all) {
          for (size_t k = 0; k < 4; ++k) {
            expected[0].push_back(found.box == nullptr ? 0 : found.box[k]);
          }
          expected[1].push_back(found.score);
          expected[2].push_back(found.in_class);
        }
      }
      for (size_t i = 0; i < 4; ++i) EXPECT_EQ(node.Result(i, stream()), expected[i]) << i;
    }
  }
  Node framed("BatchMultiClassNonMaxSuppression"), many("BatchMultiClassNonMaxSuppression");
  for (Node* node : {&framed, &many}) {
    node->In({1, 1, 1, 4}).In({1, 1, 1}).Out({1, 2, 4}).Out({1, 2}).Out({1, 2}).Out({1}, ACL_INT32);
    node->Real("iou_threshold", 0.5F).Real("score_threshold", 0);
  }
  framed.Bool("change_coordinate_frame", true);
  ExpectRefused(framed, {"change_coordinate_frame"});
  many.Int("max_size_per_class", 1001).Int("max_total_size", 2);
  ExpectRefused(many, {"max_size_per_class = 1001", "1 to 1000"});
}

}  // namespace
}  // namespace anyacl::test
