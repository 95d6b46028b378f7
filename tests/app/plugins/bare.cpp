// A shared library that is no plug-in.
extern "C" int bermuda_nothing() { return 0; }
