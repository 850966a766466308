-module(aldis_float_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

layout_test_() ->
    Cases = [
        {0.0, "0.0"}, {-0.0, "-0.0"}, {1000.0, "1000.0"}, {1.0e21, "1e+21"}, {1.5e-7, "1.5e-7"},
        {0.000001, "0.000001"}, {123456789012345680000.0, "123456789012345680000.0"}, {-12.5, "-12.5"},
        {1.7976931348623157e308, "1.7976931348623157e+308"}, {5.0e-324, "5e-324"}, {0.1, "0.1"}, {1.25e-9, "1.25e-9"}
    ],
    [?_assertEqual(list_to_binary(Text), aldis_float:text64(Float)) || {Float, Text} <- Cases].

narrow_layout_test_() ->
    %% Bits of 32-bit floats with the text of Ryu.
    Cases = [
        {16#3DCCCCCD, "0.1"}, {16#7F7FFFFF, "3.4028235e+38"}, {16#00000001, "1e-45"}, {16#00800000, "1.1754944e-38"},
        {16#4B800000, "16777216.0"}, {16#80000000, "-0.0"}, {16#33800000, "5.9604645e-8"}, {16#0C000000, "9.8607613e-32"},
        {16#5F000000, "9223372000000000000.0"}, {16#3F800001, "1.0000001"}, {16#C2F6E979, "-123.456"},
        {16#007FFFFF, "1.1754942e-38"}, {16#7E967699, "1e+38"}, {16#4C000004, "33554450.0"}
    ],
    [?_assertEqual(list_to_binary(Text), aldis_float:text32(aldis_float:decode32(Bits))) || {Bits, Text} <- Cases].

not_numbers_test() ->
    ?assertEqual(nan, aldis_float:decode32(16#7FC00000)),
    ?assertEqual(nan, aldis_float:decode64(16#FFF0000000000001)),
    ?assertEqual(infinity, aldis_float:decode64(aldis_float:encode64(infinity, []))),
    ?assertEqual('-infinity', aldis_float:decode32(aldis_float:encode32('-infinity', []))),
    ?assertEqual(undefined, aldis_float:optional(aldis_float:decode32(aldis_float:encode32(nan, [])))).

range_test() ->
    ?assertEqual(16#7F7FFFFF, aldis_float:encode32(3.4028234663852886e38, [])),
    ?assertThrow({aldis_fault, out_of_range, none, [x]}, aldis_float:encode32(3.5e38, [x])),
    %% Half a unit beyond the largest rounds to infinity.
    ?assertThrow({aldis_fault, out_of_range, none, []}, aldis_float:encode32(3.4028235677973366e38, [])),
    ?assertEqual(error, aldis_float:narrow(1.0e300)),
    ?assertThrow({aldis_fault, bad_value, none, [x]}, aldis_float:encode64("1.0", [x])).

tables_test() ->
    Floats = [1.5, nan, -0.0, infinity],
    Little = << <<(aldis_float:encode64(F, [])):64/little>> || F <- Floats >>,
    Big = << <<(aldis_float:encode32(F, [])):32>> || F <- Floats >>,
    ?assertEqual(Floats, aldis_float:list64_little(Little)),
    ?assertEqual(Floats, aldis_float:list32_big(Big)).

properties_test_() ->
    [{timeout, 60, ?_assert(proper:quickcheck(Property, [{numtests, 2000}, quiet]))}
        || Property <- [prop_text64_reads_back(), prop_text32_reads_back(), prop_text32_is_shortest()]].

prop_text64_reads_back() ->
    ?FORALL(Bits, range(0, 16#FFFFFFFFFFFFFFFF),
        case aldis_float:decode64(Bits) of
            Float when is_float(Float) -> Float =:= read(aldis_float:text64(Float));
            _ -> true
        end).

prop_text32_reads_back() ->
    ?FORALL(Bits, range(0, 16#FFFFFFFF),
        case aldis_float:decode32(Bits) of
            Float when is_float(Float) -> {ok, Float} =:= aldis_float:narrow(read(aldis_float:text32(Float)));
            _ -> true
        end).

%% No text with one digit less reads back.
prop_text32_is_shortest() ->
    ?FORALL(Bits, range(1, 16#7F7FFFFF),
        begin
            Float = aldis_float:decode32(Bits),
            case length(digits(aldis_float:text32(Float))) of
                1 -> true;
                Digits ->
                    Shorter = read(float_to_binary(Float, [{scientific, Digits - 2}])),
                    {ok, Float} =/= aldis_float:narrow(Shorter)
            end
        end).

digits(Text) ->
    [Mantissa | _] = binary:split(Text, <<"e">>),
    Digits = [C || <<C>> <= Mantissa, C >= $0, C =< $9],
    string:trim(string:trim(Digits, leading, "0"), trailing, "0").

%% A float as JSON has it.
read(Text) -> aldis_json:to_float64(aldis_json:decode(Text), []).
