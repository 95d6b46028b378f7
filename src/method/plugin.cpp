#include "bermuda/method/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/trust.hpp"
#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSidecarEnd = ".methods.json";

bool is_sidecar(const fs::path& path) { return path.filename().string().ends_with(kSidecarEnd); }

fs::path library_of(const fs::path& sidecar) {
  std::string name = sidecar.filename().string();
  name.resize(name.size() - kSidecarEnd.size());
  return sidecar.parent_path() / (name + ".so");
}

/// The shared library of a plug-in, loaded when it is first needed.
class PluginLibrary {
 public:
  PluginLibrary(const fs::path& sidecar, std::string from, MakeLibrary make_library)
      : sidecar_(sidecar),
        path_(library_of(sidecar)),
        from_(std::move(from)),
        make_library_(std::move(make_library)) {}

  const MethodRegistry& methods() {
    const std::lock_guard lock(mutex_);
    if (!loaded_) load();
    loaded_ = true;
    return registry_;
  }

  std::unique_ptr<Method> make(const std::string& name) {
    const std::vector<MethodInfo>& known = methods().all();
    const auto info = std::find_if(known.begin(), known.end(),
                                   [&](const MethodInfo& one) { return one.name == name; });
    if (info == known.end()) {
      refuse("a library without the method " + in_quotes(name),
             "one, as " + sidecar_.filename().string() + " names it");
    }
    return info->make();
  }

 private:
  [[noreturn]] void refuse(std::string found, std::string expected) const {
    throw InputError(path_.string(), 0, std::move(found), std::move(expected));
  }

  template <typename Function>
  Function* function(void* handle, const char* name) const {
    void* found = ::dlsym(handle, name);
    if (found == nullptr) {
      refuse(fmt::format("a library without the function {}", name), "a plug-in of bermuda");
    }
    return reinterpret_cast<Function*>(found);
  }

  void load() {
    if (!fs::exists(path_) && make_library_) make_library_(path_);
    if (!fs::exists(path_)) {
      refuse("no such file", "the library of " + sidecar_.filename().string() +
                                 (from_.empty() ? "" : ", which comes with " + from_));
    }
    check_regular_file(path_);  // the loader would wait for a pipe
    check_trusted(sidecar_);
    check_trusted(path_);
    // Never closed: methods that were made, and their exceptions, have their code in there.
    void* handle = ::dlopen(fs::absolute(path_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      std::string why = ::dlerror();
      std::replace(why.begin(), why.end(), '\n', ' ');
      refuse(fmt::format("a library that cannot be loaded ({})", why), "a plug-in of bermuda");
    }
    const auto version = function<const char*()>(handle, "bermuda_plugin_version");
    const auto add_methods = function<void(MethodRegistry&)>(handle, "bermuda_register_methods");
    if (version() != kVersion) {
      refuse(fmt::format("a plug-in for bermuda {}", version()),
             fmt::format("one for {}: build it again", kVersion));
    }
    registry_ = {};
    add_methods(registry_);
  }

  std::mutex mutex_;
  fs::path sidecar_;
  fs::path path_;
  std::string from_;
  MakeLibrary make_library_;
  bool loaded_ = false;
  MethodRegistry registry_;
};

std::string one_line(const Json& entry, const char* key, const std::string& file) {
  const auto place = entry.find(key);
  if (place == entry.end() || !place->is_string()) {
    throw InputError(file, 0, fmt::format("a method without a {}", key),
                     fmt::format("\"{}\": a text", key));
  }
  const auto text = place->get<std::string>();
  if (text.empty() || text.find('\n') != std::string::npos) {
    throw InputError(file, 0, fmt::format("the {} {}", key, in_quotes(text)), "one line of text");
  }
  return text;
}

// The name becomes a word of the command line and of file names.
void check_name(const std::string& name, const std::string& file) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '_';
  };
  if (!std::all_of(name.begin(), name.end(), fits) || name.front() == '-') {
    throw InputError(file, 0, "the name " + in_quotes(name),
                     "lower-case letters, digits, '-', '+', '_'");
  }
}

std::vector<MethodInfo> read_sidecar(const fs::path& path, const MakeLibrary& make_library) {
  const std::string file = path.string();
  const Json json = parse_json_object(read_file(path), file, 1);
  const auto methods = json.find("methods");
  if (methods == json.end() || !methods->is_array()) {
    throw InputError(file, 0, "no list of methods", R"({"methods": [...]})");
  }
  const std::string from = json.contains("from") ? one_line(json, "from", file) : "";
  const auto library = std::make_shared<PluginLibrary>(path, from, make_library);
  std::vector<MethodInfo> infos;
  for (const Json& entry : *methods) {
    if (!entry.is_object()) throw InputError(file, 0, entry.type_name(), "an object per method");
    MethodInfo info;
    info.name = one_line(entry, "name", file);
    check_name(info.name, file);
    info.summary = one_line(entry, "summary", file);
    info.source = file;
    info.make = [library, name = info.name] { return library->make(name); };
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace

void register_plugins(MethodRegistry& registry, const fs::path& folder,
                      const MakeLibrary& make_library) {
  std::error_code error;
  std::vector<fs::path> sidecars;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (is_sidecar(entry.path())) sidecars.push_back(entry.path());
  }
  if (error) {
    throw UsageError(
        fmt::format("{}: no folder of plug-ins: {}", folder.string(), error.message()));
  }
  std::sort(sidecars.begin(), sidecars.end());
  for (const fs::path& sidecar : sidecars) {
    for (MethodInfo& info : read_sidecar(sidecar, make_library)) registry.add(std::move(info));
  }
}

std::vector<std::string> check_plugin(const fs::path& sidecar) {
  MethodRegistry told;
  for (MethodInfo& info : read_sidecar(sidecar, {})) told.add(std::move(info));
  PluginLibrary library(sidecar, {}, {});
  const MethodRegistry& real = library.methods();
  const auto named = [](const MethodRegistry& registry, const std::string& name) {
    const auto& all = registry.all();
    return std::find_if(all.begin(), all.end(),
                        [&](const MethodInfo& info) { return info.name == name; });
  };

  std::vector<std::string> problems;
  for (const MethodInfo& info : told.all()) {
    const auto twin = named(real, info.name);
    if (twin == real.all().end()) {
      problems.push_back(fmt::format("{}: not in the library", info.name));
      continue;
    }
    if (info.summary != twin->summary) {
      problems.push_back(fmt::format("{}: summary is {} in the sidecar, {} in the library",
                                     info.name, info.summary, twin->summary));
    }
    if (twin->make()->name() != info.name) {
      problems.push_back(fmt::format("{}: calls itself {}", info.name, twin->make()->name()));
    }
  }
  for (const MethodInfo& info : real.all()) {
    if (named(told, info.name) == told.all().end()) {
      problems.push_back(fmt::format("{}: not in the sidecar", info.name));
    }
  }
  return problems;
}

}  // namespace bermuda
