%% @doc Counts calls of the long ways of generated codecs while they read and write what the bench measures, and values like it:
%% there must be none. A short way gives up by an exception, so a mistake in it would show as nothing but slowness.
%% Damaged messages of Cap'n Proto show whether the short way takes one that the long way would not: both answer the same for each.
-module(short_way_check).

-export([main/0, damaged/0]).

%% Values like the bench's own, for each message.
-define(VARIATIONS, 60).

%% The functions that every careful reader calls, and every careful writer of messages of segments.
-define(RUNTIME, [{aldis_heap, enter}, {aldis_message, decode}, {aldis_message, view}, {aldis_message, encode}]).

-type function_name() :: {module(), atom(), arity()}.

-spec main() -> no_return().
main() ->
    _ = rand:seed(exsss, {4, 11, 2026}),
    io:format("~b", [lists:sum([null_floats() | [message(Entry) || Entry <- beam_messages:all()]])]),
    halt().

%% Floats that are null, as they are in a record of defaults, or no numbers.
null_floats() ->
    Long = long_ways(null_floats),
    {Encode, Iolist, Decode} = {
        fun null_floats:encode_Sample/1, fun null_floats:encode_Sample_iolist/1, fun null_floats:decode_Sample/1
    },
    Records = [
        {'Sample', 7, Speed, 2.5, Fuel, {wind, Force, 3}, [{'Sample_stops', 5, Each} || Each <- Stops]}
     || Speed <- [1.5, undefined, infinity], Fuel <- [0.25, undefined], Force <- [8.0, undefined, '-infinity'],
        Stops <- [[], [undefined], [1.0, undefined], [undefined, 1.0, 2.0, undefined, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0, infinity]]
    ],
    true = [Record || Record <- Records, {ok, Record, <<>>} =/= Decode(element(2, Encode(Record)))] =:= [],
    true = [Record || Record <- Records, element(2, Encode(Record)) =/= iolist_to_binary(element(2, Iolist(Record)))] =:= [],
    %% All other values are for the careful functions.
    Wrong = setelement(3, hd(Records), fast),
    {{error, {bad_value, _, <<"speed">>}}, [_ | _]} = counted(Long, fun() -> Encode(Wrong) end),
    lists:sum([short("null floats", Long, Encode, [Decode], Record) || Record <- Records]).

