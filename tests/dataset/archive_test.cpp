#include "archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "shared_data.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Entry {
  std::string name;
  std::string text;
  unsigned type = AE_IFREG;
};

struct ZipOptions {
  bool encrypted = false;
  bool deflate = true;
};

std::filesystem::path write_zip(const std::filesystem::path& path,
                                const std::vector<Entry>& entries, ZipOptions options = {}) {
  archive* handle = archive_write_new();
  archive_write_set_format_zip(handle);
  if (!options.deflate) archive_write_zip_set_compression_store(handle);
  if (options.encrypted) {
    EXPECT_EQ(archive_write_set_options(handle, "zip:encryption=zipcrypt"), ARCHIVE_OK);
    archive_write_set_passphrase(handle, "secret");
  }
  EXPECT_EQ(archive_write_open_filename(handle, path.c_str()), ARCHIVE_OK);
  for (const Entry& entry : entries) {
    archive_entry* header = archive_entry_new();
    archive_entry_set_pathname(header, entry.name.c_str());
    archive_entry_set_filetype(header, entry.type);
    archive_entry_set_perm(header, 0644);
    if (entry.type == AE_IFLNK) {
      archive_entry_set_symlink(header, entry.text.c_str());
    } else if (entry.type == AE_IFREG) {
      archive_entry_set_size(header, static_cast<la_int64_t>(entry.text.size()));
    }
    EXPECT_EQ(archive_write_header(handle, header), ARCHIVE_OK);
    if (entry.type == AE_IFREG) archive_write_data(handle, entry.text.data(), entry.text.size());
    archive_entry_free(header);
  }
  archive_write_close(handle);
  archive_write_free(handle);
  return path;
}

std::string error_of(const std::filesystem::path& path, const ArchiveLimits& limits = {}) {
  try {
    read_archive(path, limits);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::vector<Entry> kTiny = {{"DS/", "", AE_IFDIR},
                                  {"DS/DS_A.txt", "1, 2\n2, 1\n"},
                                  {"DS/DS_graph_indicator.txt", "1\n1\n"},
                                  {"DS/DS_graph_labels.txt", "7\n"},
                                  {"DS/README.txt", "read me"},
                                  {"__MACOSX/DS/._DS_A.txt", "shadow"}};

TEST(Archive, FilesByName) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", kTiny);
  EXPECT_EQ(read_archive(zip).at("DS/DS_A.txt"), "1, 2\n2, 1\n");
  EXPECT_EQ(read_archive(zip).size(), 5U);
  EXPECT_THAT(list_archive(zip),
              ElementsAre("DS/DS_A.txt", "DS/DS_graph_indicator.txt", "DS/DS_graph_labels.txt",
                          "DS/README.txt", "__MACOSX/DS/._DS_A.txt"));
}

TEST(Archive, TuDataSetWithFolder) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", kTiny);
  EXPECT_EQ(detect_format(zip), format_named("tu"));
  const DataSet data = read_dataset(zip);
  EXPECT_EQ(data.name, "DS");
  EXPECT_EQ(data.splits[0].samples[0].graph, Graph(2, {{0, 1}}));
}

TEST(Archive, ErrorsNameTheFileInside) {
  const TemporaryFolder folder;
  std::vector<Entry> entries = kTiny;
  entries[1].text = "1, 3\n";
  const auto zip = write_zip(folder / "a.zip", entries);
  try {
    read_dataset(zip);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.zip/DS/DS_A.txt:1: found '3'"));
  }
}

TEST(Archive, WithoutDataSet) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", {{"notes.txt", "hello"}});
  EXPECT_THROW(detect_format(zip), InputError);
  EXPECT_THROW(read_dataset(zip, format_named("tu")), InputError);
}

TEST(Archive, PathsThatLeaveTheFolder) {
  const TemporaryFolder folder;
  for (const char* name : {"../evil.txt", "a/../../evil.txt", "/etc/evil.txt", "..\\evil.txt",
                           "C:/evil.txt", "a/.."}) {
    const auto zip = write_zip(folder / "a.zip", {{name, "x"}});
    EXPECT_THAT(error_of(zip), HasSubstr("expected a path inside the archive")) << name;
    EXPECT_THROW(list_archive(zip), InputError) << name;
  }
}

TEST(Archive, Links) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", {{"link.txt", "/etc/passwd", AE_IFLNK}});
  EXPECT_THAT(error_of(zip), HasSubstr("the link 'link.txt'"));
}

