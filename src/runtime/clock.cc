// SPDX-License-Identifier: Apache-2.0
#include "runtime/clock.h"

#include <chrono>
#include <ctime>

#include "base/format.h"

namespace anyacl {
namespace {

std::chrono::seconds ReadUtcOffset() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return std::chrono::seconds(local.tm_gmtoff);
}

}  // namespace

LocalTime Now() {
  using namespace std::chrono;
  static const seconds utc_offset = ReadUtcOffset();
  const auto now = time_point_cast<microseconds>(system_clock::now()) + utc_offset;
  const auto day = floor<days>(now);
  const year_month_day date(day);
  const hh_mm_ss time(now - day);
  return {Format("{:04}-{:02}-{:02}-{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                 time.hours().count(), time.minutes().count(), time.seconds().count()),
          static_cast<int>(time.subseconds().count())};
}

}  // namespace anyacl
