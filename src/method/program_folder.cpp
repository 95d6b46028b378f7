#include "program_folder.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/core/text.hpp"
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

/// What no id of the other graphs begins with.
std::string question_prefix(const ProgramQuestions& asked) {
  std::string prefix = "q";
  const auto taken = [&](const Sample* sample) { return sample->id.starts_with(prefix); };
  while (std::ranges::any_of(asked.train, taken) || std::ranges::any_of(asked.validation, taken)) {
    prefix += 'q';
  }
  return prefix;
}

constexpr const char* kOwner = "bermuda-run-";  // and the number of the process

/// Whether a process of ours made it that is no more.
bool is_left_over(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kOwner)) return false;
  const std::string_view rest = std::string_view(name).substr(std::string_view(kOwner).size());
  const auto process = parse_number<pid_t>(rest.substr(0, rest.find('-')));
  return process && *process > 0 && ::kill(*process, 0) != 0 && errno == ESRCH;
}

void remove_left_over(const fs::path& place) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    if (entry.is_directory(error) && !entry.is_symlink(error) && is_left_over(entry.path())) {
      fs::remove_all(entry.path(), error);  // another user's stays: that is no error
    }
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const char* place = std::getenv("BERMUDA_KEEP_RUNS");
  kept_ = place != nullptr && *place != '\0';
  const fs::path parent = kept_ ? fs::absolute(place) : fs::temp_directory_path();
  if (!kept_) remove_left_over(parent);
  std::string name = parent / fmt::format("{}{}-XXXXXX", kOwner, ::getpid());
  if (::mkdtemp(name.data()) == nullptr) throw IoError(name, "make", errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!kept_) fs::remove_all(path_, error);
}

ProgramFolder::ProgramFolder(const ProgramQuestions& asked, const FolderFiles& model)
    : asked_(asked) {
  place_.resize(asked.questions.size());
  std::iota(place_.begin(), place_.end(), std::size_t{0});
  RandomStream(asked.seed, Purpose::kQuestions).shuffle(std::span(place_));
  const std::string prefix = question_prefix(asked);
  for (const std::size_t place : place_) {
    Sample& posed = posed_.emplace_back();
    posed.id = fmt::format("{}{}", prefix, posed_.size());
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

  path_ = root_.path() / "run";
  write_dataset(data, path_, false);
  write_file_atomically(path_ / "run.json", asked.run.dump(2) + "\n", false);
  fs::create_directory(path_ / kModel);
  for (const auto& [name, bytes] : model) {
    const fs::path file = path_ / kModel / name;
    fs::create_directories(file.parent_path());
    write_file_atomically(file, bytes, false);
  }
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
  if (!fs::is_directory(fs::symlink_status(path_ / kModel))) return files;  // it took it away
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
