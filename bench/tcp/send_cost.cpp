// send_cost HOST PORT COUNT [SIZE]: the CPU time that sending a message takes, in the caller's thread and in all threads, one by one and
// gathered.
#include <sys/types.h>
#include <time.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <aldis/transport/batch.hpp>

namespace {

double nanoseconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int count, char** words) {
    using namespace aldis::transport;
    if (count < 4) {
        std::fprintf(stderr, "usage: send_cost HOST PORT COUNT [SIZE]\n");
        return 2;
    }
    client_config config;
    config.address = {words[1], words[2]};
    auto made = client::connect(std::move(config));
    if (!made) {
        std::fprintf(stderr, "%s\n", made.error().text.c_str());
        return 1;
    }
    const long messages = std::atol(words[3]);
    const std::vector<std::byte> message(count > 4 ? std::strtoul(words[4], nullptr, 10) : 32);
    message_batch batch(**made);
    for (int round = 0; round < 6; ++round) {
        const bool batched = round % 2 == 1;
        const double mine = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        const double all = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
        for (long sent = 0; sent < messages; ++sent) {
            if (batched ? !batch.add(message) : !(*made)->send(message)) {
                return 1;
            }
        }
        if (!batch.push()) {
            return 1;
        }
        const double mine_sent = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        if (!(*made)->flush(std::chrono::seconds(60))) {
            return 1;
        }
        const double all_acked = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
        const double each = static_cast<double>(messages);
        std::printf("%-14s%6.1f ns in the caller, %6.1f ns in all threads until the last ack\n", batched ? "message_batch" : "send", (mine_sent - mine) / each,
                    (all_acked - all) / each);
    }
    return 0;
}
