// The SBE car: generated code against sbe-tool's own C++ (bench/peers/cpp/car_sbe.hpp), bounds checks on in both.
#include "../peers/cpp/car_sbe.hpp"
#include "car_view.hpp"
#include "race.hpp"
#include "tables.hpp"

namespace {

using race::check;
using race::opaque;

constexpr const char* table = "SBE car";
constexpr const char* sbe_tool = "sbe-tool";

peer::sbe_car::Car a_car() {
    peer::sbe_car::Car car{1234, 2013, 1, 'S', {0, 1, 2, 3, 4}, "abcdef", 6, 2000, 4, "123", {}, {}, "Honda", "Civic VTi"};
    car.fuel = {{30, 35.9F}, {55, 49.0F}, {75, 40.0F}};
    car.performance = {{95, {{30, 4.0F}, {60, 7.5F}, {100, 12.2F}}}, {99, {{30, 3.8F}, {60, 7.1F}, {100, 11.8F}}}};
    return car;
}

/// Adds up what the peer's `read_all` adds up.
double read_all(const car::view::Car& car) {
    double sum = static_cast<double>(car.serial()) + car.year() + static_cast<double>(car.available()) +
                 static_cast<double>(car.model());
    for (const std::int32_t number : car.numbers()) {
        sum += number;
    }
    const auto engine = car.engine();
    sum += static_cast<double>(car.code().size()) + static_cast<double>(car.extras()) + engine.capacity() +
           engine.cylinders() + static_cast<double>(engine.maker().size());
    for (const auto& one : car.fuel()) {
        sum += one.speed() + static_cast<double>(one.distance());
    }
    for (const auto& one : car.performance()) {
        sum += one.octane();
        for (const auto& each : one.acceleration()) {
            sum += each.speed() + static_cast<double>(each.seconds());
        }
    }
    return sum + static_cast<double>(car.maker().size() + car.name().size());
}

}  // namespace

void add_car() {
    static peer::sbe_car::Car hand = a_car();
    static car::Car ours;
    static std::vector<std::byte> out(4096);
    static std::vector<std::byte> bytes;
    static double sum = 0;
    bytes.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(peer::sbe_car::encode(hand, out)));
    peer::sbe_car::Car again;
    peer::sbe_car::decode(bytes, again);
    check(again == hand && car::decode(bytes, ours).ok());
    check(read_all(*car::verify<car::Car>(bytes)) == peer::sbe_car::read_all(bytes));
    check(car::encode(ours, out).value() == bytes.size() && std::equal(bytes.begin(), bytes.end(), out.begin()));
    race::note_size(table, sbe_tool, bytes.size());
    race::note_size(table, "aldis", bytes.size());

    race::pair(table, "encode", sbe_tool, 0.8,
        [] { opaque(hand), check(peer::sbe_car::encode(hand, out) > 0), opaque(out); },
        [] { opaque(ours), check(car::encode(ours, out).ok()), opaque(out); });
    race::pair(table, "decode, all fields", sbe_tool, 0.4,
        [] { opaque(bytes), sum = peer::sbe_car::read_all(bytes), opaque(sum); },
        [] {
            opaque(bytes);
            const auto view = car::verify<car::Car>(bytes);
            check(view.ok());
            sum = read_all(*view), opaque(sum);
        });
    race::pair(table, "decode, reused object", sbe_tool, 0.6,
        [] { opaque(bytes), peer::sbe_car::decode(bytes, hand), opaque(hand); },
        [] { opaque(bytes), check(car::decode(bytes, ours).ok()), opaque(ours); });
    race::pair(table, "decode, new object", sbe_tool, 0,
        [] {
            peer::sbe_car::Car fresh;
            opaque(bytes), peer::sbe_car::decode(bytes, fresh), opaque(fresh);
        },
        [] {
            car::Car fresh;
            opaque(bytes), check(car::decode(bytes, fresh).ok()), opaque(fresh);
        });
}
