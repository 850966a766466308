-module(aldis_nil_tests).

-include_lib("eunit/include/eunit.hrl").

null_is_nil_in_both_directions_test() ->
    ?assertEqual({nil, 9}, aldis_nil:text(0, 0, <<>>, 0, none, 1, 9, [])),
    ?assertEqual({nil, 9}, aldis_nil:utf8(0, 0, <<>>, 0, none, 1, 9, [])),
    ?assertEqual({0, 0, [], 7}, aldis_nil:text(nil, 3, 7, [])),
    ?assertEqual(nil, aldis_nil:optional(nan)).

%% A codec whose null is `nil' has no other.
undefined_is_no_null_test() ->
    Wrong = {aldis_fault, bad_value, none, [a]},
    ?assertThrow(Wrong, aldis_nil:text(undefined, 3, 7, [a])),
    ?assertThrow(Wrong, aldis_nil:voids([undefined], 3, 7, [a])),
    ?assertThrow({aldis_fault, bad_value, none, _}, aldis_nil:direct_texts_words(undefined)),
    ?assertError({badmatch, true}, aldis_nil:direct_texts_words([undefined])).

lists_of_texts_may_hold_null_test() ->
    Texts = [<<"a">>, nil, <<"12345678">>],
    Put = aldis_nil:direct_put_texts(Texts, <<>>),
    ?assertEqual(8 * aldis_nil:direct_texts_words(Texts), byte_size(Put)),
    %% The list's pointer: a list of pointers that begins right behind it.
    {Read, _} = aldis_nil:direct_texts(1, (3 bsl 3) bor 6, Put, 0, 1000),
    ?assertEqual(Texts, Read).
