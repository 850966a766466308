// The car of bench/beam/schemas/car.xml by sbe-tool's generated C++, from and into plain values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sbe_tool.hpp"
#include "sbe_tool_car/Car.h"

namespace peer::sbe_car {

struct Fuel {
    std::uint16_t speed = 0;
    float distance = 0;

    bool operator==(const Fuel&) const = default;
};

struct Acceleration {
    std::uint16_t speed = 0;
    float seconds = 0;

    bool operator==(const Acceleration&) const = default;
};

struct Performance {
    std::uint8_t octane = 0;
    std::vector<Acceleration> acceleration;

    bool operator==(const Performance&) const = default;
};

struct Car {
    std::uint64_t serial = 0;
    std::uint16_t year = 0;
    std::uint8_t available = 0;
    char model = 0;
    std::array<std::int32_t, 5> numbers{};
    std::string code;
    std::uint8_t extras = 0;
    std::uint16_t capacity = 0;
    std::uint8_t cylinders = 0;
    std::string engine_maker;
    std::vector<Fuel> fuel;
    std::vector<Performance> performance;
    std::string maker;
    std::string name;

    bool operator==(const Car&) const = default;
};

using Message = sbe_tool_car::Car;

inline std::size_t encode(const Car& from, std::span<std::byte> out) {
    auto message = sbe_begin<Message>(out);
    message.serial(from.serial)
        .year(from.year)
        .available(static_cast<sbe_tool_car::Yes::Value>(from.available))
        .model(static_cast<sbe_tool_car::Model::Value>(from.model))
        .putNumbers(std::span<const std::int32_t, 5>(from.numbers))
        .putCode(std::string_view(from.code));
    message.extras().rawValue(from.extras);
    message.engine().capacity(from.capacity).cylinders(from.cylinders).putMaker(std::string_view(from.engine_maker));
    auto& fuel = message.fuelCount(static_cast<std::uint16_t>(from.fuel.size()));
    for (const Fuel& one : from.fuel) {
        fuel.next().speed(one.speed).distance(one.distance);
    }
    auto& performance = message.performanceCount(static_cast<std::uint16_t>(from.performance.size()));
    for (const Performance& one : from.performance) {
        auto& acceleration =
            performance.next().octane(one.octane).accelerationCount(static_cast<std::uint16_t>(one.acceleration.size()));
        for (const Acceleration& each : one.acceleration) {
            acceleration.next().speed(each.speed).seconds(each.seconds);
        }
    }
    message.putMaker(std::string_view(from.maker)).putName(std::string_view(from.name));
    return sbe_size(message);
}

// Copies all into `to`, whose memory is used again.
inline void decode(std::span<const std::byte> in, Car& to) {
    auto message = sbe_open<Message>(in);
    to.serial = message.serial();
    to.year = message.year();
    to.available = static_cast<std::uint8_t>(message.available());
    to.model = static_cast<char>(message.model());
    message.getNumbers(reinterpret_cast<char*>(to.numbers.data()), to.numbers.size());
    to.code.assign(message.getCodeAsStringView());
    to.extras = message.extras().rawValue();
    auto& engine = message.engine();
    to.capacity = engine.capacity();
    to.cylinders = engine.cylinders();
    to.engine_maker.assign(engine.getMakerAsStringView());
    auto& fuel = message.fuel();
    to.fuel.resize(fuel.count());
    for (Fuel& one : to.fuel) {
        auto& from = fuel.next();
        one.speed = from.speed();
        one.distance = from.distance();
    }
    auto& performance = message.performance();
    to.performance.resize(performance.count());
    for (Performance& one : to.performance) {
        auto& from = performance.next();
        one.octane = from.octane();
        auto& acceleration = from.acceleration();
        one.acceleration.resize(acceleration.count());
        for (Acceleration& each : one.acceleration) {
            auto& of = acceleration.next();
            each.speed = of.speed();
            each.seconds = of.seconds();
        }
    }
    to.maker.assign(message.getMakerAsStringView());
    to.name.assign(message.getNameAsStringView());
}

// Adds up all numbers and the lengths of all texts.
inline double read_all(std::span<const std::byte> in) {
    auto message = sbe_open<Message>(in);
    double sum = static_cast<double>(message.serial()) + message.year() +
                 static_cast<int>(message.available()) + static_cast<int>(message.model());
    for (std::uint64_t index = 0; index < Message::numbersLength(); ++index) {
        sum += message.numbers(index);
    }
    sum += static_cast<double>(message.getCodeAsStringView().size()) + message.extras().rawValue();
    auto& engine = message.engine();
    sum += engine.capacity() + engine.cylinders() + static_cast<double>(engine.getMakerAsStringView().size());
    auto& fuel = message.fuel();
    while (fuel.hasNext()) {
        auto& one = fuel.next();
        sum += one.speed() + static_cast<double>(one.distance());
    }
    auto& performance = message.performance();
    while (performance.hasNext()) {
        auto& one = performance.next();
        sum += one.octane();
        auto& acceleration = one.acceleration();
        while (acceleration.hasNext()) {
            auto& each = acceleration.next();
            sum += each.speed() + static_cast<double>(each.seconds());
        }
    }
    sum += static_cast<double>(message.getMakerAsStringView().size());
    sum += static_cast<double>(message.getNameAsStringView().size());
    return sum;
}

}  // namespace peer::sbe_car
