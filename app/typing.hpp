#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

namespace bermuda::app {

/// What people mistype on a command line, answered in one line with the nearest name.

/// Throws UsageError for a word that should name a command, task or method and does not. Before
/// parsing: CLI11 would only say that a subcommand is required.
void check_names(const CLI::App& program, std::span<const std::string> words);

/// Why a command line was not understood, from what CLI11 says of it.
std::string refusal(const CLI::App& program, const CLI::ParseError& error);

/// Throws UsageError for what CLI11 lets pass: an option that has swallowed the next one as its
/// value (`-o --force`), a number below 0 where none can be (`--seed -1`). After parsing.
void check_values(const CLI::App& program);

}  // namespace bermuda::app
