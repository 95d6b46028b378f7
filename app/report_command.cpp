#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/report/table.hpp"
#include "command.hpp"
#include "report_file.hpp"

namespace bermuda::app {
namespace {

namespace fs = std::filesystem;

class ReportCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "report", "Make a page, or a table for a paper, from the results in a store",
            "  bermuda report table1.sqlite\n"
            "  bermuda report table1.sqlite -o report.html --force\n"
            "  bermuda report table1.sqlite --format latex -o table.tex\n");
    command
        ->add_option("STORE", store_, "Results of 'bermuda bench', or what its --export json wrote")
        ->required()
        ->type_name("");
    command
        ->add_option("-o,--output", common_.output,
                     "File to make (default: STORE.html; tables go to standard output)")
        ->type_name("FILE");
    command->add_option("--format", format_, "A page with everything, or the tables only")
        ->check(CLI::IsMember({"html", "markdown", "latex"}))
        ->capture_default_str()
        ->type_name("html|markdown|latex");
    command->add_option("--title", report_.title, "Heading of the page (default: as the grid says)")
        ->type_name("TEXT");
    add_epoch(command, report_.epoch);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    const bool page = format_ == "html";
    if (page && common_.output.empty()) {
      common_.output = fs::path(store_).replace_extension("html").string();
    }
    if (!common_.output.empty()) check_output(common_.output, common_.force);
    const Records records = read_records_file(store_, {.twins = session.execution()});
    const std::string text =
        page ? report_of(store_, records, report_, session.execution()) : tables(records);
    if (common_.output.empty()) {
      session.result(text, {{"format", format_}, {"text", text}});
      return 0;
    }
    write_output(common_.output, text, common_.force);
    std::size_t done = 0;
    for (const auto& [id, run] : records.runs) done += run.state == RunState::kDone ? 1U : 0U;
    session.result(fmt::format("{}: {} of {} runs, {} kB\n", common_.output, done,
                               records.runs.size(), (text.size() + 999) / 1000),
                   {{"output", common_.output},
                    {"format", format_},
                    {"runs", records.runs.size()},
                    {"done", done},
                    {"bytes", text.size()}});
    return 0;
  }

 private:
  std::string tables(const Records& records) const {
    std::string text;
    for (const auto& grid : records.grids) {
      const ResultTable table = make_table(records, grid, report_.epoch);
      if (!text.empty()) text += "\n";
      text += format_ == "latex" ? table_latex(table) : table_markdown(table);
    }
    return text;
  }

  std::string store_;
  std::string format_ = "html";
  ReportOptions report_;
};

}  // namespace

std::unique_ptr<Command> make_report() { return std::make_unique<ReportCommand>(); }

}  // namespace bermuda::app
