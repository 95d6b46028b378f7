#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bermuda/bench/grid.hpp"
#include "bermuda/core/execution.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/run/asked.hpp"

namespace bermuda {

/// What the models of a data set are asked beside; without data for its own test graphs,
/// renumbered.
struct PreparedAsk {
  Ask ask;
  DataSet data;
  std::filesystem::path path;  ///< absolute
};

/// A data set of a grid that stands on the disk, ready for workers to read.
struct PreparedData {
  DataSet data;
  std::filesystem::path path;  ///< absolute
  std::string checksum;
  std::vector<std::string> meanings;  ///< of the classes, in words, where a task made it
  std::vector<PreparedAsk> asks = {};

  std::vector<Ask> asked() const;  ///< as runs have it
  AskedData asked_data() const;
};

/// Throws UsageError for a task or for options that are not known and for a path where there is
/// nothing, before anything is made.
void check_data(const GridData& spec, std::span<const std::filesystem::path> folders);

/// Reads the data set, from its path (looked for beside the configuration and in `folders`) or from
/// `cache`, where it is generated and filtered first if it is missing. What stands in the cache is
/// named by everything that it depends on. Throws UsageError for options that a task does not know.
PreparedData prepare_data(const GridData& spec, const std::filesystem::path& cache,
                          std::span<const std::filesystem::path> folders,
                          const Execution& execution, int max_nodes = kUsualMostNodes);

}  // namespace bermuda
