// A run folder that somebody else has written: run.json and epochs.tsv as the input has them; the
// model and the checkpoint really made, then changed at the places that the input names, with
// checksums that are right again. Read as `train --resume`, `predict` and `bench --import` do.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/run/execute.hpp"
#include "bermuda/run/folder.hpp"
#include "fuzz.hpp"
#include "methods.hpp"
#include "run_text.hpp"
#include "small_data.hpp"

namespace {

using namespace bermuda;
namespace fs = std::filesystem;

constexpr std::size_t kChecksum = 64;

const DataSet& data() {
  static const DataSet made = [] {
    const std::uint8_t bytes[] = {0,  9, 1, 0, 1, 0, 7, 3, 9,  1, 6, 4, 0, 7,   1, 2, 3,
                                  31, 5, 2, 8, 0, 5, 1, 2, 12, 7, 3, 6, 1, 255, 9, 4, 2};
    fuzz::Bytes input(bytes, sizeof bytes);
    return fuzz::small_data(input);
  }();
  return made;
}

/// What a method leaves that was really trained: its model file and the state of its checkpoint.
struct Trained {
  std::unique_ptr<Method> method;
  RunSpec spec;
  std::string model;
  std::string state;
};

const std::vector<Trained>& trained() {
  static const std::vector<Trained> all = [] {
    std::vector<Trained> made;
    for (const MethodInfo& info : fuzz::all_methods().all()) {
      Trained& one = made.emplace_back();
      one.method = info.make();
      fuzz::make_small(*one.method);
      one.spec = describe_run(*one.method, data(), 0, 1);
      fuzz::MemoryJournal journal;
      execute(one.spec, data(), *one.method, journal, {});
      one.model = encode_model(*one.method, data().class_names);
      one.state = journal.last_checkpoint();
    }
    return made;
  }();
  return all;
}

/// Three bytes per change: where, in two of them, and what stands there then.
std::string changed(std::string bytes, std::string_view changes) {
  for (std::size_t i = 0; i + 2 < changes.size() && !bytes.empty(); i += 3) {
    const auto place = static_cast<std::size_t>(static_cast<unsigned char>(changes[i]) * 256 +
                                                static_cast<unsigned char>(changes[i + 1]));
    bytes[place % bytes.size()] = changes[i + 2];
  }
  return bytes;
}

std::string sealed_again(std::string bytes) {
  bytes.resize(bytes.size() - kChecksum);
  return bytes + sha256(bytes);
}

void write(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// As fuzz::run(), for one of several things.
template <typename Body>
void attempt(Body body) {
  fuzz::run(body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  static const fs::path folder = [] {
    const auto made =
        fs::temp_directory_path() / ("bermuda-fuzz-run-" + std::to_string(::getpid()));
    fs::create_directories(made);
    return made;
  }();
  if (size == 0) return 0;
  const Trained& one = trained()[input[0] % trained().size()];
  FileTexts files = fuzz::split_files(fuzz::text_of(input, size).substr(1));
  const auto parts = fold_parts(data(), 0);

  write(folder / kRunFile, files[kRunFile]);
  write(folder / kEpochsFile, files[kEpochsFile]);
  attempt([&] {
    const FinishedRun run = read_finished_run(folder);
    app::run_text(run);
    to_json(run).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    fit_differences(run.spec, one.spec, one.method->settings(), "run");
  });
  attempt([&] {
    write(folder / kModelFile, sealed_again(changed(one.model, files[kModelFile])));
    const Model model = read_model(folder, fuzz::all_methods());
    RunResult result;
    test_method(*model.method, data(), parts, {}, result);
  });
  attempt([&] {
    Checkpoint stored{one.spec, 2, 1, changed(one.state, files["state"]), 1};
    write(folder / kCheckpointFile,
          sealed_again(changed(encode_checkpoint(stored), files[kCheckpointFile])));
    RunFolder journal(folder, false, one.spec);
    journal.resume(one.method->settings());
    if (files["state"].empty()) return;
    const std::unique_ptr<Method> method = make_method(fuzz::all_methods(), one.spec);
    execute(one.spec, data(), *method, journal, {});
  });
  return 0;
}
