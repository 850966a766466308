%% @doc Decimals: `{decimal, Sign, Coefficient, Scale}', a 96-bit coefficient with a sign and a scale of 0 to 28.
-module(aldis_decimal).

-export([to_text/1, from_text/1, significant/1, decode/2, encode/2]).

-type decimal() :: aldis:decimal().

%% A JSON number without its sign. Possessive: nothing is tried twice, however long it is.
-define(NUMBER, "^(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?$").
%% Twice what a coefficient has; more are not converted, since that takes quadratic time.
-define(MOST_DIGITS, 60).
%% The exponent that stands for all of more than ten digits: no text is this long.
-define(FAR, 10000000000).
-define(MAX_SCALE, 28).
-define(MAX_COEFFICIENT, 16#FFFFFFFFFFFFFFFFFFFFFFFF).

%% @doc The text of a decimal, with as many digits behind the point as its scale says.
-spec to_text(decimal()) -> binary().
to_text({decimal, Sign, Coefficient, Scale}) ->
    Digits = string:right(integer_to_list(Coefficient), max(Scale + 1, length(integer_to_list(Coefficient))), $0),
    {Whole, Fraction} = lists:split(length(Digits) - Scale, Digits),
    iolist_to_binary([[$- || Sign < 0], Whole, [[$., Fraction] || Scale > 0]]).

%% @doc The decimal of a text like `-12.340' or `1.5e27', in JSON's grammar of numbers. `out_of_range' where it is a number that does not fit exactly.
-spec from_text(binary()) -> {ok, decimal()} | out_of_range | error.
from_text(<<$-, Text/binary>>) -> unsigned(Text, -1);
from_text(Text) -> unsigned(Text, 1).

unsigned(Text, Sign) ->
    case re:run(Text, ?NUMBER, [{capture, none}, dollar_endonly]) of
        match -> scaled(Sign, Text);
        nomatch -> error
    end.

scaled(Sign, Text) ->
    {Mantissa, Exponent} = parts(Text),
    {Whole, Fraction} = fraction(Mantissa),
    Digits = without_leading_zeros(<<Whole/binary, Fraction/binary>>),
    if
        byte_size(Digits) > ?MOST_DIGITS -> out_of_range;
        Digits =:= <<>> -> fitting(Sign, 0, byte_size(Fraction) - Exponent);
        true -> fitting(Sign, binary_to_integer(Digits), byte_size(Fraction) - Exponent)
    end.

%% @doc The digits of a JSON number without its sign and without zeros at either end, and the power of ten that they are
%% to be multiplied with, cut to what no text's digits can make up for. Takes linear time.
-spec significant(binary()) -> {Digits :: binary(), Exponent :: integer()}.
significant(Text) ->
    {Mantissa, Exponent} = parts(Text),
    {Whole, Fraction} = fraction(Mantissa),
    Digits = without_leading_zeros(<<Whole/binary, Fraction/binary>>),
    Size = significant_size(Digits, byte_size(Digits)),
    {binary:part(Digits, 0, Size), Exponent - byte_size(Fraction) + byte_size(Digits) - Size}.

parts(Text) ->
    case binary:split(Text, [<<"e">>, <<"E">>]) of
        [Mantissa, <<$-, Exponent/binary>>] -> {Mantissa, exponent(Exponent, -1)};
        [Mantissa, <<$+, Exponent/binary>>] -> {Mantissa, exponent(Exponent, 1)};
        [Mantissa, Exponent] -> {Mantissa, exponent(Exponent, 1)};
        [Mantissa] -> {Mantissa, 0}
    end.

exponent(Text, Sign) ->
    case without_leading_zeros(Text) of
        <<>> -> 0;
        Digits when byte_size(Digits) =< 10 -> Sign * binary_to_integer(Digits);
        _ -> Sign * ?FAR
    end.

fraction(Mantissa) ->
    case binary:split(Mantissa, <<".">>) of
        [Whole, Fraction] -> {Whole, Fraction};
        [Whole] -> {Whole, <<>>}
    end.

without_leading_zeros(<<$0, Rest/binary>>) -> without_leading_zeros(Rest);
without_leading_zeros(Digits) -> Digits.

significant_size(_, 0) -> 0;
significant_size(Digits, Size) ->
    case binary:at(Digits, Size - 1) of
        $0 -> significant_size(Digits, Size - 1);
        _ -> Size
    end.

fitting(_, Coefficient, _) when Coefficient > ?MAX_COEFFICIENT -> out_of_range;
fitting(Sign, 0, Scale) when Scale < 0 -> {ok, {decimal, Sign, 0, 0}};
fitting(Sign, Coefficient, Scale) when Scale < 0 -> fitting(Sign, Coefficient * 10, Scale + 1);
fitting(_, _, Scale) when Scale > ?MAX_SCALE -> out_of_range;
fitting(Sign, Coefficient, Scale) -> {ok, {decimal, Sign, Coefficient, Scale}}.

%% @doc The decimal of 16 bytes: coefficient, two zero bytes, scale, sign. Other bytes are `bad_value'.
-spec decode(binary(), aldis_fault:path()) -> decimal().
decode(<<Coefficient:96/little, 0:16, Scale, Sign>>, _) when Scale =< ?MAX_SCALE, Sign band 16#7F =:= 0 ->
    {decimal, 1 - (Sign bsr 6), Coefficient, Scale};
decode(Bin, Path) -> aldis_fault:raise(bad_value, Bin, Path).

%% @doc The 16 bytes of a decimal.
-spec encode(term(), aldis_fault:path()) -> <<_:128>>.
encode({decimal, Sign, Coefficient, Scale}, Path)
        when Sign =:= 1 orelse Sign =:= -1, is_integer(Coefficient), Coefficient >= 0, is_integer(Scale), Scale >= 0 ->
    case Coefficient =< ?MAX_COEFFICIENT andalso Scale =< ?MAX_SCALE of
        true -> <<Coefficient:96/little, 0:16, Scale, (sign(Sign))>>;
        false -> aldis_fault:raise(out_of_range, none, Path)
    end;
encode(_, Path) -> aldis_check:wrong(Path).

sign(1) -> 0;
sign(-1) -> 16#80.
