%% @doc The delivery of `bench/beam/schemas/untuned_depot.fbe', in both wire forms, written by hand in the manner of the
%% account's peer.
-module(delivery_peer).

-export([encode/1, decode/1, urgent/1, encode_final/1, decode_final/1]).

-include("untuned_depot.hrl").

-define(UINT(Value, Max), is_integer(Value), Value >= 0, Value =< Max).
-define(INT(Value, Max), is_integer(Value), Value >= -Max - 1, Value =< Max).

-spec encode(#'Delivery'{}) -> binary().
encode(#'Delivery'{
    number = Number, issued = Issued, author = Author, to = To, invoice = Invoice, items = Items, stock = Stock,
    temperatures = Temperatures, seal = Seal, remark = Remark, urgent = Urgent
}) when ?UINT(Number, 16#FFFFFFFFFFFFFFFF), ?UINT(Issued, 16#FFFFFFFFFFFFFFFF), is_binary(Author), is_binary(Seal) ->
    ToBytes = address(To),
    {HasInvoice, InvoiceBytes} = case Invoice of
        undefined -> {0, <<>>};
        _ -> {1, <<4:32/little, (address(Invoice))/binary>>}
    end,
    ToAt = 63 + byte_size(Author),
    InvoiceAt = ToAt + byte_size(ToBytes),
    ItemsAt = InvoiceAt + byte_size(InvoiceBytes),
    ItemCount = length(Items),
    {ItemTable, ItemBlocks} = items(Items, ItemsAt + 4 + 4 * ItemCount, <<>>, <<>>),
    StockAt = ItemsAt + 4 + byte_size(ItemTable) + byte_size(ItemBlocks),
    StockCount = map_size(Stock),
    {StockTable, StockTexts} = stock(maps:to_list(Stock), StockAt + 4 + 8 * StockCount, <<>>, <<>>),
    TemperaturesAt = StockAt + 4 + byte_size(StockTable) + byte_size(StockTexts),
    TemperatureBytes = temperatures(Temperatures, <<>>),
    SealAt = TemperaturesAt + 4 + byte_size(TemperatureBytes),
    RemarkAt = SealAt + 4 + byte_size(Seal),
    {HasRemark, RemarkBytes} = case Remark of
        undefined -> {0, <<>>};
        _ when is_binary(Remark) -> {1, <<4:32/little, (byte_size(Remark)):32/little, Remark/binary>>}
    end,
    <<
        (8 + RemarkAt + byte_size(RemarkBytes)):32/little, 8:32/little,
        59:32/little, 34:32/little, Number:64/little, Issued:64/little, 59:32/little, ToAt:32/little,
        HasInvoice:8, (HasInvoice * InvoiceAt):32/little, ItemsAt:32/little, StockAt:32/little, TemperaturesAt:32/little,
        SealAt:32/little, HasRemark:8, (HasRemark * RemarkAt):32/little, (bool(Urgent)):8,
        (byte_size(Author)):32/little, Author/binary, ToBytes/binary, InvoiceBytes/binary,
        ItemCount:32/little, ItemTable/binary, ItemBlocks/binary, StockCount:32/little, StockTable/binary, StockTexts/binary,
        (length(Temperatures)):32/little, TemperatureBytes/binary, (byte_size(Seal)):32/little, Seal/binary,
        RemarkBytes/binary
    >>.

address(#'Address'{street = Street, town = Town, code = Code})
    when is_binary(Street), is_binary(Town), ?UINT(Code, 16#FFFFFFFF) ->
    <<
        20:32/little, 33:32/little, 20:32/little, (24 + byte_size(Street)):32/little, Code:32/little,
        (byte_size(Street)):32/little, Street/binary, (byte_size(Town)):32/little, Town/binary
    >>.

items([#'Item'{article = Article, count = Count, unit = Unit, price = Price, fragile = Fragile} | Rest], At, Table, Blocks)
    when is_binary(Article), ?UINT(Count, 16#FFFFFFFF), is_float(Price) ->
    items(Rest, At + 30 + byte_size(Article), <<Table/binary, At:32/little>>, <<
        Blocks/binary,
        26:32/little, 32:32/little, 26:32/little, Count:32/little, (unit(Unit)):8, Price:64/float-little, (bool(Fragile)):8,
        (byte_size(Article)):32/little, Article/binary
    >>);
items([], _, Table, Blocks) -> {Table, Blocks}.

stock([{Article, Count} | Rest], At, Table, Texts) when is_binary(Article), ?INT(Count, 16#7FFFFFFF) ->
    Size = byte_size(Article),
    stock(Rest, At + 4 + Size, <<Table/binary, At:32/little, Count:32/little>>, <<Texts/binary, Size:32/little, Article/binary>>);
stock([], _, Table, Texts) -> {Table, Texts}.

temperatures([Celsius | Rest], Acc) when is_float(Celsius) -> temperatures(Rest, <<Acc/binary, Celsius:32/float-little>>);
temperatures([], Acc) -> Acc.

unit(piece) -> 0;
unit(box) -> 1;
unit(pallet) -> 2.

bool(true) -> 1;
bool(false) -> 0.

-spec decode(binary()) -> #'Delivery'{}.
decode(<<
    Size:32/little, 8:32/little, 59:32/little, 34:32/little, Number:64/little, Issued:64/little, AuthorAt:32/little,
    ToAt:32/little, HasInvoice:8, InvoiceAt:32/little, ItemsAt:32/little, StockAt:32/little, TemperaturesAt:32/little,
    SealAt:32/little, HasRemark:8, RemarkAt:32/little, Urgent:8, _/binary
>> = Bin) when Size =< byte_size(Bin) ->
    #'Delivery'{
        number = Number, issued = Issued, author = text(Bin, 8 + AuthorAt), to = read_address(Bin, 8 + ToAt),
        invoice = read_invoice(HasInvoice, Bin, 8 + InvoiceAt), items = read_items(Bin, 8 + ItemsAt),
        stock = read_stock(Bin, 8 + StockAt), temperatures = read_temperatures(Bin, 8 + TemperaturesAt),
        seal = text(Bin, 8 + SealAt), remark = read_remark(HasRemark, Bin, 8 + RemarkAt), urgent = Urgent =/= 0
    }.

text(Bin, At) ->
    <<_:At/binary, Size:32/little, Text:Size/binary, _/binary>> = Bin,
    Text.

read_address(Bin, At) ->
    <<_:At/binary, 20:32/little, 33:32/little, StreetAt:32/little, TownAt:32/little, Code:32/little, _/binary>> = Bin,
    #'Address'{street = text(Bin, At + StreetAt), town = text(Bin, At + TownAt), code = Code}.

read_invoice(0, _, _) -> undefined;
read_invoice(_, Bin, At) ->
    <<_:At/binary, More:32/little, _/binary>> = Bin,
    read_address(Bin, At + More).

read_remark(0, _, _) -> undefined;
read_remark(_, Bin, At) ->
    <<_:At/binary, More:32/little, _/binary>> = Bin,
    text(Bin, At + More).

read_items(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [read_item(Bin, 8 + ItemAt) || <<ItemAt:32/little>> <= Table].

read_item(Bin, At) ->
    <<
        _:At/binary, 26:32/little, 32:32/little, ArticleAt:32/little, Count:32/little, Unit:8, Price:64/float-little, Fragile:8,
        _/binary
    >> = Bin,
    #'Item'{article = text(Bin, At + ArticleAt), count = Count, unit = read_unit(Unit), price = Price, fragile = Fragile =/= 0}.

read_stock(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:64, _/binary>> = Bin,
    maps:from_list([{text(Bin, 8 + ArticleAt), Number} || <<ArticleAt:32/little, Number:32/signed-little>> <= Table]).

read_temperatures(Bin, At) ->
    <<_:At/binary, Count:32/little, Table:Count/binary-unit:32, _/binary>> = Bin,
    [Celsius || <<Celsius:32/float-little>> <= Table].

read_unit(0) -> piece;
read_unit(1) -> box;
read_unit(2) -> pallet;
read_unit(Number) -> Number.

-spec urgent(binary()) -> boolean().
urgent(<<_:32, 8:32/little, _:32, 34:32/little, _:50/binary, Urgent:8, _/binary>>) -> Urgent =/= 0.

-spec encode_final(#'Delivery'{}) -> binary().
encode_final(#'Delivery'{
    number = Number, issued = Issued, author = Author, to = To, invoice = Invoice, items = Items, stock = Stock,
    temperatures = Temperatures, seal = Seal, remark = Remark, urgent = Urgent
}) when ?UINT(Number, 16#FFFFFFFFFFFFFFFF), ?UINT(Issued, 16#FFFFFFFFFFFFFFFF), is_binary(Author), is_binary(Seal) ->
    ToBytes = address_final(To),
    InvoiceBytes = case Invoice of
        undefined -> <<0>>;
        _ -> <<1, (address_final(Invoice))/binary>>
    end,
    ItemBytes = items_final(Items, <<(length(Items)):32/little>>),
    StockBytes = stock_final(maps:to_list(Stock), <<(map_size(Stock)):32/little>>),
    TemperatureBytes = temperatures(Temperatures, <<(length(Temperatures)):32/little>>),
    RemarkBytes = case Remark of
        undefined -> <<0>>;
        _ when is_binary(Remark) -> <<1, (byte_size(Remark)):32/little, Remark/binary>>
    end,
    <<
        (33 + byte_size(Author) + byte_size(ToBytes) + byte_size(InvoiceBytes) + byte_size(ItemBytes) + byte_size(StockBytes) +
            byte_size(TemperatureBytes) + byte_size(Seal) + byte_size(RemarkBytes)):32/little, 34:32/little,
        Number:64/little, Issued:64/little, (byte_size(Author)):32/little, Author/binary, ToBytes/binary, InvoiceBytes/binary,
        ItemBytes/binary, StockBytes/binary, TemperatureBytes/binary, (byte_size(Seal)):32/little, Seal/binary,
        RemarkBytes/binary, (bool(Urgent)):8
    >>.

address_final(#'Address'{street = Street, town = Town, code = Code})
    when is_binary(Street), is_binary(Town), ?UINT(Code, 16#FFFFFFFF) ->
    <<(byte_size(Street)):32/little, Street/binary, (byte_size(Town)):32/little, Town/binary, Code:32/little>>.

items_final([#'Item'{article = Article, count = Count, unit = Unit, price = Price, fragile = Fragile} | Rest], Acc)
    when is_binary(Article), ?UINT(Count, 16#FFFFFFFF), is_float(Price) ->
    items_final(Rest, <<
        Acc/binary, (byte_size(Article)):32/little, Article/binary, Count:32/little, (unit(Unit)):8, Price:64/float-little,
        (bool(Fragile)):8
    >>);
items_final([], Acc) -> Acc.

stock_final([{Article, Count} | Rest], Acc) when is_binary(Article), ?INT(Count, 16#7FFFFFFF) ->
    stock_final(Rest, <<Acc/binary, (byte_size(Article)):32/little, Article/binary, Count:32/little>>);
stock_final([], Acc) -> Acc.

-spec decode_final(binary()) -> #'Delivery'{}.
decode_final(<<
    Size:32/little, 34:32/little, Number:64/little, Issued:64/little, AuthorSize:32/little, Author:AuthorSize/binary,
    Rest/binary
>> = Bin) when Size =< byte_size(Bin) ->
    {To, Rest1} = read_address_final(Rest),
    {Invoice, <<ItemCount:32/little, Rest2/binary>>} = case Rest1 of
        <<0:8, Behind/binary>> -> {undefined, Behind};
        <<_:8, Behind/binary>> -> read_address_final(Behind)
    end,
    {Items, <<StockCount:32/little, Rest3/binary>>} = read_items_final(ItemCount, Rest2, []),
    {Stock, <<
        Count:32/little, Temperatures:Count/binary-unit:32, SealSize:32/little, Seal:SealSize/binary, Has:8, Rest4/binary
    >>} = read_stock_final(StockCount, Rest3, []),
    {Remark, <<Urgent:8, Rest5/binary>>} = case Has of
        0 -> {undefined, Rest4};
        _ ->
            <<RemarkSize:32/little, Text:RemarkSize/binary, Last/binary>> = Rest4,
            {Text, Last}
    end,
    Size = byte_size(Bin) - byte_size(Rest5),
    #'Delivery'{
        number = Number, issued = Issued, author = Author, to = To, invoice = Invoice, items = Items, stock = Stock,
        temperatures = [Celsius || <<Celsius:32/float-little>> <= Temperatures], seal = Seal, remark = Remark,
        urgent = Urgent =/= 0
    }.

read_address_final(<<
    StreetSize:32/little, Street:StreetSize/binary, TownSize:32/little, Town:TownSize/binary, Code:32/little, Rest/binary
>>) ->
    {#'Address'{street = Street, town = Town, code = Code}, Rest}.

read_items_final(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_items_final(Left, <<
    Size:32/little, Article:Size/binary, Count:32/little, Unit:8, Price:64/float-little, Fragile:8, Rest/binary
>>, Acc) ->
    Item = #'Item'{article = Article, count = Count, unit = read_unit(Unit), price = Price, fragile = Fragile =/= 0},
    read_items_final(Left - 1, Rest, [Item | Acc]).

read_stock_final(0, Bin, Acc) -> {maps:from_list(Acc), Bin};
read_stock_final(Left, <<Size:32/little, Article:Size/binary, Count:32/signed-little, Rest/binary>>, Acc) ->
    read_stock_final(Left - 1, Rest, [{Article, Count} | Acc]).
