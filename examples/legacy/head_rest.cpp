// As throttled_ack; the originals differed in how the server parsed.
#include "client.hpp"

int main(int argc, char** argv) {
    return legacy::run(argc, argv, {legacy::Order::little, legacy::Ack::skipping});
}
