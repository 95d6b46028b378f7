#pragma once

#include "bermuda/method/method.hpp"

namespace bermuda {

/// The method "command": a program of anybody's, in any language, that is started once per run. It
/// is given a folder as its last argument:
///
///   manifest.json, train.tsv, valid.tsv, test.tsv   a data set of our own format; the graphs of
///       test.tsv have no class, no witness, and ids and an order that tell nothing
///   run.json     fold, seed, class names, options, time limit
///   model/       for whatever it wants to find again when it is asked about other graphs
///
/// and leaves answers.tsv there (parse_answers_table()), for the test graphs and, if it likes, for
/// those of valid.tsv. When it is asked again, train.tsv and valid.tsv are missing and "learn" of
/// run.json is false; docs/programs.md.
///
/// A model file brings its command along, and may be somebody else's: who loads one must call
/// Method::trust_command() before asking it.
inline constexpr const char* kCommandMethod = "command";
void register_program_method(MethodRegistry& registry);

}  // namespace bermuda
