// Decoding and checking blame the first byte of a row of numbers where the budget ends within it, as a row is paid for as a whole.
#include "feature.hpp"
#include "feature_view.hpp"

int main() {
    feature::Message value;
    value.sizes.assign(100, 1);
    aldis::buffer out;
    const auto bytes = feature::encode(value, out);
    if (!bytes) {
        return 1;
    }
    const auto agree = [&bytes, &value](std::uint64_t budget) {
        const aldis::limits most{.budget_factor = 0, .budget_base = budget};
        const auto decoded = feature::decode(*bytes, value, most);
        const auto verified = feature::verify<feature::Message>(*bytes, most);
        return decoded.error() == verified.error();
    };
    for (std::uint64_t budget = 0; budget < 1500; ++budget) {
        if (!agree(budget)) {
            return 2;
        }
    }
    return 0;
}
