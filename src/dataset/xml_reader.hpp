#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bermuda/core/stop.hpp"

namespace bermuda {

/// Walks over the pieces of an XML text in UTF-8, whatever encoding it claims. It loads nothing
/// that the text names and knows no entities but those of XML itself: a document type is refused,
/// before it is read, and with it all that it could declare. Throws Fault, with its line, for text
/// that is not XML.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text, StopPoll stop = {});
  ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  enum class Piece { kStart, kEnd, kText };
  /// Comments and the like are passed over; <a/> is a start and an end. False at the end.
  bool next();
  Piece piece() const { return piece_; }
  /// Of an element, without its prefix, and the namespace that this stands for.
  std::string_view name() const;
  std::string_view name_space() const;
  std::optional<std::string> attribute(const char* name) const;
  std::string_view text() const;
  long line() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  StopPoll stop_;
  Piece piece_ = Piece::kText;
  bool end_is_due_ = false;  // of an element that was <a/>
};

}  // namespace bermuda
