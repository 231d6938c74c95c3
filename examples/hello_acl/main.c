// SPDX-License-Identifier: Apache-2.0
// The runtime from C: which device is there, and a copy through a stream timed with events.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

// Ends the program with the library's own explanation if a call failed.
static void Check(aclError code, const char* call) {
  if (code == ACL_SUCCESS) return;
  const char* message = aclGetRecentErrMsg();
  fprintf(stderr, "%s failed with code %d\n%s\n", call, code, message ? message : "");
  exit(EXIT_FAILURE);
}

static void PrintDevice(void) {
  int32_t major = 0, minor = 0, patch = 0;
  uint32_t device_count = 0;
  int64_t cores = 0;
  size_t free_bytes = 0, total_bytes = 0;
  Check(aclrtGetVersion(&major, &minor, &patch), "aclrtGetVersion");
  Check(aclrtGetDeviceCount(&device_count), "aclrtGetDeviceCount");
  Check(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores), "aclrtGetDeviceInfo");
  Check(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes), "aclrtGetMemInfo");
  printf("interface    %d.%d.%d\n", major, minor, patch);
  printf("devices      %u\n", device_count);
  printf("device 0     %s, %lld vector cores\n", aclrtGetSocName(), (long long)cores);
  printf("memory       %zu MiB of %zu MiB free\n", free_bytes >> 20, total_bytes >> 20);
}

// Sends `text` to the device and back, asynchronously, and reports how long the stream took.
static int CopyThroughDevice(const char* text) {
  const size_t size = strlen(text) + 1;
  void *there = NULL, *host = NULL;
  aclrtStream stream = NULL;
  aclrtEvent start = NULL, end = NULL;
  float milliseconds = 0;
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");
  Check(aclrtCreateEventWithFlag(&start, ACL_EVENT_TIME_LINE), "aclrtCreateEventWithFlag");
  Check(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE), "aclrtCreateEventWithFlag");
  Check(aclrtMalloc(&there, size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  // Only copies from and to memory of aclrtMallocHost are asynchronous.
  Check(aclrtMallocHost(&host, 2 * size), "aclrtMallocHost");
  char *sent = host, *received = sent + size;
  memcpy(sent, text, size);

  Check(aclrtRecordEvent(start, stream), "aclrtRecordEvent");
  Check(aclrtMemcpyAsync(there, size, sent, size, ACL_MEMCPY_HOST_TO_DEVICE, stream),
        "aclrtMemcpyAsync to the device");
  Check(aclrtMemcpyAsync(received, size, there, size, ACL_MEMCPY_DEVICE_TO_HOST, stream),
        "aclrtMemcpyAsync to the host");
  Check(aclrtRecordEvent(end, stream), "aclrtRecordEvent");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  Check(aclrtEventElapsedTime(&milliseconds, start, end), "aclrtEventElapsedTime");

  const int same = strcmp(text, received) == 0;
  printf("received     %s\n", received);
  printf("took         %.3f ms\n", milliseconds);

  Check(aclrtFreeHost(host), "aclrtFreeHost");
  Check(aclrtFree(there), "aclrtFree");
  Check(aclrtDestroyEvent(end), "aclrtDestroyEvent");
  Check(aclrtDestroyEvent(start), "aclrtDestroyEvent");
  Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
  return same;
}

int main(void) {
  Check(aclInit(NULL), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  PrintDevice();
  const int same = CopyThroughDevice("hello from the device");
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  if (!same) fprintf(stderr, "FAILED: another text came back\n");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
