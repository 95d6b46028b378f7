#include "bermuda/dataset/io.hpp"
#include "bermuda/probe/audit.hpp"
#include "command.hpp"

namespace bermuda::app {
namespace {

class AuditCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    CLI::App* command =
        add(program, "audit", "Is this data set about topology at all? A ladder of probes",
            "  bermuda audit D1\n"
            "  bermuda audit MY_TU_FOLDER --folds 5 --json\n");
    add_data(command, data_);
    add_seed(command);
    add_threads(command);
    add_json(command);
    add_quiet(command);
    add_parameters(command, options_.parameters(), "Audit");
  }

  int run(Session& session) override {
    options_.seed = common_.seed;
    const AuditReport report =
        audit_dataset(read_dataset(data_, reading(session)), options_, session.execution());
    session.result(to_text(report), to_json(report));
    return 0;
  }

 private:
  std::string data_;
  AuditOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_audit() { return std::make_unique<AuditCommand>(); }

}  // namespace bermuda::app
