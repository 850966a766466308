// The account message by sbe-tool's generated C++ (schemas/account.xml), from and into plain values.
#pragma once

#include <cmath>

#include "account.hpp"
#include "sbe_tool.hpp"
#include "sbe_tool_account/Account.h"

namespace peer::sbe_account {

using Message = sbe_tool_account::Account;

inline std::size_t encode(const Account& from, std::span<std::byte> out) {
    auto message = sbe_begin<Message>(out);
    message.id(from.id).state(from.state).walletAmount(from.wallet.amount);
    message.assetAmount(from.asset ? from.asset->amount : Message::assetAmountNullValue());
    auto& orders = message.ordersCount(static_cast<std::uint16_t>(from.orders.size()));
    for (const Order& order : from.orders) {
        orders.next()
            .id(order.id)
            .side(static_cast<sbe_tool_account::Side::Value>(order.side))
            .type(static_cast<sbe_tool_account::Type::Value>(order.type))
            .price(order.price)
            .volume(order.volume)
            .putSymbol(std::string_view(order.symbol));
    }
    message.putName(std::string_view(from.name)).putWalletCurrency(std::string_view(from.wallet.currency));
    message.putAssetCurrency(from.asset ? std::string_view(from.asset->currency) : std::string_view());
    return sbe_size(message);
}

// Copies all into `to`, whose memory is used again.
inline void decode(std::span<const std::byte> in, Account& to) {
    auto message = sbe_open<Message>(in);
    to.id = message.id();
    to.state = message.state();
    to.wallet.amount = message.walletAmount();
    const double amount = message.assetAmount();
    auto& orders = message.orders();
    to.orders.resize(orders.count());
    for (Order& order : to.orders) {
        auto& from = orders.next();
        order.id = from.id();
        order.side = static_cast<std::uint8_t>(from.side());
        order.type = static_cast<std::uint8_t>(from.type());
        order.price = from.price();
        order.volume = from.volume();
        order.symbol.assign(from.getSymbolAsStringView());
    }
    to.name.assign(message.getNameAsStringView());
    to.wallet.currency.assign(message.getWalletCurrencyAsStringView());
    const std::string_view currency = message.getAssetCurrencyAsStringView();
    if (std::isnan(amount)) {
        to.asset.reset();
    } else {
        Balance& asset = to.asset ? *to.asset : to.asset.emplace();
        asset.amount = amount;
        asset.currency.assign(currency);
    }
}

// Adds up all numbers and the lengths of all texts.
inline double read_all(std::span<const std::byte> in) {
    auto message = sbe_open<Message>(in);
    double sum = message.id() + message.state() + message.walletAmount();
    const double amount = message.assetAmount();
    sum += std::isnan(amount) ? 0 : amount;
    auto& orders = message.orders();
    while (orders.hasNext()) {
        auto& order = orders.next();
        sum += order.id() + static_cast<int>(order.side()) + static_cast<int>(order.type()) + order.price() + order.volume();
        sum += static_cast<double>(order.getSymbolAsStringView().size());
    }
    sum += static_cast<double>(message.getNameAsStringView().size());
    sum += static_cast<double>(message.getWalletCurrencyAsStringView().size());
    sum += static_cast<double>(message.getAssetCurrencyAsStringView().size());
    return sum;
}

}  // namespace peer::sbe_account
