#include <fmt/format.h>

#include "bermuda/core/file.hpp"
#include "bermuda/dataset/controls.hpp"
#include "bermuda/dataset/io.hpp"
#include "command.hpp"

namespace bermuda::app {
namespace {

class ConvertCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "convert", "Write a data set in another format",
                            "  bermuda convert D1 -o D1_tu --to tu\n"
                            "  bermuda convert MUTAG.zip -o mutag --to native\n"
                            "  bermuda convert D1 -o D1_any --to native --shuffle-nodes\n");
    add_data(command, data_);
    std::vector<std::string> names;
    std::vector<std::string> written;
    std::string files;
    for (const Format* format : formats()) {
      names.emplace_back(format->name);
      if (format->is_written()) written.emplace_back(format->name);
      if (format->ending.empty()) continue;
      files += fmt::format("{}{} for {}", files.empty() ? "" : ", ", format->ending, format->name);
    }
    add_output(command, fmt::format("Folder to make, or file ({})", files));
    command->add_option("--to", to_, "Format to write")
        ->check(CLI::IsMember(written))
        ->required()
        ->type_name("FORMAT");
    command->add_option("--from", from_, "Format of DATA (default: found out by looking)")
        ->check(CLI::IsMember(names))
        ->type_name("FORMAT");
    command->add_flag(
        "--shuffle-nodes", shuffle_,
        "Renumber the nodes of every graph at random: their order may tell the class");
    add_seed(command);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    check_output(common_.output, common_.force);
    const Format& from = from_.empty() ? detect_format(data_) : format_named(from_);
    const Format& to = format_named(to_);
    DataSet data = read_dataset(data_, from, reading_any(session));
    if (shuffle_) {
      shuffle_nodes(data, common_.seed);
      data.provenance["controls"] = {{"seed", common_.seed}, {"shuffle_nodes", true}};
    }
    const std::vector<std::string> lost = to.losses(data);
    write_dataset(data, common_.output, to, common_.force);
    for (const std::string& loss : lost) {
      session.note(fmt::format("note: format {} does not carry {}", to_, loss));
    }
    session.result(fmt::format("{} graphs from {} ({}) to {} ({})\n", data.size(), data_, from.name,
                               common_.output, to_),
                   {{"graphs", data.size()},
                    {"from", from.name},
                    {"to", to_},
                    {"output", common_.output},
                    {"shuffled_nodes", shuffle_},
                    {"lost", lost}});
    return 0;
  }

 private:
  std::string data_;
  std::string from_;
  std::string to_;
  bool shuffle_ = false;
};

}  // namespace

std::unique_ptr<Command> make_convert() { return std::make_unique<ConvertCommand>(); }

}  // namespace bermuda::app