TEST(Archive, Encrypted) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", {{"a.txt", "secret text"}}, {true, true});
  EXPECT_THAT(error_of(zip), HasSubstr("the encrypted entry 'a.txt'"));
}

TEST(Archive, SameNameTwice) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", {{"a.txt", "x"}, {"a.txt", "y"}});
  EXPECT_THAT(error_of(zip), HasSubstr("'a.txt' twice"));
}

TEST(Archive, Limits) {
  const TemporaryFolder folder;
  const auto zip = write_zip(
      folder / "a.zip", {{"a.txt", std::string(100000, 'x')}, {"b.txt", std::string(100000, 'y')}});
  EXPECT_EQ(error_of(zip, {200000, 2}), "");
  EXPECT_THAT(error_of(zip, {199999, 2}), HasSubstr("more than 199999 bytes unpacked"));
  EXPECT_THAT(error_of(zip, {200000, 1}), HasSubstr("more than 1 files"));
  EXPECT_THROW(list_archive(zip, {200000, 1}), InputError);
}

TEST(Archive, BytesAreLimitedByTheArchivesOwn) {
  const TemporaryFolder folder;
  const auto zip = write_zip(folder / "a.zip", {{"a.txt", std::string(1'000'000, 'x')}});
  const auto packed = std::filesystem::file_size(zip);
  ArchiveLimits limits;
  limits.max_ratio = 10;
  limits.free_bytes = 1'000'000 - 10 * packed;
  EXPECT_EQ(error_of(zip, limits), "");
  --limits.free_bytes;
  EXPECT_THAT(error_of(zip, limits), HasSubstr("more than 999999 bytes unpacked from"));
}

TEST(Archive, FilesNobodyAskedForAreNotUnpacked) {
  const TemporaryFolder folder;
  std::vector<Entry> entries = kTiny;
  entries[4].text = std::string(std::size_t{80} << 20, 'x');  // README: more than the limits allow
  const auto zip = write_zip(folder / "a.zip", entries);
  EXPECT_THAT(error_of(zip), HasSubstr("unpacked from"));
  EXPECT_EQ(
      read_archive(zip, {}, [](const std::string& name) { return name == "DS/DS_A.txt"; }).size(),
      1U);
  EXPECT_EQ(read_dataset(zip).size(), 1U);
}

TEST(Archive, EveryTruncationIsNoticed) {
  const TemporaryFolder folder;
  const std::string whole = read_file(write_zip(folder / "a.zip", kTiny));
  for (std::size_t size = 0; size < whole.size(); size += 3) {
    EXPECT_NE(error_of(folder.write("cut.zip", whole.substr(0, size))), "") << size;
  }
}

TEST(Archive, DamagedBytesAreNoticed) {
  const TemporaryFolder folder;
  const std::string text(200, 'q');
  for (const bool deflate : {false, true}) {
    std::string bytes = read_file(write_zip(folder / "a.zip", {{"a.txt", text}}, {false, deflate}));
    if (deflate) {
      bytes[bytes.find("a.txt") + 30] ^= 0x55;
    } else {
      bytes[bytes.find("qqq") + 50] = 'p';
    }
    EXPECT_THAT(error_of(folder.write("b.zip", bytes)), HasSubstr("a damaged archive"));
  }
}

TEST(Archive, NotAnArchive) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of(folder.write("a.zip", "hello")), HasSubstr("a damaged archive"));
  EXPECT_THAT(error_of(folder.write("a.zip", "")), HasSubstr("a damaged archive"));
  EXPECT_THROW(read_archive(folder / "none.zip"), IoError);
}

TEST(Archive, MutagAsZip) {
  BERMUDA_NEED_SHARED_DATA(shared);
  const TemporaryFolder folder;
  std::vector<Entry> entries;
  for (const auto& file : std::filesystem::directory_iterator(shared / "TU" / "MUTAG")) {
    entries.push_back({"MUTAG/" + file.path().filename().string(), read_file(file.path())});
  }
  const DataSet data = read_dataset(write_zip(folder / "MUTAG.zip", entries));
  const DataSet plain = read_dataset(shared / "TU" / "MUTAG");
  EXPECT_EQ(data.name, plain.name);
  EXPECT_EQ(data.splits, plain.splits);
}

}  // namespace
}  // namespace bermuda
