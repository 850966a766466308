// A client where nobody listens says so. Prints the default of a schema that the codecs' own imports.
#include <cstdio>
#include <memory_resource>

#include <aldis/transport/client.hpp>

#include "quote.hpp"
#include "quote_sbe.hpp"

int main() {
    std::pmr::monotonic_buffer_resource arena;
    std::printf("%d\n", quote::Quote(&arena).level.depth + quote_sbe::Quote{}.depth);
    aldis::transport::client_config config;
    config.address = {"127.0.0.1", "1"};
    const auto client = aldis::transport::client::connect(config);
    return !client && client.error().code == aldis::transport::error_code::disconnected ? 0 : 1;
}
