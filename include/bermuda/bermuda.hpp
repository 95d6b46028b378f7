#pragma once

/// The everyday API: read or generate a data set, filter and audit it, fit a method, ask it, keep
/// it. Target bermuda::bermuda; docs/library.md has a program. Neural methods come as plug-ins
/// (register_plugins), so that nothing here needs LibTorch.
#include "bermuda/core/error.hpp"
#include "bermuda/core/execution.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/generate/task.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/method.hpp"
#include "bermuda/method/model_file.hpp"
#include "bermuda/method/plugin.hpp"
#include "bermuda/probe/audit.hpp"
#include "bermuda/probe/filter.hpp"
#include "bermuda/run/execute.hpp"
#include "bermuda/run/folder.hpp"
#include "bermuda/verify/verify.hpp"
