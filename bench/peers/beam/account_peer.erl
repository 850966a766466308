%% @doc FBE's account (`conformance/vectors/fbe/proto.fbe'), in both wire forms, written by hand: sizes first, then one
%% construction; orders are appended to two growing binaries, their table and what it points to.
-module(account_peer).

-export([value/0, encode/1, decode/1, id/1, name/1, encode_final/1, decode_final/1]).

-include("proto.hrl").

-define(INT32(Value), is_integer(Value), Value >= -16#80000000, Value =< 16#7FFFFFFF).

-spec value() -> #'Account'{}.
value() ->
    #'Account'{
        id = 1, name = <<"Test">>, state = [initialized, calculated],
        wallet = #'Balance'{currency = <<"USD">>, amount = 1000.0}, asset = #'Balance'{currency = <<"EUR">>, amount = 100.0},
        orders = [
            #'Order'{id = 1, symbol = <<"EURUSD">>, side = buy, type = market, price = 1.23456, volume = 1000.0},
            #'Order'{id = 2, symbol = <<"EURUSD">>, side = sell, type = limit, price = 1.0, volume = 100.0},
            #'Order'{id = 3, symbol = <<"EURUSD">>, side = buy, type = stop, price = 1.5, volume = 10.0}
        ]
    }.

-spec encode(#'Account'{}) -> binary().
encode(#'Account'{id = Id, name = Name, state = State, wallet = Wallet, asset = Asset, orders = Orders})
    when ?INT32(Id), is_binary(Name) ->
    WalletBytes = balance(Wallet),
    {Has, AssetBytes} = case Asset of
        undefined -> {0, <<>>};
        _ -> {1, <<4:32/little, (balance(Asset))/binary>>}
    end,
    WalletAt = 34 + byte_size(Name),
    AssetAt = WalletAt + byte_size(WalletBytes),
    OrdersAt = AssetAt + byte_size(AssetBytes),
    Count = length(Orders),
    {Table, Blocks} = orders(Orders, OrdersAt + 4 + 4 * Count, <<>>, <<>>),
    <<
        (12 + OrdersAt + byte_size(Table) + byte_size(Blocks)):32/little, 8:32/little,
        30:32/little, 3:32/little, Id:32/little, 30:32/little, (state(State)):8, WalletAt:32/little,
        Has:8, (Has * AssetAt):32/little, OrdersAt:32/little,
        (byte_size(Name)):32/little, Name/binary,
        WalletBytes/binary, AssetBytes/binary,
        Count:32/little, Table/binary, Blocks/binary
    >>.

balance(#'Balance'{currency = Currency, amount = Amount}) when is_binary(Currency), is_float(Amount) ->
    <<20:32/little, 2:32/little, 20:32/little, Amount:64/float-little, (byte_size(Currency)):32/little, Currency/binary>>.

orders([#'Order'{id = Id, symbol = Symbol, side = Side, type = Type, price = Price, volume = Volume} | Rest], At, Table, Blocks)
    when ?INT32(Id), is_binary(Symbol), is_float(Price), is_float(Volume) ->
    orders(Rest, At + 38 + byte_size(Symbol), <<Table/binary, At:32/little>>, <<
        Blocks/binary,
        34:32/little, 1:32/little, Id:32/little, 34:32/little, (side(Side)):8, (type(Type)):8, Price:64/float-little,
        Volume:64/float-little, (byte_size(Symbol)):32/little, Symbol/binary
    >>);
orders([], _, Table, Blocks) -> {Table, Blocks}.

state([initialized | Rest]) -> 2 bor state(Rest);
state([calculated | Rest]) -> 4 bor state(Rest);
state([good | Rest]) -> 6 bor state(Rest);
state([invalid | Rest]) -> 1 bor state(Rest);
state([broken | Rest]) -> 8 bor state(Rest);
state([bad | Rest]) -> 9 bor state(Rest);
state([unknown | Rest]) -> state(Rest);
state([]) -> 0.

side(buy) -> 0;
side(sell) -> 1.

type(market) -> 0;
type(limit) -> 1;
type(stop) -> 2.

-spec decode(binary()) -> #'Account'{}.
decode(<<
    Size:32/little, 8:32/little, 30:32/little, 3:32/little, Id:32/signed-little, NameAt:32/little, State:8, WalletAt:32/little,
    Has:8, AssetAt:32/little, OrdersAt:32/little, _/binary
>> = Bin) when Size =< byte_size(Bin) ->
    #'Account'{
        id = Id, name = text(Bin, 8 + NameAt), state = read_state(State), wallet = read_balance(Bin, 8 + WalletAt),
        asset = read_asset(Has, Bin, 8 + AssetAt), orders = read_orders(Bin, 8 + OrdersAt)
    }.

text(Bin, At) ->
    <<_:At/binary, Size:32/little, Text:Size/binary, _/binary>> = Bin,
    Text.

read_asset(0, _, _) -> undefined;
read_asset(_, Bin, At) ->
    <<_:At/binary, More:32/little, _/binary>> = Bin,
    read_balance(Bin, At + More).

read_balance(Bin, At) ->
    <<_:At/binary, 20:32/little, 2:32/little, CurrencyAt:32/little, Amount:64/float-little, _/binary>> = Bin,
    #'Balance'{currency = text(Bin, At + CurrencyAt), amount = Amount}.

read_orders(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [read_order(Bin, 8 + OrderAt) || <<OrderAt:32/little>> <= Table].

read_order(Bin, At) ->
    <<
        _:At/binary, 34:32/little, 1:32/little, Id:32/signed-little, SymbolAt:32/little, Side:8, Type:8, Price:64/float-little,
        Volume:64/float-little, _/binary
    >> = Bin,
    #'Order'{
        id = Id, symbol = text(Bin, At + SymbolAt), side = read_side(Side), type = read_type(Type), price = Price, volume = Volume
    }.

read_state(Number) -> if Number band 1 =:= 0 -> initialized(Number); true -> [invalid | initialized(Number)] end.
initialized(Number) -> if Number band 2 =:= 0 -> calculated(Number); true -> [initialized | calculated(Number)] end.
calculated(Number) -> if Number band 4 =:= 0 -> broken(Number); true -> [calculated | broken(Number)] end.
broken(Number) -> if Number band 8 =:= 0 -> []; true -> [broken] end.

read_side(0) -> buy;
read_side(1) -> sell;
read_side(Number) -> Number.

read_type(0) -> market;
read_type(1) -> limit;
read_type(2) -> stop;
read_type(Number) -> Number.

-spec id(binary()) -> integer().
id(<<_:32, 8:32/little, _:32, 3:32/little, Id:32/signed-little, _/binary>>) -> Id.

-spec name(binary()) -> binary().
name(<<_:32, 8:32/little, _:32, 3:32/little, _:32, NameAt:32/little, _/binary>> = Bin) -> text(Bin, 8 + NameAt).

-spec encode_final(#'Account'{}) -> binary().
encode_final(#'Account'{id = Id, name = Name, state = State, wallet = Wallet, asset = Asset, orders = Orders})
    when ?INT32(Id), is_binary(Name) ->
    WalletBytes = balance_final(Wallet),
    AssetBytes = case Asset of
        undefined -> <<0>>;
        _ -> <<1, (balance_final(Asset))/binary>>
    end,
    OrdersBytes = orders_final(Orders, <<(length(Orders)):32/little>>),
    <<
        (17 + byte_size(Name) + byte_size(WalletBytes) + byte_size(AssetBytes) + byte_size(OrdersBytes)):32/little, 3:32/little,
        Id:32/little, (byte_size(Name)):32/little, Name/binary, (state(State)):8,
        WalletBytes/binary, AssetBytes/binary, OrdersBytes/binary
    >>.

balance_final(#'Balance'{currency = Currency, amount = Amount}) when is_binary(Currency), is_float(Amount) ->
    <<(byte_size(Currency)):32/little, Currency/binary, Amount:64/float-little>>.

orders_final([#'Order'{id = Id, symbol = Symbol, side = Side, type = Type, price = Price, volume = Volume} | Rest], Acc)
    when ?INT32(Id), is_binary(Symbol), is_float(Price), is_float(Volume) ->
    orders_final(Rest, <<
        Acc/binary, Id:32/little, (byte_size(Symbol)):32/little, Symbol/binary, (side(Side)):8, (type(Type)):8,
        Price:64/float-little, Volume:64/float-little
    >>);
orders_final([], Acc) -> Acc.

-spec decode_final(binary()) -> #'Account'{}.
decode_final(<<
    Size:32/little, 3:32/little, Id:32/signed-little, NameSize:32/little, Name:NameSize/binary, State:8,
    CurrencySize:32/little, Currency:CurrencySize/binary, Amount:64/float-little, Has:8, Rest/binary
>> = Bin) when Size =< byte_size(Bin) ->
    {Asset, <<Count:32/little, Rest1/binary>>} = case Has of
        0 -> {undefined, Rest};
        _ -> read_balance_final(Rest)
    end,
    {Orders, Rest2} = read_orders_final(Count, Rest1, []),
    Size = byte_size(Bin) - byte_size(Rest2),
    #'Account'{
        id = Id, name = Name, state = read_state(State), wallet = #'Balance'{currency = Currency, amount = Amount},
        asset = Asset, orders = Orders
    }.

read_balance_final(<<Size:32/little, Currency:Size/binary, Amount:64/float-little, Rest/binary>>) ->
    {#'Balance'{currency = Currency, amount = Amount}, Rest}.

read_orders_final(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_orders_final(Count, <<
    Id:32/signed-little, Size:32/little, Symbol:Size/binary, Side:8, Type:8, Price:64/float-little, Volume:64/float-little,
    Rest/binary
>>, Acc) ->
    Order = #'Order'{
        id = Id, symbol = Symbol, side = read_side(Side), type = read_type(Type), price = Price, volume = Volume
    },
    read_orders_final(Count - 1, Rest, [Order | Acc]).