%% How many calls took the short way.
message(#{name := Name, codec := {Module, Message, Form}, value := Value} = Entry) ->
    Encode = function(Module, ["encode_", Message, Form]),
    Decode = function(Module, ["decode_", Message, Form]),
    Reads = [function(Module, [Message, "_", atom_to_list(Field)]) || {Field, _} <- maps:get(reads, Entry, [])],
    Record = Value(),
    Long = long_ways(Module),
    %% Bytes that no writer writes are seen to take the long ways.
    {{error, _}, [_ | _]} = counted(Long, fun() -> Decode(<<>>) end),
    {{error, _}, [_ | _]} = counted(Long, fun() -> Encode(setelement(2, Record, wrong)) end),
    Constants = constants(Record, [], fun(New) -> New end, Encode),
    Like = [vary(Record, [], Constants, Nth rem 2 =:= 0) || Nth <- lists:seq(1, ?VARIATIONS)],
    %% The schema says the size of some texts and lists.
    Written = [Each || Each <- Like, element(1, Encode(Each)) =:= ok],
    {true, _} = {length(Written) >= ?VARIATIONS div 2, Name},
    lists:sum([short(Name, Long, Encode, [Decode | Reads], Each) || Each <- [Record | Written]]).

function(Module, Name) ->
    Atom = list_to_atom(lists:flatten(Name)),
    fun Module:Atom/1.

short(Name, Long, Encode, Reads, Record) ->
    Bytes = must(Name, Record, Encode, counted(Long, fun() -> Encode(Record) end)),
    [must(Name, Record, Read, counted(Long, fun() -> Read(Bytes) end)) || Read <- Reads],
    1 + length(Reads).

must(_, _, _, {Answer, []}) when element(1, Answer) =:= ok -> element(2, Answer);
must(Name, Record, Call, {Answer, Called}) ->
    io:format("~s: ~p calls ~p for~n~p~nand answers ~p~n", [Name, Call, Called, Record, Answer]),
    halt(1).

%%% Damaged messages

%% Messages of more bytes are only cut off.
-define(SMALL, 1024).
%% The number that is added to a half of a word.
-define(BUMPS, [-8, -4, -2, -1, 1, 2, 4, 8]).

-spec damaged() -> no_return().
damaged() ->
    Measured = [
        {Module, Message, Value()}
     || #{codec := {Module, Message, ""}, value := Value} <- beam_messages:all(), careful_codec(Module)
    ],
    {true, _} = {length(Measured) >= 5, Measured},
    Damaged = [damaged(Module, Message, Value) || {Module, Message, Value} <- Measured ++ own()],
    io:format("~b", [lists:sum(Damaged ++ [same(short_way, "Row", Bin) || Bin <- aliased()])]),
    halt().

careful_codec(Module) -> code:ensure_loaded(careful_of(Module)) =:= {module, careful_of(Module)}.

careful_of(Module) -> list_to_atom(atom_to_list(Module) ++ "_careful").

own() ->
    Pairs = [{'Pair', 1, 2.0}, {'Pair', 3, 4.0}],
    Names = [{'Name', <<"ab">>, 1, 2, 3}, {'Name', undefined, 4, 5, 6}],
    Set = fun({Nth, New}, Row) -> setelement(Nth, Row, New) end,
    [
        {short_way, "Row", lists:foldl(Set, short_way:new_Row(), Fields)}
     || Fields <- [
            [],
            [{3, {'Pair', 1, 2.0}}, {13, 7}],
            [{4, Pairs}],
            [{5, Names}],
            [{6, [<<"a">>, undefined, <<"bcd">>]}, {7, [<<>>, <<1, 2>>]}],
            [{8, [{'Point', 1, 2}]}, {9, [1, 2, 3]}, {10, <<"title">>}]
        ]
    ].

damaged(Module, Message, Value) ->
    {ok, Bytes} = (function(Module, ["encode_", Message]))(Value),
    <<0:32, Words:32/little, Segment/binary>> = Bytes,
    Cut = [framed(binary_part(Segment, 0, 8 * Count)) || Count <- lists:seq(0, Words)],
    Bumped = case byte_size(Bytes) =< ?SMALL of true -> bumped(Segment); false -> [] end,
    lists:sum([same(Module, Message, Bin) || Bin <- [Bytes | Cut ++ Bumped]]).

framed(Segment) -> <<0:32, (byte_size(Segment) div 8):32/little, Segment/binary>>.

%% Each half of a word bumped; and a list that is a word longer, with one more word for it, and another half bumped.
bumped(Segment) ->
    Halves = lists:seq(0, byte_size(Segment) div 4 - 1),
    [framed(bump(Nth, By, Segment)) || Nth <- Halves, By <- ?BUMPS] ++
        [
            framed(bump(Other, By, bump(Nth, 8, <<Segment/binary, 0:64>>)))
         || Nth <- Halves, Nth rem 2 =:= 1, is_list_of_records(Nth, Segment), Other <- Halves, By <- ?BUMPS
        ].

is_list_of_records(Nth, Segment) ->
    <<_:Nth/binary-unit:32, High:32/little, _/binary>> = Segment,
    High band 7 =:= 7.

bump(Nth, By, Segment) ->
    <<Before:Nth/binary-unit:32, Half:32/little, After/binary>> = Segment,
    <<Before/binary, (Half + By):32/little, After/binary>>.

%% Lists of texts that are all in the same bytes: their words are what the budget is, or a few less or more.
aliased() ->
    Lists = [
        {Count, Words}
     || Count <- lists:seq(20, 400),
        Words <- lists:seq(30, 1500),
        Count + Words < 2000,
        abs(8 * (13 + Count + Words) + 32768 - Count * (4 + Words)) < 20
    ],
    [aliased(Count, 8 * Words - Zeros) || {Count, Words} <- Lists, Zeros <- [1, 8]].

aliased(Count, Length) ->
    Pointers = <<<<(1 + 4 * (Count - Nth)):32/little, (2 + 8 * (Length + 1)):32/little>> || Nth <- lists:seq(1, Count)>>,
    List = <<(1 + 4 * 6):32/little, (6 + 8 * Count):32/little>>,
    Text = <<(binary:copy(<<"a">>, Length))/binary, 0:(8 - Length band 7)/unit:8>>,
    framed(<<0:32, 1:16/little, 10:16/little, 0:64, 0:192, List/binary, 0:384, Pointers/binary, Text/binary>>).

%% How many functions give the same both ways: all that read.
same(Module, Message, Bin) ->
    Careful = careful_of(Module),
    Names = [list_to_atom("decode_" ++ Message) | views(Module, Message)],
    length([same_answer(Name, Bin, Module:Name(Bin), Careful:Name(Bin)) || Name <- Names]).

views(Module, Message) ->
    [Name || {Name, 1} <- Module:module_info(exports), lists:prefix(Message ++ "_", atom_to_list(Name))].

same_answer(_, _, Answer, Answer) -> ok;
same_answer(Name, Bin, Short, Long) ->
    io:format("~s of ~p~nanswers ~p~nand the long way ~p~n", [Name, Bin, Short, Long]),
    halt(1).

%%% Counting

%% The names of careful functions in a codec, and of those that they call in the runtime.
-spec long_ways(module()) -> [function_name()].
long_ways(Module) ->
    Behind = [list_to_atom(atom_to_list(Module) ++ End) || End <- ["_view", "_final"]],
    All = [Module | [Own || Own <- Behind, code:ensure_loaded(Own) =:= {module, Own}]],
    Long =
        [{Own, Name, Arity} || Own <- All, {Name, Arity} <- functions(Own), careful(atom_to_list(Name))] ++
        [{Other, Name, Arity} || {Other, Name} <- ?RUNTIME, {Known, Arity} <- functions(Other), Known =:= Name],
    [1 = erlang:trace_pattern(Function, true, [local, call_count]) || Function <- Long],
    Long.

functions(Module) ->
    {module, Module} = code:ensure_loaded(Module),
    Module:module_info(functions).

careful("write_" ++ _) -> true;
careful(Name) -> lists:suffix("_carefully", Name).

%% The answer of a call, and which of the functions it called.
-spec counted([function_name()], fun(() -> Answer)) -> {Answer, [function_name()]}.
counted(Functions, Call) ->
    [erlang:trace_pattern(Function, restart, [local, call_count]) || Function <- Functions],
    Answer = Call(),
    {Answer, [Function || Function <- Functions, erlang:trace_info(Function, call_count) =/= {call_count, 0}]}.

%%% Values: no number is further from 0 than it was, and no text or list longer, or all as long as they were

%% `Constants' are the ways to values that the schema says.
vary(Value, Way, Constants, Sizes) ->
    case lists:member(Way, Constants) of
        true -> Value;
        false -> varied(Value, Way, Constants, Sizes)
    end.

varied(Record, Way, Constants, Sizes) when is_tuple(Record) ->
    list_to_tuple([vary(Element, [Nth | Way], Constants, Sizes) || {Nth, Element} <- lists:enumerate(tuple_to_list(Record))]);
varied(List, Way, Constants, Sizes) when is_list(List) ->
    [vary(Element, [each | Way], Constants, Sizes) || Element <- List, not Sizes orelse rand:uniform(5) > 1];
varied(Map, Way, Constants, Sizes) when is_map(Map) ->
    maps:from_list([varied(Pair, Way, Constants, Sizes) || Pair <- maps:to_list(Map)]);
varied(Text, _, _, Sizes) when is_binary(Text) ->
    Size = case Sizes of true -> rand:uniform(byte_size(Text) + 1) - 1; false -> byte_size(Text) end,
    << <<($a + rand:uniform(26) - 1)>> || _ <- lists:seq(1, Size) >>;
varied(Truth, _, _, _) when is_boolean(Truth) -> rand:uniform(2) =:= 1;
varied(Number, _, _, _) when is_float(Number) -> Number * rand:uniform();
varied(Number, _, _, _) when is_integer(Number), Number >= 0 -> rand:uniform(Number + 1) - 1;
varied(Number, _, _, _) when is_integer(Number) -> 1 - rand:uniform(1 - Number);
varied(Other, _, _, _) -> Other.

%% The ways to values that cannot be any other: `Put' gives the whole record with another value in this one's place.
constants(Record, Way, Put, Encode) when is_tuple(Record) ->
    lists:append([
        constants(Element, [Nth | Way], fun(New) -> Put(setelement(Nth, Record, New)) end, Encode)
     || {Nth, Element} <- lists:enumerate(tuple_to_list(Record)), Nth > 1
    ]);
constants([First | Rest], Way, Put, Encode) -> constants(First, [each | Way], fun(New) -> Put([New | Rest]) end, Encode);
constants(Value, Way, Put, Encode) ->
    [Way || element(1, Encode(Put(other(Value)))) =:= error].

other(Number) when is_integer(Number), Number > 0 -> Number - 1;
other(Number) when is_integer(Number), Number < 0 -> Number + 1;
other(<<Byte, Rest/binary>>) -> <<(Byte bxor 1), Rest/binary>>;
other(Value) -> Value.
