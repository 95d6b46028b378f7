// The loader of model files, below the checksum: what a damaged file that still passes it would do.
#include "bermuda/core/checksum.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/model_file.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  static const MethodRegistry registry = [] {
    MethodRegistry made;
    register_kernel_methods(made);
    return made;
  }();
  return fuzz::run([&] {
    const std::string body = "bermuda-model 2\n" + std::string(fuzz::text_of(bytes, size));
    const Model model = decode_model(body + sha256(body), "fuzz", registry);
    Sample sample;
    sample.graph = Graph(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
    const Sample* pointer = &sample;
    model.method->predict(std::span(&pointer, 1), {});
  });
}
