%% The scanner in C: long walks in many runs, its switch, and the same walks outside of the VM with sanitizers.
-module(aldis_scan_native_tests).

-include_lib("eunit/include/eunit.hrl").

%% A machine without a C compiler has nothing to compare.
native_test_() ->
    case aldis_scan_nif:loaded() of
        false -> [?_assertNot(sanitized:buildable())];
        true -> [{timeout, 120, Test} || Test <- [fun long/0, fun switch/0, fun badarg/0, fun outside_of_the_vm/0]]
    end.

%% Walks of hundreds of runs, which are charged for, end where they would in one.
long() ->
    N = 2000000,
    Alike = binary:copy(<<"identity", 0:32>>, N),
    Sizes = [I rem 7 || I <- lists:seq(1, N div 10)],
    Mixed = <<<<"identity", Size:32/little, 0:(Size * 8)>> || Size <- Sizes>>,
    [
        begin
            ?assertEqual(aldis_scan:pure_legacy(Bin, 0, Endian, 10), aldis_scan:legacy(Bin, 0, Endian, 10)),
            ?assert(charged(fun() -> aldis_scan_nif:legacy(Bin, 0, Endian, 10) end) > Runs * 1000)
        end
     || {Bin, Endian, Runs} <- [{Alike, little, 100}, {Alike, big, 100}, {Mixed, little, 10}]
    ],
    Entries = binary:copy(<<0:32>>, N),
    ?assertEqual({ok, 4 * N}, aldis_scan:entries(Entries, 0, N)),
    ?assertEqual({error, bad_count}, aldis_scan:entries(Entries, 0, N - 1)),
    ?assert(charged(fun() -> aldis_scan_nif:entries(Entries, 0, N) end) > 100000).

charged(Fun) ->
    {reductions, Before} = process_info(self(), reductions),
    _ = Fun(),
    {reductions, Now} = process_info(self(), reductions),
    Now - Before.

switch() ->
    ?assert(aldis_scan:native()),
    ok = application:set_env(aldis, native, false),
    Off = aldis_scan:native(),
    ok = application:unset_env(aldis, native),
    ?assertNot(Off),
    Root = filename:dirname(code:which(aldis_scan)),
    Loaded = os:cmd("ALDIS_NATIVE=0 erl -noshell -pa '" ++ Root ++ "' -eval 'io:format(\"~w\", [aldis_scan:native()]), halt().'"),
    ?assertEqual("false", Loaded).

badarg() ->
    [
        ?assertError(badarg, aldis_scan_nif:legacy(Bin, Offset, Endian, Max))
     || {Bin, Offset, Endian, Max} <- [{<<>>, 1, little, 1}, {<<>>, -1, big, 1}, {<<>>, 0, middle, 1}, {<<>>, 0, big, 1 bsl 32}, {[], 0, big, 1}]
    ],
    ?assertError(badarg, aldis_scan_nif:entries(<<>>, 1, 0)),
    ?assertError(badarg, aldis_scan_nif:entries(<<>>, 0, -1)).

%% Runs as they are, and so short that they end everywhere.
outside_of_the_vm() ->
    Checksums = [{3, 0, rand:bytes(Size)} || aldis_scan_nif:crc32(0, <<>>) =/= false, Size <- lists:seq(0, 400)],
    Cases = [random_case() || _ <- lists:seq(1, 20000)] ++ Checksums,
    Expected = [expected(Case) || Case <- Cases],
    ?assert(length([true || {Count, _, Next} <- Expected, Next > 100, Count > 20]) > 1000),
    [
        case sanitized:build("walk_check", Define) of
            none -> ok;
            Program -> ?assertEqual(Expected, walked(Program, Cases))
        end
     || Define <- ["", "-DRUN_MESSAGES=2", "-DRUN_MESSAGES=19"]
    ].

expected({3, _, Bin}) -> erlang:crc32(Bin);
expected({2, Count, Bin}) ->
    {Found, At} = plain_entries(Bin, 0, 0, Count),
    {Found, none, At};
expected({Endian, Max, Bin}) ->
    {Count, Id, Next, _} = aldis_scan:pure_legacy(Bin, 0, element(Endian + 1, {little, big}), Max),
    {Count, Id, Next}.

plain_entries(Bin, At, Found, Count) ->
    case Bin of
        <<_:At/binary, Size:32/little, _:Size/binary, _/binary>> when Found < Count -> plain_entries(Bin, At + 4 + Size, Found + 1, Count);
        _ -> {Found, At}
    end.

%% Mostly alike, then changed in a byte or cut.
random_case() ->
    Kind = rand:uniform(3) - 1,
    Usual = rand:uniform(6) - 1,
    Sizes = [case rand:uniform(30) of 1 -> rand:uniform(40); _ -> Usual end || _ <- lists:seq(1, rand:uniform(80))],
    Whole = << <<(field(Kind, I, Size))/binary, 0:(Size * 8)>> || {I, Size} <- lists:zip(lists:seq(1, length(Sizes)), Sizes)>>,
    Limit = case Kind of 2 -> length(Sizes) + rand:uniform(2) - 1; _ -> 30 + rand:uniform(20) end,
    {Kind, Limit, damaged(rand:uniform(3), Whole)}.

field(0, I, Size) -> <<I:64, Size:32/little>>;
field(1, I, Size) -> <<I:64, Size:32>>;
field(2, _, Size) -> <<Size:32/little>>.

damaged(1, Bin) ->
    Bin;
damaged(2, Bin) ->
    binary:part(Bin, 0, rand:uniform(byte_size(Bin) + 1) - 1);
damaged(3, Bin) ->
    At = rand:uniform(byte_size(Bin)) - 1,
    <<Before:At/binary, _, Behind/binary>> = Bin,
    <<Before/binary, (rand:uniform(256) - 1), Behind/binary>>.

walked(Program, Cases) ->
    Answer = sanitized:answer(Program, [[<<Kind, Limit:32, (byte_size(Bin)):32>>, Bin] || {Kind, Limit, Bin} <- Cases]),
    [answer(Case, Line) || {Case, Line} <- lists:zip(Cases, string:lexemes(Answer, "\n"))].

answer({3, _, _}, Line) ->
    list_to_integer(Line);
answer({Kind, _, Bin}, Line) ->
    [Count, Last, Next] = [list_to_integer(Number) || Number <- string:lexemes(Line, " ")],
    Id = case Kind < 2 andalso Count > 0 of
        true -> binary:part(Bin, Last, 8);
        false -> none
    end,
    {Count, Id, Next}.
