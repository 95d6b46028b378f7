#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// The line over a table of answers, which tells its columns: "#id", "class" and whatever follows.
std::string answers_header(const std::vector<std::string>& class_names,
                           const std::vector<std::string>& more = {});

/// Reads a table of answers that `bermuda predict` or anybody else wrote: a line per graph with its
/// id and the name of its class, tabs between. Scores stand in the columns that the header names
/// "score of CLASS" or, without a header, follow the class, one per class; otherwise the class that
/// was given has 1 and the others 0. Further columns are not looked at, nor are other lines that
/// begin with #. The answers are in the order of `samples`; ids of `others` may be there too.
/// Throws InputError, with the line, for an id that is not known or comes twice, for a class that
/// is none of the names and a score that is no finite number, and for graphs without an answer.
std::vector<Prediction> parse_answers_table(std::string_view text, const std::string& file,
                                            Samples samples, Samples others,
                                            const std::vector<std::string>& class_names);

}  // namespace bermuda
