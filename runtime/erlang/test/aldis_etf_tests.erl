-module(aldis_etf_tests).

-include_lib("eunit/include/eunit.hrl").

-export([plain_terms/0, refused/0]).

allowed_test_() ->
    [?_assertEqual({ok, Term}, aldis_etf:decode(term_to_binary(Term, [{minor_version, Minor}]))) || Minor <- [1, 2], Term <- plain_terms()].

plain_terms() ->
    [
        nil, true, false, 0, 255, 256, -1, 1 bsl 31, -(1 bsl 31), (1 bsl 64) - 1, 1.5, -0.5, <<>>, <<"text">>, <<"gr\x{fc}n"/utf8>>,
        [], [1, 2, 3], "charlist", #{}, #{<<"a">> => [#{<<"b">> => nil}]},
        [<<"1">>, <<"2">>, <<"lv:phx-1">>, <<"event">>, #{<<"value">> => #{}}],
        [1000, 2000, 3000, 4000, 5000, 6000], [0.5, 1.5, 2.5], lists:duplicate(70, <<"x">>), [[[]]],
        #{<<"list">> => [1000, []], <<"next">> => <<"n">>}, binary:copy(<<"twenty bytes of text">>, 20),
        binary:copy(<<"東京"/utf8>>, 100), {bytes, <<>>}, [{bytes, <<255, 0>>}, 1000], #{<<"b">> => {bytes, binary:copy(<<255>>, 300)}},
        [{bytes, <<"text">>} | lists:duplicate(20, {bytes, <<131, 106>>})], 1 bsl 69, <<"sixteen bytes ok"/utf8, "東京"/utf8>>
    ].

%% As section 7 of the format's description lists them: what a client may not send.
refused_test_() ->
    [
        {Name, ?_assertMatch({error, {Code, Offset}}, aldis_etf:decode(Frame))}
     || {Name, Frame, Code, Offset} <- refused()
    ].

refused() ->
    Pid = self(),
    [
        {"distribution header", <<131, 68, 0>>, bad_tag, 1},
        {"fragment", <<131, 69, 0:128>>, bad_tag, 1},
        {"bit string", term_to_binary(<<1:3>>), bad_tag, 1},
        {"compressed", term_to_binary(binary:copy(<<"a">>, 1000), [compressed]), compressed, 1},
        {"compressed within", <<131, 108, 1:32, 80, 1:32, 106>>, compressed, 6},
        {"cache reference", <<131, 82, 0>>, bad_tag, 1},
        {"pid", term_to_binary(Pid), bad_tag, 1},
        {"pid in a list", term_to_binary([1000, Pid]), bad_tag, 11},
        {"port", term_to_binary(hd(erlang:ports())), bad_tag, 1},
        {"reference", term_to_binary(make_ref()), bad_tag, 1},
        {"old float", term_to_binary(1.5, [{minor_version, 0}]), bad_tag, 1},
        {"atom", term_to_binary(erlang), bad_atom, 1},
        {"atom of OTP 26", <<131, 119, 6, "erlang">>, bad_atom, 1},
        {"long atom", <<131, 118, 6:16, "erlang">>, bad_atom, 1},
        {"short latin atom", <<131, 115, 4, "none">>, bad_atom, 1},
        {"old reference", <<131, 101, 100, 0, 1, $a, 0:32, 0>>, bad_tag, 1},
        {"tuple", term_to_binary({}), bad_tag, 1},
        {"large tuple", <<131, 105, 0:32>>, bad_tag, 1},
        {"improper list", term_to_binary([1000 | 2]), improper_list, 11},
        {"no UTF-8", term_to_binary(<<"a", 255>>), bad_utf8, 7},
        {"no UTF-8 in long text", term_to_binary(<<(binary:copy(<<"a">>, 500))/binary, 255>>), bad_utf8, 6},
        {"half a character", term_to_binary([<<195>>, <<169>>]), bad_utf8, 11},
        {"surrogate", term_to_binary(<<16#ED, 16#A0, 16#80>>), bad_utf8, 6},
        {"ten byte integer", term_to_binary(1 bsl 72), big_integer, 1},
        {"tuple like bytes", term_to_binary({bytez, <<1>>}), bad_tag, 1},
        {"bytes of an integer", term_to_binary({bytes, 1}), bad_tag, 1},
        {"three parts", term_to_binary({bytes, <<1>>, <<2>>}), bad_tag, 1},
        {"bytes under a text", term_to_binary({<<"bytes">>, <<1>>}), bad_tag, 1},
        {"bytes in a large tuple", <<131, 105, 2:32, 119, 5, "bytes", 109, 0:32>>, bad_tag, 1},
        {"bytes as a key", term_to_binary(#{{bytes, <<1>>} => 1}), bad_key, 6},
        {"bytes of bits", <<131, 104, 2, 119, 5, "bytes", 77, 1:32, 8, 1>>, bad_tag, 1},
        {"compressed bytes", <<131, 104, 2, 119, 5, "bytes", 80, 1:32>>, bad_tag, 1},
        {"forged bytes", <<131, 104, 2, 119, 5, "bytes", 109, 16#FFFFFFFF:32, 1>>, truncated, 1},
        {"forged bytes in a list", <<131, 108, 1:32, 104, 2, 100, 5:16, "bytes", 109, 3:32, 1, 106>>, truncated, 6},
        {"duplicate key behind bytes", <<131, 116, 2:32, 109, 1:32, "a", 104, 2, 100, 5:16, "bytes", 109, 0:32, 109, 1:32, "a", 97, 2>>, duplicate_key, 27},
        {"large integer", term_to_binary(1 bsl 3000), big_integer, 1},
        {"function", term_to_binary(fun(X) -> {Pid, X} end), bad_tag, 1},
        {"export", term_to_binary(fun os:cmd/1), bad_tag, 1},
        {"atom key", term_to_binary(#{nil => 1}), bad_key, 6},
        {"integer key", term_to_binary(#{1 => 1}), bad_key, 6},
        {"struct", term_to_binary(#{'__struct__' => x}), bad_key, 6},
        {"duplicate key", <<131, 108, 1:32, 116, 2:32, 109, 1:32, "a", 97, 1, 109, 1:32, "a", 97, 2, 106>>, duplicate_key, 19},
        {"tag of nothing", <<131, 117>>, bad_tag, 1},
        {"local", <<131, 121, 0:64, 106>>, bad_tag, 1},
        {"NaN", <<131, 70, 16#7FF8:16, 0:48>>, bad_float, 1},
        {"infinity behind a float", <<131, 108, 2:32, 70, 1.0:64/float, 70, 16#FFF0:16, 0:48, 106>>, bad_float, 15},
        {"trailing bytes", <<(term_to_binary(1))/binary, 0>>, trailing_bytes, 3},
        {"other version", <<130, 97, 1>>, bad_version, 0},
        {"empty", <<>>, bad_version, 0},
        {"no term", <<131>>, truncated, 1},
        {"forged list", <<131, 108, 16#FFFFFFFF:32, 106>>, truncated, 1},
        {"forged map", <<131, 116, 16#FFFFFFFF:32, 106>>, truncated, 1},
        {"forged binary", <<131, 109, 16#FFFFFFFF:32, "abc">>, truncated, 6},
        {"half an integer", <<131, 98, 1, 2>>, truncated, 1},
        {"half a float", <<131, 70, 1, 2>>, truncated, 1},
        {"half a list", <<131, 108, 2:32, 97, 1>>, truncated, 8}
    ].

limits_test_() ->
    Nested = fun(N) -> lists:foldl(fun(_, T) -> [T] end, [], lists:seq(1, N)) end,
    Decode = fun(Term, Limits) -> aldis_etf:decode(term_to_binary(Term), Limits) end,
    [
        ?_assertMatch({ok, _}, Decode(Nested(64), #{})),
        ?_assertMatch({error, {too_deep, 321}}, Decode(Nested(65), #{})),
        ?_assertMatch({ok, _}, Decode([[]], #{max_depth => 1})),
        ?_assertMatch({error, {too_deep, _}}, Decode([#{}], #{max_depth => 1})),
        ?_assertMatch({ok, _}, Decode(#{<<"a">> => 1000}, #{max_nodes => 2})),
        ?_assertMatch({error, {too_many_nodes, 1}}, Decode(#{<<"a">> => 1000}, #{max_nodes => 1})),
        ?_assertMatch({error, {too_many_nodes, 1}}, Decode("bytes", #{max_nodes => 4})),
        ?_assertMatch({error, {too_large, 3}}, Decode("bytes", #{max_bytes => 3})),
        ?_assertMatch({ok, _}, Decode(1 bsl 72, #{max_integer_bytes => 10})),
        ?_assertMatch({ok, _}, Decode([{bytes, <<1>>}], #{max_nodes => 2})),
        ?_assertMatch({error, {too_many_nodes, 6}}, Decode([{bytes, <<1>>}], #{max_nodes => 1})),
        ?_assertMatch({error, {big_integer, 1}}, Decode(1 bsl 40, #{max_integer_bytes => 4})),
        ?_assertMatch({ok, <<255>>}, Decode(<<255>>, #{utf8 => false})),
        ?_assertMatch({ok, #{<<255>> := 1}}, Decode(#{<<255>> => 1}, #{utf8 => false})),
        ?_assertMatch({error, {bad_utf8, 11}}, Decode(#{<<255>> => 1}, #{}))
    ].

no_limits_test_() ->
    [
        ?_assertError({bad_limit, Name, Value}, aldis_etf:decode(<<131, 106>>, #{Name => Value}))
     || {Name, Value} <- [
            {max_byte, 1}, {max_bytes, -1}, {max_bytes, <<"8MB">>}, {max_depth, infinity}, {max_nodes, 1.5},
            {max_integer_bytes, 256}, {utf8, 1}, {native, undefined}
        ]
    ].

%% Each refusal is quick and takes no memory to speak of, whatever the size of the frame.
hostile_test_() ->
    Bomb = term_to_binary(binary:copy(<<0>>, 16000000), [compressed, {compressed, 9}]),
    Key = fun(I) -> <<109, 4:32, I:32, 97, 1>> end,
    Frames = [
        {"bomb", Bomb, compressed},
        {"number of 100 kB", term_to_binary(1 bsl 800000), big_integer},
        {"166k levels", <<131, (binary:copy(<<108, 1:32>>, 166000))/binary, 106>>, too_deep},
        {"8 MB of nil", <<131, 108, 8000000:32, (binary:copy(<<106>>, 8000001))/binary>>, too_many_nodes},
        {"map of 4 billion", <<131, 116, 16#FFFFFFFF:32, (iolist_to_binary([Key(I) || I <- lists:seq(1, 1000)]))/binary>>, truncated}
    ],
    [
        {Name, fun() -> hostile(Frame, Code, Limits) end}
     || {Name, Frame, Code} <- Frames ++ [{N, F, C} || {N, F, C, _} <- refused()],
        Limits <- [#{}, #{native => false}]
    ].

%% The best of three, since others may use the machine.
hostile(Frame, Code, Limits) ->
    Runs = [measured(Frame, Code, Limits) || _ <- [1, 2, 3]],
    ?assert(lists:min([Microseconds || {Microseconds, _} <- Runs]) < 10000),
    ?assert(lists:min([Bytes || {_, Bytes} <- Runs]) < 1000000).

measured(Frame, Code, Limits) ->
    {Pid, Monitor} = spawn_monitor(fun() ->
        true = erlang:garbage_collect(),
        {memory, Before} = process_info(self(), memory),
        Start = erlang:monotonic_time(microsecond),
        {error, {Code, _}} = aldis_etf:decode(Frame, Limits),
        Took = erlang:monotonic_time(microsecond) - Start,
        {memory, After} = process_info(self(), memory),
        exit({took, Took, After - Before})
    end),
    receive
        {'DOWN', Monitor, process, Pid, {took, Microseconds, Bytes}} -> {Microseconds, Bytes};
        {'DOWN', Monitor, process, Pid, Reason} -> error(Reason)
    end.

encode_test_() ->
    Date = #{'__struct__' => 'Elixir.Date', day => 1},
    Convert = fun(#{'__struct__' := 'Elixir.Date'}) -> <<"2024-01-01">>; (Other) -> Other end,
    [
        ?_assertEqual(#{0 => <<"a">>, s => [1]}, binary_to_term(aldis_etf:encode(#{0 => <<"a">>, s => [1]}))),
        ?_assertEqual(#{d => [<<"2024-01-01">>]}, binary_to_term(aldis_etf:encode(#{d => [Date]}, #{struct => Convert}))),
        ?_assertEqual([1, <<"x">>], binary_to_term(iolist_to_binary(aldis_etf:encode_to_iovec([1, <<"x">>], #{})))),
        ?_assertEqual(<<255>>, binary_to_term(aldis_etf:encode(<<255>>, #{utf8 => false}))),
        ?_assertEqual(#{k => [{bytes, <<255>>}]}, binary_to_term(aldis_etf:encode(#{k => [{bytes, <<255>>}]}))),
        ?_assertEqual([{bytes, <<255>>}, <<"2024-01-01">>], binary_to_term(aldis_etf:encode([{bytes, <<255>>}, Date], #{struct => Convert}))),
        ?_assertEqual(#{<<"1.5">> => #{<<"1.0e21">> => 1}}, binary_to_term(aldis_etf:encode(#{1.5 => #{1.0e21 => 1}}))),
        ?_assertError({badarg, [], tuple}, aldis_etf:encode({bytes, <<1:1>>})),
        ?_assertError({badarg, [1], tuple}, aldis_etf:encode([{bytes, <<>>}, {binary, <<>>}])),
        ?_assertError({badarg, [k, 1], bad_utf8}, aldis_etf:encode(#{k => [<<"a">>, <<255>>]})),
        ?_assertError({badarg, [d, 0], {struct, 'Elixir.Date'}}, aldis_etf:encode(#{d => [Date]})),
        ?_assertError({badarg, [], {struct, odd}}, aldis_etf:encode(#{'__struct__' => odd}, #{struct => Convert})),
        ?_assertError({badarg, [<<"a">>, 1, b], pid}, aldis_etf:encode(#{<<"a">> => [1, #{b => self()}]})),
        ?_assertError({badarg, [], tuple}, aldis_etf:encode({1})),
        ?_assertError({badarg, [0], reference}, aldis_etf:encode([make_ref()])),
        ?_assertError({badarg, [0], function}, aldis_etf:encode([fun hd/1])),
        ?_assertError({badarg, [1], port}, aldis_etf:encode([1, hd(erlang:ports())])),
        ?_assertError({badarg, [], bitstring}, aldis_etf:encode(<<1:3>>)),
        ?_assertError({badarg, [k], improper_list}, aldis_etf:encode(#{k => [1 | 2]})),
        ?_assertError({badarg, [<<"1.5">>], tuple}, aldis_etf:encode(#{1.5 => {}})),
        ?_assertError({badarg, [], {key, tuple}}, aldis_etf:encode(#{{} => 1})),
        ?_assertError({badarg, [k], bad_utf8}, aldis_etf:encode(#{k => <<255>>}, #{utf8 => true}))
    ].

%% The check in C judges what the VM wrote as the walk judges the term; what it leaves to the walk is written all the same.
written_test_() ->
    Struct = #{'__struct__' => 'Elixir.Date'},
    Terms = plain_terms() ++ [
        #{0 => <<"a">>, s => [1], 1 bsl 70 => nil}, [an_atom, 'grün', '__struct__'], #{<<"__struct__">> => 1}, <<255>>, [<<"a">>, <<195>>], #{<<255>> => 1},
        Struct, [1000, #{a => Struct}], #{1.5 => 1}, {1, 2}, self(), [make_ref()], fun hd/1, <<1:3>>, [1 | 2], #{{} => 1}, #{[] => 1}, 1 bsl 3000,
        {bytes, <<1:4>>}, lists:foldl(fun(_, T) -> [T] end, [], lists:seq(1, 300)), #{a => [#{b => Struct}]}
    ],
    [
        ?_assertEqual(outcome(Term, #{native => false, utf8 => Utf8}), outcome(Term, #{utf8 => Utf8}))
     || Term <- Terms, Utf8 <- [true, false]
    ] ++ [?_assertEqual(aldis_etf_nif:loaded() andalso Accepted, aldis_etf_nif:is_plain(term_to_binary(Term, [{minor_version, Minor}]), true))
        || {Term, Accepted} <- [{T, true} || T <- plain_terms()] ++ [{Struct, false}, {#{a => {}}, false}, {[self()], false}, {<<255>>, false}], Minor <- [1, 2]].

outcome(Term, Options) ->
    %% Small frames have the atoms of OTP 26 and later, whatever the VM writes.
    try
        {ok, binary_to_term(aldis_etf:encode(Term, Options))}
    catch
        error:Reason -> Reason
    end.
