// A plug-in that was built for another version of the program.
namespace bermuda {
class MethodRegistry;
}

extern "C" const char* bermuda_plugin_version() { return "0.0.1"; }
extern "C" void bermuda_register_methods(bermuda::MethodRegistry&) {}
