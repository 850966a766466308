// The generated codecs of FBE's account message against hand-written ones (bench/peers/cpp), by turns in one run. Times are
// processor time of this thread, so that other programs on the machine matter less; each is a median of batches.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

#include "../peers/cpp/account_json.hpp"
#include "../peers/cpp/fbe_final.hpp"
#include "../peers/cpp/fbe_standard.hpp"
#include "../peers/cpp/scalar_lists.hpp"
#include "lists.hpp"
#include "proto_json.hpp"
#include "proto_view.hpp"

namespace {

constexpr int batches = 41;

/// Keeps the compiler from knowing what `value` holds, or that nobody looks at it.
template <class T>
void opaque(T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Work>
double batch(int rounds, Work& work) {
    const double start = now();
    for (int round = 0; round < rounds; ++round) {
        work();
    }
    return (now() - start) / rounds;
}

double median(std::vector<double>& times) {
    std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
    return times[batches / 2];
}

/// Prints a row: nanoseconds by hand, generated, their ratio, and what it may be at most.
template <class Hand, class Generated>
void row(const char* what, double most, int rounds, Hand hand, Generated generated) {
    std::vector<double> by_hand;
    std::vector<double> by_us;
    for (int turn = 0; turn < batches; ++turn) {
        by_hand.push_back(batch(rounds, hand));
        by_us.push_back(batch(rounds, generated));
    }
    const double first = median(by_hand);
    const double second = median(by_us);
    std::printf("  %-36s %11.1f %11.1f %7.2f %9.2f\n", what, first, second, second / first, most);
}

std::vector<std::byte> file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

void check(bool good) {
    if (!good) {
        std::fputs("a codec failed\n", stderr);
        std::exit(1);
    }
}

/// A sum over every field of a view, so that none is left out.
double read_all(const proto::view::Account& account) {
    double sum = account.id() + static_cast<std::uint8_t>(account.state()) + static_cast<double>(account.name().size());
    const auto balance = [&sum](const proto::view::Balance& from) {
        sum += static_cast<double>(from.currency().size()) + from.amount();
    };
    balance(account.wallet());
    if (const auto asset = account.asset()) {
        balance(*asset);
    }
    for (const auto& order : account.orders()) {
        sum += order.id() + static_cast<std::uint8_t>(order.side()) + static_cast<std::uint8_t>(order.type());
        sum += static_cast<double>(order.symbol().size());
        sum += order.price() + order.volume();
    }
    return sum;
}

void account(const std::string& folder) {
    const std::vector<std::byte> standard = file(folder + "/proto_account_readme.std.bin");
    const std::vector<std::byte> final_form = file(folder + "/proto_account_readme.final.bin");
    peer::Account hand;
    proto::Account ours;
    check(peer::standard::decode(standard, hand) && proto::decode(standard, ours).ok());
    std::vector<std::byte> out(4096);
    row("standard: encode", 1.3, 20000, [&] { opaque(hand), check(peer::standard::encode(hand, out) > 0), opaque(out); },
        [&] { opaque(ours), check(proto::encode(ours, out).ok()), opaque(out); });
    row("standard: decode, reused object", 1.3, 20000,
        [&] { opaque(standard), check(peer::standard::decode(standard, hand)), opaque(hand); },
        [&] { opaque(standard), check(proto::decode(standard, ours).ok()), opaque(ours); });
    row("standard: verify", 1.3, 20000, [&] { opaque(standard), check(peer::standard::verify(standard)); },
        [&] { opaque(standard), check(proto::verify<proto::Account>(standard).ok()); });
    double sum = 0;
    check(peer::standard::read_all(standard) == read_all(*proto::verify<proto::Account>(standard)));
    row("standard: verify, read every field", 1.3, 20000,
        [&] {
            opaque(standard), check(peer::standard::verify(standard));
            sum = peer::standard::read_all(standard), opaque(sum);
        },
        [&] {
            opaque(standard);
            const auto view = proto::verify<proto::Account>(standard);
            check(view.ok());
            sum = read_all(*view), opaque(sum);
        });
    row("Final: encode", 1.3, 20000, [&] { opaque(hand), check(peer::final_form::encode(hand, out) > 0), opaque(out); },
        [&] { opaque(ours), check(proto::encode_final(ours, out).ok()), opaque(out); });
    row("Final: decode, reused object", 1.3, 20000,
        [&] { opaque(final_form), check(peer::final_form::decode(final_form, hand)), opaque(hand); },
        [&] { opaque(final_form), check(proto::decode_final(final_form, ours).ok()), opaque(ours); });
    std::string text;
    row("JSON: write", 1.4, 5000, [&] { text.clear(), check(peer::json::write(text, hand)), opaque(text); }, [&] {
        text.clear();
        aldis::json::writer<proto::json_form> json(text);
        check(write_json(json, ours)), opaque(text);
    });
}

template <class List, class T>
void list(const char* encode_name, const char* decode_name, std::size_t count) {
    List ours;
    ours.values.assign(count, T{});
    std::vector<T> hand(count);
    std::vector<std::byte> bytes(count * sizeof(T) + 64);
    const std::size_t size = lists::encode_final(ours, bytes).value();
    const std::span<const std::byte> message(bytes.data(), size);
    std::vector<std::byte> out(bytes.size());
    row(encode_name, 1.2, 2000, [&] { opaque(hand), check(peer::lists::encode(hand, out) > 0), opaque(out); },
        [&] { opaque(ours), check(lists::encode_final(ours, out).ok()), opaque(out); });
    row(decode_name, 1.2, 2000, [&] { check(peer::lists::decode(message.subspan(8), hand)), opaque(hand); },
        [&] { check(lists::decode_final(message, ours).ok()), opaque(ours); });
}

}  // namespace

int main(int, char** arguments) {
    std::printf("  %-36s %11s %11s %7s %9s\n", "what", "by hand, ns", "aldis, ns", "ratio", "at most");
    account(arguments[1]);
    list<lists::Doubles, double>("8,192 doubles: encode", "8,192 doubles: decode", 8192);
    list<lists::Ints, std::int32_t>("16,384 int32: encode", "16,384 int32: decode", 16384);
    list<lists::Octets, std::byte>("65,536 bytes: encode", "65,536 bytes: decode", 65536);
    return 0;
}
