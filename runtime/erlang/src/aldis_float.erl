%% @doc Floats of 32 and 64 bits: bits, values, and the shortest text.
%%
%% The VM has no NaN and no infinities; they are the atoms `nan', `infinity' and `-infinity', and a float pattern does
%% not match their bits. Numbers here are those bits.
-module(aldis_float).

-export([decode32/1, decode64/1, optional/1, encode32/2, encode64/2]).
-export([list32_little/1, list32_big/1, list64_little/1, list64_big/1]).
-export([text32/1, text64/1, narrow/1]).

-type bits32() :: 0..16#FFFFFFFF.
-type bits64() :: 0..16#FFFFFFFFFFFFFFFF.

-define(NAN32, 16#7FC00000).
-define(NAN64, 16#7FF8000000000000).

%% @doc The value of 32 bits.
-spec decode32(bits32()) -> aldis:real().
decode32(Bits) ->
    case <<Bits:32>> of
        <<Float:32/float>> -> Float;
        <<0:1, 255, 0:23>> -> infinity;
        <<1:1, 255, 0:23>> -> '-infinity';
        _ -> nan
    end.

%% @doc The value of 64 bits.
-spec decode64(bits64()) -> aldis:real().
decode64(Bits) ->
    case <<Bits:64>> of
        <<Float:64/float>> -> Float;
        <<0:1, 2047:11, 0:52>> -> infinity;
        <<1:1, 2047:11, 0:52>> -> '-infinity';
        _ -> nan
    end.

%% @doc A value whose NaN means null.
-spec optional(aldis:real()) -> aldis:real() | undefined.
optional(nan) -> undefined;
optional(Float) -> Float.

%% @doc The bits of a value at 32 bits. Beyond the largest float is `out_of_range'.
-spec encode32(term(), aldis_fault:path()) -> bits32().
encode32(nan, _) -> ?NAN32;
encode32(infinity, _) -> 16#7F800000;
encode32('-infinity', _) -> 16#FF800000;
encode32(Number, Path) when is_number(Number) ->
    %% A number that rounds beyond the largest float becomes the bits of an infinity.
    try <<Number:32/float>> of
        <<_:1, 255, _:23>> -> aldis_fault:raise(out_of_range, none, Path);
        <<Bits:32>> -> Bits
    catch
        error:badarg -> aldis_fault:raise(out_of_range, none, Path)
    end;
encode32(_, Path) -> aldis_check:wrong(Path).

%% @doc The bits of a value at 64 bits.
-spec encode64(term(), aldis_fault:path()) -> bits64().
encode64(nan, _) -> ?NAN64;
encode64(infinity, _) -> 16#7FF0000000000000;
encode64('-infinity', _) -> 16#FFF0000000000000;
encode64(Number, Path) when is_number(Number) ->
    try <<Number:64/float>> of
        <<Bits:64>> -> Bits
    catch
        error:badarg -> aldis_fault:raise(out_of_range, none, Path)
    end;
encode64(_, Path) -> aldis_check:wrong(Path).

%% @doc All floats of a table.
-spec list32_little(binary()) -> [aldis:real()].
list32_little(<<Float:32/float-little, Rest/binary>>) -> [Float | list32_little(Rest)];
list32_little(<<Bits:32/little, Rest/binary>>) -> [decode32(Bits) | list32_little(Rest)];
list32_little(<<>>) -> [].

%% @doc All floats of a table.
-spec list32_big(binary()) -> [aldis:real()].
list32_big(<<Float:32/float, Rest/binary>>) -> [Float | list32_big(Rest)];
list32_big(<<Bits:32, Rest/binary>>) -> [decode32(Bits) | list32_big(Rest)];
list32_big(<<>>) -> [].

%% @doc All floats of a table.
-spec list64_little(binary()) -> [aldis:real()].
list64_little(<<Float:64/float-little, Rest/binary>>) -> [Float | list64_little(Rest)];
list64_little(<<Bits:64/little, Rest/binary>>) -> [decode64(Bits) | list64_little(Rest)];
list64_little(<<>>) -> [].

%% @doc All floats of a table.
-spec list64_big(binary()) -> [aldis:real()].
list64_big(<<Float:64/float, Rest/binary>>) -> [Float | list64_big(Rest)];
list64_big(<<Bits:64, Rest/binary>>) -> [decode64(Bits) | list64_big(Rest)];
list64_big(<<>>) -> [].

%% @doc The float of 32 bits that is nearest, `error' beyond the largest.
-spec narrow(number()) -> {ok, float()} | error.
narrow(Float) ->
    try <<Float:32/float>> of
        <<Narrow:32/float>> -> {ok, Narrow};
        _ -> error
    catch
        error:badarg -> error
    end.

%% @doc The shortest text that reads back at 64 bits, in ECMAScript's layout; whole numbers end in `.0'.
-spec text64(float()) -> binary().
text64(Float) when Float =/= 0.0, abs(Float) < 1.0e15, trunc(Float) == Float ->
    <<(integer_to_binary(trunc(Float)))/binary, ".0">>;
text64(Float) ->
    Text = float_to_binary(Float, [short]),
    case is_plain(Text) of
        true -> Text;
        false -> from_parts(Float)
    end.

%% Text without an exponent has ECMAScript's layout.
is_plain(<<$e, _/binary>>) -> false;
is_plain(<<_, Rest/binary>>) -> is_plain(Rest);
is_plain(<<>>) -> true.

from_parts(Float) ->
    case sign(<<Float/float>>) of
        {Sign, <<0:64>>} -> <<Sign/binary, "0.0">>;
        {Sign, <<Positive/float>>} ->
            {Digits, Point} = parts(float_to_binary(Positive, [short])),
            iolist_to_binary([Sign | layout(Digits, Point)])
    end.

sign(<<1:1, Rest:63>>) -> {<<"-">>, <<Rest:64>>};
sign(Bits) -> {<<>>, Bits}.

%% `12.5e3' as {"125", 5}: the digits, and how many of them stand before the point.
parts(Text) ->
    {Mantissa, Exponent} = case binary:split(Text, <<"e">>) of
        [M, E] -> {M, binary_to_integer(E)};
        [M] -> {M, 0}
    end,
    [Whole, Fraction] = binary:split(Mantissa, <<".">>),
    All = binary_to_list(<<Whole/binary, Fraction/binary>>),
    Significant = lists:dropwhile(fun(C) -> C =:= $0 end, All),
    Leading = length(All) - length(Significant),
    {string:trim(Significant, trailing, "0"), byte_size(Whole) - Leading + Exponent}.

%% ECMAScript, Number::toString, steps 5 to 10.
layout(Digits, Point) when length(Digits) =< Point, Point =< 21 ->
    [Digits, lists:duplicate(Point - length(Digits), $0), ".0"];
layout(Digits, Point) when Point > 0, Point =< 21 ->
    {Whole, Fraction} = lists:split(Point, Digits),
    [Whole, $., Fraction];
layout(Digits, Point) when Point > -6, Point =< 0 ->
    ["0.", lists:duplicate(-Point, $0), Digits];
layout([Digit], Point) -> [Digit, exponent(Point - 1)];
layout([Digit | More], Point) -> [Digit, $., More, exponent(Point - 1)].

exponent(N) when N < 0 -> [$e | integer_to_list(N)];
exponent(N) -> [$e, $+ | integer_to_list(N)].

%% @doc As {@link text64/1}, for a float that 32 bits hold: the shortest text that reads back at 32 bits.
-spec text32(float()) -> binary().
text32(Float) ->
    <<S:1, Exponent:8, Fraction:23>> = <<Float:32/float>>,
    Sign = [$- || S =:= 1],
    case {Exponent, Fraction} of
        {0, 0} -> iolist_to_binary([Sign, "0.0"]);
        {0, _} -> iolist_to_binary([Sign | shortest(Fraction, -149, false)]);
        _ -> iolist_to_binary([Sign | shortest(Fraction + 16#800000, Exponent - 150, Fraction =:= 0 andalso Exponent > 1)])
    end.

%% The value is M * 2^E. Every number between Low and High, in quarters of a unit in the last place, reads back as it;
%% the bounds themselves do where M is even. Below a power of two the next float is half as far away.
shortest(M, E, Narrow) ->
    Low = case Narrow of true -> 4 * M - 1; false -> 4 * M - 2 end,
    {Up, Down} = case E - 2 of
        Positive when Positive >= 0 -> {1 bsl Positive, 1};
        Negative -> {1, 1 bsl -Negative}
    end,
    Bounds = {Low * Up, 4 * M * Up, (4 * M + 2) * Up, Down, M band 1 =:= 0},
    {Number, Power} = coarsest(Bounds, 40),
    Digits = integer_to_list(Number),
    layout(string:trim(Digits, trailing, "0"), length(Digits) + Power).

%% The nearest multiple of the largest power of ten that has one between the bounds.
coarsest({Low, Value, High, Down, Even} = Bounds, Power) ->
    {Scale, Unit} = case Power >= 0 of
        true -> {1, Down * pow10(Power)};
        false -> {pow10(-Power), Down}
    end,
    Least = case {Even, Low * Scale rem Unit} of
        {true, 0} -> Low * Scale div Unit;
        _ -> Low * Scale div Unit + 1
    end,
    Most = case {Even, High * Scale rem Unit} of
        {false, 0} -> High * Scale div Unit - 1;
        _ -> High * Scale div Unit
    end,
    case Least =< Most of
        true -> {min(Most, max(Least, nearest(Value * Scale, Unit))), Power};
        false -> coarsest(Bounds, Power - 1)
    end.

nearest(Number, Unit) ->
    Below = Number div Unit,
    case 2 * (Number - Below * Unit) of
        Twice when Twice > Unit -> Below + 1;
        Unit -> Below + Below band 1;
        _ -> Below
    end.

pow10(0) -> 1;
pow10(N) -> 10 * pow10(N - 1).
