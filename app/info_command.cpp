#include "bermuda/dataset/io.hpp"
#include "command.hpp"
#include "summary.hpp"

namespace bermuda::app {
namespace {

class InfoCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "info", "Show what a data set holds, a split at a time",
                            "  bermuda info D1\n"
                            "  bermuda info MUTAG.zip --json\n");
    add_data(command, data_);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    const Format& format = detect_format(data_);
    const DataSetFigures figures = figures_of(read_dataset(data_, format, reading_any(session)));
    nlohmann::ordered_json json = summary_json(figures);
    json["format"] = format.name;
    session.result(summary_text(figures), json);
    return 0;
  }

 private:
  std::string data_;
};

}  // namespace

std::unique_ptr<Command> make_info() { return std::make_unique<InfoCommand>(); }

}  // namespace bermuda::app
