// What fetch takes from outside beside archives: the head of a partial download, which anybody may
// have put there, and the text of files that are compared with what is known.
#include "fuzz.hpp"
#include "known.hpp"
#include "partial_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace bermuda;
  const std::string_view text = fuzz::text_of(bytes, size);
  return fuzz::run([&] {
    std::size_t length = 0;
    const DownloadOrigin origin = parse_download_header(text, length);
    fuzz::require(length <= text.size());
    if (length > 0) {
      const std::string again = download_header(origin);
      std::size_t whole = 0;
      const DownloadOrigin same = parse_download_header(again, whole);
      fuzz::require(again.size() > 8192 || (whole == again.size() && same == origin));
    }
    fuzz::require(content_checksum(text) == content_checksum(std::string(text) + "\n \r\n"));
  });
}
