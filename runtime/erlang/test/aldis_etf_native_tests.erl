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
        true -> [{timeout, 300, Test} || Test <- [fun switch/0, fun corpus/0, fun text/0, fun mutated/0, fun own/0, fun written/0, fun outside/0, fun borders/0, fun rows/0, fun long/0, fun deep/0]]
    end.

switch() ->
    ?assertMatch({limits, _, _, _, _, _, true}, aldis_etf:limits(#{})),
    ?assertMatch({limits, _, _, _, _, _, false}, aldis_etf:limits(#{native => false})).

%% Limits may be made where the library is and used where it is not: a serializer's are compiled in. Here the modules lie
%% in a folder that is no application's.
without_test_() -> {timeout, 60, fun without/0}.

without() ->
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

%% Frames of our own, damaged: what is accepted is a term that the walk in Erlang takes for data too.
own() ->
    Seeds = list_to_tuple([term_to_binary(Term, [{minor_version, Minor}]) || Minor <- [1, 2], Term <- aldis_etf_tests:plain_terms() ++
        [#{0 => <<"a">>, s => [ok, {bytes, <<255>>}], 1 bsl 40 => 1.5}, #{a => #{'__struct__' => 'Elixir.Date'}}, [{1, 2}, self()], #{1.5 => 1}]]),
    Frames = [aldis_etf_prop_tests:mutate(Seeds) || _ <- lists:seq(1, 100000)],
    Verdicts = [aldis_etf_nif:is_plain(Frame, true) || Frame <- Frames],
    ?assert(length([true || true <- Verdicts]) > 1000),
    [
        case plain(Frame) of
            Verdict -> ok;
            %% Keys that stand twice, which the VM never writes, and atoms that are no UTF-8, are no matter of this check.
            no_term -> ok;
            %% It left this frame to the walk.
            true when not Verdict -> ok;
            _ -> error({differ, Frame, Verdict})
        end
     || {Frame, Verdict} <- lists:zip(Frames, Verdicts)
    ],
    [
        case sanitized:build("etf_check", "-DOWN " ++ Define) of
            none -> ok;
            Program -> ?assertEqual([$0 + length([1 || V]) || V <- Verdicts], outside(Program, Frames))
        end
     || Define <- ["", "-DRUN_TERMS=3"]
    ].

plain(Frame) ->
    try binary_to_term(Frame) of
        Term -> aldis_etf_plain:is_plain(Term)
    catch
        error:badarg -> no_term
    end.

outside(Program, Frames) -> sanitized:answer(Program, [[<<(byte_size(Frame)):32>>, Frame] || Frame <- Frames]).

%% Terms written in C: what is written is the term, and only what the walk in Erlang takes for data is.
written() ->
    ?assert(proper:quickcheck(written_as_it_is(), [{numtests, 20000}, {to_file, user}, quiet])),
    %% Terms that are near to data.
    Frames = [Frame || Frame <- aldis_etf_prop_tests:mutations(50000), byte_size(Frame) < 600],
    Terms = lists:append([terms(Frame) || Frame <- Frames]),
    ?assert(length([1 || Term <- Terms, is_binary(as_it_is(Term))]) > 1000).

%% The same walk with sanitizers: it writes what it writes in the VM, and neither reads nor writes beyond an end.
outside() ->
    Rows = [#{<<"id">> => I, name => <<"grün"/utf8>>, <<"none">> => nil, at => [I, 1.5]} || I <- lists:seq(1, 30)],
    Seeds = list_to_tuple([term_to_binary(Term, [{minor_version, 2}]) || Term <- aldis_etf_tests:plain_terms() ++
        [Rows, #{rows => Rows}, lists:sublist(Rows, 3), #{0 => <<"a">>, s => [ok, {bytes, <<255>>}], 1 bsl 40 => 1.5}, #{a => #{'__struct__' => 'Elixir.Date'}}, {1, 2}]]),
    Large = [term_to_binary(Term, [{minor_version, 2}]) || Term <- [lists:append(lists:duplicate(N, Rows)) || N <- [1, 20, 60]] ++
        %% Each kind of part where a frame of 128, of 256 or of 65,536 bytes ends.
        [[binary:copy(<<"a">>, N), Part] || N <- lists:seq(50, 260) ++ lists:seq(65450, 65540), Part <- parts()] ++ [lists:seq(1, 100000), nested(99), nested(101)]],
    Frames = [aldis_etf_prop_tests:mutate(Seeds) || _ <- lists:seq(1, 20000)] ++ Large,
    Options = ["", "-DSHARED", "-DMOST_PARTS=20 -DLARGEST_FRAME=128 -DSHARED", "-DMOST_PARTS=1000 -DLARGEST_FRAME=256"],
    [outside(Program, Define, Frames) || Define <- Options, Program <- [sanitized:build("write_check", Define)], Program =/= none].

outside(Program, Define, Frames) ->
    Answers = sanitized:answer(Program, [[<<(byte_size(Frame)):32>>, Frame] || Frame <- Frames]),
    ?assertEqual({Define, length(Frames), []}, {Define, length(Answers), lists:usort(Answers) -- "wnl-"}),
    ?assert(length([1 || $w <- Answers]) > 1000),
    _ = [?assertEqual({[], Frame}, {[Answer || Term <- terms(Frame), differs(Answer, aldis_etf_nif:encode(Term, true))], Frame})
     || Define =:= "", {Answer, Frame} <- lists:zip(Answers, Frames), Answer =/= $-].

%% The part that gives a term up depends on the order of a map's keys.
differs(Answer, Written) -> (Answer =:= $w) =/= is_binary(Written).

parts() ->
    Atom = list_to_atom(lists:duplicate(60, $a)),
    [Atom, 1 bsl 62, 1.5, <<"text">>, [], [1, 2], [1000], #{Atom => 1}, #{<<"k">> => 1}, {bytes, <<"b">>}].

nested(N) -> lists:foldl(fun(_, T) -> #{0 => T} end, 1, lists:seq(1, N)).

terms(Frame) ->
    try [binary_to_term(Frame, [safe])]
    catch error:badarg -> []
    end.

written_as_it_is() ->
    proper:forall(
        proper_types:resize(12, proper_types:oneof([aldis_etf_prop_tests:value(), proper_types:any()])),
        fun(Term) -> as_it_is(Term) =/= wrong end
    ).

as_it_is(Term) ->
    case {aldis_etf_nif:encode(Term, true), aldis_etf_nif:encode(Term, false), data(Term, #{}), data(Term, #{utf8 => false})} of
        {Frame, Frame, true, true} when is_binary(Frame) ->
            Term = binary_to_term(Frame),
            true = aldis_etf_nif:is_plain(Frame, true),
            Frame;
        {large, large, _, _} -> large;
        {false, Frame, false, true} when is_binary(Frame) -> Frame;
        {false, false, false, false} -> false;
        %% The part that is no data lies behind the place where it gave up, or the other way round.
        {large, false, _, false} -> false;
        {false, large, false, _} -> false;
        _ -> error({wrong, Term})
    end.

data(Term, Options) ->
    try
        Term =:= aldis_etf_plain:convert(Term, Options)
    catch
        error:{badarg, _, _} -> false
    end.

%% Sizes and numbers at which one form ends and another begins, and where this way of writing does.
borders() ->
    Integers = [N * Sign + More || N <- [0, 255, 1 bsl 31, 1 bsl 32, 1 bsl 59, 1 bsl 63, 1 bsl 64, 1 bsl 100], Sign <- [1, -1], More <- [-1, 0, 1]],
    [?assert(is_binary(as_it_is(N)) =:= (N >= -(1 bsl 63) andalso N < 1 bsl 63)) || N <- Integers],
    [?assertEqual(Frame, aldis_etf:encode(Term)) || Term <- Integers, Frame <- [term_to_binary(Term)]],
    Lists = [lists:seq(0, N) || N <- [0, 20, 46, 47, 255, 256]],
    [?assertEqual(List, binary_to_term(aldis_etf:encode(List))) || List <- Lists],
    ?assertEqual(<<131, 107, 0, 3, 1, 2, 255>>, aldis_etf_nif:encode([1, 2, 255], true)),
    [?assert(is_binary(as_it_is(T)) =:= (byte_size(T) < 65536)) || N <- [0, 1, 3, 4, 7, 8, 16, 17, 63, 64, 65, 767, 5000, 65535, 65536], T <- [binary:copy(<<"a">>, N)]],
    Atoms = [list_to_atom(lists:duplicate(N, $a)) || N <- [0, 1, 20, 21, 22, 23, 59, 60, 61, 255]] ++ ['grün', '東京', nil, true],
    [?assertEqual(Term, binary_to_term(aldis_etf:encode(Term))) || Atom <- Atoms, Term <- [Atom, [Atom, Atom], #{Atom => Atom}]],
    %% Atoms whose places in the memory of one walk are the same.
    Many = [list_to_atom("many_" ++ integer_to_list(N)) || N <- lists:seq(1, 48)],
    ?assertEqual(Many, binary_to_term(as_it_is(Many))),
    %% Nested as deep as a term may be, and one deeper; more pairs, items and bytes than are written here.
    [?assert(is_binary(as_it_is(nested(N))) =:= Small) || {N, Small} <- [{100, true}, {101, false}]],
    [?assert(is_binary(as_it_is(maps:from_list([{I, I} || I <- lists:seq(1, N)]))) =:= Small) || {N, Small} <- [{40, true}, {41, false}]],
    [?assert(is_binary(as_it_is(lists:seq(1, N))) =:= Small) || {N, Small} <- [{48, true}, {49, true}, {50, false}]],
    Full = maps:from_list([{binary:copy(<<N>>, 15), binary:copy(<<"a">>, 100 * N)} || N <- lists:seq(1, 40)]),
    ?assertEqual(Full, binary_to_term(aldis_etf:encode(Full))),
    ?assertEqual(large, aldis_etf_nif:encode([<<"a">>, {bytes, binary:copy(<<0>>, 65536)}], true)),
    [?assertEqual(false, aldis_etf_nif:encode(Term, true)) || Term <- [#{'__struct__' => a}, [1 | 2], {bytes, 1}, {1, 2}, self(), <<1:3>>, #{1.5 => 1}, <<255>>, #{<<255>> => 1}, fun hd/1]].

%% Rows of data are written here up to a size; a struct, or text that is none, in the last one is seen.
rows() ->
    Row = fun(I, Note) -> #{<<"id">> => I, <<"a key of more than twenty bytes">> => 1.5, name => <<"grün"/utf8>>, note => Note} end,
    Rows = fun(N, Last) -> [Row(I, nil) || I <- lists:seq(1, N - 1)] ++ [Row(N, Last)] end,
    [?assert(is_binary(as_it_is(#{rows => Rows(N, nil)})) =:= Small) || {N, Small} <- [{1, true}, {9, true}, {300, true}, {1000, false}, {10000, false}]],
    [?assertEqual(false, aldis_etf_nif:encode(#{rows => Rows(300, Wrong)}, true)) || Wrong <- [<<255>>, #{'__struct__' => a}, {1, 2}]],
    %% An atom's name as a value is no key.
    ?assertEqual(false, aldis_etf_nif:encode([#{a => '__struct__'}, #{'__struct__' => a}], true)),
    ?assertEqual(['__struct__'], binary_to_term(as_it_is(['__struct__']))).

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
