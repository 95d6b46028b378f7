#include <fmt/format.h>

#include <cstdlib>

#include "bermuda/fetch/fetch.hpp"
#include "command.hpp"

namespace bermuda::app {
namespace {

constexpr const char* kSourceVariable = "BERMUDA_FETCH_FROM";

class FetchCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command = add(program, "fetch", "Download a data set of the TU collection",
                            "  bermuda fetch MUTAG\n"
                            "  bermuda fetch PROTEINS -o data/PROTEINS\n"
                            "  bermuda fetch MUTAG --from https://mirror.example.org/tu\n");
    command->add_option("NAME", name_, "Its name there, like MUTAG")->required()->type_name("");
    command
        ->add_option("-o,--output", common_.output, "Folder to make (default: NAME in this folder)")
        ->type_name("PATH");
    command
        ->add_option("--from", options_.source,
                     fmt::format("Where NAME.zip is (default: what {} says, else {})",
                                 kSourceVariable, kUsualSource))
        ->type_name("URL");
    command
        ->add_option("--sha256", options_.sha256,
                     "Refuse a zip with another checksum (64 hexadecimal digits)")
        ->type_name("DIGITS");
    command->add_flag("--unchecked", options_.unchecked,
                      "Take MUTAG and NCI1 though their content is not what is known of them");
    command
        ->add_option(
            "--ca-file", options_.ca_file,
            "Certificates (PEM) to trust instead of the system's, for a server of your own")
        ->type_name("FILE");
    add_number(command, "--max-megabytes", megabytes_, 1, 1 << 20, "Refuse a larger zip");
    add_number(command, "--patience", patience_, 1, 3600, "Seconds to wait while nothing comes");
    add_max_nodes(command);
    add_force(command);
    add_json(command);
    add_quiet(command);
  }

  int run(Session& session) override {
    const char* variable = std::getenv(kSourceVariable);
    if (options_.source.empty()) {
      options_.source = variable == nullptr || *variable == '\0' ? kUsualSource : variable;
    }
    if (common_.output.empty()) common_.output = name_;
    options_.overwrite = common_.force;
    options_.max_bytes = megabytes_ << 20;
    options_.patience = static_cast<int>(patience_);
    options_.max_nodes = common_.max_nodes;
    options_.note = [&](const std::string& text) { session.note(text); };
    const Fetched done = fetch_tu(name_, common_.output, options_, session.execution());
    session.result(
        fmt::format("{}: {} graphs of {} classes{}, in {}\n", name_, done.graphs, done.classes,
                    done.known ? ", the content that is known of it" : "", common_.output),
        {{"name", name_},
         {"output", common_.output},
         {"url", done.url},
         {"bytes", done.bytes},
         {"resumed_bytes", done.resumed},
         {"sha256", done.sha256},
         {"known_content", done.known},
         {"graphs", done.graphs},
         {"classes", done.classes}});
    return 0;
  }

 private:
  std::string name_;
  FetchOptions options_ = {.source = ""};
  std::uint64_t megabytes_ = 1024;
  std::uint64_t patience_ = 30;
};

}  // namespace

std::unique_ptr<Command> make_fetch() { return std::make_unique<FetchCommand>(); }

}  // namespace bermuda::app
