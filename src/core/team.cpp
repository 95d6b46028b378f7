#include "bermuda/core/team.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/execution.hpp"
#include "bermuda/core/trust.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "bermuda_mpi.so";

class SoloTeam : public Team {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }

  void send(int to, std::string_view bytes) override {
    if (to != 0) throw Error(fmt::format("no rank {} in a team of one", to));
    messages_.push_back({0, std::string(bytes)});
  }
  std::optional<Message> receive(std::chrono::milliseconds) override {
    if (messages_.empty()) return std::nullopt;
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  std::vector<std::string> gather(std::string_view part) override { return {std::string(part)}; }
  void broadcast(std::string&) override {}
  [[noreturn]] void abort(int code) override { std::_Exit(code); }

 private:
  std::deque<Message> messages_;
};

// Rank and size are both there, or it is not the launcher that started us.
struct Launcher {
  const char* rank;
  const char* size;
  const char* on_this_machine;
};
constexpr std::array kLaunchers = {
    // Open MPI; MPICH and its kin; srun --mpi=pmix.
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    Launcher{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    Launcher{"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS_PER_NODE"},
};

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc() || end != digits.end()) return std::nullopt;
  return number;
}

Team* load_team(const fs::path& library, std::size_t piece) {
  check_trusted(library);
  // Global, because the parts that MPI itself loads want its symbols; never closed, because MPI may
  // be started once in a process.
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    std::string why = ::dlerror();
    std::replace(why.begin(), why.end(), '\n', ' ');
    throw UsageError(fmt::format("started by mpirun, but MPI cannot be loaded ({})", why));
  }
  void* factory = ::dlsym(handle, kTeamFactory);
  if (factory == nullptr) {
    throw UsageError(fmt::format("{}: a library without {}", library.string(), kTeamFactory));
  }
  return reinterpret_cast<TeamFactory*>(factory)(piece);
}

}  // namespace

TeamPlace team_place() {
  for (const Launcher& launcher : kLaunchers) {
    const std::optional<int> rank = number_in(launcher.rank);
    const std::optional<int> size = number_in(launcher.size);
    if (!rank || !size || *rank < 0 || *rank >= *size) continue;
    return {*rank, *size, std::clamp(number_in(launcher.on_this_machine).value_or(1), 1, *size)};
  }
  return {};
}

int cores_of_a_rank() {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, cores / team_place().on_this_machine);
}

std::unique_ptr<Team> make_solo_team() { return std::make_unique<SoloTeam>(); }

std::shared_ptr<Team> team_of(const Execution& execution) {
  if (execution.team == nullptr) return make_solo_team();
  return {std::shared_ptr<Team>(), execution.team};  // not ours to end
}

std::unique_ptr<Team> join_team(std::span<const fs::path> folders, std::size_t piece) {
  const TeamPlace place = team_place();
  if (place.size == 1) return make_solo_team();
  std::string places;
  for (const fs::path& folder : folders) {
    const fs::path library = fs::absolute(folder / kLibrary);
    std::error_code error;
    if (!fs::exists(library, error)) {
      places += (places.empty() ? " in " : ", ") + folder.string();
      continue;
    }
    std::unique_ptr<Team> team(load_team(library, piece));
    // With another MPI's mpirun every process would believe to be alone, and all would write.
    if (team->rank() != place.rank || team->size() != place.size) {
      throw UsageError(
          fmt::format("mpirun started {} processes, MPI knows of {}: {} is built for another MPI",
                      place.size, team->size(), library.string()));
    }
    return team;
  }
  throw UsageError(fmt::format("started by mpirun, but there is no {}{}: build bermuda with MPI",
                               kLibrary, places));
}

}  // namespace bermuda
