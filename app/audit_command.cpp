#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/clean.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/probe/audit.hpp"
#include "bermuda/report/audit_page.hpp"
#include "command.hpp"

namespace bermuda::app {
namespace {

constexpr int kFeaturesOnPage = 6;

class AuditCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "audit", "Is this data set about topology at all? A ladder of probes",
            "  bermuda audit D1\n"
            "  bermuda audit MY_TU_FOLDER --folds 5 --json\n"
            "  bermuda audit D1 -o audit.html\n"
            "  bermuda audit D1 --max-shortcut 60 --write-clean D1_clean\n");
    add_data(command, data_);
    command
        ->add_option("-o,--output", common_.output,
                     "File to make: a page (.html), JSON (.json) or text (.txt)")
        ->type_name("FILE");
    command
        ->add_option("--write-clean", clean_,
                     "Folder to make: the data set without isomorphic repeats and without "
                     "isomorphic graphs of different classes")
        ->type_name("FOLDER");
    add_work_options(command);
    add_parameters(command, options_.parameters(), "Audit");
  }

  int run(Session& session) override {
    check_ending();
    check_apart();
    for (const std::string& output : {common_.output, clean_}) {
      if (!output.empty()) check_output(output, common_.force);
    }
    options_.seed = common_.seed;
    options_.telling = common_.output.empty() ? 0 : kFeaturesOnPage;
    DataSet data = read_dataset(data_, reading(session));
    const AuditReport report = audit_dataset(data, options_, session.execution());
    std::string text = to_text(report);
    nlohmann::ordered_json json = to_json(report);
    if (!common_.output.empty()) {
      write_output(common_.output, output_of(report, text, json), common_.force);
    }
    if (!clean_.empty()) write_clean(data, report, text, json);
    session.result(text, json);
    return report.shortcut && report.shortcut->exceeded() ? 1 : 0;
  }

 private:
  std::string ending() const { return std::filesystem::path(common_.output).extension().string(); }

  void check_ending() const {
    constexpr std::array kEndings = {".html", ".json", ".txt"};
    if (common_.output.empty() || std::ranges::find(kEndings, ending()) != kEndings.end()) return;
    throw UsageError(
        fmt::format("--output: found {}, expected a name that ends in .html, .json or .txt",
                    in_quotes(common_.output)));
  }

  // Neither can be made where the other stands, nor a report in the folder that is to hold a data
  // set and nothing else.
  void check_apart() const {
    if (common_.output.empty() || clean_.empty()) return;
    const auto whole = [](const std::string& path) {
      std::error_code error;  // what cannot be looked at is told by check_output()
      const std::filesystem::path named = std::filesystem::absolute(path, error);
      std::filesystem::path made = std::filesystem::weakly_canonical(named, error);
      if (error) made = named.lexically_normal();
      return made.has_filename() ? made : made.parent_path();
    };
    const std::filesystem::path report = whole(common_.output);
    const std::filesystem::path folder = whole(clean_);
    if (std::ranges::mismatch(folder, report).in1 != folder.end()) return;
    throw UsageError(fmt::format("--output: found {}, expected another place than --write-clean {}",
                                 in_quotes(common_.output), in_quotes(clean_)));
  }

  std::string output_of(const AuditReport& report, const std::string& text,
                        const nlohmann::ordered_json& json) const {
    if (ending() == ".html") return audit_page(report);
    if (ending() == ".txt") return text;
    nlohmann::ordered_json file = {{"bermuda_audit", 1}};  // src/core/ours.cpp looks for it
    file.update(json);
    return file.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }

  void write_clean(DataSet& data, const AuditReport& report, std::string& text,
                   nlohmann::ordered_json& json) const {
    const Cleaning done = drop_twins(data, report.isomorphism_class_of);
    if (data.size() == 0) {
      throw UsageError(data_ + ": no graph is left without isomorphic ones of another class");
    }
    write_dataset(data, clean_, common_.force);
    text += fmt::format(
        "\n{}: {} of {} graphs; dropped {} that repeat another and {} that have a "
        "twin of another class\n",
        clean_, data.size(), report.graphs, done.repeats, done.conflicting);
    json["clean"] = {{"output", clean_},
                     {"graphs", data.size()},
                     {"repeats_dropped", done.repeats},
                     {"conflicting_dropped", done.conflicting}};
  }

  std::string data_;
  std::string clean_;
  AuditOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_audit() { return std::make_unique<AuditCommand>(); }

}  // namespace bermuda::app
