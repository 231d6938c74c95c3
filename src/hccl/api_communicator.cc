// SPDX-License-Identifier: Apache-2.0
// Communicators: how they begin, what they are, how they end.

#include <algorithm>
#include <cstring>
#include <thread>

#include "acl/acl.h"
#include "base/format.h"
#include "hccl/arguments.h"
#include "hccl/exchange.h"
#include "hccl/group.h"
#include "hccl/hccl_comm.h"
#include "hccl/label.h"
#include "hccl/rank_table.h"
#include "hccl/result.h"
#include "hccl/state_callbacks.h"

namespace anyacl::hccl {
namespace {

constexpr size_t kConfigHead = sizeof(HcclCommConfigInfo);
static_assert(kConfigHead == HCCL_COMM_CONFIG_INFO_BYTES);

// Reads as much of `given` as its own size says there is, and fields as of its version.
Status ReadConfig(const HcclCommConfig* given, const Environment& environment, Config* config) {
  config->execute_timeout = environment.execute_timeout;
  config->buffer_megabytes = environment.buffer_megabytes;
  if (given == nullptr) return {};
  HcclCommConfigInfo info;
  std::memcpy(&info, given, sizeof(info));
  if (info.magicWord != HCCL_COMM_CONFIG_MAGIC_WORD || info.size < kConfigHead) {
    return Fail(HCCL_E_PARA,
                "config was not made by HcclCommConfigInit: its magic word is {:#x}, its size {}",
                info.magicWord, info.size);
  }
  HcclCommConfig read;
  HcclCommConfigInit(&read);
  std::memcpy(&read, given, std::min(info.size, sizeof(read)));
  if (info.version >= 1 && read.hcclBufferSize != HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET) {
    if (read.hcclBufferSize < 1)
      return Fail(HCCL_E_PARA, "config.hcclBufferSize is 0, expected at least 1 (MB)");
    config->buffer_megabytes = read.hcclBufferSize;
  }
  if (info.version >= 2) {
    const size_t length = strnlen(read.hcclCommName, sizeof(read.hcclCommName));
    if (length == sizeof(read.hcclCommName)) {
      return Fail(HCCL_E_PARA, "config.hcclCommName has no end within {} bytes", length);
    }
    config->name.assign(read.hcclCommName, length);
  }
  if (info.version >= 4) config->expansion_mode = read.hcclOpExpansionMode;
  if (info.version >= 8) {
    if (read.hcclExecTimeOut != HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET) {
      if (read.hcclExecTimeOut < 0) {
        return Fail(HCCL_E_PARA, "config.hcclExecTimeOut is {}, expected at least 0 (seconds)",
                    read.hcclExecTimeOut);
      }
      config->execute_timeout.reset();
      if (read.hcclExecTimeOut > 0)
        config->execute_timeout = std::chrono::seconds(read.hcclExecTimeOut);
    }
    config->algorithm.assign(read.hcclAlgo, strnlen(read.hcclAlgo, sizeof(read.hcclAlgo)));
  }
  return {};
}

Status CheckRanks(uint32_t ranks, uint32_t rank) {
  if (ranks < 1 || ranks > kMaxRanks) {
    return Fail(HCCL_E_PARA, "nRanks is {}, expected 1 to {}", ranks, kMaxRanks);
  }
  if (rank < ranks) return {};
  return Fail(HCCL_E_PARA, "rank is {}, expected less than nRanks, {}", rank, ranks);
}

Status CheckName(const Config& config) {
  if (config.name.size() < COMM_NAME_MAX_LENGTH) return {};
  return Fail(HCCL_E_PARA, "the communicator's name has {} bytes, expected less than {}: {}",
              config.name.size(), COMM_NAME_MAX_LENGTH, config.name);
}

Status CreateAs(const RootInfo& root, uint32_t rank, uint32_t ranks, const Config& config,
                const Environment& environment, HcclComm* comm) {
  std::shared_ptr<Communicator> made;
  if (const Status status = Communicator::Create(root, rank, ranks, config, environment, &made);
      !status.ok()) {
    return status;
  }
  *comm = Communicators().Add(std::move(made));
  return {};
}

Status InitRootInfo(uint32_t ranks, const HcclRootInfo* bytes, uint32_t rank,
                    const HcclCommConfig* given, HcclComm* comm) {
  for (const Status& status :
       {RequirePointer("rootInfo", bytes), RequirePointer("comm", comm), CheckRanks(ranks, rank)}) {
    if (!status.ok()) return status;
  }
  *comm = nullptr;
  Environment environment;
  RootInfo root;
  Config config;
  if (const Status status = ReadEnvironment(&environment); !status.ok()) return status;
  if (const Status status = RootInfo::Read(*bytes, &root); !status.ok()) return status;
  if (const Status status = ReadConfig(given, environment, &config); !status.ok()) return status;
  return RunOrDefer([=] { return CreateAs(root, rank, ranks, config, environment, comm); });
}

Status GetRootInfo(HcclRootInfo* bytes) {
  if (const Status status = RequirePointer("rootInfo", bytes); !status.ok()) return status;
  Environment environment;
  RootInfo root;
  if (const Status status = ReadEnvironment(&environment); !status.ok()) return status;
  if (const Status status = StartRootService(environment, &root); !status.ok()) return status;
  root.Write(bytes);
  return {};
}

Status InitAll(uint32_t ndev, const int32_t* devices, HcclComm* comms) {
  for (const Status& status :
       {RequirePointer("devices", devices), RequirePointer("comms", comms), CheckRanks(ndev, 0)}) {
    if (!status.ok()) return status;
  }
  for (uint32_t i = 0; i < ndev; ++i) {
    const int32_t* const twin = std::find(devices, devices + i, devices[i]);
    if (twin != devices + i) {
      return Fail(HCCL_E_PARA,
                  "devices[{}] and devices[{}] are both {}, expected different devices",
                  twin - devices, i, devices[i]);
    }
  }
  HcclRootInfo root;
  if (const Status status = GetRootInfo(&root); !status.ok()) return status;
  const bool grouped = InGroup();
  aclrtContext current = nullptr;
  const bool has_current = aclrtGetCurrentContext(&current) == ACL_SUCCESS;
  StartGroup();
  Status first;
  for (uint32_t i = 0; i < ndev && first.ok(); ++i) {
    const int code = aclrtSetDevice(devices[i]);
    first = code == ACL_SUCCESS
                ? InitRootInfo(ndev, &root, i, nullptr, &comms[i])
                : Fail(HCCL_E_PARA, "devices[{}] is {}, which is no device here", i, devices[i]);
  }
  if (has_current) static_cast<void>(aclrtSetCurrentContext(current));
  if (!first.ok() && !grouped) DropGroup();
  const Status end = first.ok() || grouped ? EndGroup() : Status();
  return first.ok() ? end : first;
}

// A rank that is not among them says so by null and 0xFFFFFFFF.
Status CreateSub(HcclComm* comm, uint32_t rank_count, const uint32_t* rank_ids, uint64_t id,
                 uint32_t sub_rank, const HcclCommConfig* given, HcclComm* sub) {
  for (const Status& status : {RequirePointer("comm", comm), RequirePointer("config", given),
                               RequirePointer("subComm", sub), RefuseInGroup()}) {
    if (!status.ok()) return status;
  }
  std::shared_ptr<Communicator> parent;
  if (const Status status = FindCommunicator(*comm, &parent); !status.ok()) return status;
  *sub = nullptr;
  if (rank_ids == nullptr && id == UINT32_MAX) return {};
  for (const Status& status :
       {RequirePointer("rankIds", rank_ids), CheckRanks(rank_count, sub_rank)}) {
    if (!status.ok()) return status;
  }
  for (uint32_t i = 0; i < rank_count; ++i) {
    if (rank_ids[i] >= parent->ranks() ||
        std::find(rank_ids, rank_ids + i, rank_ids[i]) != rank_ids + i) {
      return Fail(HCCL_E_PARA, "rankIds[{}] is {}, expected different ranks below {}", i,
                  rank_ids[i], parent->ranks());
    }
  }
  if (rank_ids[sub_rank] != parent->rank()) {
    return Fail(HCCL_E_PARA, "rankIds[subCommRankId = {}] is {}, expected the caller's rank, {}",
                sub_rank, rank_ids[sub_rank], parent->rank());
  }
  Environment environment;
  Config config;
  HcclRootInfo root{};
  const auto prepare = [&]() -> Status {
    if (const Status status = ReadEnvironment(&environment); !status.ok()) return status;
    if (const Status status = ReadConfig(given, environment, &config); !status.ok()) return status;
    if (config.name.empty()) config.name = Format("{}_sub_{}", parent->name(), id);
    if (const Status status = CheckName(config); !status.ok()) return status;
    return sub_rank == 0 ? GetRootInfo(&root) : Status();
  };
  // The first one passes an empty root info on when it has none: the others wait for it.
  const Status prepared = prepare();
  if (!prepared.ok() && sub_rank != 0) return prepared;
  const std::vector<uint32_t> members(rank_ids, rank_ids + rank_count);
  if (const Status status = parent->PassRootInfo(&root, members, id, environment.connect_timeout);
      !status.ok()) {
    return status;
  }
  if (!prepared.ok()) return prepared;
  RootInfo read;
  if (const Status status = RootInfo::Read(root, &read); !status.ok()) return status;
  return CreateAs(read, sub_rank, rank_count, config, environment, sub);
}

Status InitClusterInfo(const char* file, uint32_t rank, const HcclCommConfig* given,
                       HcclComm* comm) {
  for (const Status& status : {RequirePointer("clusterInfo", file), RequirePointer("comm", comm)}) {
    if (!status.ok()) return status;
  }
  *comm = nullptr;
  Environment environment;
  Config config;
  if (const Status status = ReadEnvironment(&environment); !status.ok()) return status;
  if (const Status status = ReadConfig(given, environment, &config); !status.ok()) return status;
  RootInfo root;
  uint32_t ranks = 0;
  if (const Status status = ReadRankTable(file, environment, &root, &ranks); !status.ok())
    return status;
  if (const Status status = CheckRanks(ranks, rank); !status.ok()) return status;
  return RunOrDefer([=] {
    RootInfo mine = root;
    if (rank == 0) {
      if (const Status status = StartRootService(environment, &mine); !status.ok()) return status;
    }
    return CreateAs(mine, rank, ranks, config, environment, comm);
  });
}

Status FindByName(const char* name, std::shared_ptr<Communicator>* communicator, HcclComm* comm) {
  if (const Status status = RequirePointer("commName", name); !status.ok()) return status;
  int32_t device = 0;
  if (const int code = aclrtGetDevice(&device); code != ACL_SUCCESS) return Replay(code);
  *comm = Communicators().FindHandle(
      [&](const Communicator& one) { return one.device() == device && one.name() == name; });
  *communicator = Communicators().Find(*comm);
  if (*communicator != nullptr) return {};
  return Fail(HCCL_E_NOT_FOUND, "no communicator of device {} is called \"{}\"", device, name);
}

// The first step of functions of one communicator and a place for what they say.
template <class Value, class Body>
HcclResult Tell(const char* api, HcclComm comm, const char* name, Value* value, Body body) {
  return HcclEntry(api, [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    if (const Status status = RequirePointer(name, value); !status.ok()) return status;
    return body(*communicator);
  });
}

}  // namespace
}  // namespace anyacl::hccl

