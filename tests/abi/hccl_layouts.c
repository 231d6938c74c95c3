/* SPDX-License-Identifier: Apache-2.0
 * Layouts of the structures that cross into libhccl, where torch_npu 2.8 (HcclCommConfig up to 312
 * bytes) and 2.14 (2240) have their members, and what HcclCommConfigInit writes. A C99 program. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "hccl/hccl.h"

#define CHECK_AT_COMPILE_TIME(name, condition) typedef char name[(condition) ? 1 : -1]
#define OFFSET(member, bytes) \
  CHECK_AT_COMPILE_TIME(offset_of_##member, offsetof(HcclCommConfig, member) == (bytes))

OFFSET(reserved, 0);
OFFSET(hcclBufferSize, 24);
OFFSET(hcclDeterministic, 28);
OFFSET(hcclCommName, 32);
OFFSET(hcclUdi, 160);
OFFSET(hcclOpExpansionMode, 288);
OFFSET(hcclRdmaTrafficClass, 292);
OFFSET(hcclRdmaServiceLevel, 296);
OFFSET(hcclWorldRankID, 300);
OFFSET(hcclJobID, 304);
OFFSET(aclGraphZeroCopyEnable, 312);
OFFSET(hcclExecTimeOut, 316);
OFFSET(hcclAlgo, 320);
OFFSET(hcclRetryEnable, 1920);
OFFSET(hcclRetryParams, 1970);
OFFSET(hcclBufferName, 2098);
OFFSET(hcclQos, 2228);
OFFSET(hcclSymWinMaxMemSizePerRank, 2232);
CHECK_AT_COMPILE_TIME(size_of_config, sizeof(HcclCommConfig) == 2240);
CHECK_AT_COMPILE_TIME(size_of_config_info, sizeof(HcclCommConfigInfo) == 24);

#define ITEM_OFFSET(member, bytes) \
  CHECK_AT_COMPILE_TIME(offset_of_item_##member, offsetof(HcclSendRecvItem, member) == (bytes))

ITEM_OFFSET(sendRecvType, 0);
ITEM_OFFSET(buf, 8);
ITEM_OFFSET(count, 16);
ITEM_OFFSET(dataType, 24);
ITEM_OFFSET(remoteRank, 28);
CHECK_AT_COMPILE_TIME(size_of_item, sizeof(HcclSendRecvItem) == 32);

CHECK_AT_COMPILE_TIME(size_of_root_info, sizeof(HcclRootInfo) == 4108);
CHECK_AT_COMPILE_TIME(size_of_config_value, sizeof(HcclConfigValue) == 4);
CHECK_AT_COMPILE_TIME(size_of_result, sizeof(HcclResult) == 4);
CHECK_AT_COMPILE_TIME(size_of_type, sizeof(HcclDataType) == 4);

static int failed = 0;

static void expect(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "FAILED: %s\n", what);
  failed = 1;
}

int main(void) {
  HcclCommConfig config;
  HcclCommConfigInfo info;
  union HcclConfigValue value; /* Programs name it with and without the tag. */
  memset(&config, 0x5a, sizeof(config));
  HcclCommConfigInit(NULL);
  HcclCommConfigInit(&config);
  memcpy(&info, config.reserved, sizeof(info));
  expect(info.size == 2240, "size");
  expect(info.magicWord == 0xf0f0f0f0U, "magic word");
  expect(info.version == 10, "version");
  expect(info.reserved == 0, "reserved");
  expect(config.hcclBufferSize == 0xffffffffU, "hcclBufferSize");
  expect(config.hcclDeterministic == 0xffffffffU, "hcclDeterministic");
  expect(config.hcclCommName[0] == 0 && config.hcclUdi[0] == 0, "names");
  expect(config.hcclOpExpansionMode == 0, "hcclOpExpansionMode");
  expect(config.hcclRdmaTrafficClass == 0xffffffffU, "hcclRdmaTrafficClass");
  expect(config.hcclRdmaServiceLevel == 0xffffffffU, "hcclRdmaServiceLevel");
  expect(config.hcclWorldRankID == 0 && config.hcclJobID == 0, "hcclWorldRankID, hcclJobID");
  expect(config.aclGraphZeroCopyEnable == 0, "aclGraphZeroCopyEnable");
  expect(config.hcclExecTimeOut == -1, "hcclExecTimeOut");
  expect(config.hcclAlgo[0] == 0 && config.hcclRetryEnable[0] == 0, "hcclAlgo, hcclRetryEnable");
  expect(config.hcclRetryParams[0] == 0 && config.hcclBufferName[0] == 0, "hcclRetryParams");
  expect(config.hcclQos == 0xffffffffU, "hcclQos");
  expect(config.hcclSymWinMaxMemSizePerRank == 16, "hcclSymWinMaxMemSizePerRank");

  expect(HcclGetCommConfigCapability() > HCCL_COMM_CONFIG_BUFFER_NAME, "capability");
  expect(HcclGetConfig(HCCL_DETERMINISTIC, &value) == HCCL_SUCCESS, "HcclGetConfig");

  expect(strcmp(HcclGetErrorString(HCCL_SUCCESS), "no error") == 0, "text of 0");
  expect(strcmp(HcclGetErrorString(HCCL_E_TIMEOUT), "timeout") == 0, "text of 9");
  expect(strcmp(HcclGetErrorString(HCCL_E_REMOTE), "error cqe") == 0, "text of 21");
  expect(strcmp(HcclGetErrorString(HCCL_E_OOM), "out of memory") == 0, "text of 24");
  expect(strcmp(HcclGetErrorString(HCCL_E_IN_STATUS), "unknown err") == 0, "text of 1041");
  expect(strcmp(HcclGetErrorString(HCCL_E_RESERVED), "unknown error") == 0, "text of 1042");
  expect(strcmp(HcclGetErrorString((HcclResult)-1), "unknown error") == 0, "text of -1");
  return failed;
}
