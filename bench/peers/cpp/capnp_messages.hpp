// Cap'n Proto's own C++ library (libcapnp) at two messages: seven integers, and an address book. Builders fill a message from
// plain values in memory that is used again; walks read every field of a message in place and add up what they found, so
// that no read can be left out. Both as the library's documentation does it, with its limits as they are.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize-packed.h>
#include <capnp/serialize.h>
#include <kj/io.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "addressbook.capnp.h"
#include "ints.capnp.h"

namespace peer::capnp_library {

struct Ints {
    std::uint64_t a = 0;
    std::int64_t b = 0;
    std::uint32_t c = 0;
    std::int32_t d = 0;
    std::uint16_t e = 0;
    std::int16_t f = 0;
    std::uint8_t g = 0;
};

struct Phone {
    std::string number;
    std::uint16_t type = 0;
};

enum class Employment : std::uint16_t { unemployed, employer, school, self_employed };

struct Person {
    std::uint32_t id = 0;
    std::string name;
    std::string email;
    std::vector<Phone> phones;
    Employment employment = Employment::unemployed;
    /// The name of the employer or the school.
    std::string place;
};

using Book = std::vector<Person>;

/// Memory for a message's first segment. Builders leave it zero again, as the library asks for.
class Memory {
public:
    explicit Memory(std::size_t words) : words_(words) {}

