#include "bermuda/bench/workers.hpp"

namespace bermuda {
namespace {

// The first byte of what goes between rank 0 and the others.
constexpr char kJob = 'j';
constexpr char kLetGo = 'e';
constexpr char kInterrupt = 'i';
constexpr char kText = 't';
constexpr char kDied = 'd';

constexpr auto kGlance = std::chrono::milliseconds(1);

class TeamWorkers : public Workers {
 public:
  explicit TeamWorkers(Team& team) : team_(team) {}

  ~TeamWorkers() override {
    try {
      tell_all(kLetGo);
    } catch (const std::exception&) {
      // The team is breaking up anyway.
    }
  }

  int count() const override { return team_.size() - 1; }

  void send(int worker, std::string_view text) override {
    team_.send(worker + 1, kJob + std::string(text));
  }

  std::vector<WorkerMessage> receive(std::chrono::milliseconds timeout) override {
    std::vector<WorkerMessage> messages;
    while (auto message =
               team_.receive(messages.empty() ? timeout : std::chrono::milliseconds(0))) {
      const bool died = message->bytes.front() == kDied;
      messages.push_back({message->from - 1, died, message->bytes.substr(1)});
    }
    return messages;
  }

  void interrupt() override { tell_all(kInterrupt); }

  // mpirun, which has told rank 0 to stop, kills all of them a second later, and rank 0 still has
  // to say what is kept. Of a machine that was cut off nothing will be heard.
  std::chrono::milliseconds patience() const override { return std::chrono::milliseconds(300); }

 private:
  void tell_all(char what) {
    for (int rank = 1; rank < team_.size(); ++rank) team_.send(rank, std::string(1, what));
  }

  Team& team_;
};

}  // namespace

std::unique_ptr<Workers> make_team_workers(Team& team) {
  return std::make_unique<TeamWorkers>(team);
}

void relay_jobs(Team& team, Workers& own) {
  for (;;) {
    while (const auto message = team.receive(kGlance)) {
      const char what = message->bytes.front();
      if (what == kLetGo) return;
      if (what == kInterrupt) own.interrupt();
      if (what == kJob) own.send(0, std::string_view(message->bytes).substr(1));
    }
    for (const WorkerMessage& message : own.receive(kGlance)) {
      team.send(0, (message.died ? kDied : kText) + message.text);
    }
  }
}

}  // namespace bermuda
