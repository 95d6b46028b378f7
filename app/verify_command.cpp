#include <fmt/format.h>

#include <map>

#include "bermuda/dataset/io.hpp"
#include "bermuda/verify/definition.hpp"
#include "bermuda/verify/verify.hpp"
#include "command.hpp"

namespace bermuda::app {
namespace {

constexpr std::size_t kShown = 20;

class VerifyCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "verify",
            "Recount every class and witness by brute force; check balance, duplicates, checksums",
            "  bermuda verify D1\n"
            "  bermuda verify released/triangles --task triangles --json\n");
    add_data(command, data_);
    add_definitions(command);
    add_threads(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    std::vector<std::string> manifest_problems;
    const DataSet data = read_dataset_unchecked(data_, manifest_problems, reading(session));
    VerifyReport report = verify_dataset(data, options_, session.execution());
    for (const std::string& problem : manifest_problems) {
      report.problems.push_back({"", "", "checksum", problem});
    }
    session.result(text(report), json(report));
    return report.problems.empty() ? 0 : 1;
  }

 private:
  /// --task, and the settings of all tasks: which of them counts is known when the data is read.
  void add_definitions(CLI::App* command) {
    std::vector<std::string> names;
    std::map<std::string, std::string> help;  // of a setting, which tasks may share
    for (const verify::DefinitionInfo& info : verify::definitions()) {
      names.emplace_back(info.task);
      const Settings settings = info.make()->settings();
      for (const Setting& setting : settings.all()) {
        std::string& text = help[setting.name];
        text += fmt::format("{}{}: {} ({})", text.empty() ? "" : "; ", info.task, setting.help,
                            setting.range_text());
      }
    }
    command
        ->add_option("--task", options_.task,
                     "Check classes by this task (default: the one the manifest names)")
        ->check(CLI::IsMember(names))
        ->type_name("TASK");
    for (const auto& [name, text] : help) {
      command
          ->add_option_function<std::string>(
              "--" + name,
              [this, key = name](const std::string& value) { options_.settings[key] = value; },
              text + "; default: as the manifest says")
          ->type_name("VALUE");
    }
  }

  static std::string text(const VerifyReport& report) {
    std::string text = fmt::format(
        "{} graphs{}: {} classes recounted, {} witnesses checked, {} isomorphs within and {} "
        "across splits\n",
        report.graphs, report.task.empty() ? "" : " of task " + report.task, report.classes_checked,
        report.witnesses_checked, report.isomorphs_within, report.isomorphs_across);
    if (report.pairs_checked > 0)
      text += fmt::format("{} pairs of twins compared\n", report.pairs_checked);
    if (report.task.empty()) {
      text += "the data set names no task, so classes were not checked (--task does)\n";
    }
    for (std::size_t i = 0; i < std::min(report.problems.size(), kShown); ++i) {
      const Problem& problem = report.problems[i];
      text +=
          fmt::format("{}{}{}{}: {}\n", problem.kind, problem.split.empty() ? "" : " ",
                      problem.split, problem.id.empty() ? "" : " " + problem.id, problem.detail);
    }
    if (report.problems.size() > kShown) {
      text += fmt::format("... and {} more (--json lists all)\n", report.problems.size() - kShown);
    }
    text += report.problems.empty() ? "no problems\n"
                                    : fmt::format("{} problems\n", report.problems.size());
    return text;
  }

  static nlohmann::ordered_json json(const VerifyReport& report) {
    auto problems = nlohmann::ordered_json::array();
    for (const Problem& problem : report.problems) {
      problems.push_back({{"kind", problem.kind},
                          {"split", problem.split},
                          {"id", problem.id},
                          {"detail", problem.detail}});
    }
    return {{"task", report.task},
            {"graphs", report.graphs},
            {"classes_checked", report.classes_checked},
            {"witnesses_checked", report.witnesses_checked},
            {"pairs_checked", report.pairs_checked},
            {"isomorphs_within", report.isomorphs_within},
            {"isomorphs_across", report.isomorphs_across},
            {"isomorphs_allowed", report.isomorphs_allowed},
            {"problem_count", report.problems.size()},
            {"problems", problems}};
  }

  std::string data_;
  VerifyOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_verify() { return std::make_unique<VerifyCommand>(); }

}  // namespace bermuda::app
