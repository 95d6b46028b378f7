#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// Reads a table of answers that `bermuda predict` or anybody else wrote: a line per graph with its
/// id and the name of its class, tabs between; further columns are not looked at, lines that begin
/// with # are left out. The classes in the order of `samples`; ids of `others` may be there too.
/// Throws InputError, with the line, for an id that is not known or comes twice and for a class
/// that is none of the names, and for graphs without an answer.
std::vector<int> parse_answers_table(std::string_view text, const std::string& file,
                                     Samples samples, Samples others,
                                     const std::vector<std::string>& class_names);

}  // namespace bermuda
