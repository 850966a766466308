// The server acks after some receives, or a short while.
#include "client.hpp"

int main(int argc, char** argv) {
    return legacy::run(argc, argv, {legacy::Order::little, legacy::Ack::skipping});
}
