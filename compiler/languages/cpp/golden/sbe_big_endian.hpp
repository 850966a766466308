// ==== feature/forms.hpp
// [as in the base]

inline constexpr std::endian byte_order = aldis::big;
using reader = aldis::reader<byte_order, aldis::watched{.budget = false, .depth = false}>;
// ==== feature/forms_view.hpp
// [as in the base]
namespace view {
using in_place = aldis::in_place<aldis::big>;
}  // namespace view
// ==== feature/messages.hpp
// [as in the base]
    }
    if (aldis::load<std::uint16_t, aldis::big>(in.data() + 4) != 1) {
        return aldis::error{aldis::code::unknown_message, 4, {}};
    }
    switch (std::uint64_t{aldis::load<std::uint16_t, aldis::big>(in.data() + 2)}) {
        case 1: return message_id::Message;
