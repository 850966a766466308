-module(parking_tests).

-include_lib("eunit/include/eunit.hrl").
-include("parking_codec.hrl").

cars_that_left_are_gone_test() ->
    Records = [
        #'Entered'{ticket = 1, plate = <<"AB 123">>, gate = north, at = 1700000000000000000},
        #'Entered'{ticket = 2, plate = <<"CD 456">>, gate = south, at = 1700000001000000000},
        #'Left'{ticket = 1, gate = north, at = 1700000002000000000, paid = 2.5}
    ],
    Bytes = iolist_to_binary([sent(Record) || Record <- Records]),
    {First, Second} = split_binary(Bytes, 70),
    {ok, Park} = parking:feed(First, parking:new()),
    {ok, Later} = parking:feed(Second, Park),
    ?assertEqual([<<"CD 456">>], parking:cars(Later)).

broken_streams_are_errors_test() ->
    ?assertMatch({error, {frame_too_small, 3, _}}, parking:feed(<<3:32/little, 0:32>>, parking:new())).

plates_that_are_not_utf8_are_refused_test() ->
    Wrong = #'Entered'{ticket = 1, plate = <<255>>, gate = north, at = 0},
    ?assertMatch({error, {bad_text, _, <<"plate">>}, _}, aldis_stream:records(fun parking_codec:decode/1,
        iolist_to_binary(sent(Wrong)), aldis_stream:new(fbe, 65536))).

sent(Record) ->
    {ok, Io} = aldis_stream:send(fun parking_codec:encode/1, Record, fbe),
    Io.
