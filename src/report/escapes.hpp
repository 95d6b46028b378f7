#pragma once

#include <string>
#include <string_view>

namespace bermuda {

/// Names come from whoever wrote a grid, a store or a data set: in each format they are written so
/// that they mean themselves and nothing else. Control characters, ends of lines too, become
/// blanks.

/// Text of a paragraph or of a cell of a table in Markdown, as GitHub reads it.
std::string escaped_markdown(std::string_view text);
/// The same as code where its spelling allows that.
std::string markdown_code(std::string_view text);
/// Text in LaTeX, at the beginning of a table's row too.
std::string escaped_latex(std::string_view text);

}  // namespace bermuda
