%% @doc The short way into messages and the long way give the same, or the short way gives up.
-module(aldis_direct_tests).

-include_lib("eunit/include/eunit.hrl").

-define(LISTS, [
    undefined, [], [undefined], [<<>>], [<<"a">>, undefined, <<"1234567">>, <<"12345678">>, <<"123456789">>],
    [<<"12345678">>], [<<>>, <<"1234567">>], [<<"12345678">>, undefined], [<<N:N/unit:8>> || N <- lists:seq(0, 40)]
]).

%% A message whose root is a list of pointers, from what writers of the short way add.
message(undefined, _) -> <<0:64>>;
message(List, Added) ->
    Segment = <<1:32/little, (length(List) bsl 3 bor 6):32/little, Added/binary>>,
    <<0:32, (byte_size(Segment) div 8):32/little, Segment/binary>>.

lists_of_texts_go_there_and_back_test() ->
    [?assertEqual(List, read(fun aldis_direct:texts/5, List, aldis_direct:put_texts(List, <<>>))) || List <- ?LISTS].

lists_of_bytes_go_there_and_back_test() ->
    [?assertEqual(List, read(fun aldis_direct:byte_lists/5, List, aldis_direct:put_byte_lists(List, <<>>))) || List <- ?LISTS].

read(Read, List, Added) ->
    Message = message(List, Added),
    {Low, High} = case Message of
        <<_:64, L:32/little, H:32/little, _/binary>> -> {L, H};
        _ -> {0, 0}
    end,
    {Values, Left} = Read(Low, High, Message, 16, byte_size(Message)),
    ?assert(Left >= 0),
    Values.

words_are_told_before_they_are_written_test() ->
    [
        begin
            ?assertEqual(byte_size(aldis_direct:put_texts(List, <<>>)), 8 * aldis_direct:texts_words(List)),
            ?assertEqual(byte_size(aldis_direct:put_byte_lists(List, <<>>)), 8 * aldis_direct:byte_lists_words(List))
        end
        || List <- ?LISTS
    ].

what_is_no_binary_is_not_written_test() ->
    ?assertError(_, aldis_direct:put_texts([[$a]], <<>>)),
    ?assertError(_, aldis_direct:texts_words([1])),
    ?assertError(_, aldis_direct:put_byte_lists([<<1>> | improper], <<>>)).

numbers_end_with_a_word_test() ->
    [?assertEqual(0, byte_size(aldis_direct:padded(<<1:64, 0:N/unit:8>>)) rem 8) || N <- lists:seq(0, 17)].

%% A number costs a word, and one more is for the last word of the list.
numbers_are_paid_for_before_they_are_read_test() ->
    Message = <<0:64, 1:32/little, (3 bsl 3 bor 4):32/little, 1:32/little, 2:32/little, 3:32/little, 0:32>>,
    Read = fun(Code, Count, Budget) -> aldis_direct:numbers(4, Code, 1, Count bsl 3 bor 4, Message, 16, Budget) end,
    ?assertEqual({<<1:32/little, 2:32/little, 3:32/little>>, 0}, Read(4, 3, 4)),
    ?assertError(_, Read(4, 3, 3)),
    %% Numbers of another size, and more than there are.
    ?assertError(_, Read(5, 3, 100)),
    ?assertError(_, Read(4, 5, 100)).

