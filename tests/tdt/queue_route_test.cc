// SPDX-License-Identifier: Apache-2.0
// Routes between queues.
#include <initializer_list>
#include <utility>

#include "tdt_case.h"

namespace anyacl::test {
namespace {

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

class RouteTest : public RuntimeTest {
 protected:
  // A list of routes.
  struct List {
    explicit List(const Pairs& routes) {
      for (const auto& [source, destination] : routes) {
        acltdtQueueRoute* route = acltdtCreateQueueRoute(source, destination);
        EXPECT_OK(acltdtAddQueueRoute(handle, route));
        EXPECT_OK(acltdtDestroyQueueRoute(route));
      }
    }
    ~List() { EXPECT_OK(acltdtDestroyQueueRouteList(handle)); }

    std::vector<int32_t> Statuses() const {
      std::vector<int32_t> statuses;
      acltdtQueueRoute* route = acltdtCreateQueueRoute(0, 0);
      for (size_t i = 0; i < acltdtGetQueueRouteNum(handle); ++i) {
        EXPECT_OK(acltdtGetQueueRoute(handle, i, route));
        size_t size = 0;
        EXPECT_OK(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, &size,
                                           &statuses.emplace_back()));
      }
      EXPECT_OK(acltdtDestroyQueueRoute(route));
      return statuses;
    }

    acltdtQueueRouteList* handle = acltdtCreateQueueRouteList();
  };

  // Binds for the life of the object.
  struct Bound : List {
    explicit Bound(const Pairs& routes) : List(routes) { EXPECT_OK(acltdtBindQueueRoutes(handle)); }
    ~Bound() { EXPECT_OK(acltdtUnbindQueueRoutes(handle)); }
  };

  // The code, and how many routes were found.
  static std::pair<aclError, size_t> Query(std::vector<int32_t> mode, std::vector<uint32_t> source,
                                           std::vector<uint32_t> destination) {
    acltdtQueueRouteQueryInfo* info = acltdtCreateQueueRouteQueryInfo();
    const auto set = [&](acltdtQueueRouteQueryInfoParamType type, const auto& values) {
      if (values.empty()) return;
      EXPECT_OK(acltdtSetQueueRouteQueryInfo(info, type, 4, values.data()));
    };
    set(ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, mode);
    set(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, source);
    set(ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, destination);
    const List list({{7, 7}});  // what it held goes, whatever happens
    const aclError code = acltdtQueryQueueRoutes(info, list.handle);
    const size_t count = acltdtGetQueueRouteNum(list.handle);
    EXPECT_EQ(list.Statuses(), std::vector<int32_t>(count, ACL_TDT_QUEUE_ROUTE_BIND));
    EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(info));
    return {code, count};
  }
};

TEST_F(RouteTest, EachDestinationGetsEverything) {
  const TestQueue source, first, second;
  EXPECT_OK(source.Put(1));  // before the routes
  const Bound bound({{source.id(), first.id()}, {source.id(), second.id()}});
  EXPECT_EQ(bound.Statuses(), (std::vector<int32_t>{1, 1}));
  EXPECT_EQ(first.Take(), 1);
  EXPECT_EQ(second.Take(), 1);
  EXPECT_OK(source.Put(2));
  for (const TestQueue* queue : {&first, &second}) {
    EXPECT_EQ(queue->Take(), 2);
    EXPECT_EQ(queue->Take(), -1);
  }
  EXPECT_EQ(source.Take(), -1);
}

TEST_F(RouteTest, AFullDestinationHoldsUpItsSourceAlone) {
  const TestQueue source(2), slow(2), fast(8);
  const Bound bound({{source.id(), slow.id()}, {source.id(), fast.id()}});
  for (int32_t i = 1; i <= 4; ++i) EXPECT_OK(source.Put(i));
  EXPECT_EQ(source.Put(5), ACL_ERROR_RT_QUEUE_FULL);
  // The fast one has what the source is passing on, once.
  for (int32_t i = 1; i <= 3; ++i) EXPECT_EQ(fast.Take(), i);
  EXPECT_EQ(fast.Take(), -1);
  EXPECT_EQ(slow.Take(), 1);
  EXPECT_EQ(fast.Take(), 4);
  EXPECT_OK(source.Put(5));
  for (int32_t i = 2; i <= 5; ++i) EXPECT_EQ(slow.Take(), i);
  EXPECT_EQ(fast.Take(), 5);
}

