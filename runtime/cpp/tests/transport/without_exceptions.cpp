// That the headers compile where there are no exceptions.
#include <aldis/transport/client.hpp>
#include <aldis/transport/tls.hpp>

bool connects(aldis::transport::Config config) {
    return static_cast<bool>(aldis::transport::Client::connect(std::move(config)));
}
