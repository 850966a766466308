-module(aldis_heap_tests).
-include_lib("eunit/include/eunit.hrl").

-define(LARGE, <<0:(8 * 16#10000)>>).

%% The least heap sizes before reading, while `Words' words are asked for, and after it, in a process of these options.
sizes(Options, Input, Words) -> sizes(Options, Input, byte_size(Input), Words).

%% The same for so many bytes, or elements, in the input.
sizes(Options, Input, Bytes, Words) ->
    Self = self(),
    spawn_opt(
        fun() ->
            Least = fun() -> element(2, process_info(self(), min_heap_size)) end,
            First = Least(),
            Before = aldis_heap:enter(Input),
            ok = aldis_heap:reserve(Bytes, Words),
            During = Least(),
            ok = aldis_heap:leave(Before),
            Self ! {sizes, First, During, Least()}
        end,
        Options
    ),
    receive {sizes, First, During, After} -> {First, During, After} after 60000 -> error(timeout) end.

room_is_asked_for_and_given_back_test() ->
    {First, During, After} = sizes([], ?LARGE, 100000),
    ?assert(During >= 100000),
    ?assertEqual(First, After).

small_inputs_change_nothing_test() ->
    {First, During, After} = sizes([], <<0:800>>, 100000),
    ?assertEqual({First, First}, {During, After}).

elements_without_bytes_in_small_inputs_change_nothing_test() ->
    {First, During, After} = sizes([], <<0:800>>, 100000, 200000),
    ?assertEqual({First, First}, {During, After}).

a_process_has_its_own_size_back_test() ->
    {First, During, After} = sizes([{min_heap_size, 1000000}], ?LARGE, 100000),
    ?assert(First >= 1000000 andalso During >= First),
    ?assertEqual(First, After).

%% A least size above the limit would end it.
a_limited_process_is_left_alone_test() ->
    {First, During, After} = sizes([{max_heap_size, 50000}], ?LARGE, 100000),
    ?assertEqual({First, First}, {During, After}).

what_is_no_binary_is_none_test() ->
    [?assertEqual(none, aldis_heap:enter(Input)) || Input <- [foo, [], <<1:3>>, <<0:(8 * 16#10000 + 1)>>]].
