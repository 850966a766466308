// That the headers compile where there are no exceptions.
#include <aldis/transport/batch.hpp>
#include <aldis/transport/client.hpp>
#include <aldis/transport/tls.hpp>

bool connects(aldis::transport::client_config config) {
    return static_cast<bool>(aldis::transport::client::connect(std::move(config)));
}
