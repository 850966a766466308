// A client where nobody listens says so.
#include <aldis/transport/client.hpp>

int main() {
    aldis::transport::Config config;
    config.address = {"127.0.0.1", "1"};
    const auto client = aldis::transport::Client::connect(config);
    return !client && client.error().code == aldis::transport::Code::disconnected ? 0 : 1;
}