    ::kj::ArrayPtr<::capnp::word> get() { return {reinterpret_cast<::capnp::word*>(words_.data()), words_.size()}; }

private:
    std::vector<std::uint64_t> words_;
};

/// The number of bytes in the segments that a builder made. Called before the builder goes.
inline std::size_t built(::capnp::MessageBuilder& message) {
    std::size_t size = 0;
    for (const auto segment : message.getSegmentsForOutput()) {
        asm volatile("" : : "r"(segment.begin()) : "memory");
        size += segment.asBytes().size();
    }
    return size;
}

/// The number of bytes of the same, packed into `out`.
inline std::size_t packed(::capnp::MessageBuilder& message, std::span<std::byte> out) {
    ::kj::ArrayOutputStream stream({reinterpret_cast<::kj::byte*>(out.data()), out.size()});
    ::capnp::writePackedMessage(stream, message);
    return stream.getArray().size();
}

inline void fill(const Ints& from, ::capnp::MessageBuilder& message) {
    auto to = message.initRoot<::Ints>();
    to.setA(from.a);
    to.setB(from.b);
    to.setC(from.c);
    to.setD(from.d);
    to.setE(from.e);
    to.setF(from.f);
    to.setG(from.g);
}

template <class T>
std::size_t build(const T& from, Memory& memory) {
    ::capnp::MallocMessageBuilder message(memory.get());
    fill(from, message);
    return built(message);
}

template <class T>
std::size_t pack(const T& from, Memory& memory, std::span<std::byte> out) {
    ::capnp::MallocMessageBuilder message(memory.get());
    fill(from, message);
    return packed(message, out);
}

inline ::capnp::Text::Reader text(const std::string& from) { return {from.c_str(), from.size()}; }

inline void build(const Person& from, ::Person::Builder to) {
    to.setId(from.id);
    to.setName(text(from.name));
    to.setEmail(text(from.email));
    auto phones = to.initPhones(static_cast<unsigned>(from.phones.size()));
    for (unsigned index = 0; index < phones.size(); ++index) {
        auto phone = phones[index];
        phone.setNumber(text(from.phones[index].number));
        phone.setType(static_cast<::Person::PhoneNumber::Type>(from.phones[index].type));
    }
    auto employment = to.getEmployment();
    switch (from.employment) {
        case Employment::unemployed: employment.setUnemployed(); break;
        case Employment::employer: employment.setEmployer(text(from.place)); break;
        case Employment::school: employment.setSchool(text(from.place)); break;
        case Employment::self_employed: employment.setSelfEmployed(); break;
    }
}

inline void fill(const Book& from, ::capnp::MessageBuilder& message) {
    auto people = message.initRoot<::AddressBook>().initPeople(static_cast<unsigned>(from.size()));
    for (unsigned index = 0; index < people.size(); ++index) {
        build(from[index], people[index]);
    }
}

inline ::kj::ArrayPtr<const ::capnp::word> words(std::span<const std::byte> message) {
    return {reinterpret_cast<const ::capnp::word*>(message.data()), message.size() / sizeof(::capnp::word)};
}

inline std::uint64_t walk_ints(::capnp::MessageReader& reader) {
    const auto from = reader.getRoot<::Ints>();
    return from.getA() + static_cast<std::uint64_t>(from.getB()) + from.getC() +
           static_cast<std::uint64_t>(from.getD()) + from.getE() + static_cast<std::uint64_t>(from.getF()) + from.getG();
}

/// `message` is framed, and begins where a word may.
inline std::uint64_t walk_ints(std::span<const std::byte> message) {
    ::capnp::FlatArrayMessageReader reader(words(message));
    return walk_ints(reader);
}

inline std::uint64_t walk(const ::Person::Reader& from) {
    std::uint64_t sum = from.getId() + from.getName().size() + from.getEmail().size();
    for (const auto phone : from.getPhones()) {
        sum += phone.getNumber().size() + static_cast<std::uint64_t>(phone.getType());
    }
    const auto employment = from.getEmployment();
    sum += static_cast<std::uint64_t>(employment.which());
    switch (employment.which()) {
        case ::Person::Employment::EMPLOYER: return sum + employment.getEmployer().size();
        case ::Person::Employment::SCHOOL: return sum + employment.getSchool().size();
        case ::Person::Employment::UNEMPLOYED:
        case ::Person::Employment::SELF_EMPLOYED: break;
    }
    return sum;
}

inline std::uint64_t walk_book(::capnp::MessageReader& reader) {
    std::uint64_t sum = 0;
    for (const auto person : reader.getRoot<::AddressBook>().getPeople()) {
        sum += walk(person);
    }
    return sum;
}

inline std::uint64_t walk_book(std::span<const std::byte> message) {
    ::capnp::FlatArrayMessageReader reader(words(message));
    return walk_book(reader);
}

/// The sum that `walk` finds in a packed message, which is unpacked into memory that is used again.
template <class Walk>
std::uint64_t walk_packed(std::span<const std::byte> message, Memory& memory, Walk walk) {
    ::kj::ArrayInputStream stream({reinterpret_cast<const ::kj::byte*>(message.data()), message.size()});
    ::capnp::PackedMessageReader reader(stream, {}, memory.get());
    return walk(reader);
}

/// The framed bytes of a book, in one segment: what is walked.
inline std::vector<std::byte> framed(const Book& from) {
    constexpr unsigned words_of_segment = 1 << 16;
    ::capnp::MallocMessageBuilder message(words_of_segment);
    fill(from, message);
    const auto flat = ::capnp::messageToFlatArray(message);
    const auto bytes = flat.asBytes();
    const auto* const first = reinterpret_cast<const std::byte*>(bytes.begin());
    return {first, first + bytes.size()};
}

/// An address book as most are: short texts, one to three phones, and every kind of employment.
inline Book sample(std::size_t people) {
    Book book;
    for (std::size_t index = 0; index < people; ++index) {
        const std::string number = std::to_string(index);
        Person person{static_cast<std::uint32_t>(1000 + index), "Person Number " + number,
                      "person." + number + "@example.com",     {},
                      static_cast<Employment>(index % 4),       {}};
        for (std::size_t phone = 0; phone <= index % 3; ++phone) {
            person.phones.push_back({"+49 30 " + std::to_string(5550000 + index * 3 + phone), static_cast<std::uint16_t>(phone)});
        }
        if (person.employment == Employment::employer || person.employment == Employment::school) {
            person.place = "Institute of Number " + number;
        }
        book.push_back(std::move(person));
    }
    return book;
}

}  // namespace peer::capnp_library
