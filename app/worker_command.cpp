#include <fcntl.h>

#include <memory>

#include "bermuda/bench/job.hpp"
#include "bermuda/bench/workers.hpp"
#include "bermuda/core/error.hpp"
#include "command.hpp"
#include "methods.hpp"
#include "worker_program.hpp"

namespace bermuda::app {
namespace {

class WorkerCommand : public Command {
 public:
  void declare(CLI::App& program) override {
    add(program, kWorkerCommand, "What bench starts; not for people", "")->group("");
  }

  int run(Session& session) override {
    if (::fcntl(kWorkerDescriptor, F_GETFD) < 0) {
      throw UsageError("worker: only bermuda bench starts this");
    }
    serve_jobs(kWorkerDescriptor, methods(), *session.execution().stop);
    return 0;
  }
};

}  // namespace

std::filesystem::path program_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::unique_ptr<Command> make_worker() { return std::make_unique<WorkerCommand>(); }

}  // namespace bermuda::app
