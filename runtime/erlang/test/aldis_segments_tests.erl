-module(aldis_segments_tests).

-include_lib("eunit/include/eunit.hrl").

fault(Fun) ->
    try Fun() of
        Result -> Result
    catch
        throw:{aldis_fault, Code, {at, At}, _} -> {Code, At};
        throw:{aldis_fault, Code, Place, _} -> {Code, Place}
    end.

open(Bin) -> fault(fun() -> aldis_segments:open(Bin) end).

table_test() ->
    One = <<1:64>>,
    ?assertEqual({One, {{One}, {8}}, <<"rest">>}, open(<<0:32, 1:32/little, One/binary, "rest">>)),
    %% The table of two segments takes two words, and the last half of them is anything.
    ?assertEqual({One, {{One, <<2:128>>}, {16, 24}}, <<>>},
        open(<<1:32/little, 1:32/little, 2:32/little, 77:32, One/binary, 2:128>>)),
    ?assertEqual({One, {{One, <<>>, One}, {16, 24, 24}}, <<>>},
        open(<<2:32/little, 1:32/little, 0:32/little, 1:32/little, One/binary, One/binary>>)).

table_faults_test() ->
    ?assertEqual({truncated, 0}, open(<<>>)),
    ?assertEqual({truncated, 4}, open(<<0:32>>)),
    ?assertEqual({truncated, 12}, open(<<1:32/little, 1:32/little, 1:32/little>>)),
    ?assertEqual({truncated, 4}, open(<<0:32, 2:32/little, 0:64>>)),
    ?assertEqual({truncated, 8}, open(<<0:32, 0:32>>)),
    ?assertEqual({bad_count, 0}, open(<<511:32/little>>)),
    ?assertEqual({bad_count, 0}, open(<<-1:32/little, 0:4096>>)),
    ?assertEqual({bad_value, none}, open(atom)),
    ?assertEqual({truncated, 0}, fault(fun() -> aldis_segments:open_flat(<<0:56>>) end)).

%% Values that end beyond an element of a list of numbers are not there, nor is what lies behind them.
sections_test() ->
    Bin = <<1, 2, 3, 4, 5, 6, 7, 8, 11:64/little, 12:64/little>>,
    ?assertEqual(<<1, 2, 3, 4, 5, 6, 7, 8, 0:64, 11:64/little, 0:64>>, aldis_segments:sections(Bin, 0, 8, 1, 16, 2, [])),
    ?assertEqual(<<11:64/little>>, aldis_segments:sections(Bin, 0, 8, 2, 0, 1, [])),
    ?assertEqual(<<>>, aldis_segments:sections(Bin, 0, 8, 2, 0, 0, [])),
    ?assertEqual(<<3, 0:56>>, aldis_segments:sections(Bin, 2, 1, 0, 8, 0, [{1, 1}, {2, 2}])),
    ?assertEqual(<<0:64>>, aldis_segments:sections(Bin, 2, 1, 0, 8, 0, [{0, 2}])),
    ?assertEqual(<<3, 0:56>>, aldis_segments:sections(Bin, 2, 2, 0, 8, 0, [{1, 4}])).

%%% Pointers

text(Segments) -> text(Segments, 1000).

text([First | _] = Segments, Budget) ->
    Starts = list_to_tuple([0 || _ <- Segments]),
    <<Low:32/signed-little, High:32/little, _/binary>> = First,
    fault(fun() ->
        aldis_pointer:text(Low, High, First, 0, {list_to_tuple(Segments), Starts}, 1, Budget, [])
    end).

list(Offset, Code, Count) -> <<((Offset bsl 2) + 1):32/little, ((Count bsl 3) + Code):32/little>>.

far(Double, Words, Segment) -> <<((Words bsl 3) + Double * 4 + 2):32/little, Segment:32/little>>.

near_test() ->
    Hi = <<"hi", 0, 0:40>>,
    ?assertEqual({<<"hi">>, 992}, text([<<(list(0, 2, 3))/binary, Hi/binary>>])),
    ?assertEqual({undefined, 1000}, text([<<0:64>>])),
    ?assertEqual({<<>>, 992}, text([<<(list(0, 2, 1))/binary, 0:64>>])),
    ?assertEqual({bad_value, 0}, text([<<(list(0, 2, 2))/binary, Hi/binary>>])),
    ?assertEqual({bad_value, 0}, text([<<(list(0, 2, 0))/binary, Hi/binary>>])),
    ?assertEqual({bad_value, 0}, text([<<(list(0, 3, 1))/binary, Hi/binary>>])),
    ?assertEqual({bad_value, 0}, text([<<3:32/little, 0:32>>])),
    ?assertEqual({bad_value, 0}, text([<<7:32/little, 0:32>>])),
    ?assertEqual({bad_count, 0}, text([<<(list(0, 2, 9))/binary, Hi/binary>>])),
    ?assertEqual({bad_pointer, 0}, text([<<(list(2, 2, 3))/binary, Hi/binary>>])),
    ?assertEqual({bad_pointer, 0}, text([<<(list(-2, 2, 3))/binary, Hi/binary>>])),
    ?assertEqual({too_large, 0}, text([<<(list(0, 2, 3))/binary, Hi/binary>>], 7)).

