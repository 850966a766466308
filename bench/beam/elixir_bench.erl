%% @doc Generated Elixir against generated Erlang on the same messages, interleaved: both are the same functions, and this shows
%% that they stay so.
-module(elixir_bench).

-export([rows/1]).
-export_type([row/0]).

-define(ROUNDS, 101).
%% Bytes that pass through a contestant in a round, and before it yields.
-define(ROUND, 400000).
-define(BATCH, 20000).

-type row() :: #{
    name := string(), bytes := pos_integer(), operation := encode | decode, erlang := beam_report:times(),
    elixir := beam_report:times()
}.

%% @doc The rows of those messages with an Elixir module that are `Wanted'. Ratios are Elixir's time to Erlang's.
-spec rows(Wanted :: fun((Name :: string()) -> boolean())) -> [row()].
rows(Wanted) ->
    Entries = [{Entry, Elixir} || #{name := Name} = Entry <- beam_messages:all(), {Of, Elixir} <- modules(), Of =:= Name, Wanted(Name)],
    lists:append([compare(Entry, Elixir) || {Entry, Elixir} <- Entries]) ++ by_hand(Wanted).

%% The entry's name in `beam_messages', the Elixir module.
modules() ->
    [
        {"SBE flat", 'Elixir.Flat.Reading'}, {"SBE car", 'Elixir.Car.Car'}, {"FBE account", 'Elixir.Proto.Account'},
        {"Cap'n Proto texts", 'Elixir.Texts.Texts'}, {"Cap'n Proto book of 2", 'Elixir.Addressbook.AddressBook'},
        {"Cap'n Proto book of 50", 'Elixir.Addressbook.AddressBook'}
    ].

compare(#{name := Name, codec := {Module, Message, Form}, value := Value}, Elixir) ->
    Encode = function(Module, ["encode_", Message, Form]),
    Decode = function(Module, ["decode_", Message, Form]),
    {ElixirEncode, ElixirDecode} = {fun Elixir:encode/1, fun Elixir:decode/1},
    Record = Value(),
    {ok, Bytes} = Encode(Record),
    {ok, Struct, <<>>} = ElixirDecode(Bytes),
    {ok, Bytes} = ElixirEncode(Struct),
    [
        row(Name, Bytes, encode, fun() -> Encode(Record) end, fun() -> ElixirEncode(Struct) end),
        row(Name, Bytes, decode, fun() -> Decode(Bytes) end, fun() -> ElixirDecode(Bytes) end)
    ].

%% The cost of a struct in the place of a record, in code that was written by hand.
by_hand(Wanted) ->
    Name = "SBE flat, both by hand",
    case Wanted(Name) of
        true ->
            Record = flat_peer:value(),
            Bytes = flat_peer:encode(Record),
            Struct = 'Elixir.StructsPeer':decode(Bytes),
            {ok, Struct, <<>>} = 'Elixir.Flat.Reading':decode(Bytes),
            Bytes = 'Elixir.StructsPeer':encode(Struct),
            [
                row(Name, Bytes, encode, fun() -> flat_peer:encode(Record) end, fun() -> 'Elixir.StructsPeer':encode(Struct) end),
                row(Name, Bytes, decode, fun() -> flat_peer:decode(Bytes) end, fun() -> 'Elixir.StructsPeer':decode(Bytes) end)
            ];
        false -> []
    end.

function(Module, Name) ->
    Atom = list_to_atom(lists:flatten(Name)),
    fun Module:Atom/1.

row(Name, Bytes, Operation, Erlang, Elixir) ->
    Size = byte_size(Bytes),
    [One, Other] =
        race:race([{erlang, Erlang}, {elixir, Elixir}], ?ROUNDS, max(100, ?ROUND div Size), max(1, ?BATCH div Size), default),
    #{
        name => Name, bytes => Size, operation => Operation, erlang => maps:with([best, median, spread], One),
        elixir => maps:with([best, median, spread, ratio, of_bests], Other)
    }.
