#include "program_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/method/answers_table.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnswers = "answers.tsv";
constexpr const char* kModel = "model";
constexpr std::uintmax_t kMostModelBytes = std::uintmax_t{1} << 30;

std::vector<const Sample*> pointers_to(const std::vector<Sample>& samples) {
  std::vector<const Sample*> pointers;
  for (const Sample& sample : samples) pointers.push_back(&sample);
  return pointers;
}

Split split_of(const char* name, Samples samples) {
  Split split{name, {}};
  for (const Sample* sample : samples) split.samples.push_back(*sample);
  return split;
}

fs::path make_folder(bool& kept) {
  const char* place = std::getenv("BERMUDA_KEEP_RUNS");
  kept = place != nullptr && *place != '\0';
  std::string name = ((kept ? fs::absolute(place) : fs::temp_directory_path()) / "bermuda-XXXXXX");
  if (::mkdtemp(name.data()) == nullptr) {
    throw IoError(name, "make", errno);
  }
  return name;
}

}  // namespace

ProgramFolder::ProgramFolder(const ProgramQuestions& asked, const FolderFiles& model)
    : asked_(asked) {
  place_.resize(asked.questions.size());
  std::iota(place_.begin(), place_.end(), std::size_t{0});
  RandomStream(asked.seed, Purpose::kQuestions).shuffle(std::span(place_));
  for (const std::size_t place : place_) {
    Sample& posed = posed_.emplace_back();
    posed.id = fmt::format("q{}", posed_.size());
    posed.label = Sample::kNoClass;
    posed.graph = asked.questions[place]->graph;
  }
  DataSet data;
  data.name = "run";
  data.class_names = asked.class_names;
  if (!asked.train.empty()) {
    data.splits = {split_of("train", asked.train), split_of("valid", asked.validation)};
  }
  data.splits.push_back({"test", posed_});

  root_ = make_folder(kept_);
  path_ = root_ / "run";
  write_dataset(data, path_, false);
  write_file_atomically(path_ / "run.json", asked.run.dump(2) + "\n", false);
  fs::create_directory(path_ / kModel);
  for (const auto& [name, bytes] : model) {
    const fs::path file = path_ / kModel / name;
    fs::create_directories(file.parent_path());
    write_file_atomically(file, bytes, false);
  }
}

ProgramFolder::~ProgramFolder() {
  std::error_code error;
  if (!kept_) fs::remove_all(root_, error);
}

std::string ProgramFolder::answers_text() const {
  const fs::path file = path_ / kAnswers;
  if (!fs::exists(file)) throw Error("the program left no answers.tsv");
  return read_file(file);
}

std::vector<Prediction> ProgramFolder::answers() const {
  const std::vector<Prediction> said = parse_answers_table(
      answers_text(), kAnswers, pointers_to(posed_), asked_.validation, asked_.class_names);
  std::vector<Prediction> ordered(said.size());
  for (std::size_t i = 0; i < said.size(); ++i) ordered[place_[i]] = said[i];
  return ordered;
}

double ProgramFolder::validation_accuracy() const {
  std::vector<Prediction> said;
  try {
    said = parse_answers_table(answers_text(), kAnswers, asked_.validation, pointers_to(posed_),
                               asked_.class_names);
  } catch (const InputError&) {
    return -1;
  }
  std::size_t right = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    right += said[i].label == asked_.validation[i]->label ? 1U : 0U;
  }
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(said.size(), 1));
}

FolderFiles ProgramFolder::model() const {
  FolderFiles files;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path_ / kModel)) {
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    bytes += entry.file_size();
    if (bytes > kMostModelBytes) {
      throw Error("the program left more than 1 GiB in its folder model");
    }
    files[fs::relative(entry.path(), path_ / kModel).string()] = read_file(entry.path());
  }
  return files;
}

}  // namespace bermuda