far_test() ->
    Hi = <<"hi", 0, 0:40>>,
    Pad = <<(list(0, 2, 3))/binary, Hi/binary>>,
    ?assertEqual({<<"hi">>, 984}, text([far(0, 0, 1), Pad])),
    ?assertEqual({<<"hi">>, 984}, text([<<(far(0, 1, 0))/binary, Pad/binary>>])),
    %% Two words: where the text is, and what it is.
    Double = <<0:64, (far(0, 0, 2))/binary, (list(5, 2, 3))/binary>>,
    ?assertEqual({<<"hi">>, 976}, text([far(1, 1, 1), Double, Hi])),
    ?assertEqual({bad_pointer, 0}, text([far(0, 0, 2), Pad])),
    ?assertEqual({bad_pointer, 0}, text([far(0, 2, 1), Pad])),
    ?assertEqual({bad_pointer, 0}, text([far(1, 2, 1), Double, Hi])),
    ?assertEqual({bad_value, 0}, text([far(0, 0, 1), far(0, 0, 1)])),
    ?assertEqual({bad_value, 0}, text([far(0, 0, 1), <<0:64>>])),
    ?assertEqual({bad_value, 0}, text([far(1, 0, 1), Pad])).

lists(Kind, Words) ->
    <<Low:32/signed-little, High:32/little, _/binary>> = Bin = iolist_to_binary(Words),
    Rest = [Low, High, Bin, 0, {{Bin}, {0}}, 1, 1000, []],
    fault(fun() ->
        case Kind of
            {numbers, Width} -> element(1, apply(aldis_pointer, numbers, [Width | Rest]));
            records -> element(1, apply(aldis_pointer, records, [fun place/8, 2, {[], []} | Rest]));
            _ -> apply(aldis_pointer, Kind, Rest)
        end
    end).

%% A reader that gives where it is asked to read.
place(_, At, Size, Count, _, Depth, Budget, _) -> {{At, Size, Count, Depth}, Budget}.

