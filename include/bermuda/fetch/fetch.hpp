#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda {

/// Where the TU data sets are at home; NAME.zip stands below it.
inline constexpr const char* kUsualSource = "https://www.chrsmrrs.com/graphkerneldatasets";

struct FetchOptions {
  std::string source = kUsualSource;  ///< an http or https address
  std::string ca_file = {};           ///< certificates to trust instead of the system's; PEM
  std::string sha256 = {};            ///< that the zip must have; empty: any
  bool unchecked = false;             ///< take a known data set though its content is another
  bool overwrite = false;
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  ///< of the zip
  int patience = 30;                                 ///< seconds without any progress
  int max_nodes = kUsualMostNodes;
  std::function<void(const std::string&)> note = {};  ///< told what happened, for people
};

struct Fetched {
  std::string url;
  std::uint64_t bytes = 0;    ///< of the zip
  std::uint64_t resumed = 0;  ///< of these were there from an earlier attempt
  std::string sha256;         ///< of the zip
  bool known = false;         ///< its content is what this program knows of it
  std::size_t graphs = 0;
  std::size_t classes = 0;
};

/// Downloads a data set of the TU collection and unpacks it into a folder in TU format, which
/// appears as a whole. An interrupted download stays beside it (OUTPUT.zip.part) and is gone on
/// with where the server says that its file is still the same.
///
/// Certificates are verified; redirections lead to http and https only, and never from https to
/// http. Throws UsageError (a name or address that cannot be, an output that exists, no such data
/// set there), InputError (not what was promised), Interrupted, and Error when the network fails.
Fetched fetch_tu(const std::string& name, const std::filesystem::path& output,
                 const FetchOptions& options, const Execution& execution);

}  // namespace bermuda
