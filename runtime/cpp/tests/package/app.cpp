// A client where nobody listens says so.
#include <aldis/transport/client.hpp>

int main() {
    aldis::transport::client_config config;
    config.address = {"127.0.0.1", "1"};
    const auto client = aldis::transport::client::connect(config);
    return !client && client.error().code == aldis::transport::error_code::disconnected ? 0 : 1;
}
