-module(aldis_decimal_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-define(LARGEST, 79228162514264337593543950335).

text_test_() ->
    Texts = ["0", "1", "-1", "0.1", "1.10", "0.00", "-0.0", "79228162514264337593543950335", "-0.0000000000000000000000000001"],
    [?_assertEqual(list_to_binary(Text), round_trip(list_to_binary(Text))) || Text <- Texts].

round_trip(Text) ->
    {ok, Decimal} = aldis_decimal:from_text(Text),
    aldis_decimal:to_text(aldis_decimal:decode(aldis_decimal:encode(Decimal, []), [])).

exponent_test() ->
    ?assertEqual({ok, {decimal, 1, 1500, 0}}, aldis_decimal:from_text(<<"1.5e3">>)),
    ?assertEqual({ok, {decimal, -1, 15, 3}}, aldis_decimal:from_text(<<"-15E-3">>)),
    ?assertEqual({ok, {decimal, 1, 0, 0}}, aldis_decimal:from_text(<<"0e30">>)).

%% Zero is zero times whatever; only a scale that cannot be kept is refused.
zero_test() ->
    [?assertEqual({ok, {decimal, -1, 0, 0}}, aldis_decimal:from_text(<<"-0.00e", Exponent/binary>>))
        || Exponent <- [<<"2">>, <<"2147483648">>, <<"+999999999999">>, binary:copy(<<"9">>, 60)]],
    ?assertEqual({ok, {decimal, 1, 0, 28}}, aldis_decimal:from_text(<<"0.0e-27">>)),
    [?assertEqual(out_of_range, aldis_decimal:from_text(<<"0e-", Exponent/binary>>))
        || Exponent <- [<<"29">>, <<"2147483648">>, <<"2147483649">>, <<"999999999999">>]].

refused_test_() ->
    [?_assertEqual(out_of_range, aldis_decimal:from_text(Text))
        || Text <- [<<"79228162514264337593543950336">>, <<"1e-29">>, <<"1e99999999999">>, <<"1e29">>]]
    ++ [?_assertEqual(error, aldis_decimal:from_text(Text))
        || Text <- [<<>>, <<".5">>, <<"5.">>, <<"1e">>, <<"0x1">>, <<"1 ">>, <<"--1">>, <<"01">>, <<"1\n">>]].

bytes_test() ->
    ?assertEqual(<<10, 1, 0:80, 0, 0, 2, 16#80>>, aldis_decimal:encode({decimal, -1, 266, 2}, [])),
    Broken = [<<0:96, 1, 0, 0, 0>>, <<0:96, 0, 0, 29, 0>>, <<0:96, 0, 0, 0, 1>>],
    [?assertThrow({aldis_fault, bad_value, 16, [d]}, aldis_decimal:decode(Bin, [d])) || Bin <- Broken].

checked_test() ->
    ?assertThrow({aldis_fault, out_of_range, none, [d]}, aldis_decimal:encode({decimal, 1, ?LARGEST + 1, 0}, [d])),
    ?assertThrow({aldis_fault, out_of_range, none, [d]}, aldis_decimal:encode({decimal, 1, 1, 29}, [d])),
    ?assertThrow({aldis_fault, bad_value, none, [d]}, aldis_decimal:encode({decimal, 2, 1, 0}, [d])),
    ?assertThrow({aldis_fault, bad_value, none, [d]}, aldis_decimal:encode(1.5, [d])).

order_test() ->
    Order = fun(Text) -> {ok, D} = aldis_decimal:from_text(Text), aldis_order:decimal(D) end,
    ?assertEqual(Order(<<"1.10">>), Order(<<"1.1">>)),
    ?assertEqual(Order(<<"-0.0">>), Order(<<"0">>)),
    ?assert(Order(<<"-2">>) < Order(<<"-1.5">>)),
    ?assert(Order(<<"0.09">>) < Order(<<"0.1">>)).

properties_test() ->
    ?assert(proper:quickcheck(prop_round_trip(), [{numtests, 1000}, quiet])).

prop_round_trip() ->
    ?FORALL({Sign, Coefficient, Scale}, {oneof([1, -1]), range(0, ?LARGEST), range(0, 28)},
        begin
            Decimal = {decimal, Sign, Coefficient, Scale},
            {ok, Decimal} =:= aldis_decimal:from_text(aldis_decimal:to_text(Decimal))
                andalso Decimal =:= aldis_decimal:decode(aldis_decimal:encode(Decimal, []), [])
        end).
