-module(aldis_etf_prop_tests).

-include_lib("eunit/include/eunit.hrl").

%% Debian's package of PropEr has no header file.
-define(FORALL(X, Type, Property), proper:forall(Type, fun(X) -> Property end)).
-define(MAP(X, Type, Body), proper_types:bind(Type, fun(X) -> Body end, false)).

-export([mutate/1, mutations/1, value/0]).

-define(MUTATIONS, 200000).

round_trip_test_() ->
    {timeout, 120, ?_assert(proper:quickcheck(round_trip(), [{numtests, 3000}, {to_file, user}, quiet]))}.

only_data_test_() ->
    {timeout, 120, ?_assert(proper:quickcheck(only_data(), [{numtests, 3000}, {to_file, user}, quiet]))}.

%% Plain values that encode or the VM has written are read by decode: in all forms of atoms, in any order of keys.
round_trip() ->
    ?FORALL(Value, value(), begin
        Frames = [aldis_etf:encode(Value) | [term_to_binary(Value, Options) || Options <- options()]],
        lists:all(
            fun({Frame, Limits}) -> aldis_etf:decode(Frame, Limits) =:= {ok, Value} end,
            [{Frame, Limits} || Frame <- Frames, Limits <- [#{utf8 => Utf8, native => Native} || Utf8 <- [true, false], Native <- [true, false]]]
        )
    end).

%% Without minor version 0, whose floats are text and refused.
options() -> [[{minor_version, 1}], [{minor_version, 2}], [deterministic]].

%% Any term at all is refused or comes back, and comes back only when it is data.
only_data() ->
    ?FORALL({Term, Options}, {proper_types:any(), proper_types:oneof([[] | options()])}, begin
        Frame = term_to_binary(Term, Options),
        Answer = aldis_etf:decode(Frame, #{utf8 => false, max_integer_bytes => 255}),
        Answer =:= aldis_etf:decode(Frame, #{utf8 => false, max_integer_bytes => 255, native => false}) andalso
            case Answer of
                {ok, Same} -> Same =:= Term andalso data(Term);
                {error, {_, _}} -> not data(Term)
            end
    end).

%% Terms for this node alone, which OTP 26 and newer write: their tag is refused.
local_test() ->
    try term_to_binary([self()], [local]) of
        Frame -> ?assertMatch({error, {bad_tag, 1}}, aldis_etf:decode(Frame))
    catch
        error:badarg -> ?assert(list_to_integer(erlang:system_info(otp_release)) < 26)
    end.

data(Term) when is_binary(Term); is_number(Term); Term =:= nil; Term =:= true; Term =:= false -> true;
data([Item | Rest]) -> data(Item) andalso is_list(Rest) andalso data(Rest);
data([]) -> true;
data({bytes, Bytes}) -> is_binary(Bytes);
data(Map) when is_map(Map) -> lists:all(fun({K, V}) -> is_binary(K) andalso data(V) end, maps:to_list(Map));
data(_) -> false.

value() -> proper_types:sized(fun value/1).

value(0) ->
    proper_types:oneof([nil, true, false, proper_types:integer(), proper_types:float(), text(), int64(), ?MAP(Bytes, proper_types:binary(), {bytes, Bytes})]);
value(Size) ->
    Inner = Size div 3,
    proper_types:oneof([
        value(0),
        %% Without a size of its own, a list in a list would be as long as the outer one may be: millions of values now and then.
        proper_types:resize(Inner, proper_types:list(value(Inner))),
        proper_types:list(proper_types:integer(-100000, 100000)),
        ?MAP(Pairs, proper_types:resize(Inner, proper_types:list({text(), value(Inner)})), maps:from_list(Pairs))
    ]).

int64() -> proper_types:integer(-(1 bsl 63), (1 bsl 63) - 1).

text() ->
    Char = proper_types:oneof([proper_types:integer($a, $z), proper_types:integer(16#A0, 16#D7FF), proper_types:integer(16#10000, 16#10FFFF)]),
    ?MAP(Chars, proper_types:list(Char), unicode:characters_to_binary(Chars)).

%% Frames with bytes changed, cut and doubled: an answer each time, and no more memory than limits allow.
mutated_test_() ->
    {timeout, 300, fun() ->
        Seeds = seeds(),
        erlang:garbage_collect(),
        Before = erlang:memory(total),
        Answers = lists:foldl(fun(_, Seen) -> count(aldis_etf:decode(mutate(Seeds)), Seen) end, #{}, lists:seq(1, ?MUTATIONS)),
        erlang:garbage_collect(),
        ?assert(erlang:memory(total) - Before < 16000000),
        ?assertEqual(?MUTATIONS, lists:sum(maps:values(Answers))),
        %% The mutations reach all corners, not the first bytes alone.
        [?assert(maps:get(Code, Answers, 0) > 50) || Code <- [ok, bad_tag, truncated, bad_utf8, bad_key, improper_list, trailing_bytes, bad_atom]]
    end}.

%% So many of these frames.
mutations(Count) ->
    Seeds = seeds(),
    [mutate(Seeds) || _ <- lists:seq(1, Count)].

seeds() ->
    _ = rand:seed(exsss, {7, 7, 7}),
    list_to_tuple([term_to_binary(T) || T <- aldis_etf_tests:plain_terms() ++ [{self(), make_ref()}, fun hd/1]]).

count({ok, Value}, Seen) ->
    ?assert(data(Value)),
    maps:update_with(ok, fun(N) -> N + 1 end, 1, Seen);
count({error, {Code, Offset}}, Seen) when is_integer(Offset), Offset >= 0 ->
    maps:update_with(Code, fun(N) -> N + 1 end, 1, Seen).

mutate(Seeds) ->
    Seed = element(rand:uniform(tuple_size(Seeds)), Seeds),
    lists:foldl(fun(_, Frame) -> change(rand:uniform(5), Frame) end, Seed, lists:seq(1, rand:uniform(3))).

change(Kind, Frame) ->
    At = rand:uniform(byte_size(Frame)) - 1,
    <<Head:At/binary, Byte, Tail/binary>> = Frame,
    case Kind of
        1 -> <<Head/binary, (rand:uniform(256) - 1), Tail/binary>>;
        2 -> <<Head/binary, (Byte bxor (1 bsl (rand:uniform(8) - 1))), Tail/binary>>;
        3 when At > 1 -> Head;
        3 -> Frame;
        4 -> <<Frame/binary, Tail/binary>>;
        5 -> <<Head/binary, (lists:nth(rand:uniform(14), [70, 97, 98, 100, 104, 106, 107, 108, 109, 110, 115, 116, 118, 119])), Tail/binary>>
    end.
