%% @doc Generated codecs against `term_to_binary/1' and `binary_to_term/1' of the equal record, and against hand-written
%% peers, and generated Elixir against them: interleaved, in one run. Prints tables, and writes them and their figures to files.
-module(beam_bench).

-export([main/3]).

%% Many short rounds: on a busy machine some of them are undisturbed.
-define(ROUNDS, 101).
%% Rounds with a large heap.
-define(ROOMY, 51).
%% Bytes that pass through a contestant in a round, and before it yields.
-define(ROUND, 400000).
-define(BATCH, 20000).
%% Messages of a feed that are measured.
-define(FEED, 2000).

%% @doc Measures the messages whose names begin with one of `Names' (all when there are none), and a feed when there is a
%% file of one; writes `Out.json' and `Out.txt'.
-spec main(Out :: string(), Feed :: string(), Names :: [string()]) -> ok.
main(Out, Feed, Names) ->
    Versions = #{
        otp => erlang:system_info(otp_release), erts => erlang:system_info(version),
        machine => erlang:system_info(system_architecture), flavor => atom_to_list(erlang:system_info(emu_flavor)),
        elixir => binary_to_list('Elixir.System':version())
    },
    Wanted = fun(Name) -> asked(Name, Names) end,
    Rows = lists:flatmap(fun message/1, [Entry || #{name := Name} = Entry <- beam_messages:all(), Wanted(Name)]) ++ feed(Feed, Wanted),
    Elixir = elixir_bench:rows(Wanted),
    Text = beam_report:text(Versions, Rows, Elixir),
    io:put_chars(Text),
    ok = file:write_file(Out ++ ".txt", Text),
    ok = file:write_file(Out ++ ".json", beam_report:json(#{versions => Versions, rows => Rows, elixir => Elixir})).

asked(_, []) -> true;
asked(Name, Names) -> lists:any(fun(Start) -> lists:prefix(Start, Name) end, Names).

message(#{codec := {Module, Message, Form}, value := Value} = Entry) ->
    Encode = function(Module, ["encode_", Message, Form]),
    Iolist = function(Module, ["encode_", Message, Form, "_iolist"]),
    Decode = function(Module, ["decode_", Message, Form]),
    Record = Value(),
    {ok, Bytes} = Encode(Record),
    {ok, Record, <<>>} = Decode(Bytes),
    Term = term_to_binary(Record),
    {PeerEncode, PeerDecode} = peer(Entry, Record, Bytes),
    Encoded = race(Bytes, [{vm, fun() -> term_to_binary(Record) end}, {encode, fun() -> Encode(Record) end},
        {iolist, fun() -> Iolist(Record) end} | PeerEncode]),
    Decoded = race(Bytes, [{vm, fun() -> binary_to_term(Term) end}, {decode, fun() -> Decode(Bytes) end} | PeerDecode]),
    [row(Entry, Bytes, encode, Encoded), row(Entry, Bytes, iolist, Encoded), row(Entry, Bytes, decode, Decoded)] ++
        [read(Entry, Bytes, Read) || Read <- maps:get(reads, Entry, [])] ++ json(Entry, Record).

%% JSON to and from the record, by the peer where its library is there.
json(#{json := {PeerEncode, PeerDecode, Library}, codec := {Module, Message, _}} = Entry, Record) ->
    Encode = function(Module, ["to_json_", Message]),
    Decode = function(Module, ["from_json_", Message]),
    {ok, Text} = Encode(Record),
    {ok, Record} = Decode(Text),
    Peer =
        case code:which(Library) of
            non_existing ->
                io:format("no peer for JSON: there is no ~s (Debian's erlang-~s)~n", [Library, Library]),
                [];
            _ ->
                Record = PeerDecode(Text),
                {ok, Record} = Decode(iolist_to_binary(PeerEncode(Record))),
                [{json_encode, fun() -> PeerEncode(Record) end}, {json_decode, fun() -> PeerDecode(Text) end}]
        end,
    Of = fun(Operation) -> [{hand, Work} || {Own, Work} <- Peer, Own =:= Operation] end,
    Encoded = race(Text, [{json_encode, fun() -> Encode(Record) end} | Of(json_encode)]),
    Decoded = race(Text, [{json_decode, fun() -> Decode(Text) end} | Of(json_decode)]),
    [row(Entry, Text, json_encode, Encoded), row(Entry, Text, json_decode, Decoded)];
json(#{}, _) -> [].

%% The peer as contestants, once it has been seen to write the same bytes and to read the same record.
peer(#{peer := {Encode, Decode}}, Record, Bytes) ->
    Bytes = Encode(Record),
    Record = Decode(Bytes),
    {[{hand, fun() -> Encode(Record) end}], [{hand, fun() -> Decode(Bytes) end}]};
peer(#{}, _, _) -> {[], []}.

read(#{codec := {Module, Message, _}} = Entry, Bytes, {Field, Peer}) ->
    Read = function(Module, [Message, "_", atom_to_list(Field)]),
    {ok, Value} = Read(Bytes),
    Value = Peer(Bytes),
    row(Entry, Bytes, {read, Field}, race(Bytes, [{hand, fun() -> Peer(Bytes) end}, {{read, Field}, fun() -> Read(Bytes) end}])).

function(Module, Name) ->
    Atom = list_to_atom(lists:flatten(Name)),
    fun Module:Atom/1.

race(Bytes, Contestants) ->
    Size = byte_size(Bytes),
    Calls = max(100, ?ROUND div Size),
    Batch = max(1, ?BATCH div Size),
    Results = race:race(Contestants, ?ROUNDS, Calls, Batch, default),
    Roomy = race:race(Contestants, ?ROOMY, Calls, Batch, roomy),
    [
        Result#{roomy => Room, words => race:words(Work)}
     || {Result, Room, {_, Work}} <- lists:zip3(Results, Roomy, Contestants)
    ].

row(#{name := Name} = Entry, Bytes, Operation, Results) ->
    #{Operation := Ours} = Named = maps:from_list([{Who, Result} || #{name := Who} = Result <- Results]),
    Limit = [
        {Against, AtMost}
     || {For, Against, AtMost} <- maps:get(limits, Entry, []), For =:= Operation, maps:is_key(Against, Named)
    ],
    Others = maps:map(fun(_, Other) -> against(Ours, Other) end, maps:with([vm, hand], Named)),
    Large = maps:map(fun(_, Other) -> roomy(Ours, Other) end, maps:with([vm, hand], Named)),
    Others#{roomy => Large#{aldis => times(maps:get(roomy, Ours, Ours))}, words => maps:get(words, Ours, 0.0), name => Name, bytes => byte_size(Bytes), operation => Operation, aldis => times(Ours), limit => Limit}.

against(#{best := Best} = Ours, #{best := Other} = Result) ->
    (times(Result))#{ratio => race:ratio(Ours, Result), of_bests => Best / Other}.

roomy(#{roomy := Ours}, #{roomy := Other}) -> (times(Other))#{ratio => race:ratio(Ours, Other)};
roomy(Ours, Other) -> (times(Other))#{ratio => race:ratio(Ours, Other)}.

times(Result) -> maps:with([best, median, spread], Result).

%% A recorded feed: u32 little endian lengths, then messages. A call goes through all messages.
feed("", _) -> [];
feed(File, Wanted) ->
    case Wanted("feed of market data") of
        true -> feed_rows(File);
        false -> []
    end.

feed_rows(File) ->
    {ok, Stream} = file:read_file(File),
    Messages = lists:sublist([Message || <<Size:32/little, Message:Size/binary>> <= Stream], ?FEED),
    Records = [Record || Message <- Messages, {ok, Record, <<>>} <- [mktdata:decode(Message)]],
    true = length(Messages) =:= length(Records),
    Records = [mktdata_peer:decode(Message) || Message <- Messages],
    Messages = [mktdata_peer:encode(Record) || Record <- Records],
    Messages = [element(2, mktdata:encode(Record)) || Record <- Records],
    Entry = #{name => "feed of market data", limits => [{encode, hand, 1.3}, {decode, hand, 1.3}]},
    Encoded = each(Records, [{vm, fun erlang:term_to_binary/1}, {encode, fun mktdata:encode/1}, {hand, fun mktdata_peer:encode/1}]),
    Decoded = each(Messages, [{decode, fun mktdata:decode/1}, {hand, fun mktdata_peer:decode/1}]),
    Mean = binary:copy(<<0>>, iolist_size(Messages) div length(Messages)),
    [row(Entry, Mean, encode, Encoded), row(Entry, Mean, decode, Decoded)].

each(Inputs, Contestants) ->
    Count = length(Inputs),
    Through = [{Name, fun() -> through(Work, Inputs) end} || {Name, Work} <- Contestants],
    Each = fun(Results) -> [maps:map(fun(Key, Value) -> per_message(Key, Value, Count) end, Result) || Result <- Results] end,
    Results = Each(race:race(Through, ?ROUNDS, 1, 1, default)),
    Roomy = Each(race:race(Through, ?ROOMY, 1, 1, roomy)),
    Words = fun(Work) -> lists:sum([race:words(fun() -> Work(Input) end) || Input <- Inputs]) / Count end,
    [
        Result#{roomy => Room, words => Words(Work)}
     || {Result, Room, {_, Work}} <- lists:zip3(Results, Roomy, Contestants)
    ].

through(Work, [Input | Rest]) ->
    _ = Work(Input),
    through(Work, Rest);
through(_, []) -> ok.

per_message(Key, Times, Count) when Key =:= times; Key =:= spread -> [Time / Count || Time <- Times];
per_message(Key, Time, Count) when Key =:= best; Key =:= median -> Time / Count;
per_message(_, Value, _) -> Value.
