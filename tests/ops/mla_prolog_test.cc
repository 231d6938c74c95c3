// SPDX-License-Identifier: Apache-2.0
// Queries and keys of latent attention made of tokens, against the document's formula in double
// precision: which numbers are integers, caches of both orders, weights as rows and in panels.
#include "ops/mla_prolog_case.h"

namespace anyacl::test {
namespace {

using namespace prolog;

TEST_F(MlaPrologTest, IsTheFormulaForAllTypes) {
  for (const Call& scene : kScenes) {
    for (const char* mode : {"PA_BSND", "PA_NZ"}) {
      for (bool merged : {false, true}) {
        Call c = scene;
        c.mode = mode;
        c.merged = merged;
        c.smooth = c.int8_queries && merged;
        Check(c);
        c.strided = true;
        c.order = Order::kStrided;
        Check(c);
        if (c.int8_results()) continue;
        c.version = 1;
        Check(c);
      }
    }
  }
}

TEST_F(MlaPrologTest, TakesWeightsInEveryOrder) {
  for (const Call& scene : kScenes) {
    for (Order order : {Order::kRows, Order::kPanels, Order::kPanelDims}) {
      Call c = scene;
      c.order = order;
      Check(c);
    }
  }
}

// Panels that are not full.
TEST_F(MlaPrologTest, TakesPanelsOfAnySizes) {
  for (const Call& scene : kScenes) {
    Call c = scene;
    c.width = 50;
    c.query_rank = 20;
    c.key_rank = 35;
    c.turned = 6;
    Check(c);
  }
}

TEST_F(MlaPrologTest, WithoutAModeIsPaged) {
  for (int version : {1, 2, 3}) Check({.version = version, .null_mode = true});
}

// The last one stays, for any number of threads.
TEST_F(MlaPrologTest, TokensForOnePlace) {
  for (const Call& scene : kScenes) {
    for (const char* mode : {"PA_BSND", "PA_NZ"}) {
      Call c = scene;
      c.mode = mode;
      c.length = 40;
      c.together = true;
      Check(c);
    }
  }
}

// Numbers without a magnitude have no factor: as in op-plugin's test, 0 / 0 is none.
TEST_F(MlaPrologTest, AQueryOfZerosHasNoRope) {
  for (const Call& scene : kScenes) {
    Call c = scene;
    c.zeros = true;
    Check(c);
  }
}

TEST_F(MlaPrologTest, TakesAnySizes) {
  for (const Call& scene : kScenes) {
    Call c = scene;
    c.order = Order::kRows;
    c.width = 130;
    c.query_rank = 1100;  // more than integers are stored at a time
    c.heads = 1;
    c.plain = 3;
    c.key_rank = 5;
    c.turned = 2;
    Check(c);
    c.batch = 30;
    c.length = 1;
    c.heads = 5;
    c.blocks = 14;
    c.query_rank = 20;
    Check(c);
    c.blocks = 0;  // queries alone
    Check(c);
  }
}

TEST_F(MlaPrologTest, WithoutTokensChangesNothing) {
  for (const Call& scene : kScenes) {
    Call c = scene;
    c.batch = 0;
    Check(c);
    c.merged = true;
    Check(c);
  }
}

TEST_F(MlaPrologTest, TheThirdVersionHasMoreOrdersFactorsAndTheNorm) {
  for (const Call& scene : kScenes) {
    for (const char* mode : {"PA_BSND", "PA_NZ", "PA_BLK_BSND", "PA_BLK_NZ", "BSND", "TND"}) {
      for (bool merged : {false, true}) {
        if ((mode == std::string("TND") && !merged) || (mode == std::string("BSND") && merged)) {
          continue;
        }
        Call c = scene;
        c.version = 3;
        c.mode = mode;
        c.merged = merged;
        c.query_factor = 0.75;
        c.key_factor = 1.5;
        c.norm = merged;
        c.smooth = c.int8_queries;
        if (c.by_block()) {
          c.batch = 3;
          c.length = 5;
          c.places = 2;
          c.blocks = 12;
        }
        Check(c);
        c.strided = true;
        c.norm = true;
        Check(c);
        c.batch = 0;
        c.norm = false;
        Check(c);
      }
    }
  }
}

}  // namespace
}  // namespace anyacl::test
