// Few bytes must not ask for much memory: many links to one block, blocks shorter than the schema's, many nulls, objects of
// JSON without members. What takes as many bytes as it should is read however large it is.
#include <cstdio>
#include <string>

#include "crew.hpp"
#include "large.hpp"
#include "large_json.hpp"
#include "memory.hpp"

namespace {

int failures = 0;

void expect(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        ++failures;
    }
}

/// Decodes and tells whether the memory that it took is within 64 bytes for each of input, and 16 MiB.
template <class Decode>
void bounded(std::size_t input, Decode decode, const char* what) {
    expect(memory::taken(decode) <= memory::allowed(input), what);
}

std::vector<std::byte> links_to_one_block(std::uint32_t count) {
    const std::uint32_t block = 8 + 16 + 4 + 4 * count;
    const std::uint32_t total = block + 8 + 65536;
    std::vector<std::byte> bytes(total);
    const auto put = [&bytes](std::uint32_t at, std::uint32_t value) { aldis::store<aldis::little>(bytes.data() + at, value); };
    put(0, total);
    put(4, 8);
    put(8, 16);
    put(12, 2);
    put(16, 16);
    put(24, count);
    for (std::uint32_t index = 0; index < count; ++index) {
        put(28 + 4 * index, block - 8);
    }
    put(block, 8 + 65536);
    put(block + 4, 1);
    return bytes;
}

/// Bytes that are put together.
class message {
public:
    template <class T>
    message& put(T value) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof value);
        aldis::store<aldis::little>(bytes_.data() + at, value);
        return *this;
    }
    message& words(std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values) {
            put(value);
        }
        return *this;
    }
    /// With its size at its front.
    std::vector<std::byte> sized() {
        aldis::store<aldis::little>(bytes_.data(), static_cast<std::uint32_t>(bytes_.size()));
        return bytes_;
    }
    const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

/// Where a list of wide records can be, in the order of the schema.
enum class place : std::uint32_t { list, maybes, map };

/// A message of `Wides` with `count` links to blocks that have none of their members: all to one, or each to its own.
std::vector<std::byte> short_blocks(place where, std::uint32_t count, bool one) {
    constexpr std::uint32_t table = 8 + 8 + 3 * 4;
    message made;
    made.words({0, 8, 8 + 3 * 4, 4});
    for (std::uint32_t field = 0; field < 3; ++field) {
        made.words({field == static_cast<std::uint32_t>(where) ? table - 8 : 0});
    }
    made.words({count});
    const std::uint32_t entry = where == place::list ? 4 : where == place::maybes ? 5 : 8;
    const std::uint32_t blocks = table + 4 + count * entry - 8;
    const std::uint32_t size = where == place::maybes ? 12 : 8;
    for (std::uint32_t index = 0; index < count; ++index) {
        if (where == place::maybes) {
            made.put(std::uint8_t{1});
        } else if (where == place::map) {
            made.words({index});
        }
        made.words({blocks + (one ? 0 : index * size)});
    }
    for (std::uint32_t index = 0; index < (one ? 1 : count); ++index) {
        if (where == place::maybes) {
            // An optional value begins with a link of its own.
            made.words({4});
        }
        made.words({8, 3});
    }
    return made.sized();
}

void short_blocks_are_bounded() {
    for (const auto where : {place::list, place::maybes, place::map}) {
        for (const bool one : {true, false}) {
            const std::vector<std::byte> some = short_blocks(where, 1000, one);
            expect(large::decode<large::Wides>(some).ok(), "some short blocks are refused");
            const std::vector<std::byte> many = short_blocks(where, 100000, one);
            bounded(many.size(), [&] {
                const auto read = large::decode<large::Wides>(many);
                expect(read || read.error().what == aldis::code::too_large, "many short blocks are something else");
                expect(!read || !one, "many links to a short block are all followed");
            }, "many short blocks take too much memory");
        }
    }
}

/// `count` people, or guests, in blocks of no bytes.
std::vector<std::byte> crew_of(std::uint16_t people, std::uint16_t guests) {
    message made;
    for (const std::uint16_t word : std::initializer_list<std::uint16_t>{0, 1, 9, 0, 0, people, 0, guests}) {
        made.put(word);
    }
    for (std::uint16_t index = 0; index < guests; ++index) {
        made.put(std::uint8_t{0});
    }
    return made.bytes();
}

void empty_blocks_are_bounded() {
    static_assert(sizeof(crew::Crew_people) > 600);
    expect(crew::decode<crew::Crew>(crew_of(400, 400)).ok(), "some blocks of no bytes are refused");
    for (const std::uint16_t count : {std::uint16_t{32000}, std::uint16_t{65000}}) {
        for (const auto& bytes : {crew_of(count, 0), crew_of(0, count)}) {
            bounded(bytes.size(), [&] {
                const auto read = crew::decode<crew::Crew>(bytes);
                expect(!read && read.error().what == aldis::code::too_large, "many blocks of no bytes are read");
            }, "many blocks of no bytes take too much memory");
        }
    }
}

void empty_objects_are_bounded() {
    const auto repeated = [](std::string_view head, std::string_view each, std::size_t count) {
        std::string text(head);
        for (std::size_t index = 0; index < count; ++index) {
            text.append(index == 0 ? "" : ",").append(each);
        }
        return text + "]}";
    };
    large::Wides value;
    expect(large::from_json(repeated("{\"all\":[", "{}", 1000), value).ok(), "some empty objects are refused");
    for (const char* const head : {"{\"all\":[", "{\"all\":[],\"maybes\":["}) {
        const std::string text = repeated(head, "{}", 100000);
        bounded(text.size(), [&] {
            large::Wides many;
            const auto read = large::from_json(text, many);
            expect(!read && read.error().what == aldis::code::too_large, "many empty objects are read");
        }, "many empty objects take too much memory");
    }
}

