%% @doc Generated Elixir against generated Erlang on the same messages, interleaved in one run: both are the same functions,
%% and this shows that they stay so.
-module(elixir_bench).

-export([main/0]).

-define(ROUNDS, 101).
%% Bytes that pass through a contestant in a round, and before it yields.
-define(ROUND, 400000).
-define(BATCH, 20000).

%% @doc Prints a table of the messages that have an Elixir module: the best times, the median of the ratios of all rounds, and the
%% ratio of the best.
-spec main() -> ok.
main() ->
    io:format("~-26s ~5s  ~-7s ~9s ~9s ~7s ~7s~n", ["message", "bytes", "", "Erlang ns", "Elixir ns", "x", "bests"]),
    lists:foreach(fun message/1, modules()),
    by_hand().

%% What a struct costs in the place of a record, in code that was written by hand.
by_hand() ->
    Bytes = flat_peer:encode(flat_peer:value()),
    Struct = 'Elixir.StructsPeer':decode(Bytes),
    {ok, Struct, <<>>} = 'Elixir.Flat.Reading':decode(Bytes),
    row("SBE flat, by hand", Bytes, "decode", fun() -> flat_peer:decode(Bytes) end, fun() -> 'Elixir.StructsPeer':decode(Bytes) end).

%% The entry's name in `beam_messages', the Elixir module.
modules() ->
    [
        {"SBE flat", 'Elixir.Flat.Reading'}, {"SBE car", 'Elixir.Car.Car'}, {"FBE account", 'Elixir.Proto.Account'},
        {"Cap'n Proto texts", 'Elixir.Texts.Texts'}, {"Cap'n Proto book of 2", 'Elixir.Addressbook.AddressBook'},
        {"Cap'n Proto book of 50", 'Elixir.Addressbook.AddressBook'}
    ].

message({Wanted, Elixir}) ->
    case [Entry || #{name := Name} = Entry <- beam_messages:all(), Name =:= Wanted] of
        [Entry] -> compare(Entry, Elixir);
        [] -> io:format("~-26s is not among beam_messages~n", [Wanted])
    end.

compare(#{name := Name, codec := {Module, Message, Form}, value := Value}, Elixir) ->
    Encode = function(Module, ["encode_", Message, Form]),
    Decode = function(Module, ["decode_", Message, Form]),
    Record = Value(),
    {ok, Bytes} = Encode(Record),
    {ok, Struct, <<>>} = Elixir:decode(Bytes),
    {ok, Bytes} = Elixir:encode(Struct),
    row(Name, Bytes, "encode", fun() -> Encode(Record) end, fun() -> Elixir:encode(Struct) end),
    row(Name, Bytes, "decode", fun() -> Decode(Bytes) end, fun() -> Elixir:decode(Bytes) end).

function(Module, Name) ->
    Atom = list_to_atom(lists:flatten(Name)),
    fun Module:Atom/1.

row(Name, Bytes, Operation, Erlang, Elixir) ->
    Size = byte_size(Bytes),
    [#{best := One}, #{best := Other, ratio := Ratio}] =
        race:race([{erlang, Erlang}, {elixir, Elixir}], ?ROUNDS, max(100, ?ROUND div Size), max(1, ?BATCH div Size)),
    io:format("~-26s ~5b  ~-7s ~9.1f ~9.1f ~7.2f ~7.2f~n", [Name, Size, Operation, One, Other, Ratio, Other / One]).