text_needs_its_zero_byte_and_its_bytes_test() ->
    ?assertEqual(<<"ab">>, aldis_direct:text(1, 3 bsl 3 bor 2, <<0:64, "ab", 0, 0:40>>, 8)),
    ?assertError(_, aldis_direct:text(1, 3 bsl 3 bor 2, <<0:64, "abc", 0:40>>, 8)),
    ?assertError(_, aldis_direct:text(1, 9 bsl 3 bor 2, <<0:64, "ab", 0, 0:40>>, 8)),
    %% No text at all, not even a zero byte; another kind; bytes of another size; backward.
    ?assertError(_, aldis_direct:text(1, 2, <<0:64, 0:64>>, 8)),
    ?assertError(_, aldis_direct:text(2, 3 bsl 3 bor 2, <<0:64, "ab", 0, 0:40>>, 8)),
    ?assertError(_, aldis_direct:text(1, 3 bsl 3 bor 3, <<0:64, "ab", 0, 0:40>>, 8)),
    ?assertError(_, aldis_direct:text(16#FFFFFFFD, 3 bsl 3 bor 2, <<"ab", 0, 0:40, 0:64>>, 16)).

%% Texts may share their bytes only as far as the budget goes: a text of a word costs 5, its pointer 4 of them.
a_budget_below_zero_ends_lists_test() ->
    Texts = [<<"1234567">>, <<"1234567">>],
    <<_:64, Low:32/little, High:32/little, _/binary>> = Message = message(Texts, aldis_direct:put_texts(Texts, <<>>)),
    ?assertMatch({Texts, 0}, aldis_direct:texts(Low, High, Message, 16, 10)),
    ?assertError(_, aldis_direct:texts(Low, High, Message, 16, 9)).

%% A root of one word, read by whichever way is asked.
direct(Low, 1, Bin, At, Budget) when Low band 3 =:= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, Number:64/little, _/binary>> = Bin,
    {{direct, Number}, Budget - 1}.

long(Bin, At, Size, _, _, _, Budget, _) ->
    <<_:At/binary, Number:Size/little-unit:8, _/binary>> = Bin,
    {{long, Number}, Budget}.

decode(Bin) -> aldis_direct:decode(fun direct/5, fun long/8, Bin).

what_the_short_way_takes_test() ->
    Message = <<0:32, 2:32/little, 0:32, 1:32/little, 7:64/little>>,
    ?assertEqual({ok, {direct, 7}, <<>>}, decode(Message)),
    ?assertEqual({ok, {direct, 7}, <<"more">>}, decode(<<Message/binary, "more">>)),
    Large = <<0:32, 4097:32/little, 0:32, 1:32/little, 7:64/little, 0:4095/unit:64>>,
    ?assertEqual({ok, {direct, 7}, <<>>}, decode(Large)).

what_goes_the_long_way_test() ->
    %% Two words of data; a root behind a landing pad in another segment; null.
    ?assertEqual({ok, {long, 7}, <<>>}, decode(<<0:32, 3:32/little, 0:32, 2:32/little, 7:64/little, 0:64>>)),
    Far = <<1:32/little, 1:32/little, 2:32/little, 0:32, 2:32/little, 1:32/little, 0:32, 1:32/little, 7:64/little>>,
    ?assertEqual({ok, {long, 7}, <<>>}, decode(Far)),
    ?assertEqual({ok, {long, 0}, <<>>}, decode(<<0:32, 1:32/little, 0:64>>)),
    ?assertMatch({error, {truncated, _, _}}, decode(<<0:32, 3:32/little, 0:32, 1:32/little, 7:64/little>>)),
    ?assertMatch({error, _}, decode(<<>>)),
    ?assertMatch({error, {bad_value, '-', _}}, decode(no_binary)).

sections_are_joined_in_their_order_test() ->
    [
        begin
            Sections = [<<N:64>> || N <- lists:seq(1, Count)],
            Message = iolist_to_binary([<<0:32, 7:32/little>>, <<"head">>, Sections, <<"rest">>]),
            Joined = aldis_direct:joined(7, <<"head">>, lists:reverse(Sections), <<"rest">>),
            ?assertEqual(Message, iolist_to_binary(Joined)),
            Longer = aldis_direct:joined(7, <<"head">>, lists:reverse(Sections), <<"rest">>, Blob, <<0:32>>),
            ?assertEqual(<<Message/binary, Blob/binary, 0:32>>, iolist_to_binary(Longer))
        end
     || Count <- lists:seq(0, 10), Blob <- [<<>>, <<"blob">>, <<0:(2000 * 8)>>]
    ].