using namespace anyacl;
using namespace anyacl::hccl;

extern "C" {

HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  return HcclEntry("HcclGetRootInfo", [&] { return GetRootInfo(rootInfo); });
}

HcclResult HcclGetRootInfoScalable(HcclRootInfo* rootInfo) {
  return HcclEntry("HcclGetRootInfoScalable", [&] { return GetRootInfo(rootInfo); });
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                HcclComm* comm) {
  return HcclEntry("HcclCommInitRootInfo",
                   [&] { return InitRootInfo(nRanks, rootInfo, rank, nullptr, comm); });
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  return HcclEntry("HcclCommInitRootInfoConfig", [&]() -> Status {
    if (const Status status = RequirePointer("config", config); !status.ok()) return status;
    return InitRootInfo(nRanks, rootInfo, rank, config, comm);
  });
}

HcclResult HcclCommInitRootInfoScalable(uint32_t nRanks, uint32_t nRoot,
                                        const HcclRootInfo* rootInfoList, uint32_t rank, uint32_t,
                                        const HcclCommConfig* config, HcclComm* comm) {
  // Several roots spread the work of joining; the first one does it alone.
  return HcclEntry("HcclCommInitRootInfoScalable", [&]() -> Status {
    if (nRoot == 0) return Fail(HCCL_E_PARA, "nRoot is 0, expected at least 1");
    return InitRootInfo(nRanks, rootInfoList, rank, config, comm);
  });
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  return HcclEntry("HcclCommInitAll", [&] { return InitAll(ndev, devices, comms); });
}

HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm) {
  return HcclEntry("HcclCommInitClusterInfo",
                   [&] { return InitClusterInfo(clusterInfo, rank, nullptr, comm); });
}

HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                         HcclCommConfig* config, HcclComm* comm) {
  return HcclEntry("HcclCommInitClusterInfoConfig", [&]() -> Status {
    if (const Status status = RequirePointer("config", config); !status.ok()) return status;
    return InitClusterInfo(clusterInfo, rank, config, comm);
  });
}

HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                   uint64_t subCommId, uint32_t subCommRankId,
                                   HcclCommConfig* config, HcclComm* subComm) {
  return HcclEntry("HcclCreateSubCommConfig", [&] {
    return CreateSub(comm, rankNum, rankIds, subCommId, subCommRankId, config, subComm);
  });
}

HcclResult HcclCommDestroy(HcclComm comm) {
  return HcclEntry("HcclCommDestroy", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    if (InGroup()) return RunOrDefer([comm] { return Replay(HcclCommDestroy(comm)); });
    TellStateCallbacks(comm, HCCL_COMM_STATE_PHASE_DESTROY_PRE);
    if (Communicators().Remove(comm) == nullptr)
      return Fail(HCCL_E_PARA, "comm is being destroyed");
    communicator->Destroy();
    communicator.reset();
    TellStateCallbacks(comm, HCCL_COMM_STATE_PHASE_DESTROY_POST);
    return {};
  });
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  return Tell("HcclGetRankSize", comm, "rankSize", rankSize, [&](const Communicator& communicator) {
    *rankSize = communicator.ranks();
    return Status();
  });
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  return Tell("HcclGetRankId", comm, "rank", rank, [&](const Communicator& communicator) {
    *rank = communicator.rank();
    return Status();
  });
}

HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  return Tell("HcclGetCommName", comm, "commName", commName, [&](const Communicator& communicator) {
    std::memcpy(commName, communicator.name().c_str(), communicator.name().size() + 1);
    return Status();
  });
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
  return Tell("HcclGetCommAsyncError", comm, "asyncError", asyncError,
              [&](Communicator& communicator) {
                communicator.Hear();
                *asyncError = communicator.failure().code;
                return Status();
              });
}

HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm) {
  return HcclEntry("HcclCommGetHandleWithName", [&]() -> Status {
    if (const Status status = RequirePointer("comm", comm); !status.ok()) return status;
    std::shared_ptr<Communicator> communicator;
    return FindByName(commName, &communicator, comm);
  });
}

HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status) {
  return HcclEntry("HcclCommGetStatus", [&]() -> Status {
    if (const Status missing = RequirePointer("status", status); !missing.ok()) return missing;
    *status = HCCL_COMM_STATUS_INVALID;
    std::shared_ptr<Communicator> communicator;
    HcclComm comm = nullptr;
    if (const Status found = FindByName(commId, &communicator, &comm); !found.ok()) return found;
    if (!communicator->failed()) {
      *status = communicator->suspended() ? HCCL_COMM_STATUS_SUSPENDING : HCCL_COMM_STATUS_READY;
    }
    return {};
  });
}

HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType, uint32_t infoLen, void* info) {
  return Tell(
      "HcclConfigGetInfo", comm, "info", info, [&](const Communicator& communicator) -> Status {
        const Config& config = communicator.config();
        if (cfgType == HCCL_CONFIG_TYPE_OP_EXPANSION_MODE) {
          if (infoLen != sizeof(config.expansion_mode)) {
            return Fail(HCCL_E_PARA, "infoLen is {}, expected {}", infoLen,
                        sizeof(config.expansion_mode));
          }
          std::memcpy(info, &config.expansion_mode, infoLen);
          return {};
        }
        if (cfgType != HCCL_CONFIG_TYPE_HCCL_ALGO) {
          return Fail(HCCL_E_PARA, "cfgType is {}, expected 0 or 1", static_cast<int>(cfgType));
        }
        if (infoLen < HCCL_COMM_ALGO_MAX_LENGTH) {
          return Fail(HCCL_E_PARA, "infoLen is {}, expected at least {}", infoLen,
                      HCCL_COMM_ALGO_MAX_LENGTH);
        }
        std::memset(info, 0, infoLen);
        std::memcpy(info, config.algorithm.data(),
                    std::min<size_t>(config.algorithm.size(), infoLen - 1));
        return {};
      });
}

HcclResult HcclCommSuspend(HcclComm comm) {
  return HcclEntry("HcclCommSuspend", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    communicator->Suspend(true);
    return {};
  });
}

HcclResult HcclCommResume(HcclComm comm) {
  return HcclEntry("HcclCommResume", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    TellStateCallbacks(comm, HCCL_COMM_STATE_PHASE_RESUME_PRE);
    // Messages of what failed may still be under way between the ranks.
    if (communicator->failed()) return communicator->FailAsBefore(false);
    communicator->Suspend(false);
    TellStateCallbacks(comm, HCCL_COMM_STATE_PHASE_RESUME_POST);
    return {};
  });
}

HcclResult HcclCommRegCommStateCallback(const char* regName, HcclCommStateCallback cb, void* args) {
  return HcclEntry("HcclCommRegCommStateCallback", [&]() -> Status {
    if (const Status status = RequirePointer("regName", regName); !status.ok()) return status;
    return RegisterStateCallback(regName, cb, args);
  });
}

HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks, bool* useBackup,
                                    uint32_t nRanks) {
  return HcclEntry("HcclCommWorkingDevNicSet", [&]() -> Status {
    std::shared_ptr<Communicator> communicator;
    if (const Status status = FindCommunicator(comm, &communicator); !status.ok()) return status;
    for (const Status& status :
         {RequirePointer("ranks", ranks), RequirePointer("useBackup", useBackup)}) {
      if (!status.ok()) return status;
    }
    // As HCOMM answers where a device has one network interface.
    Warn("HcclCommWorkingDevNicSet: {} ranks keep their network interfaces", nRanks);
    return {};
  });
}

HcclResult HcclGroupStart() {
  return HcclEntry("HcclGroupStart", [] {
    StartGroup();
    return Status();
  });
}

HcclResult HcclGroupEnd() { return HcclEntry("HcclGroupEnd", EndGroup); }

HcclResult HcclGroupStatusGet(bool* isGroupEnabled) {
  return HcclEntry("HcclGroupStatusGet", [&]() -> Status {
    if (const Status status = RequirePointer("isGroupEnabled", isGroupEnabled); !status.ok())
      return status;
    *isGroupEnabled = InGroup();
    return {};
  });
}
}
