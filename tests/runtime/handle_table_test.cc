// SPDX-License-Identifier: Apache-2.0
// runtime/handle_table.h: handles are unique numbers; only living ones of the right kind are found.
#include "runtime/handle_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "support/memory_exhaustion.h"

namespace anyacl::test {
namespace {

using Table = HandleTable<int, HandleKind::kEvent>;

TEST(HandleTableTest, FindsWhatWasAdded) {
  Table table;
  void* first = table.Add(std::make_shared<int>(1));
  void* second = table.Add(std::make_shared<int>(2));
  EXPECT_NE(first, second);
  ASSERT_NE(table.Find(first), nullptr);
  EXPECT_EQ(*table.Find(first), 1);
  EXPECT_EQ(*table.Find(second), 2);
}

TEST(HandleTableTest, RemovedHandlesAreDead) {
  Table table;
  void* handle = table.Add(std::make_shared<int>(1));
  const std::shared_ptr<int> object = table.Remove(handle);
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(*object, 1);
  EXPECT_EQ(table.Find(handle), nullptr);
  EXPECT_EQ(table.Remove(handle), nullptr);
}

TEST(HandleTableTest, HandlesAreNeverUsedAgain) {
  Table table;
  std::set<void*> seen;
  for (int i = 0; i < 10000; ++i) {
    void* handle = table.Add(std::make_shared<int>(i));
    EXPECT_TRUE(seen.insert(handle).second);
    table.Remove(handle);
  }
}

// One place serves 2^18 - 1 objects, one after the other.
TEST(HandleTableTest, HandlesOfOnePlaceAreNeverUsedAgain) {
  Table table;
  void* const first = table.Add(std::make_shared<int>(1));
  table.Remove(first);
  auto object = std::make_shared<int>(2);
  std::vector<void*> handles;
  for (int i = 0; i < 600'000; ++i) {
    handles.push_back(table.Add(object));
    table.Remove(handles.back());
  }
  EXPECT_EQ(table.Find(first), nullptr);
  std::ranges::sort(handles);
  EXPECT_EQ(std::ranges::adjacent_find(handles), handles.end());
  EXPECT_FALSE(std::ranges::binary_search(handles, first));
}

TEST(HandleTableTest, AnObjectMayBeToldToStay) {
  Table table;
  void* const handle = table.Add(std::make_shared<int>(1));
  EXPECT_EQ(*table.RemoveUnless(handle, [](int value) { return value == 1; }), 1);
  EXPECT_EQ(*table.RemoveUnless(handle, [](int value) { return value == 2; }), 1);
  EXPECT_EQ(table.Find(handle), nullptr);
}

TEST(HandleTableTest, WithoutMemoryAnAddHasChangedNothing) {
  Table table;
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    const auto object = std::make_shared<int>(i);
    void* handle = nullptr;
    ExhaustMemory(true);
    try {
      handle = table.Add(object);
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    ExhaustMemory(false);
    if (handle == nullptr) handle = table.Add(object);
    EXPECT_EQ(table.Find(handle), object);
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(table.All().size(), 100u);
}

TEST(HandleTableTest, HandlesAreNoAddresses) {
  Table table;
  const auto handle = reinterpret_cast<uintptr_t>(table.Add(std::make_shared<int>(1)));
  EXPECT_EQ(handle % 16, 0u);                    // looks aligned
  const uintptr_t sign_extended = handle >> 47;  // canonical addresses have these bits equal
  EXPECT_TRUE(sign_extended != 0 && sign_extended != 0x1FFFF);
}

TEST(HandleTableTest, NothingElseIsFound) {
  Table table;
  void* handle = table.Add(std::make_shared<int>(1));
  int local = 0;
  auto number = reinterpret_cast<uintptr_t>(handle);
  EXPECT_EQ(table.Find(nullptr), nullptr);
  EXPECT_EQ(table.Find(&local), nullptr);
  EXPECT_EQ(table.Find(reinterpret_cast<void*>(~uintptr_t{0})), nullptr);
  for (int bit = 0; bit < 64; ++bit) {
    void* damaged = reinterpret_cast<void*>(number ^ uintptr_t{1} << bit);
    EXPECT_EQ(table.Find(damaged), nullptr) << bit;
    EXPECT_EQ(table.Remove(damaged), nullptr) << bit;
  }
  EXPECT_NE(table.Find(handle), nullptr);
}

TEST(HandleTableTest, KindsDiffer) {
  Table events;
  HandleTable<int, HandleKind::kStream> streams;
  void* event = events.Add(std::make_shared<int>(1));
  void* stream = streams.Add(std::make_shared<int>(2));
  EXPECT_NE(event, stream);
  EXPECT_EQ(events.Find(stream), nullptr);
  EXPECT_EQ(streams.Find(event), nullptr);
}

TEST(HandleTableTest, ObjectsOutliveTheirHandlesWhileHeld) {
  Table table;
  void* handle = table.Add(std::make_shared<int>(7));
  const std::shared_ptr<int> held = table.Find(handle);
  table.Remove(handle);
  EXPECT_EQ(*held, 7);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(HandleTableTest, AllListsTheLiving) {
  Table table;
  std::vector<void*> handles;
  for (int i = 0; i < 100; ++i) handles.push_back(table.Add(std::make_shared<int>(i)));
  for (size_t i = 0; i < 100; i += 2) table.Remove(handles[i]);
  std::set<int> values;
  for (const auto& object : table.All()) values.insert(*object);
  EXPECT_EQ(values.size(), 50u);
  EXPECT_EQ(*values.begin(), 1);
}

TEST(HandleTableTest, OfSeveralThreadsOneRemoves) {
  Table table;
  for (int round = 0; round < 200; ++round) {
    void* handle = table.Add(std::make_shared<int>(round));
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        if (const auto found = table.Find(handle)) {
          EXPECT_EQ(*found, round);
        }
        if (table.Remove(handle) != nullptr) ++winners;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
  }
}

}  // namespace
}  // namespace anyacl::test
