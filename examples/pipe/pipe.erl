%% @doc Talks with a C++ program over a pipe: orders in FBE, each answered after a question back, quotes in SBE, each
%% answered by a trade, and address books in packed Cap'n Proto, which come back with their people in order.
-module(pipe).

-include("addressbook.hrl").
-include("desk.hrl").
-include("market.hrl").

-export([main/1]).

%% How many messages are sent in each format.
-define(COUNT, 1000).
%% Every so many orders, the owner cannot pay, or nobody knows.
-define(BROKE, 10).
-define(UNKNOWN, 100).

%% Longer than anything should take, in milliseconds.
-define(PATIENCE, 60000).

%% @doc Runs `Program' once for each format, and prints what came of it.
-spec main([string()]) -> no_return().
main([Program]) ->
    {Filled, Refused, Unknown} = desk(open(Program, "desk")),
    io:format("~b orders: ~b filled, ~b refused, ~b that nobody knew of~n", [?COUNT, Filled, Refused, Unknown]),
    Trades = market(open(Program, "market")),
    io:format("~b quotes: ~b trades~n", [?COUNT, Trades]),
    People = books(open(Program, "addressbook")),
    io:format("~b address books: ~b people in order~n", [?COUNT, People]),
    halt(0).

open(Program, What) -> open_port({spawn_executable, Program}, [binary, exit_status, {args, [What]}]).

%% All orders are sent at once, and the questions for credit answered as they come.
desk(Port) ->
    Orders = maps:from_list([{Order#'Order'.id, Order} || Order <- [order(N) || N <- lists:seq(1, ?COUNT)]]),
    [send(Port, fun desk:encode/1, Order, fbe) || Order <- maps:values(Orders)],
    desk_loop(Port, aldis_stream:new(fbe), Orders, {0, 0, 0}).

order(N) ->
    {Owner, Patience} =
        if
            N rem ?UNKNOWN =:= 0 -> {<<"unknown">>, 50};
            N rem ?BROKE =:= 0 -> {<<"broke">>, ?PATIENCE};
            true -> {<<"rich">>, ?PATIENCE}
        end,
    Order = desk:new_Order(),
    Order#'Order'{id = crypto:strong_rand_bytes(16), owner = Owner, symbol = <<"ALDS">>, quantity = N, limit = 100 * N,
        patience = Patience}.

desk_loop(Port, _, Orders, Counts) when map_size(Orders) =:= 0 ->
    port_close(Port),
    Counts;
desk_loop(Port, Receiver, Orders, Counts) ->
    {ok, Messages, Next} = aldis_stream:records(fun desk:decode/1, bytes(Port), Receiver),
    {Left, Now} = lists:foldl(fun(Message, State) -> desk_message(Port, Message, State) end, {Orders, Counts}, Messages),
    desk_loop(Port, Next, Left, Now).

desk_message(Port, #'CreditCheck'{} = Check, State) ->
    [send(Port, fun desk:encode/1, Answer, fbe) || Answer <- credit(Check)],
    State;
desk_message(_, #'Fill'{id = Id, price = Price}, {Orders, {Filled, Refused, Unknown}}) ->
    {#'Order'{owner = <<"rich">>, limit = Limit}, Left} = maps:take(Id, Orders),
    Price = Limit - 1,
    {Left, {Filled + 1, Refused, Unknown}};
desk_message(_, #'Refusal'{id = Id, why = Why}, {Orders, {Filled, Refused, Unknown}}) ->
    case {maps:take(Id, Orders), Why} of
        {{#'Order'{owner = <<"broke">>}, Left}, <<"no money">>} -> {Left, {Filled, Refused + 1, Unknown}};
        {{#'Order'{owner = <<"unknown">>}, Left}, <<"nobody knows">>} -> {Left, {Filled, Refused, Unknown + 1}}
    end.

%% The answer to a question for credit; for some owners there is none, until the other side gives up.
credit(#'CreditCheck'{owner = <<"unknown">>}) -> [];
credit(#'CreditCheck'{id = Id, owner = <<"broke">>}) -> [#'Refusal'{id = Id, why = <<"no money">>}];
credit(#'CreditCheck'{id = Id}) -> [#'Credit'{id = Id}].

%% Every other quote has a bid.
market(Port) ->
    Quotes = [quote(N) || N <- lists:seq(1, ?COUNT)],
    [send(Port, fun market:encode/1, Quote, sofh) || Quote <- Quotes],
    Wanted = [Quote || #'Quote'{bidSize = Size} = Quote <- Quotes, Size =/= undefined],
    market_loop(Port, aldis_stream:new(sofh), Wanted, 0).

quote(N) ->
    Quote = market:new_Quote(),
    case N rem 2 of
        0 -> Quote#'Quote'{sequence = N, instrument = 7, bid = #optionalPrice{mantissa = 1000 * N}, bidSize = N};
        1 -> Quote#'Quote'{sequence = N, instrument = 7}
    end.

market_loop(Port, _, [], Trades) ->
    port_close(Port),
    Trades;
market_loop(Port, Receiver, Quotes, Trades) ->
    {ok, Records, Next} = aldis_stream:records(fun market:decode/1, bytes(Port), Receiver),
    {Traded, Left} = lists:split(length(Records), Quotes),
    [traded(Quote, Trade) || {Quote, Trade} <- lists:zip(Traded, Records)],
    market_loop(Port, Next, Left, Trades + length(Records)).

%% Fails where the trade is not of this quote.
traded(#'Quote'{sequence = Sequence, bid = #optionalPrice{mantissa = Price}, bidSize = Size}, Trade) ->
    #'Trade'{sequence = Sequence, instrument = 7, price = #price{mantissa = Price}, size = Size, aggressor = sell,
        venue = <<"CPP">>} = Trade.

books(Port) ->
    Books = [#'AddressBook'{people = [person(Id) || Id <- lists:seq(N rem 20, 1, -1)]} || N <- lists:seq(1, ?COUNT)],
    [send(Port, fun addressbook:encode_AddressBook_packed/1, Book, capnp_packed) || Book <- Books],
    books_loop(Port, aldis_stream:new(capnp_packed), Books, 0).

person(Id) ->
    Person = addressbook:new_Person(),
    Person#'Person'{id = Id, name = <<"Person ", (integer_to_binary(Id))/binary>>, employment = {employer, <<"Aldis">>}}.

books_loop(Port, _, [], People) ->
    port_close(Port),
    People;
books_loop(Port, Receiver, Books, People) ->
    {ok, Records, Next} = aldis_stream:records(fun addressbook:decode_AddressBook_packed/1, bytes(Port), Receiver),
    {Sent, Left} = lists:split(length(Records), Books),
    Counts = [in_order(Book, Record) || {Book, Record} <- lists:zip(Sent, Records)],
    books_loop(Port, Next, Left, People + lists:sum(Counts)).

%% Fails where the book that came back is not the one that was sent, its people turned round.
in_order(#'AddressBook'{people = Sent}, #'AddressBook'{people = People}) ->
    People = lists:reverse(Sent),
    length(People).

send(Port, Encode, Record, Framing) ->
    {ok, Io} = aldis_stream:send(Encode, Record, Framing),
    true = port_command(Port, Io).

bytes(Port) ->
    receive
        {Port, {data, Bytes}} -> Bytes;
        {Port, {exit_status, Status}} -> error({the_engine_ended, Status})
    after ?PATIENCE -> error(no_answer)
    end.
