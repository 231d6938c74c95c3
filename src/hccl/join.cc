// SPDX-License-Identifier: Apache-2.0
#include "hccl/join.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace anyacl::hccl {
namespace {

using nlohmann::json;

// The list of all members: a hello for each.
constexpr size_t kMaxMembers = size_t{kMaxRanks} * kMaxHello;

json ToJson(const Member& member) {
  return {{"host", member.host},
          {"process", member.process},
          {"device", member.device},
          {"token", member.token},
          {"root", member.root},
          {"address", json::binary({member.address.begin(), member.address.end()})},
          {"sight", member.sight}};
}

Member FromJson(const json& value) {
  const auto& address = value.at("address").get_binary();
  return {value.at("host").get<std::string>(),
          value.at("process").get<int64_t>(),
          value.at("device").get<int32_t>(),
          value.at("token").get<std::string>(),
          value.at("root").get<bool>(),
          std::string(address.begin(), address.end()),
          value.value("sight", "")};
}

}  // namespace

std::string ProcessToken() {
  static std::mutex mutex;
  static std::pair<pid_t, std::string> token;
  std::lock_guard lock(mutex);
  // A forked child is another process.
  if (token.first != getpid()) token = {getpid(), MakeSecret()};
  return token.second;
}

std::string ProcessSight() {
  struct stat processes {};
  // No number where /proc is hidden.
  (void)stat("/proc/self/ns/pid", &processes);
  return std::to_string(geteuid()) + "/" + std::to_string(processes.st_ino);
}

Status Control::Join(const RootInfo& root, uint32_t rank, uint32_t ranks, const std::string& name,
                     const Member& self, std::chrono::milliseconds timeout,
                     std::vector<Member>* members) {
  // A sixth more (20 s of 120): the root says who is missing.
  const auto end = Connection::Clock::now() + timeout + timeout / 6;
  std::optional<Connection> connection = Connection::To(root.address, end);
  if (!connection) {
    return Fail(HCCL_E_TIMEOUT, "rank {} has not reached the root at {}, port {}, within {} s",
                rank, root.address.host(), root.address.port(),
                std::chrono::duration<double>(timeout).count());
  }
  connection->Send({{"hello", root.secret},
                    {"rank", rank},
                    {"ranks", ranks},
                    {"name", name},
                    {"member", ToJson(self)}});
  const std::optional<json> answer = connection->Receive(kMaxMembers, end);
  if (!answer) {
    return connection->open()
               ? Fail(HCCL_E_TIMEOUT, "the root at {} has not answered rank {}",
                      root.address.host(), rank)
               : Fail(HCCL_E_TCP_TRANSFER, "the root at {}, port {}, ended while rank {} joined",
                      root.address.host(), root.address.port(), rank);
  }
  try {
    if (answer->contains("abort")) {
      return Fail(answer->at("code").get<int>(), "{}", answer->at("abort").get<std::string>());
    }
    members->clear();
    for (const json& member : answer->at("members")) members->push_back(FromJson(member));
  } catch (const json::exception& error) {
    return Fail(HCCL_E_TCP_TRANSFER, "the root at {} sends what rank {} cannot read: {}",
                root.address.host(), rank, error.what());
  }
  if (members->size() != ranks) {
    return Fail(HCCL_E_TCP_TRANSFER, "the root at {} names {} members, expected {}",
                root.address.host(), members->size(), ranks);
  }
  connection_ = std::move(*connection);
  fd_ = connection_.fd();
  return {};
}

std::optional<News> Control::Hear() {
  // Who tells something may wait for the root; who asks for news never waits.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !connection_.open()) return std::nullopt;
  const std::optional<json> message = connection_.TryReceive(kMaxMessage);
  if (message && message->contains("gone")) {
    return News{message->value("gone", uint32_t{0}),
                message->value("left", false),
                {HCCL_E_REMOTE, message->value("why", "")}};
  }
  if (message) {
    return News{std::nullopt,
                false,
                {static_cast<HcclResult>(message->value("code", int{HCCL_E_REMOTE})),
                 message->value("abort", "the root sent what is no news")}};
  }
  if (connection_.open()) return std::nullopt;
  // The ranks that are left do without a root: only news of others' ends will be missing.
  fd_ = -1;
  return News{News::kRoot, false, {HCCL_E_REMOTE, "the connection to the root ended"}};
}

void Control::TellAbort(const Failure& failure) {
  std::lock_guard lock(mutex_);
  connection_.Send({{"abort", failure.text}, {"code", static_cast<int>(failure.code)}});
}

void Control::TellWait(const std::string& call, const std::string& description) {
  std::lock_guard lock(mutex_);
  connection_.Send({{"waits", call}, {"in", description}});
}

void Control::Leave(uint32_t rank, bool at_root) {
  std::lock_guard lock(mutex_);
  connection_.Send({{"bye", rank}});
  const auto end = Connection::Clock::now() + std::chrono::seconds(1);
  while (at_root && connection_.Receive(kMaxMessage, end)) continue;
  connection_.Close();
}

}  // namespace anyacl::hccl
