// SPDX-License-Identifier: Apache-2.0
// The root's service, and who comes to it: crowds, strangers, those who come late; rank tables.
#include "hccl/join.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "hccl/rank_table.h"
#include "support/asleep.h"

namespace anyacl::hccl {
namespace {

using Clock = Connection::Clock;
using nlohmann::json;
using std::chrono::seconds;

RootInfo StartRoot() {
  Environment environment;
  environment.interface_names = "=lo";
  environment.connect_timeout = seconds(20);
  RootInfo root;
  EXPECT_TRUE(StartRootService(environment, &root).ok());
  return root;
}

Connection Connect(const RootInfo& root) {
  auto connection = Connection::To(root.address, Clock::now() + seconds(5));
  EXPECT_TRUE(connection);
  return std::move(*connection);
}

json Hello(const RootInfo& root, uint32_t rank, uint32_t ranks, const std::string& host = "host",
           size_t address = 100) {
  return {{"hello", root.secret},
          {"rank", rank},
          {"ranks", ranks},
          {"name", "name"},
          {"member",
           {{"host", host},
            {"process", 1},
            {"device", 0},
            {"root", false},
            {"address", json::binary(std::vector<uint8_t>(address))}}}};
}

json Answer(Connection& connection) {
  return connection.Receive(size_t{1} << 20, Clock::now() + seconds(10)).value_or(json::object());
}

void AwaitEnd(const RootInfo& root) {
  while (ServesRoot(root.secret)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

std::string Framed(const std::string& body) {
  const auto size = static_cast<uint32_t>(body.size());
  std::string bytes(sizeof(size), '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  return bytes + body;
}

TEST(JoinTest, ACrowdIsLetIn) {
  constexpr uint32_t kRanks = 200;
  const RootInfo root = StartRoot();
  std::deque<Connection> ranks;
  for (uint32_t rank = 0; rank < kRanks; ++rank) ranks.push_back(Connect(root));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the root has seen them, silent
  for (uint32_t rank = 0; rank < kRanks; ++rank) ranks[rank].Send(Hello(root, rank, kRanks));
  for (Connection& rank : ranks) ASSERT_EQ(Answer(rank).value("members", json()).size(), kRanks);
  ranks.clear();
  AwaitEnd(root);  // its descriptors are free again
}

TEST(JoinTest, TheRootSleepsWhileItHasNoDescriptors) {
  const RootInfo root = StartRoot();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{256, before.rlim_max};
  const std::vector<test::WatchedThread> others = test::OtherThreads();
  ASSERT_FALSE(others.empty());
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::deque<Socket> taken;
  do taken.emplace_back(dup(STDERR_FILENO));
  while (taken.back().fd() >= 0);
  taken.resize(taken.size() - 2);  // the one that failed, and one for the rank
  Connection rank = Connect(root);
  EXPECT_TRUE(test::SeenAsleep(others));
  taken.clear();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  rank.Send(Hello(root, 0, 1));
  EXPECT_TRUE(Answer(rank).contains("members"));
}

// Who tells something waits for a root that does not read; who asks for news does not.
TEST(JoinTest, NobodyWaitsForNews) {
  RootInfo root;
  root.address.storage.ss_family = AF_INET;
  root.address.size = sizeof(sockaddr_in);
  auto* const name = reinterpret_cast<sockaddr_in*>(&root.address.storage);
  name->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const Socket listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(bind(listener.fd(), reinterpret_cast<sockaddr*>(name), root.address.size), 0);
  ASSERT_EQ(listen(listener.fd(), 1), 0);
  ASSERT_EQ(getsockname(listener.fd(), reinterpret_cast<sockaddr*>(name), &root.address.size), 0);
  Connection silent;
  std::thread answer([&] {
    silent = Connection(Socket(accept(listener.fd(), nullptr, nullptr)));
    const json hello = Answer(silent);
    silent.Send({{"members", json::array({hello.at("member")})}});
  });
  Control control;
  std::vector<Member> members;
  ASSERT_TRUE(control.Join(root, 0, 1, "name", {}, seconds(5), &members).ok());
  answer.join();
  std::atomic<bool> told{false};
  std::thread teller([&] {
    control.TellAbort({HCCL_E_REMOTE, std::string(size_t{64} << 20, 'x')});
    told = true;
  });
  std::this_thread::sleep_for(seconds(1));
  EXPECT_FALSE(control.Hear());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(told);  // what nobody reads is still on its way
  silent.Close();
  teller.join();
}

// Deeper than a stack, in each way that CBOR has.
TEST(JoinTest, DepthIsRefused) {
  for (const std::string& level :
       {std::string("\x81"), std::string("\x9f"), std::string("\x7f"), std::string("\x5f"),
        std::string("\xbf\x60"), std::string("\xa1\x60"), std::string("\xc1")}) {
    std::string deep;
    while (deep.size() < 2'000'000) deep += level;
    EXPECT_FALSE(ReadObject(deep));
  }
  const RootInfo root = StartRoot();
  for (const size_t size : {60'000, 8'000}) {
    Connection stranger = Connect(root);
    EXPECT_TRUE(stranger.SendBytes(Framed(std::string(size, '\x81'))));
    EXPECT_EQ(Answer(stranger), json::object());
    EXPECT_FALSE(stranger.open());
  }
  Connection rank = Connect(root);
  rank.Send(Hello(root, 0, 1));
  EXPECT_TRUE(Answer(rank).contains("members"));
}

TEST(JoinTest, ObjectsAreReadAndPartsOfThemAreNot) {
  const json value = {{"a", {1, -1, 1.5, nullptr, true, "", json::array(), json::object()}},
                      {"b", std::string(70'000, 'x')},
                      {"c", json::binary(std::vector<uint8_t>(300))},
                      {"d", {{"e", {{"f", uint64_t{1} << 40}}}}}};
  const std::string framed = Connection::Encode(value);
  const std::string body = framed.substr(4);
  EXPECT_EQ(ReadObject(body), value);
  EXPECT_FALSE(ReadObject(body + '\0'));
  for (size_t size = 0; size < body.size(); size += size < 200 ? 1 : 997) {
    EXPECT_FALSE(ReadObject(body.substr(0, size))) << size;
  }
  EXPECT_FALSE(ReadObject(Connection::Encode(json::array({1})).substr(4)));
}

TEST(JoinTest, WhoComesLateHearsWhy) {
  const RootInfo root = StartRoot();
  Connection first = Connect(root), second = Connect(root);
  first.Send(Hello(root, 0, 3));
  second.Send(Hello(root, 1, 4));
  EXPECT_TRUE(Answer(first).contains("abort"));
  EXPECT_TRUE(Answer(second).contains("abort"));
  first.Close();
  second.Close();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  Control late;
  Member self;
  self.host = "host";
  std::vector<Member> members;
  const Status status = late.Join(root, 2, 3, "name", self, seconds(5), &members);
  EXPECT_EQ(status.code(), HCCL_E_PARA);
  AwaitEnd(root);  // all three have heard of it
}

// The root's process may exit when its rank has left: the others have been told by then.
TEST(JoinTest, TheRootsRankLeavesWhenTheOthersKnow) {
  for (int round = 0; round < 20; ++round) {
    const RootInfo root = StartRoot();
    Control ranks[2];
    const auto join = [&](uint32_t rank) {
      Member self;
      self.host = "host";
      std::vector<Member> members;
      EXPECT_TRUE(ranks[rank].Join(root, rank, 2, "name", self, seconds(5), &members).ok());
    };
    std::thread second(join, 1);
    join(0);
    second.join();
    ranks[0].Leave(0, true);
    const std::optional<News> news = ranks[1].Hear();
    ASSERT_TRUE(news) << "round " << round;
    EXPECT_EQ(news->gone, 0u);
    EXPECT_TRUE(news->left);
    ranks[1].Leave(1, true);
    AwaitEnd(root);
  }
}

TEST(JoinTest, LongNamesAreRefused) {
  const RootInfo hosts = StartRoot(), addresses = StartRoot();
  Connection host = Connect(hosts), address = Connect(addresses);
  host.Send(Hello(hosts, 0, 1, std::string(257, 'h')));
  address.Send(Hello(addresses, 0, 1, std::string(256, 'h'), 4097));
  EXPECT_EQ(
      Answer(host).value("abort", ""),
      "rank 0 names a host of 257 bytes and an address of 100, expected at most 256 and 4096");
  EXPECT_NE(Answer(address).value("abort", "").find("an address of 4097"), std::string::npos);
  const RootInfo good = StartRoot();
  Connection longest = Connect(good);
  longest.Send(Hello(good, 0, 1, std::string(256, 'h'), 4096));
  EXPECT_TRUE(Answer(longest).contains("members"));
}

// A rank table in a file of its own.
class RankTable {
 public:
  explicit RankTable(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("anyacl-rank-table-" + std::to_string(getpid()))) {
    std::ofstream(path_) << text;
  }
  ~RankTable() { std::filesystem::remove(path_); }
  RankTable(const RankTable&) = delete;
  RankTable& operator=(const RankTable&) = delete;

  Status Read() { return ReadRankTable(path_.c_str(), environment, &root, &ranks); }

  Environment environment;
  RootInfo root;
  uint32_t ranks = 0;

 private:
  const std::filesystem::path path_;
};

// Two servers of two devices; `zero` is what is said of the server with rank 0.
std::string TableOf(const std::string& zero, const std::string& version = "1.0",
                    const std::string& ranks = R"("0","1","2","3")") {
  const json all = json::parse("[" + ranks + "]");
  json table = {{"status", "completed"}, {"version", version}, {"server_count", "2"}};
  for (size_t i = 0; i < all.size(); ++i) {
    json& server = table["server_list"][i / 2];
    if (server.is_null()) server = i < 2 ? json::parse(zero) : json{{"server_id", "192.0.2.7"}};
    server["device"].push_back({{"device_id", std::to_string(i % 2)}, {"rank_id", all[i]}});
  }
  return table.dump();
}

TEST(RankTableTest, TheRootIsWhereRankZeroIs) {
  constexpr const char* kZeros[] = {R"({"server_id": "127.0.0.3"})",
                                    R"({"server_id": "a name", "host_ip": "127.0.0.3"})"};
  for (const char* zero : kZeros) {
    for (const char* version : {"1.0", "1.2"}) {
      RankTable table(TableOf(zero, version));
      ASSERT_TRUE(table.Read().ok()) << zero;
      EXPECT_EQ(table.ranks, 4u);
      EXPECT_EQ(table.root.address.host(), "127.0.0.3");
      EXPECT_EQ(table.root.address.port(), 60000);
    }
  }
  // Numbers instead of texts, in any order.
  RankTable table(TableOf(kZeros[0], "1.0", "1,0,3,2"));
  table.environment.ports = {{61234, 61240}};
  ASSERT_TRUE(table.Read().ok());
  EXPECT_EQ(table.ranks, 4u);
  EXPECT_EQ(table.root.address.host(), "127.0.0.3");
  EXPECT_EQ(table.root.address.port(), 61234);
}

TEST(RankTableTest, OneServerMayHaveAnyName) {
  RankTable table(
      R"({"server_list": [{"server_id": "no address", "device": [{"rank_id": 0}, {"rank_id": 1}]}]})");
  table.environment.interface_address = "127.0.0.1";
  ASSERT_TRUE(table.Read().ok());
  EXPECT_EQ(table.ranks, 2u);
  EXPECT_EQ(table.root.address.host(), "127.0.0.1");
  EXPECT_EQ(table.root.address.port(), 60000);
  RankTable two(TableOf(R"({"server_id": "no address"})"));
  two.environment.interface_address = "127.0.0.1";
  EXPECT_EQ(two.Read().code(), HCCL_E_PARA);
}

TEST(RankTableTest, TheSecretIsTheFile) {
  const std::string text = TableOf(R"({"server_id": "127.0.0.1"})");
  std::vector<std::string> secrets;
  for (const std::string& one : {text, text, text + " "}) {
    RankTable table(one);
    ASSERT_TRUE(table.Read().ok());
    secrets.push_back(table.root.secret);
  }
  EXPECT_EQ(secrets[0], secrets[1]);
  EXPECT_NE(secrets[0], secrets[2]);
  EXPECT_EQ(secrets[0].size(), 32u);
}

TEST(RankTableTest, WhatIsRefused) {
  const std::string zero = R"({"server_id": "127.0.0.1"})";
  const auto with_ranks = [&](const char* ranks) { return TableOf(zero, "1.0", ranks); };
  const std::string tables[] = {
      "",
      "{",
      "[]",
      "7",
      "{}",
      R"({"server_list": 3})",
      R"({"server_list": []})",
      R"({"server_list": [{}]})",
      R"({"server_list": [{"server_id": "127.0.0.1", "device": 1}]})",
      R"({"server_list": [{"server_id": "127.0.0.1", "device": [{}]}]})",
      R"({"server_list": [{"device": [{"rank_id": "0"}]}]})",
      R"({"server_list": [{"server_id": 5, "device": [{"rank_id": "0"}]}]})",
      TableOf(R"({"server_id": "no address"})"),
      TableOf(R"({"server_id": ""})"),
      with_ranks(R"("0","0")"),
      with_ranks(R"("1","2")"),
      with_ranks(R"("0","2")"),
      with_ranks(R"("0","one")"),
      with_ranks(R"("0","1x")"),
      with_ranks(R"("0","")"),
      with_ranks(R"("0","-1")"),
      with_ranks("0,-1"),
      with_ranks("0,1.5"),
      with_ranks("0,null"),
      with_ranks(R"("4294967296","1")"),
      with_ranks("4294967296,1")};
  for (const std::string& text : tables) {
    RankTable table(text);
    EXPECT_EQ(table.Read().code(), HCCL_E_PARA) << text;
  }
  Environment environment;
  RootInfo root;
  uint32_t ranks = 0;
  EXPECT_EQ(ReadRankTable("/nowhere/table.json", environment, &root, &ranks).code(),
            HCCL_E_OPEN_FILE_FAILURE);
  EXPECT_EQ(ReadRankTable(std::string(5000, 'x').c_str(), environment, &root, &ranks).code(),
            HCCL_E_PARA);
  EXPECT_EQ(ReadRankTable("/tmp", environment, &root, &ranks).code(), HCCL_E_PARA);
}

}  // namespace
}  // namespace anyacl::hccl
