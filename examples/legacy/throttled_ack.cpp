// The server acks every 5 ms what has come since.
#include "client.hpp"

int main(int argc, char** argv) {
    return legacy::run(argc, argv, {legacy::Order::little, legacy::Ack::skipping});
}
