// Generated C++: the program takes the folder where the messages are.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "proto_json.hpp"
#include "proto_view.hpp"

namespace {

constexpr int rounds = 25;
constexpr double round_ns = 1e7;

void check(bool holds) {
    if (!holds) {
        std::fputs("a codec gives something else\n", stderr);
        std::exit(1);
    }
}

/// The compiler takes it that the object is read and written here.
template <class T>
void opaque(T& object) {
    asm volatile("" : : "r"(&object) : "memory");
}

std::string file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    check(in.good());
    return {std::istreambuf_iterator<char>(in), {}};
}

template <class Task>
double run(Task& task, long times) {
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < times; ++i) {
        task();
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

template <class Task>
void row(const char* operation, const char* form, std::size_t size, Task task) {
    run(task, 10000);
    const long times = std::max(1L, static_cast<long>(round_ns / (run(task, 10000) / 10000)));
    std::array<double, rounds> taken{};
    for (double& each : taken) {
        each = run(task, times) / static_cast<double>(times);
    }
    std::sort(taken.begin(), taken.end());
    std::printf("%s %s %zu %.1f %.1f\n", operation, form, size, taken[0], taken[rounds / 2]);
}

template <class Encode, class Decode, class Verify>
void binary(const std::string& folder, const char* form, Encode encode, Decode decode, Verify verify) {
    const std::string read = file(folder + "/" + form + ".bin");
    const auto* first = reinterpret_cast<const std::byte*>(read.data());
    const std::vector<std::byte> bytes(first, first + read.size());
    std::vector<std::byte> out(4096);
    proto::Account value;
    check(decode(bytes, value) && encode(value, out) == bytes.size() && std::equal(bytes.begin(), bytes.end(), out.begin()));
    row("serialize", form, bytes.size(), [&] { opaque(value), check(encode(value, out) > 0), opaque(out); });
    row("deserialize", form, bytes.size(), [&] { opaque(bytes), check(decode(bytes, value)), opaque(value); });
    row("verify", form, bytes.size(), [&] { opaque(bytes), check(verify(bytes)); });
}

void json(const std::string& folder) {
    std::string text = file(folder + "/account.json");
    text.erase(text.find_last_not_of('\n') + 1);
    proto::Account value;
    std::string out;
    const auto write = [&] {
        out.clear();
        aldis::json::writer<proto::json_form> json(out);
        return write_json(json, value);
    };
    const auto read = [&] { return proto::from_json(text, value).ok(); };
    check(read() && write() && out == text);
    row("serialize", "json", text.size(), [&] { opaque(value), check(write()), opaque(out); });
    row("deserialize", "json", text.size(), [&] { opaque(text), check(read()), opaque(value); });
}

}  // namespace

int main(int, char** arguments) {
    const std::string folder = arguments[1];
    binary(
        folder, "standard", [](const auto& value, auto& out) { return proto::encode(value, out).value(); },
        [](const auto& bytes, auto& value) { return proto::decode(bytes, value).ok(); },
        [](const auto& bytes) { return proto::verify<proto::Account>(bytes).ok(); });
    binary(
        folder, "final", [](const auto& value, auto& out) { return proto::encode_final(value, out).value(); },
        [](const auto& bytes, auto& value) { return proto::decode_final(bytes, value).ok(); },
        [](const auto& bytes) { return proto::verify_final<proto::Account>(bytes).ok(); });
    json(folder);
}
