// Reading once more what was refused, to say why. That is rare and need not be fast, so it takes little code: compilers would
// spend as long on it as on all else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "limits.hpp"
#include "reader.hpp"
#include "result.hpp"

namespace aldis {

/// A reader that explains, whose functions are called, and no part of their callers. They do what those of `Reader` do.
template <class Reader>
class careful : public Reader {
public:
    using Reader::Reader;

    [[nodiscard, gnu::cold, gnu::noinline]] bool need(const std::byte* at, std::uint64_t size) {
        return Reader::need(at, size);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool need(const std::byte* at, std::uint64_t size, std::uint64_t beside) {
        return Reader::need(at, size, beside);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool need_run(
        const std::byte* at, std::uint64_t size, std::span<const cut> members) {
        return Reader::need_run(at, size, members);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool need_run(
        const std::byte* at, std::uint64_t size, std::uint64_t beside, std::span<const cut> members) {
        return Reader::need_run(at, size, beside, members);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool need_head(
        const std::byte* at, std::uint64_t size, std::initializer_list<cut> members) {
        return Reader::need_head(at, size, members);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool charge(std::uint64_t bytes, const std::byte* at) {
        return Reader::charge(bytes, at);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool pay(std::uint64_t bytes, const std::byte* at) {
        return Reader::pay(bytes, at);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] const std::byte* follow(
        const std::byte* base, std::uint64_t offset, const std::byte* from) {
        return Reader::follow(base, offset, from);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] const std::byte* follow_some(
        const std::byte* base, std::uint64_t offset, const std::byte* from) {
        return Reader::follow_some(base, offset, from);
    }
    template <class Bytes>
    [[nodiscard, gnu::cold, gnu::noinline]] const std::byte* take(
        const std::byte* at, std::uint64_t length, const std::byte* head, Bytes& value) {
        return Reader::take(at, length, head, value);
    }
    [[nodiscard, gnu::cold, gnu::noinline]] bool fits(
        std::uint64_t count, std::uint64_t least, const std::byte* at, const std::byte* head) {
        return Reader::fits(count, least, at, head);
    }
};

template <class Length, class Reader>
[[nodiscard, gnu::cold, gnu::noinline]] inline const std::byte* pass_counted(
    careful<Reader>& in, const std::byte* at, std::string_view name) {
    return pass_counted<Length>(static_cast<Reader&>(in), at, name);
}
template <class Length, class Bytes, class Reader>
[[nodiscard, gnu::cold, gnu::noinline]] inline const std::byte* take_counted(
    careful<Reader>& in, const std::byte* at, Bytes& value, std::string_view name) {
    return take_counted<Length>(static_cast<Reader&>(in), at, value, name);
}
template <class Length, class Reader>
[[nodiscard, gnu::cold, gnu::noinline]] inline bool pass_linked(
    careful<Reader>& in, const std::byte* base, const std::byte* from, std::string_view name) {
    return pass_linked<Length>(static_cast<Reader&>(in), base, from, name);
}
template <class Length, class Bytes, class Reader>
[[nodiscard, gnu::cold, gnu::noinline]] inline bool take_linked(
    careful<Reader>& in, const std::byte* base, const std::byte* from, Bytes& value, std::string_view name) {
    return take_linked<Length>(static_cast<Reader&>(in), base, from, value, name);
}

namespace detail {

/// The careful reader that goes on where a quick one is.
template <class Reader>
using careful_of = careful<typename Reader::template for_purpose<purpose::explain>>;

/// Reads on with a careful reader in the place of a quick one, by a function with what it needs: one function of this kind
/// for all records.
template <class Reader>
[[gnu::noinline]] inline const std::byte* read_on(
    Reader& in, const std::byte* (*read)(careful_of<Reader>& again, const void* with), const void* with) {
    careful_of<Reader> again(in);
    const std::byte* const end = read(again, with);
    in.follow_up(again);
    return end;
}

}  // namespace detail

/// Reads what is rare, such as blocks of older writers, by a careful reader, since the code for that is there anyway: more of it would
/// stand in the way of the usual. A quick reader is copied for it, as one whose place in memory is known outside could not be
/// kept in registers.
template <class Reader>
[[nodiscard, gnu::always_inline]] inline const std::byte* apart(Reader& in, auto read) {
    if constexpr (Reader::explains) {
        return read(in);
    } else {
        Reader again = in;
        const auto on = [](detail::careful_of<Reader>& careful, const void* with) {
            return (*static_cast<const decltype(read)*>(with))(careful);
        };
        const std::byte* const end = detail::read_on<Reader>(again, on, &read);
        in.follow_up(again);
        return end;
    }
}

/// The size of a message, or its fault, by a reader that watches all limits: `read` reads bytes that a quick reader refused,
/// or whose limits it does not watch. (Limits come by value, so that callers need no address of theirs where nothing is wrong.)
template <class Reader>
[[nodiscard, gnu::cold, gnu::noinline]] inline result<std::size_t> read_carefully(
    std::span<const std::byte> in, limits most, auto read) {
    careful<Reader> reader(in, most);
    const std::byte* const end = read(reader);
    if (end == nullptr) {
        return result<std::size_t>(reader.finish_fault());
    }
    return static_cast<std::size_t>(end - reader.begin());
}

}  // namespace aldis
