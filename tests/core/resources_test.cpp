// Quotas of control groups, in fake trees of /proc and /sys.
#include "core/resources.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/threads.hpp"
#include "support/temporary_folder.hpp"

namespace askrff::test {
namespace {

class Quota : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = root() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  std::string root() const { return folder_.file("root"); }
  std::optional<std::size_t> found() const { return processors_of_quota(root()); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Quota, NoFilesNoQuota) { EXPECT_EQ(found(), std::nullopt); }

TEST_F(Quota, Version2OfAContainer) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(found(), std::nullopt);
  write("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(found(), 2u);
  write("/sys/fs/cgroup/cpu.max", "5000 100000\n");
  EXPECT_EQ(found(), 1u);
}

TEST_F(Quota, Version2TakesTheLeastOfAllGroupsAbove) {
  write("/proc/self/cgroup", "0::/user.slice/job/part\n");
  write("/sys/fs/cgroup/user.slice/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
  EXPECT_EQ(found(), 3u);
  write("/sys/fs/cgroup/user.slice/job/part/cpu.max", "800000 100000\n");
  EXPECT_EQ(found(), 3u);
  write("/sys/fs/cgroup/user.slice/job/part/cpu.max", "200000 100000\n");
  EXPECT_EQ(found(), 2u);
}

TEST_F(Quota, Version1) {
  write("/proc/self/cgroup", "12:memory:/a\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/\n");
  write("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(found(), std::nullopt);
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "400000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(found(), 4u);
  write("/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(found(), 3u);
}

TEST_F(Quota, NonsenseCountsForNothing) {
  for (const char* text : {"", "\n", "0 100000", "100000 0", "-5 100000", "many 100000", "100000", "99999999999999999999999 1", "1e9 5",
                           "100000 100000 x", "18446744073709551615 1", "\xff\xfe 3"}) {
    write("/proc/self/cgroup", "0::/\nrubbish\n::\n7:cpu:/../../etc\n");
    write("/sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(found(), std::nullopt) << text;
  }
  write("/proc/self/cgroup", std::string(1 << 20, ':'));
  write("/sys/fs/cgroup/cpu.max", std::string(1 << 20, '9'));
  EXPECT_EQ(found(), std::nullopt);
}

TEST(Processors, AtLeastOne) { EXPECT_GE(available_processors(), 1u); }

}  // namespace
}  // namespace askrff::test