TEST_F(RouteTest, UnbindingTheSlowDestinationLetsTheOthersGoOn) {
  const TestQueue source(2), slow(2), fast(8);
  const Bound bound({{source.id(), fast.id()}});
  {
    const Bound other({{source.id(), slow.id()}});
    for (int32_t i = 1; i <= 4; ++i) EXPECT_OK(source.Put(i));
    EXPECT_EQ(source.Put(5), ACL_ERROR_RT_QUEUE_FULL);
  }
  EXPECT_OK(source.Put(5));
  for (int32_t i = 1; i <= 5; ++i) EXPECT_EQ(fast.Take(), i);
  EXPECT_EQ(source.Take(), -1);
}

TEST_F(RouteTest, ARouteBoundAnewDoesNotRepeat) {
  const TestQueue source(2), slow(2), fast(8);
  const Bound bound({{source.id(), slow.id()}});
  {
    const Bound other({{source.id(), fast.id()}});
    for (int32_t i = 1; i <= 3; ++i) EXPECT_OK(source.Put(i));
  }
  const Bound again({{source.id(), fast.id()}});
  for (int32_t i = 1; i <= 3; ++i) EXPECT_EQ(fast.Take(), i);
  EXPECT_EQ(fast.Take(), -1);
}

TEST_F(RouteTest, SeveralSourcesMayShareADestination) {
  const TestQueue first, second, destination(2);
  const Bound bound({{first.id(), destination.id()}, {second.id(), destination.id()}});
  EXPECT_OK(first.Put(1));
  EXPECT_OK(second.Put(2));
  EXPECT_OK(second.Put(3));
  EXPECT_EQ(destination.Take(), 1);
  EXPECT_EQ(destination.Take(), 2);
  EXPECT_EQ(destination.Take(), 3);
}

TEST_F(RouteTest, WrongRoutesAreRefusedAndTheOthersBound) {
  const TestQueue a, b, c;
  const uint32_t none = c.id() + 1000;
  {
    const List list({{a.id(), a.id()},
                     {a.id(), b.id()},
                     {b.id(), c.id()},
                     {c.id(), a.id()},
                     {a.id(), none},
                     {none, b.id()},
                     {a.id(), b.id()}});
    EXPECT_FAILS(ACL_ERROR_FAILURE, acltdtBindQueueRoutes(list.handle), "itself", "bound");
    EXPECT_EQ(list.Statuses(), (std::vector<int32_t>{0, 1, 0, 0, 0, 0, 1}));
    EXPECT_FAILS(ACL_ERROR_FAILURE, acltdtDestroyQueue(a.id()), "route", "unbind");
    EXPECT_FAILS(ACL_ERROR_FAILURE, acltdtDestroyQueue(b.id()), "route", "unbind");
    EXPECT_OK(acltdtUnbindQueueRoutes(list.handle));
    EXPECT_EQ(list.Statuses(), std::vector<int32_t>(7, 0));
  }
  const List empty({});
  EXPECT_FAILS(ACL_ERROR_FAILURE, acltdtBindQueueRoutes(empty.handle), "route");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtBindQueueRoutes(nullptr), "list");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtUnbindQueueRoutes(nullptr), "list");
}

TEST_F(RouteTest, QueriesFindWhatIsBound) {
  const TestQueue a, b, c;
  const Bound bound({{a.id(), b.id()}, {a.id(), c.id()}});
  constexpr int32_t kSource = ACL_TDT_QUEUE_ROUTE_QUERY_SRC;
  constexpr int32_t kDestination = ACL_TDT_QUEUE_ROUTE_QUERY_DST;
  constexpr int32_t kBoth = ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST;
  const auto found = [](size_t count) { return std::pair<aclError, size_t>(ACL_SUCCESS, count); };
  const std::pair<aclError, size_t> refused(ACL_ERROR_INVALID_PARAM, 0);
  EXPECT_EQ(Query({kSource}, {a.id()}, {}), found(2));
  EXPECT_EQ(Query({kSource}, {b.id()}, {}), found(0));
  EXPECT_EQ(Query({kDestination}, {}, {b.id()}), found(1));
  EXPECT_EQ(Query({kBoth}, {a.id()}, {c.id()}), found(1));
  EXPECT_EQ(Query({kBoth}, {b.id()}, {c.id()}), found(0));
  EXPECT_EQ(Query({ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL}, {}, {}), found(0));
  EXPECT_EQ(Query({}, {a.id()}, {b.id()}), refused);
  EXPECT_EQ(Query({3}, {a.id()}, {b.id()}), refused);
  EXPECT_EQ(Query({kSource}, {}, {b.id()}), refused);
  EXPECT_EQ(Query({kDestination}, {a.id()}, {}), refused);
  EXPECT_EQ(Query({kBoth}, {a.id()}, {}), refused);
  EXPECT_EQ(Query({kBoth}, {}, {b.id()}), refused);
  const List list({});
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryQueueRoutes(nullptr, list.handle), "queryInfo");
}

}  // namespace
}  // namespace anyacl::test
