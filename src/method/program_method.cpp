#include "bermuda/method/program_method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/program.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "program_folder.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kProtocol = 1;
constexpr std::uint32_t kMostNames = 100'000;
constexpr double kMostSeconds = 30.0 * 24 * 3600;
constexpr std::uint64_t kSmallSeed = 0x7fffffff;  // what every random generator takes

/// Files that a command names are part of it; those of the system are not.
bool is_part(const fs::path& word) {
  std::error_code error;
  if (!fs::is_regular_file(word, error)) return false;
  const std::string place = fs::weakly_canonical(word, error).string();
  return !place.starts_with("/usr/") && !place.starts_with("/bin/");
}

/// SHA-256 over the files that the command names and those that are listed beside it.
std::string parts_checksum(const std::string& command, const std::vector<std::string>& more) {
  std::set<std::string> files(more.begin(), more.end());
  for (const std::string& file : files) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
      throw UsageError(fmt::format("files: {} is no file", in_quotes(file)));
    }
  }
  std::string words = command;
  for (char& letter : words) {
    if (std::string_view("\"'();&|<>\t\n").find(letter) != std::string_view::npos) letter = ' ';
  }
  for (const std::string_view word : split_fields(words, ' ')) {
    if (!word.empty() && is_part(word)) files.emplace(word);
  }
  std::string sums;
  for (const std::string& file : files) sums += file + '\n' + sha256(read_file(file)) + '\n';
  return files.empty() ? "none" : sha256(sums);
}

/// The last lines of what a program printed, in one, for a message.
std::string tail_text(const std::string& tail) {
  constexpr std::size_t kLines = 8;
  std::vector<std::string_view> lines;
  LineReader reader(tail);
  for (std::string_view line; reader.next(line);) {
    if (!trimmed(line).empty()) lines.push_back(trimmed(line));
  }
  if (lines.empty()) return " and printed nothing";
  lines.erase(lines.begin(), lines.end() - std::min<std::ptrdiff_t>(kLines, std::ssize(lines)));
  return fmt::format("; it printed last: {}", fmt::join(lines, " | "));
}

class ProgramMethod : public Method {
 public:
  std::string_view name() const override { return kCommandMethod; }

  ParameterSet parameters() override {
    // Set by then, unless a stored run says what it was.
    if (parts_.empty() && !command_.empty()) parts_ = parts_checksum(command_, files_);
    ParameterSet set;
    set.add("command", command_, std::vector<std::string>{},
            "shell command that learns and answers; the run's folder is its last argument")
        .add("time-limit", time_limit_, 0.1, kMostSeconds, "seconds that it may take")
        .add("settings", settings_, std::vector<std::string>{},
             "JSON object that run.json passes on as options")
        .add("files", files_, std::vector<std::string>{},
             "files that it depends on, beside those that the command names")
        .add("parts", parts_, std::vector<std::string>{},
             "checksum of these files; filled in, so that a changed program is another run");
    return set;
  }

  FitReport fit(const FitTask& task, const Execution& execution) override {
    check_settings();
    trusted_ = true;  // the user said what to run, here and now
    class_names_.assign(task.class_names.begin(), task.class_names.end());
    for (int c = static_cast<int>(class_names_.size()); c < task.classes; ++c) {
      class_names_.push_back(std::to_string(c));
    }
    seed_ = task.seed;
    fold_ = task.fold;
    const ProgramQuestions asked = {task.train,   task.validation, task.questions,
                                    class_names_, run_json(true),  seed_};
    const ProgramFolder folder(asked, {});
    run(folder, execution);
    const std::vector<Prediction> said = folder.answers();
    said_.clear();
    for (std::size_t i = 0; i < said.size(); ++i) said_[task.questions[i]] = said[i];
    model_ = folder.model();
    FitReport report;
    const double accuracy = folder.validation_accuracy();
    report.validation_accuracy = std::max(accuracy, 0.0);
    report.details["validation_answered"] = accuracy >= 0;
    report.details["model_files"] = model_.size();
    return report;
  }

