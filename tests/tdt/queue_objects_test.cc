// SPDX-License-Identifier: Apache-2.0
// Attributes of queues, routes and lists of routes.
#include <string>

#include "tdt_case.h"

namespace anyacl::test {
namespace {

TEST(QueueObjectsTest, AttributesAreReadBack) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  uint32_t depth = 0;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &size, &depth));
  EXPECT_EQ(depth, 8u);
  EXPECT_EQ(size, sizeof(depth));
  const char* read = nullptr;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(read), &size, &read));
  EXPECT_STREQ(read, "");

  std::string name(127, 'q');
  const char* pointer = name.c_str();
  depth = 5;
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(pointer), &pointer));
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
  depth = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 8, &size, &depth));
  EXPECT_EQ(depth, 5u);
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(read), &size, &read));
  EXPECT_EQ(size, sizeof(read));
  EXPECT_EQ(read, name);
  EXPECT_NE(static_cast<const void*>(read), name.data());

  name += 'q';
  pointer = name.c_str();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(pointer), &pointer), "127");
  pointer = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(pointer), &pointer), "name");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 8, &depth), "len", "4");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr), "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 4, &size, &read), "len");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, nullptr, &read), "paramRetSize");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 8, &size, nullptr), "param");
  for (int type : BeyondEnum({2, -1})) {
    const auto beyond = static_cast<acltdtQueueAttrType>(type);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueAttr(attr, beyond, 4, &depth), "type");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueAttr(attr, beyond, 4, &size, &depth),
                 "type");
  }
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueAttr(attr), "attr");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth), "attr");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &size, &depth), "attr");
}

TEST(QueueObjectsTest, ListsHoldCopiesOfRoutes) {
  acltdtQueueRoute* route = acltdtCreateQueueRoute(3, 4);
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  EXPECT_EQ(acltdtGetQueueRouteNum(list), 0u);
  EXPECT_OK(acltdtAddQueueRoute(list, route));
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_EQ(acltdtGetQueueRouteNum(list), 1u);

  acltdtQueueRoute* read = acltdtCreateQueueRoute(0, 0);
  EXPECT_OK(acltdtGetQueueRoute(list, 0, read));
  uint32_t source = 0, destination = 0;
  int32_t status = 9;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueRouteParam(read, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &size, &source));
  EXPECT_OK(acltdtGetQueueRouteParam(read, ACL_TDT_QUEUE_ROUTE_DST_UINT32, 4, &size, &destination));
  EXPECT_OK(acltdtGetQueueRouteParam(read, ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, &size, &status));
  EXPECT_EQ(source, 3u);
  EXPECT_EQ(destination, 4u);
  EXPECT_EQ(status, ACL_TDT_QUEUE_ROUTE_UNBIND);

  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddQueueRoute(list, route), "route");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRoute(list, 1, read), "index");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRoute(list, 0, route), "route");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtGetQueueRouteParam(read, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 3, &size, &source),
               "len");
  for (int type : BeyondEnum({4, -1})) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 acltdtGetQueueRouteParam(read, static_cast<acltdtQueueRouteParamType>(type), 4,
                                          &size, &source),
                 "type");
  }
  EXPECT_OK(acltdtDestroyQueueRoute(read));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueRoute(read), "route");
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueRouteList(list), "routeList");
  EXPECT_EQ(acltdtGetQueueRouteNum(list), 0u);
}

TEST(QueueObjectsTest, QueriesCheckWhatIsSet) {
  acltdtQueueRouteQueryInfo* info = acltdtCreateQueueRouteQueryInfo();
  const uint32_t id = 1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 8, &id),
               "len");
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, nullptr),
      "null");
  for (int type : BeyondEnum({4, -1})) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 acltdtSetQueueRouteQueryInfo(
                     info, static_cast<acltdtQueueRouteQueryInfoParamType>(type), 4, &id),
                 "type");
  }
  EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(info));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueRouteQueryInfo(info), "info");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &id),
               "param");
}

}  // namespace
}  // namespace anyacl::test
