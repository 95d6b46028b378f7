#include "bermuda/method/plugin.hpp"

#include "register.hpp"

BERMUDA_PLUGIN(registry) { bermuda::train::register_neural_methods(registry); }
