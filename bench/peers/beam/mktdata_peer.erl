%% @doc The messages of a recorded market data feed (CME MDP 3, schema version 6 and later), written by hand: books of
%% price changes, session statistics, trades, volumes and heartbeats. Its schema is its owner's and not here; compile this
%% with the header file that `aldis gen' makes from it.
-module(mktdata_peer).

-export([encode/1, decode/1]).

-include("mktdata.hrl").

-define(INT64(Value), is_integer(Value), Value >= -16#8000000000000000, Value =< 16#7FFFFFFFFFFFFFFF).
-define(INT32(Value), is_integer(Value), Value >= -16#80000000, Value =< 16#7FFFFFFF).
-define(UINT32(Value), is_integer(Value), Value >= 0, Value =< 16#FFFFFFFF).
-define(UINT8(Value), is_integer(Value), Value >= 0, Value =< 16#FF).
-define(NULL64, 16#7FFFFFFFFFFFFFFF).
-define(NULL32, 16#7FFFFFFF).

-spec encode(tuple()) -> binary().
encode(#'MDIncrementalRefreshBook32'{'TransactTime' = Time, 'MatchEventIndicator' = Match, 'NoMDEntries' = Entries})
    when length(Entries) < 255 ->
    book(Entries, <<
        11:16/little, 32:16/little, 1:16/little, 6:16/little, Time:64/little, (match(Match)):8, 0:16,
        32:16/little, (length(Entries)):8
    >>);
encode(#'MDIncrementalRefreshSessionStatistics35'{'TransactTime' = Time, 'MatchEventIndicator' = Match, 'NoMDEntries' = Entries})
    when length(Entries) < 255 ->
    statistics(Entries, <<
        11:16/little, 35:16/little, 1:16/little, 6:16/little, Time:64/little, (match(Match)):8, 0:16,
        24:16/little, (length(Entries)):8
    >>);
encode(#'MDIncrementalRefreshVolume37'{'TransactTime' = Time, 'MatchEventIndicator' = Match, 'NoMDEntries' = Entries})
    when length(Entries) < 255 ->
    volumes(Entries, <<
        11:16/little, 37:16/little, 1:16/little, 6:16/little, Time:64/little, (match(Match)):8, 0:16,
        16:16/little, (length(Entries)):8
    >>);
encode(#'MDIncrementalRefreshTradeSummary42'{
    'TransactTime' = Time, 'MatchEventIndicator' = Match, 'NoMDEntries' = Entries, 'NoOrderIDEntries' = Orders
}) when length(Entries) < 255, length(Orders) < 255 ->
    Trades = trades(Entries, <<
        11:16/little, 42:16/little, 1:16/little, 6:16/little, Time:64/little, (match(Match)):8, 0:16,
        32:16/little, (length(Entries)):8
    >>),
    orders(Orders, <<Trades/binary, 16:16/little, 0:40, (length(Orders)):8>>);
encode(#'AdminHeartbeat12'{}) -> <<0:16, 12:16/little, 1:16/little, 6:16/little>>.

book([#'MDIncrementalRefreshBook32_NoMDEntries'{
    'MDEntryPx' = #'PRICENULL'{mantissa = Price}, 'MDEntrySize' = Size, 'SecurityID' = Security, 'RptSeq' = Sequence,
    'NumberOfOrders' = Orders, 'MDPriceLevel' = Level, 'MDUpdateAction' = Action, 'MDEntryType' = Type
} | Rest], Acc) when ?INT32(Security), ?UINT32(Sequence), ?UINT8(Level) ->
    book(Rest, <<
        Acc/binary, (null64(Price)):64/little, (null32(Size)):32/little, Security:32/little, Sequence:32/little,
        (null32(Orders)):32/little, Level:8, (action(Action)):8, (book_type(Type)):8, 0:40
    >>);
book([], Acc) -> Acc.

statistics([#'MDIncrementalRefreshSessionStatistics35_NoMDEntries'{
    'MDEntryPx' = #'PRICE'{mantissa = Price}, 'SecurityID' = Security, 'RptSeq' = Sequence, 'OpenCloseSettlFlag' = Flag,
    'MDUpdateAction' = Action, 'MDEntryType' = Type
} | Rest], Acc) when ?INT64(Price), ?INT32(Security), ?UINT32(Sequence) ->
    statistics(Rest, <<
        Acc/binary, Price:64/little, Security:32/little, Sequence:32/little, (flag(Flag)):8, (action(Action)):8,
        (statistics_type(Type)):8, 0:40
    >>);
statistics([], Acc) -> Acc.

volumes([#'MDIncrementalRefreshVolume37_NoMDEntries'{
    'MDEntrySize' = Size, 'SecurityID' = Security, 'RptSeq' = Sequence, 'MDUpdateAction' = Action
} | Rest], Acc) when ?INT32(Size), ?INT32(Security), ?UINT32(Sequence) ->
    volumes(Rest, <<Acc/binary, Size:32/little, Security:32/little, Sequence:32/little, (action(Action)):8, 0:24>>);
volumes([], Acc) -> Acc.

trades([#'MDIncrementalRefreshTradeSummary42_NoMDEntries'{
    'MDEntryPx' = #'PRICE'{mantissa = Price}, 'MDEntrySize' = Size, 'SecurityID' = Security, 'RptSeq' = Sequence,
    'NumberOfOrders' = Orders, 'AggressorSide' = Side, 'MDUpdateAction' = Action
} | Rest], Acc) when ?INT64(Price), ?INT32(Size), ?INT32(Security), ?UINT32(Sequence) ->
    trades(Rest, <<
        Acc/binary, Price:64/little, Size:32/little, Security:32/little, Sequence:32/little, (null32(Orders)):32/little,
        (side(Side)):8, (action(Action)):8, 0:48
    >>);
trades([], Acc) -> Acc.

orders([#'MDIncrementalRefreshTradeSummary42_NoOrderIDEntries'{'OrderID' = Order, 'LastQty' = Quantity} | Rest], Acc)
    when is_integer(Order), Order >= 0, Order =< 16#FFFFFFFFFFFFFFFF, ?INT32(Quantity) ->
    orders(Rest, <<Acc/binary, Order:64/little, Quantity:32/little, 0:32>>);
orders([], Acc) -> Acc.

null64(undefined) -> ?NULL64;
null64(Value) when ?INT64(Value) -> Value.

null32(undefined) -> ?NULL32;
null32(Value) when ?INT32(Value) -> Value.

match([Name | Rest]) -> match_bit(Name) bor match(Rest);
match([]) -> 0.

match_bit('LastTradeMsg') -> 1;
match_bit('LastVolumeMsg') -> 2;
match_bit('LastQuoteMsg') -> 4;
match_bit('LastStatsMsg') -> 8;
match_bit('LastImpliedMsg') -> 16;
match_bit('RecoveryMsg') -> 32;
match_bit('Reserved') -> 64;
match_bit('EndOfEvent') -> 128.

action('New') -> 0;
action('Change') -> 1;
action('Delete') -> 2;
action('DeleteThru') -> 3;
action('DeleteFrom') -> 4;
action('Overlay') -> 5.

book_type('Bid') -> $0;
book_type('Offer') -> $1;
book_type('ImpliedBid') -> $E;
book_type('ImpliedOffer') -> $F;
book_type('BookReset') -> $J.

statistics_type('OpenPrice') -> $4;
statistics_type('HighTrade') -> $7;
statistics_type('LowTrade') -> $8;
statistics_type('HighestBid') -> $N;
statistics_type('LowestOffer') -> $O.

flag(undefined) -> 255;
flag('DailyOpenPrice') -> 0;
flag('IndicativeOpeningPrice') -> 5.

side(undefined) -> 255;
side('NoAggressor') -> 0;
side('Buy') -> 1;
side('Sell') -> 2.

-spec decode(binary()) -> tuple().
decode(<<
    11:16/little, 32:16/little, 1:16/little, _:16, Time:64/little, Match:8, _:16, 32:16/little, Count:8, Rest/binary
>>) ->
    #'MDIncrementalRefreshBook32'{
        'TransactTime' = Time, 'MatchEventIndicator' = read_match(Match), 'NoMDEntries' = read_book(Count, Rest)
    };
decode(<<
    11:16/little, 35:16/little, 1:16/little, _:16, Time:64/little, Match:8, _:16, 24:16/little, Count:8, Rest/binary
>>) ->
    #'MDIncrementalRefreshSessionStatistics35'{
        'TransactTime' = Time, 'MatchEventIndicator' = read_match(Match), 'NoMDEntries' = read_statistics(Count, Rest)
    };
decode(<<
    11:16/little, 37:16/little, 1:16/little, _:16, Time:64/little, Match:8, _:16, 16:16/little, Count:8, Rest/binary
>>) ->
    #'MDIncrementalRefreshVolume37'{
        'TransactTime' = Time, 'MatchEventIndicator' = read_match(Match), 'NoMDEntries' = read_volumes(Count, Rest)
    };
decode(<<
    11:16/little, 42:16/little, 1:16/little, _:16, Time:64/little, Match:8, _:16, 32:16/little, Count:8, Rest/binary
>>) ->
    {Trades, <<16:16/little, _:40, OrderCount:8, Rest1/binary>>} = read_trades(Count, Rest, []),
    #'MDIncrementalRefreshTradeSummary42'{
        'TransactTime' = Time, 'MatchEventIndicator' = read_match(Match), 'NoMDEntries' = Trades,
        'NoOrderIDEntries' = read_orders(OrderCount, Rest1)
    };
decode(<<0:16, 12:16/little, 1:16/little, _:16, _/binary>>) -> #'AdminHeartbeat12'{}.

read_book(0, _) -> [];
read_book(Count, <<
    Price:64/signed-little, Size:32/signed-little, Security:32/signed-little, Sequence:32/little, Orders:32/signed-little,
    Level:8, Action:8, Type:8, _:40, Rest/binary
>>) ->
    [#'MDIncrementalRefreshBook32_NoMDEntries'{
        'MDEntryPx' = #'PRICENULL'{mantissa = read_null64(Price)}, 'MDEntrySize' = read_null32(Size), 'SecurityID' = Security,
        'RptSeq' = Sequence, 'NumberOfOrders' = read_null32(Orders), 'MDPriceLevel' = Level,
        'MDUpdateAction' = read_action(Action), 'MDEntryType' = read_book_type(Type)
    } | read_book(Count - 1, Rest)].

read_statistics(0, _) -> [];
read_statistics(Count, <<
    Price:64/signed-little, Security:32/signed-little, Sequence:32/little, Flag:8, Action:8, Type:8, _:40, Rest/binary
>>) ->
    [#'MDIncrementalRefreshSessionStatistics35_NoMDEntries'{
        'MDEntryPx' = #'PRICE'{mantissa = Price}, 'SecurityID' = Security, 'RptSeq' = Sequence,
        'OpenCloseSettlFlag' = read_flag(Flag), 'MDUpdateAction' = read_action(Action),
        'MDEntryType' = read_statistics_type(Type)
    } | read_statistics(Count - 1, Rest)].

read_volumes(0, _) -> [];
read_volumes(Count, <<
    Size:32/signed-little, Security:32/signed-little, Sequence:32/little, Action:8, _:24, Rest/binary
>>) ->
    [#'MDIncrementalRefreshVolume37_NoMDEntries'{
        'MDEntrySize' = Size, 'SecurityID' = Security, 'RptSeq' = Sequence, 'MDUpdateAction' = read_action(Action)
    } | read_volumes(Count - 1, Rest)].

read_trades(0, Bin, Acc) -> {lists:reverse(Acc), Bin};
read_trades(Count, <<
    Price:64/signed-little, Size:32/signed-little, Security:32/signed-little, Sequence:32/little, Orders:32/signed-little,
    Side:8, Action:8, _:48, Rest/binary
>>, Acc) ->
    read_trades(Count - 1, Rest, [#'MDIncrementalRefreshTradeSummary42_NoMDEntries'{
        'MDEntryPx' = #'PRICE'{mantissa = Price}, 'MDEntrySize' = Size, 'SecurityID' = Security, 'RptSeq' = Sequence,
        'NumberOfOrders' = read_null32(Orders), 'AggressorSide' = read_side(Side), 'MDUpdateAction' = read_action(Action)
    } | Acc]).

read_orders(0, _) -> [];
read_orders(Count, <<Order:64/little, Quantity:32/signed-little, _:32, Rest/binary>>) ->
    [#'MDIncrementalRefreshTradeSummary42_NoOrderIDEntries'{'OrderID' = Order, 'LastQty' = Quantity}
        | read_orders(Count - 1, Rest)].

read_null64(?NULL64) -> undefined;
read_null64(Value) -> Value.

read_null32(?NULL32) -> undefined;
read_null32(Value) -> Value.

%% Most messages have one of these.
read_match(0) -> [];
read_match(4) -> ['LastQuoteMsg'];
read_match(128) -> ['EndOfEvent'];
read_match(Bits) ->
    Names = [
        {1, 'LastTradeMsg'}, {2, 'LastVolumeMsg'}, {4, 'LastQuoteMsg'}, {8, 'LastStatsMsg'}, {16, 'LastImpliedMsg'},
        {32, 'RecoveryMsg'}, {64, 'Reserved'}, {128, 'EndOfEvent'}
    ],
    [Name || {Bit, Name} <- Names, Bits band Bit =/= 0].

read_action(0) -> 'New';
read_action(1) -> 'Change';
read_action(2) -> 'Delete';
read_action(3) -> 'DeleteThru';
read_action(4) -> 'DeleteFrom';
read_action(5) -> 'Overlay';
read_action(Number) -> Number.

read_book_type($0) -> 'Bid';
read_book_type($1) -> 'Offer';
read_book_type($E) -> 'ImpliedBid';
read_book_type($F) -> 'ImpliedOffer';
read_book_type($J) -> 'BookReset';
read_book_type(Number) -> Number.

read_statistics_type($4) -> 'OpenPrice';
read_statistics_type($7) -> 'HighTrade';
read_statistics_type($8) -> 'LowTrade';
read_statistics_type($N) -> 'HighestBid';
read_statistics_type($O) -> 'LowestOffer';
read_statistics_type(Number) -> Number.

read_flag(255) -> undefined;
read_flag(0) -> 'DailyOpenPrice';
read_flag(5) -> 'IndicativeOpeningPrice';
read_flag(Number) -> Number.

read_side(255) -> undefined;
read_side(0) -> 'NoAggressor';
read_side(1) -> 'Buy';
read_side(2) -> 'Sell';
read_side(Number) -> Number.
