// Sizes are big-endian, and each message is answered with its id.
#include "client.hpp"

int main(int argc, char** argv) {
    return legacy::run(argc, argv, {legacy::Order::big, legacy::Ack::each});
}