%% Sizes that an older or newer writer chose.
upgrades_test() ->
    Tag = <<(2 bsl 2):32/little, 1:16/little, 1:16/little>>,
    Composite = [list(0, 7, 4), Tag, <<5:64/little, 0:64, 6:64/little, 0:64>>],
    ?assertEqual(<<5, 6>>, lists({numbers, 1}, Composite)),
    ?assertEqual(<<5:32/little, 6:32/little>>, lists({numbers, 4}, Composite)),
    ?assertEqual(<<1, 2>>, lists({numbers, 1}, [list(0, 3, 2), <<1:16/little, 2:16/little, 0:32>>])),
    ?assertEqual({bad_value, 0}, lists({numbers, 2}, [list(0, 2, 2), <<1, 2, 0:48>>])),
    ?assertEqual({bad_value, 0}, lists({numbers, 1}, [list(0, 6, 1), <<0:64>>])),
    ?assertEqual({bad_value, 0}, lists(bits, Composite)),
    ?assertEqual([{16, 8, 1, 3}, {32, 8, 1, 3}], lists(records, Composite)),
    ?assertEqual([{8, 2, 0, 3}, {10, 2, 0, 3}, {12, 2, 0, 3}], lists(records, [list(0, 3, 3), <<0:64>>])),
    ?assertEqual([{8, 0, 1, 3}], lists(records, [list(0, 6, 1), <<0:64>>])),
    ?assertEqual({bad_value, 0}, lists(records, [list(0, 1, 1), <<0:64>>])),
    ?assertMatch({_, 24, 2, 16, _}, lists(pointers, Composite)),
    ?assertEqual({bad_value, 0}, lists(pointers, [list(0, 5, 1), <<0:64>>])),
    ?assertMatch({[undefined, undefined], _}, lists(voids, Composite)),
    ?assertMatch({[true, false, true, true, false, false, false, false, true], _},
        lists(bits, [list(0, 1, 9), <<2#1101, 1, 0:48>>])).

composite_faults_test() ->
    Tag = fun(Count, Data, Low) -> <<((Count bsl 2) + Low):32/little, Data:16/little, 0:16>> end,
    ?assertEqual({bad_count, 8}, lists(records, [list(0, 7, 1), Tag(2, 1, 0), <<0:64>>])),
    ?assertEqual({bad_value, 8}, lists(records, [list(0, 7, 1), Tag(1, 1, 1), <<0:64>>])),
    ?assertEqual({bad_count, 0}, lists(records, [list(0, 7, 2), Tag(1, 1, 0), <<0:64>>])),
    ?assertEqual({too_large, 0}, lists(records, [list(0, 7, 0), Tag(1000, 0, 0)])),
    %% The topmost bit of the count is no part of it.
    ?assertEqual([{16, 8, 0, 3}], lists(records, [list(0, 7, 1), Tag(16#20000001, 1, 0), <<0:64>>])).

%% Many equal records of one byte each are read once.
bytes_as_records_test() ->
    Bin = iolist_to_binary([list(0, 2, 2048), lists:duplicate(1024, [7, 9])]),
    <<Low:32/signed-little, High:32/little, _/binary>> = Bin,
    Read = fun(Bytes, At, 1, 0, _, _, Budget, _) -> {binary:at(Bytes, At), Budget} end,
    {Values, 0} = aldis_pointer:records(Read, 2, {[], []}, Low, High, Bin, 0, {{Bin}, {0}}, 1, 2048, []),
    ?assertEqual(lists:append(lists:duplicate(1024, [7, 9])), Values),
    Voids = list(0, 0, 2048),
    <<Low0:32/signed-little, High0:32/little>> = Voids,
    Nothing = fun(_, 0, 0, 0, _, _, Budget, _) -> {nothing, Budget} end,
    ?assertEqual({lists:duplicate(2048, nothing), 1},
        aldis_pointer:records(Nothing, 2, {[], []}, Low0, High0, Voids, 0, {{Voids}, {0}}, 1, 2048 * 8 + 1, [])).

%%% Copies

canonical(Words) -> iolist_to_binary(aldis_object:canonical(iolist_to_binary(Words))).

canonical_test() ->
    Struct = fun(Offset, Data, Pointers) -> <<(Offset bsl 2):32/little, Data:16/little, Pointers:16/little>> end,
    ?assertEqual(<<0:64>>, canonical([<<0:64>>])),
    ?assertEqual(Struct(-1, 0, 0), canonical([Struct(0, 1, 1), <<0:128>>])),
    %% Zeros at the end are cut, gaps go, and what the pointer leads to stays with it.
    ?assertEqual(iolist_to_binary([Struct(0, 1, 1), <<7:64>>, list(0, 2, 1), <<0:64>>]),
        canonical([Struct(1, 2, 2), <<99:64>>, <<7:64, 0:64>>, list(1, 2, 1), <<0:64, 0:64>>])),
    %% Bits beyond the last element are zero.
    ?assertEqual(iolist_to_binary([list(0, 1, 3), <<2#101, 0:56>>]), canonical([list(0, 1, 3), <<2#11101, 255:56>>])),
    ?assertThrow({aldis_fault, bad_value, none, []}, canonical([<<3:32/little, 1:32/little>>])).

%% Elements of a list are all of one size, that of the largest.
canonical_list_test() ->
    Tag = fun(Count, Data, Pointers) -> <<(Count bsl 2):32/little, Data:16/little, Pointers:16/little>> end,
    Given = [list(0, 7, 6), Tag(2, 2, 1), <<1:64, 0:64, 0:64>>, <<2:64, 0:64, 0:64>>],
    ?assertEqual(iolist_to_binary([list(0, 7, 2), Tag(2, 1, 0), <<1:64, 2:64>>]), canonical(Given)),
    ?assertEqual(iolist_to_binary([list(0, 7, 0), Tag(0, 0, 0)]), canonical([list(0, 7, 0), Tag(0, 3, 1)])).

%%% Writing

words_test() ->
    ?assertEqual({0, 0, [], 5}, aldis_words:text(undefined, 0, 5, [])),
    {Low, High, Io, 7} = aldis_words:text("h\x{e9}llo w", 1, 5, []),
    ?assertEqual({(3 bsl 2) + 1, (9 bsl 3) + 2, <<"h", 195, 169, "llo w", 0, 0:56>>}, {Low, High, iolist_to_binary(Io)}),
    {_, Bits, Bytes, 1} = aldis_words:bits([true, false, true], 0, 0, []),
    ?assertEqual({(3 bsl 3) + 1, <<2#101, 0:56>>}, {Bits, iolist_to_binary(Bytes)}),
    ?assertEqual({1, 5 bsl 3, <<>>, 1}, flat(aldis_words:voids(lists:duplicate(5, undefined), 0, 1, []))),
    ?assertThrow({aldis_fault, bad_value, none, [x]}, aldis_words:voids([1], 0, 1, [x])).

flat({Low, High, Io, End}) -> {Low, High, iolist_to_binary(Io), End}.
