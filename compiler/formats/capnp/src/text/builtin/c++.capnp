@0xbdf87d7bb8304e81;
# Hints for generators of C++, which others must be able to read past.

$namespace("capnp::annotations");

annotation namespace (file) :Text;
# The C++ namespace for the file's declarations.

annotation name (field, enumerant, struct, enum, interface, method, param, group, union) :Text;
# Another name in C++.

annotation allowCancellation (interface, method, file) :Void;
# The methods of a C++ server may be cancelled while they run.
