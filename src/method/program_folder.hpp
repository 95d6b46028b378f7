#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// Files of a folder: path in it -> content.
using FolderFiles = std::map<std::string, std::string>;

/// What a program is given and asked.
struct ProgramQuestions {
  Samples train;  ///< none: it is asked again, with what it left in `model`
  Samples validation;
  Samples questions;
  std::vector<std::string> class_names;
  nlohmann::ordered_json run;  ///< run.json
  std::uint64_t seed = 1;      ///< orders the questions
};

/// A new folder, gone with its content at the end of its life, unless the environment variable
/// BERMUDA_KEEP_RUNS names a folder to make it in. Those that killed programs left are taken away
/// when the next is made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool kept_;
  int lock_ = -1;  // a descriptor
};

/// The folder that a program works in.
class ProgramFolder {
 public:
  ProgramFolder(const ProgramQuestions& asked, const FolderFiles& model);

  const std::filesystem::path& path() const { return path_; }
  /// What it answered to the questions, in their order. Throws InputError.
  std::vector<Prediction> answers() const;
  /// The share of validation graphs that it answered rightly, or less than 0 when it did not care
  /// to answer all of them.
  double validation_accuracy() const;
  /// What it left to be found again. Throws Error when that is too much to keep.
  FolderFiles model() const;

 private:
  std::string answers_text() const;

  const ProgramQuestions& asked_;
  TemporaryFolder root_;
  std::filesystem::path path_;
  std::vector<Sample> posed_;       // the questions as the program sees them
  std::vector<std::size_t> place_;  // of each in asked_.questions
};

}  // namespace bermuda
