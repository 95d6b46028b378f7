#include "xml_reader.hpp"

#include <fmt/format.h>
#include <libxml/xmlreader.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/core/utf8.hpp"
#include "fields.hpp"

namespace bermuda {
namespace {

std::string_view view_of(const xmlChar* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

/// All that the library could be made to do by a text: it is to read UTF-8, and nothing else.
void check_xml_text(std::string_view text) {
  const auto line_of = [&](std::size_t place) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  };
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Fault{fmt::format("{} bytes", text.size()), "less than 2 GiB of XML"};
  }
  if (const std::size_t place = first_not_utf8(text); place != text.npos) {
    const std::size_t start = text.substr(0, place).rfind('\n') + 1;
    const std::string_view line = text.substr(start, text.find('\n', place) - start);
    throw Fault{byte_in_words(line, first_not_utf8(line)), "XML in UTF-8", line_of(place)};
  }
  if (const std::size_t place = text.find("<!DOCTYPE"); place != text.npos) {
    throw Fault{"a document type", "XML without one", line_of(place)};
  }
}

void set_up_libxml() {
  static std::once_flag done;
  std::call_once(done, [] { xmlInitParser(); });
}

}  // namespace

struct XmlReader::Parser {
  xmlTextReaderPtr reader = nullptr;
  std::string error;  // the first, in libxml2's words
  long error_line = 0;

  ~Parser() { xmlFreeTextReader(reader); }
};

XmlReader::XmlReader(std::string_view text, StopPoll stop)
    : parser_(std::make_unique<Parser>()), stop_(stop) {
  set_up_libxml();
  check_xml_text(text);
  parser_->reader = xmlReaderForMemory(text.data(), static_cast<int>(text.size()), nullptr, "UTF-8",
                                       XML_PARSE_NONET | XML_PARSE_BIG_LINES);
  if (parser_->reader == nullptr) throw Fault{"an empty file", "an XML document"};
  // Newer versions of the library hand the error over as const.
  const auto remember = [](void* data, auto error) {
    auto& parser = *static_cast<Parser*>(data);
    if (!parser.error.empty() || error == nullptr || error->message == nullptr) return;
    parser.error = trimmed(
        std::string_view(error->message).substr(0, std::string_view(error->message).find('\n')));
    parser.error_line = error->line;
  };
  xmlTextReaderSetStructuredErrorHandler(parser_->reader, remember, parser_.get());
}

XmlReader::~XmlReader() = default;

bool XmlReader::next() {
  if (std::exchange(end_is_due_, false)) {
    piece_ = Piece::kEnd;
    return true;
  }
  for (;;) {
    stop_(16);
    const int outcome = xmlTextReaderRead(parser_->reader);
    if (outcome < 0 || !parser_->error.empty()) {
      throw Fault{parser_->error.empty() ? "something else" : in_quotes(parser_->error),
                  "an XML document", parser_->error_line};
    }
    if (outcome == 0) return false;
    switch (xmlTextReaderNodeType(parser_->reader)) {
      case XML_READER_TYPE_ELEMENT:
        piece_ = Piece::kStart;
        end_is_due_ = xmlTextReaderIsEmptyElement(parser_->reader) == 1;
        return true;
      case XML_READER_TYPE_END_ELEMENT:
        piece_ = Piece::kEnd;
        return true;
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
        piece_ = Piece::kText;
        return true;
      case XML_READER_TYPE_DOCUMENT_TYPE:
      case XML_READER_TYPE_ENTITY_REFERENCE:
        throw Fault{"a document type or an entity", "XML without such", line()};
      default:
        break;
    }
  }
}

std::string_view XmlReader::name() const {
  return view_of(xmlTextReaderConstLocalName(parser_->reader));
}

std::string_view XmlReader::name_space() const {
  return view_of(xmlTextReaderConstNamespaceUri(parser_->reader));
}

std::optional<std::string> XmlReader::attribute(const char* name) const {
  xmlChar* value =
      xmlTextReaderGetAttribute(parser_->reader, reinterpret_cast<const xmlChar*>(name));
  if (value == nullptr) return std::nullopt;
  std::string text(view_of(value));
  xmlFree(value);
  return text;
}

std::string_view XmlReader::text() const {
  return view_of(xmlTextReaderConstValue(parser_->reader));
}

long XmlReader::line() const {
  const xmlNodePtr node = xmlTextReaderCurrentNode(parser_->reader);
  return node == nullptr ? 0 : xmlGetLineNo(node);
}

}  // namespace bermuda
