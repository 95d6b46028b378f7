#pragma once

#include <string>
#include <vector>

namespace bermuda::app {

/// What may stand where the cursor is.
struct Candidates {
  std::vector<std::string> names;
  bool files = false;  ///< names of files as well
};

/// `words` are those after the program's name up to the cursor, the last one being what is there of
/// the word to complete, perhaps nothing. A shell asks at every key press of TAB, so no plug-in is
/// loaded, which may mean half a second for LibTorch: of a plug-in's method the options that all
/// methods have are told. Only when none of these fits what was typed the plug-in is asked.
Candidates complete(std::vector<std::string> words);

}  // namespace bermuda::app
