#include "known.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

struct KnownFile {
  std::string_view data;
  std::string_view suffix;
  std::string_view checksum;  // content_checksum()
};

// Of the collection's own files, as they were in 2018 to 2023.
constexpr std::array kKnown = {
    KnownFile{"MUTAG", "_A.txt",
              "0f380e0e81e7620ea1353296df3f0ad7a681d814a81025e7fe713bf2897deccd"},
    KnownFile{"MUTAG", "_edge_labels.txt",
              "4669ce755075ff86c3240709345745886400908fa637a49310459b9c267b3e56"},
    KnownFile{"MUTAG", "_graph_indicator.txt",
              "7d520a4d6c7961c0cdeabe076d8fe27e795b6d373485c9a2b744987e560a2056"},
    KnownFile{"MUTAG", "_graph_labels.txt",
              "a1518ea39ba3426bd42f57396b9c4baffe68e9adc718caeeab0119c6591a5f2c"},
    KnownFile{"MUTAG", "_node_labels.txt",
              "678f429965490e84dd27713017538c995fc05d1621beac910848b600015ee863"},
    KnownFile{"NCI1", "_A.txt", "2c028eda59a5fe96e2265a63d9ac236901bd9a7dc658498be13cd704a703076d"},
    KnownFile{"NCI1", "_graph_indicator.txt",
              "ffe5acfa754b057d5ce0dc725c5aadb631628161886cc040d38c719635257dc5"},
    KnownFile{"NCI1", "_graph_labels.txt",
              "fae44681e70113f496256ae87eaac33b7836e3a97fe8e023933b84fde6a5c8a2"},
    KnownFile{"NCI1", "_node_labels.txt",
              "dc0a22b6cbff0c939de00373e823977ba32b358f560e4288d7602f7b51407ee2"}};

}  // namespace

std::string content_checksum(std::string_view text) {
  Sha256 sum;
  LineReader lines(text);
  std::string_view line;
  std::size_t empty = 0;  // at the end of a file they say nothing
  while (lines.next(line)) {
    std::string plain;
    for (const char c : line) {
      if (c != ' ' && c != '\t' && c != '\r') plain += c;
    }
    if (plain.empty()) {
      ++empty;
      continue;
    }
    sum.add(std::string(empty, '\n') + plain + "\n");
    empty = 0;
  }
  return sum.digits();
}

bool is_known(std::string_view name) {
  return std::ranges::find(kKnown, name, &KnownFile::data) != kKnown.end();
}

void check_content(const std::string& name, const std::map<std::string, std::string>& files,
                   const std::string& place) {
  for (const KnownFile& known : kKnown) {
    if (known.data != name) continue;
    const std::string file = fmt::format("{}{}", name, known.suffix);
    const auto found = files.find(file);
    const std::string is = found == files.end() ? "" : content_checksum(found->second);
    if (is == known.checksum) continue;
    throw InputError(
        place, 0,
        is.empty() ? fmt::format("no {}", file)
                   : fmt::format("another content of {} (checksum {})", file, is.substr(0, 12)),
        fmt::format("the {} that is known ({}); --unchecked takes it as it is", name,
                    known.checksum.substr(0, 12)));
  }
}

}  // namespace bermuda
