#include "bermuda/run/checkpoint.hpp"

#include <fmt/format.h>

#include <limits>

#include "bermuda/core/error.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/json_text.hpp"
#include "bermuda/method/frame.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCheckpointKind = "checkpoint";
constexpr int kCheckpointVersion = 1;

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  Json header = fit_json(checkpoint.spec);
  header["program_version"] = kVersion;
  header["epochs"] = checkpoint.epochs;
  header["seconds"] = checkpoint.seconds;
  header["cpu_seconds"] = checkpoint.cpu_seconds;
  ByteWriter out;
  out.text(json_line(header));
  out.text(checkpoint.state);
  return seal(kCheckpointKind, kCheckpointVersion, out.bytes());
}

Checkpoint decode_checkpoint(std::string_view bytes, const std::string& file) {
  const std::string_view body = unseal(kCheckpointKind, kCheckpointVersion, bytes, file);
  try {
    ByteReader in(body);
    const Json header = parse_json_object(in.text(), file, 0);
    Checkpoint checkpoint;
    checkpoint.spec = fit_spec_of(header);
    checkpoint.epochs = static_cast<int>(whole_number(header.at("epochs"), "a number of epochs", 0,
                                                      std::numeric_limits<int>::max()));
    checkpoint.seconds = real_number(header.at("seconds"), "seconds");
    if (header.contains("cpu_seconds")) {
      checkpoint.cpu_seconds = real_number(header.at("cpu_seconds"), "processor seconds");
    }
    if (checkpoint.seconds < 0 || checkpoint.cpu_seconds < 0) {
      throw BytesError("seconds below zero");
    }
    checkpoint.state = in.text();
    if (!in.at_end()) throw BytesError("bytes after the end of the checkpoint");
    return checkpoint;
  } catch (const Json::exception& error) {
    throw InputError(file, 0, fmt::format("a header that is wrong ({})", error.what()),
                     "a checkpoint's header");
  } catch (const JsonError& error) {
    throw InputError(file, 0, error.what(), "a checkpoint's header");
  } catch (const BytesError& error) {
    throw InputError(file, 0, error.what(), "a whole checkpoint");
  }
}

}  // namespace bermuda
