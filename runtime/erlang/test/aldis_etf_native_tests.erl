%% The check in C against the scan in Erlang: the same verdicts, inside of the VM and, with sanitizers, outside.
-module(aldis_etf_native_tests).

-include_lib("eunit/include/eunit.hrl").

%% Bytes on both sides of every border in UTF-8's table.
-define(BORDERS, [16#00, $a, 16#7F, 16#80, 16#8F, 16#90, 16#9F, 16#A0, 16#BF, 16#C0, 16#C1, 16#C2, 16#DF, 16#E0, 16#E1,
    16#EC, 16#ED, 16#EE, 16#EF, 16#F0, 16#F1, 16#F3, 16#F4, 16#F5, 16#FF]).
-define(ENDS, [16#7F, 16#80, 16#BF, 16#C0]).

%% Everything here needs the library; a machine without a C compiler has nothing to compare.
native_test_() ->
    case aldis_etf_nif:loaded() of
        false -> [?_assertNot(sanitized:buildable())];
        true -> [{timeout, 120, Test} || Test <- [fun switch/0, fun corpus/0, fun text/0, fun mutated/0, fun long/0, fun deep/0]]
    end.

switch() ->
    ?assertMatch({limits, _, _, _, _, _, true}, aldis_etf:limits(#{})),
    ?assertMatch({limits, _, _, _, _, _, false}, aldis_etf:limits(#{native => false})).

%% Limits may be made where the library is and used where it is not: a serializer's are compiled in. Here the modules lie
%% in a folder that is no application's.
without_test() ->
    Folder = string:trim(os:cmd("mktemp -d")),
    [{ok, _} = file:copy(code:which(Module), filename:join(Folder, atom_to_list(Module) ++ ".beam"))
     || Module <- [aldis_nif, aldis_etf, aldis_etf_nif, aldis_etf_scan, aldis_etf_text, aldis_etf_fault]],
    Limits = setelement(7, aldis_etf:limits(#{}), true),
    Run = io_lib:format("io:format(\"~~w\", [{aldis_etf_nif:loaded(), aldis_etf:decode(~w, ~w), aldis_etf:decode(~w, ~w)}]), halt().",
        [term_to_binary([1000, <<"a">>]), Limits, term_to_binary({1}), Limits]),
    Answer = os:cmd(io_lib:format("erl -noshell -pa ~ts -eval '~ts'", [Folder, Run])),
    ok = file:del_dir_r(Folder),
    ?assertEqual("{false,{ok,[1000,<<97>>]},{error,{bad_tag,1}}}", Answer).

agree(Frame) -> agree(Frame, aldis_etf:limits(#{})).

agree(Frame, Limits) ->
    Verdict = aldis_etf_scan:scan(Frame, Limits) =:= ok,
    case aldis_etf_nif:accepts(Frame, Limits) of
        Verdict -> Verdict;
        _ -> error({differ, Frame, Limits, Verdict})
    end.

corpus() ->
    Plain = [term_to_binary(Term, [{minor_version, Minor}]) || Term <- aldis_etf_tests:plain_terms(), Minor <- [1, 2]],
    [?assert(agree(Frame)) || Frame <- Plain],
    [agree(binary:part(Frame, 0, Size)) || Frame <- Plain, Size <- lists:seq(0, min(300, byte_size(Frame)))],
    [?assertNot(agree(Frame)) || {_, Frame, Code, _} <- aldis_etf_tests:refused(), Code =/= duplicate_key],
    [
        agree(Frame, aldis_etf:limits(Limits))
     || Frame <- Plain,
        Limits <- [#{max_nodes => N} || N <- [0, 1, 2, 5, 70]] ++ [#{max_depth => N} || N <- [0, 1, 2]] ++
            [#{max_integer_bytes => 4}, #{max_bytes => 20}, #{utf8 => false}]
    ],
    %% Beyond 64 bits it leaves the frame to the scan.
    ?assertNot(aldis_etf_nif:accepts(<<131, 106>>, aldis_etf:limits(#{max_nodes => 1 bsl 70}))).

%% Sequences of border bytes alone, within ASCII, and where many bytes are judged at once.
text() ->
    Around = [{<<>>, <<>>}, {<<"0123456789">>, <<"abcdef">>}, {binary:copy(<<"é"/utf8>>, 50), binary:copy(<<"x">>, 40)}],
    Triples = [<<A, B, C>> || A <- ?BORDERS, B <- ?BORDERS, C <- ?BORDERS],
    Quads = [<<A, B, C, D>> || A <- [16#EF, 16#F0, 16#F1, 16#F3, 16#F4, 16#F5], B <- ?BORDERS, C <- ?ENDS, D <- ?ENDS],
    Good = [Bytes || Bytes <- Triples ++ Quads, {Before, Behind} <- Around, agree(term_to_binary(<<Before/binary, Bytes/binary, Behind/binary>>))],
    ?assert(length(Good) > 1000),
    %% The end of a text, at every distance from where the wide check begins.
    Cut = binary:copy(<<"aé東\x{1F308}"/utf8>>, 30),
    [agree(term_to_binary([binary:part(Cut, 0, Size), <<>>])) || Size <- lists:seq(0, byte_size(Cut))].

mutated() ->
    Frames = aldis_etf_prop_tests:mutations(100000),
    Verdicts = [agree(Frame) || Frame <- Frames],
    ?assert(length([true || true <- Verdicts]) > 100),
    %% Runs as they are, and so short that they end everywhere.
    [
        case sanitized:build("etf_check", Define) of
            none -> ok;
            Program -> ?assertEqual([$0 + length([1 || V]) || V <- Verdicts], outside(Program, Frames))
        end
     || Define <- ["", "-DRUN_TERMS=2", "-DRUN_TERMS=7"]
    ].

outside(Program, Frames) -> sanitized:answer(Program, [[<<(byte_size(Frame)):32>>, Frame] || Frame <- Frames]).

%% Frames of several runs, with what is wrong in the last one.
long() ->
    Limits = aldis_etf:limits(#{max_nodes => 1 bsl 40, max_bytes => 1 bsl 40}),
    Text = binary:copy(<<"東京 is 13 bytes"/utf8>>, 200000),
    Many = lists:duplicate(200000, [1.5, <<"a">>, nil]),
    [
        begin
            Frame = term_to_binary([Term, #{Text => Term}, <<"end">>]),
            ?assert(agree(Frame, Limits)),
            ?assertNot(agree(binary:part(Frame, 0, byte_size(Frame) - 1), Limits)),
            ?assertNot(agree(<<(binary:part(Frame, 0, byte_size(Frame) - 2))/binary, 200, 106>>, Limits))
        end
     || Term <- [Text, Many, [Text, Many], lists:seq(1000, 300000)]
    ],
    %% Each makes a dozen runs or more, and all runs are charged for: rows of numbers too, which are read fast.
    Integers = lists:seq(1000, 1000000),
    [?assert(charged(term_to_binary(Term), Limits) > 10000) || Term <- [Many, Integers, [I / 1 || I <- Integers], binary:copy(Text, 2)]].

charged(Frame, Limits) ->
    {reductions, Before} = process_info(self(), reductions),
    ?assert(aldis_etf_nif:accepts(Frame, Limits)),
    {reductions, Now} = process_info(self(), reductions),
    Now - Before.

%% Deeper than the check in C keeps track of.
deep() ->
    Nested = fun(N) -> term_to_binary(lists:foldl(fun(_, T) -> [T] end, [], lists:seq(1, N))) end,
    Limits = aldis_etf:limits(#{max_depth => 1000}),
    ?assert(aldis_etf_nif:accepts(Nested(128), Limits)),
    ?assertNot(aldis_etf_nif:accepts(Nested(129), Limits)),
    ?assertMatch({ok, _}, aldis_etf:decode(Nested(1000), Limits)),
    ?assertMatch({error, {too_deep, _}}, aldis_etf:decode(Nested(1001), Limits)).
