#pragma once

#include <span>
#include <string>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/run/journal.hpp"
#include "bermuda/run/result.hpp"

namespace bermuda {

/// A run: fits the method, which is set up as `spec` says, on the fold's graphs, going on from
/// where the journal of this run ended, and tests it. The only place where this is done. What stops
/// it leaves the journal with all that was saved, unless it was the disk. `initial` is what the
/// method begins with (FitTask::initial). Throws InputError, which names the journal's file, for a
/// checkpoint that is not of this fit; Error when the method tells figures that cannot be. `asked`
/// has the graphs that spec.asks names.
RunResult execute(const RunSpec& spec, const DataSet& data, Method& method, RunJournal& journal,
                  const Execution& execution, const std::string& initial = {},
                  const AskedData& asked = {});

/// Asks a fitted method about the test graphs: fills in `test`, `answers` and `last`.
void test_method(const Method& method, const DataSet& data, const FoldParts& parts,
                 const Execution& execution, RunResult& result);

/// Asks a fitted method, whose test is done, what spec.asks names beside: fills in `asked`.
void ask_method(const RunSpec& spec, const Method& method, const QuestionSheet& questions,
                const Execution& execution, RunResult& result);

/// What was said of the test graphs of a fold, as a result keeps it.
std::vector<Answer> placed_answers(const DataSet& data, Samples test,
                                   std::span<const Prediction> said);

}  // namespace bermuda