  std::vector<Prediction> predict(Samples samples, const Execution& execution) const override {
    std::vector<Prediction> known;
    for (const Sample* sample : samples) {
      const auto found = said_.find(sample);
      if (found == said_.end()) return ask(samples, execution);
      known.push_back(found->second);
    }
    return known;
  }

  void save(ByteWriter& out) const override {
    out.number(seed_);
    out.number(fold_);
    out.number(static_cast<std::uint32_t>(class_names_.size()));
    for (const std::string& name : class_names_) out.text(name);
    out.number(static_cast<std::uint32_t>(model_.size()));
    for (const auto& [name, bytes] : model_) {
      out.text(name);
      out.text(bytes);
    }
  }

  void load(ByteReader& in) override {
    trusted_ = false;
    said_.clear();
    seed_ = in.number<std::uint64_t>();
    fold_ = in.number<int>();
    class_names_.resize(in.number_in<std::uint32_t>(0, kMostNames, "number of classes"));
    for (std::string& name : class_names_) name = in.text();
    model_.clear();
    for (auto left = in.number_in<std::uint32_t>(0, kMostNames, "number of files"); left > 0;
         --left) {
      std::string name(in.text());
      check_inside(name);
      model_[std::move(name)] = in.text();
    }
  }

  int classes() const override { return static_cast<int>(class_names_.size()); }
  std::string foreign_command() const override { return trusted_ ? "" : command_; }
  void trust_command() override { trusted_ = true; }

 private:
  void check_settings() const {
    if (trimmed(command_).empty()) throw UsageError("command: expected a shell command");
    if (parts_checksum(command_, files_) != parts_) {
      throw Error("the files that the command names have changed since the run was planned");
    }
  }

  Json run_json(bool learn) const {
    Json run = {{"bermuda_run", kProtocol},
                {"learn", learn},
                {"fold", fold_},
                {"seed", seed_ & kSmallSeed},
                {"classes", class_names_},
                {"options", parse_json_object(settings_, "settings", 0)},
                {"time_limit", time_limit_}};
    return run;
  }

  void run(const ProgramFolder& folder, const Execution& execution) const {
    const Stage stage(execution, "program", 1);
    ProgramCall call;
    call.command = command_;
    call.arguments = {folder.path().string()};
    call.environment = {{"BERMUDA_RUN", folder.path().string()}};
    call.limit = std::chrono::duration<double>(time_limit_);
    call.line = [&](std::string_view line) { stage.status(line); };
    const ProgramEnd end = run_program(call, execution);
    if (!end.good()) {
      throw Error(fmt::format("the program {}{}", end_text(end, call.limit), tail_text(end.tail)));
    }
    stage.advance(1);
  }

  std::vector<Prediction> ask(Samples samples, const Execution& execution) const {
    if (!trusted_) {
      throw UsageError(fmt::format("the model runs the command {}, and nobody said that it may",
                                   in_quotes(command_)));
    }
    if (model_.empty()) {
      throw UsageError(
          "the program left nothing in its folder model, so it cannot be asked about other graphs");
    }
    const ProgramQuestions asked = {{}, {}, samples, class_names_, run_json(false), seed_};
    const ProgramFolder folder(asked, model_);
    run(folder, execution);
    return folder.answers();
  }

  /// Names come from a file, which may be anybody's.
  static void check_inside(const std::string& name) {
    const fs::path path(name);
    const bool leaves = path.empty() || path.is_absolute() || path != path.lexically_normal() ||
                        *path.begin() == "..";
    if (leaves) throw BytesError(fmt::format("a file named {}", in_quotes(name)));
  }

  std::string command_;
  double time_limit_ = 3600;
  std::string settings_ = "{}";
  std::vector<std::string> files_;
  std::string parts_;

  std::vector<std::string> class_names_;
  std::uint64_t seed_ = 1;
  int fold_ = 0;
  FolderFiles model_;
  std::unordered_map<const Sample*, Prediction> said_;  // the questions of the fit
  bool trusted_ = true;
};

}  // namespace

void register_program_method(MethodRegistry& registry) {
  registry.add({kCommandMethod, "a program of your own, in any language (docs/programs.md)",
                [] { return std::make_unique<ProgramMethod>(); }});
}

}  // namespace bermuda
