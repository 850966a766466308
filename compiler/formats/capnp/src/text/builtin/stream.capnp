@0x86c366a91393f3f8;
# The result that `-> stream` stands for.

$import "/capnp/c++.capnp".namespace("capnp");

struct StreamResult @0x995f9a3377c0b16e {
  # Has no fields: a streaming method only tells that it is ready for the next call.
}
