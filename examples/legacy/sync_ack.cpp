// The server acks once for all messages of a receive.
#include "client.hpp"

int main(int argc, char** argv) {
    return legacy::run(argc, argv, {legacy::Order::little, legacy::Ack::skipping});
}
