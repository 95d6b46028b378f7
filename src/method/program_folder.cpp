#include "program_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

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

/// What no id of the other graphs begins with.
std::string question_prefix(const ProgramQuestions& asked) {
  std::string prefix = "q";
  const auto taken = [&](const Sample* sample) { return sample->id.starts_with(prefix); };
  while (std::ranges::any_of(asked.train, taken) || std::ranges::any_of(asked.validation, taken)) {
    prefix += 'q';
  }
  return prefix;
}

constexpr const char* kPrefix = "bermuda-run-";
constexpr const char* kLock = "lock";  // held while the folder's maker lives, on whatever machine

/// Takes away the folders whose makers are no more.
void remove_left_over(const fs::path& place) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const int lock = ::open((entry.path() / kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) continue;  // another user's, or one that is just being made
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
    ::close(lock);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const char* place = std::getenv("BERMUDA_KEEP_RUNS");
  kept_ = place != nullptr && *place != '\0';
  const fs::path parent = kept_ ? fs::absolute(place) : fs::temp_directory_path();
  if (!kept_) remove_left_over(parent);
  std::string name = parent / fmt::format("{}XXXXXX", kPrefix);
  if (::mkdtemp(name.data()) == nullptr) throw IoError(name, "make", errno);
  path_ = name;
  // Under its name only once it is locked.
  const fs::path unnamed = path_ / "new-lock";
  lock_ = ::open(unnamed.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0) fs::rename(unnamed, path_ / kLock);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!kept_) fs::remove_all(path_, error);
  if (lock_ >= 0) ::close(lock_);
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
