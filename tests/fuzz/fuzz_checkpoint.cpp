// The loader of checkpoint files, below the checksum, and the comparison with another fit.
#include "bermuda/core/checksum.hpp"
#include "bermuda/run/checkpoint.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  return fuzz::run([&] {
    const std::string body = "bermuda-checkpoint 1\n" + std::string(fuzz::text_of(bytes, size));
    const Checkpoint read = decode_checkpoint(body + sha256(body), "fuzz");
    int width = 3;
    ParameterSet parameters;
    parameters.add("width", width, 1, 9, "how wide");
    fit_differences(read.spec, RunSpec{}, parameters.settings(), "checkpoint");
    const Checkpoint again = decode_checkpoint(encode_checkpoint(read), "fuzz");
    fuzz::require(again.state == read.state && again.spec.seed == read.spec.seed);
  });
}
