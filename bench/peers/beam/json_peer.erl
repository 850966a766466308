%% @doc The FBE account as JSON by jiffy, which is C, and between its terms and the record by hand.
-module(json_peer).

-export([encode/1, decode/1]).

-include("proto.hrl").

-spec encode(#'Account'{}) -> iodata().
encode(#'Account'{id = Id, name = Name, state = State, wallet = Wallet, asset = Asset, orders = Orders}) ->
    jiffy:encode(
        {[
            {<<"id">>, Id},
            {<<"name">>, Name},
            {<<"state">>, bits(State)},
            {<<"wallet">>, balance(Wallet)},
            {<<"asset">>, balance(Asset)},
            {<<"orders">>, [order(Order) || Order <- Orders]}
        ]}
    ).

balance(undefined) -> null;
balance(#'Balance'{currency = Currency, amount = Amount}) -> {[{<<"currency">>, Currency}, {<<"amount">>, Amount}]}.

order(#'Order'{id = Id, symbol = Symbol, side = Side, type = Type, price = Price, volume = Volume}) ->
    {[
        {<<"id">>, Id},
        {<<"symbol">>, Symbol},
        {<<"side">>, side(Side)},
        {<<"type">>, type(Type)},
        {<<"price">>, Price},
        {<<"volume">>, Volume}
    ]}.

side(buy) -> 0;
side(sell) -> 1.

type(market) -> 0;
type(limit) -> 1;
type(stop) -> 2.

bits(State) -> lists:foldl(fun(Flag, Bits) -> Bits bor bit(Flag) end, 0, State).

bit(unknown) -> 0;
bit(invalid) -> 1;
bit(initialized) -> 2;
bit(calculated) -> 4;
bit(broken) -> 8.

-spec decode(binary()) -> #'Account'{}.
decode(Text) ->
    #{
        <<"id">> := Id,
        <<"name">> := Name,
        <<"state">> := State,
        <<"wallet">> := Wallet,
        <<"asset">> := Asset,
        <<"orders">> := Orders
    } = jiffy:decode(Text, [return_maps]),
    #'Account'{
        id = Id,
        name = Name,
        state = [Flag || Flag <- [invalid, initialized, calculated, broken], State band bit(Flag) =/= 0],
        wallet = to_balance(Wallet),
        asset = to_balance(Asset),
        orders = [to_order(Order) || Order <- Orders]
    }.

to_balance(null) -> undefined;
to_balance(#{<<"currency">> := Currency, <<"amount">> := Amount}) -> #'Balance'{currency = Currency, amount = Amount}.

to_order(#{
    <<"id">> := Id,
    <<"symbol">> := Symbol,
    <<"side">> := Side,
    <<"type">> := Type,
    <<"price">> := Price,
    <<"volume">> := Volume
}) ->
    #'Order'{id = Id, symbol = Symbol, side = to_side(Side), type = to_type(Type), price = Price, volume = Volume}.

to_side(0) -> buy;
to_side(1) -> sell.

to_type(0) -> market;
to_type(1) -> limit;
to_type(2) -> stop.