/// As much memory for each byte as there is of honest messages.
void dense_messages_are_read() {
    static_assert(sizeof(std::optional<large::Point>) == 56);
    large::Points dense;
    dense.points.resize(1500000);
    for (int number = -128; number < 128; ++number) {
        dense.numbers.insert(static_cast<std::int8_t>(number));
    }
    aldis::buffer out;
    const auto bytes = large::encode_final(dense, out);
    expect(bytes.ok(), "nulls are not written");
    bounded(bytes->size(), [&] {
        large::Points read;
        expect(large::decode_final(*bytes, read).ok() && read == dense, "nulls of one byte are refused");
    }, "nulls take too much memory");
    const auto text = large::to_json(dense);
    expect(text.ok(), "nulls are not written as JSON");
    bounded(text->size(), [&] {
        large::Points read;
        expect(large::from_json(*text, read).ok() && read == dense, "nulls of JSON are refused");
    }, "nulls of JSON take too much memory");
}

/// Decoding into an object that has room takes no memory.
void memory_is_used_again() {
    large::Wides value;
    value.all.resize(3);
    for (std::int32_t key = 0; key < 10; ++key) {
        value.keyed[key].s7.assign(40, 'x');
    }
    large::Points points;
    points.numbers = {-1, 0, 1};
    aldis::buffer out;
    const auto again = [](const auto& bytes, auto& read, auto decode) {
        expect(decode(bytes, read).ok(), "it is not read");
        expect(memory::taken([&] { expect(decode(bytes, read).ok(), "it is not read again"); }) == 0, "decoding again takes memory");
    };
    large::Wides read;
    again(*large::encode(value, out), read, [](const auto& in, auto& into) { return large::decode(in, into); });
    expect(read == value, "a map is read otherwise the second time");
    large::Points numbers;
    again(*large::encode_final(points, out), numbers, [](const auto& in, auto& into) { return large::decode_final(in, into); });
    expect(numbers == points, "a set is read otherwise the second time");
}

/// Lists whose first element has a list in turn, and each says that it has as many elements as there is room for.
void lists_within_lists_are_bounded() {
    static_assert(sizeof(large::Tree) > 300);
    constexpr std::uint32_t count = 1 << 20;
    // Final: one behind the other, of 12 bytes or more each.
    message lists;
    lists.words({0, 6});
    for (int level = 0; level < 100; ++level) {
        lists.words({count - 1000});
    }
    std::vector<std::byte> levels = lists.bytes();
    levels.resize(12 * count);
    aldis::store<aldis::little>(levels.data(), static_cast<std::uint32_t>(levels.size()));
    bounded(levels.size(), [&] {
        const auto read = large::decode_final<large::Tree>(levels);
        expect(!read && read.error().what == aldis::code::too_deep, "lists within lists are something else");
    }, "lists within lists take too much memory");
    // Linked: blocks side by side, all with the same list, in which each finds the next block.
    constexpr std::uint32_t blocks = 100;
    constexpr std::uint32_t block = 8 + 4 + 8 * 5;
    message linked;
    linked.words({0, 8});
    for (std::uint32_t index = 0; index < blocks; ++index) {
        linked.words({block, 6, (blocks - index) * block});
        for (int byte = 0; byte < 8 * 5; ++byte) {
            linked.put(std::uint8_t{0});
        }
    }
    linked.words({count});
    for (std::uint32_t index = 0; index < count; ++index) {
        linked.words({block});
    }
    const std::vector<std::byte> shared = linked.sized();
    bounded(shared.size(), [&] {
        const auto read = large::decode<large::Tree>(shared);
        expect(!read && read.error().what == aldis::code::too_deep, "lists that are shared are something else");
    }, "lists that are shared take too much memory");
}

}  // namespace

int main() {
    const std::vector<std::byte> many = links_to_one_block(500000);
    bounded(many.size(), [&] {
        const auto read = large::decode<large::Blocks>(many);
        expect(!read && read.error().what == aldis::code::too_large, "links to one block are all followed");
    }, "many links take too much memory");
    const std::vector<std::byte> one = links_to_one_block(1);
    expect(large::decode<large::Blocks>(one).ok(), "a link to a block is refused");

    // Final: a count and a byte for each null.
    std::vector<std::byte> nulls(16 + 500000);
    aldis::store<aldis::little>(nulls.data(), static_cast<std::uint32_t>(nulls.size()));
    aldis::store<aldis::little>(nulls.data() + 4, std::uint32_t{2});
    aldis::store<aldis::little>(nulls.data() + 12, std::uint32_t{500000});
    bounded(nulls.size(), [&] {
        const auto read = large::decode_final<large::Blocks>(nulls);
        expect(read.ok() && read->maybes.size() == 500000, "nulls are not read");
    }, "many nulls take too much memory");

    short_blocks_are_bounded();
    empty_blocks_are_bounded();
    empty_objects_are_bounded();
    lists_within_lists_are_bounded();
    dense_messages_are_read();
    memory_is_used_again();
    return failures == 0 ? 0 : 1;
}
