#pragma once

#include <filesystem>

namespace bermuda::app {

/// The subcommand, not listed, by which bench starts this program again as its worker.
inline constexpr const char* kWorkerCommand = "worker";

/// This program's file.
std::filesystem::path program_path();

}  // namespace bermuda::app
