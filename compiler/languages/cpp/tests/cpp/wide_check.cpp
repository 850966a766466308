// Few bytes of segments must not ask for much memory: records that take none of the bytes, in lists and behind pointers.
#include <cstdio>

#include "memory.hpp"
#include "wide.hpp"

namespace {

int failures = 0;

void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        ++failures;
    }
}

using words = std::vector<std::uint64_t>;

/// A pointer to a record, or a list's tag: `offset` words on, or so many elements.
constexpr std::uint64_t record(std::uint64_t offset, std::uint64_t data, std::uint64_t pointers) {
    return (offset & 0x3FFF'FFFF) << 2 | data << 32 | pointers << 48;
}
/// A pointer to a list: 7 as its elements' size says that they are records, of so many words in all; 6 that they are pointers.
constexpr std::uint64_t list(std::uint64_t offset, std::uint64_t size, std::uint64_t count) {
    return 1 | (offset & 0x3FFF'FFFF) << 2 | size << 32 | count << 35;
}

std::vector<std::byte> framed(const words& segment) {
    std::vector<std::byte> bytes(8 + segment.size() * 8);
    aldis::store<aldis::little>(bytes.data(), std::uint64_t{segment.size()} << 32);
    for (std::size_t index = 0; index < segment.size(); ++index) {
        aldis::store<aldis::little>(bytes.data() + 8 + index * 8, segment[index]);
    }
    return bytes;
}

/// Decodes, and expects that it takes no more memory than it may. Gives whether it is a message.
bool decodes(const std::vector<std::byte>& bytes, const char* what) {
    bool read = false;
    const std::size_t taken = memory::taken([&] {
        const auto lists = wide::decode<wide::Lists>(bytes);
        read = lists.ok();
        expect(read || lists.error().what == aldis::code::too_large, what);
    });
    expect(taken <= memory::allowed(bytes.size()), what);
    return read;
}

/// `count` records of no words.
words empty_records(std::uint64_t count) { return {record(0, 0, 2), list(1, 7, 0), 0, record(count, 0, 0)}; }

/// `count` lists that are all the same one of `each` records.
words same_list(std::uint64_t count, std::uint64_t each) {
    words segment{record(0, 0, 2), 0, list(0, 6, count)};
    for (std::uint64_t index = 0; index < count; ++index) {
        segment.push_back(list(count - index - 1, 7, 0));
    }
    segment.push_back(record(each, 0, 0));
    return segment;
}

}  // namespace

int main() {
    static_assert(sizeof(wide::Wide) > 600);
    expect(decodes(framed(empty_records(1000)), "some empty records"), "some empty records are refused");
    expect(!decodes(framed(empty_records(32000)), "many empty records"), "many empty records are read");
    expect(decodes(framed(same_list(2, 1000)), "a list twice"), "a list twice is refused");
    decodes(framed(same_list(1000, 1000)), "a list a thousand times");
    decodes(framed(same_list(100000, 4)), "a short list a hundred thousand times");

    // Records that take as many bytes as they should, of which there may be any number.
    wide::Lists honest;
    honest.records.emplace(30000);
    for (wide::Wide& one : *honest.records) {
        one.text0 = "a text";
        one.inner.emplace().text1 = "another text";
    }
    aldis::buffer out;
    const auto bytes = wide::encode(honest, out);
    expect(bytes.ok(), "honest records are not written");
    wide::Lists read;
    expect(bytes.ok() && wide::decode(*bytes, read).ok() && read == honest, "honest records are refused");
    return failures == 0 ? 0 : 1;
}
