#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda {

/// Reads a native data set even when its files are not the ones that the manifest describes, and
/// says so instead of throwing: one sentence for each checksum, graph count, class count or mean
/// that differs. Files that cannot be read as graphs still throw InputError.
DataSet read_dataset_unchecked(const std::filesystem::path& path,
                               std::vector<std::string>& checksum_problems);

}  // namespace bermuda
