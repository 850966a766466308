%% @doc The text of JSON as terms, for {@link aldis_json}.
%%
%% Reading is strict (RFC 8259, no duplicate keys, valid UTF-8), keeps numbers exact and makes no atoms. The terms are `null', booleans,
%% integers and floats where numbers are written with few digits and no exponent, else `{number, Text}', binaries for strings, lists,
%% and `{Members}' for objects.
-module(aldis_json_text).

-export([decode/1, after_digits/1]).

%% Brackets within brackets; the types of messages end far earlier.
-define(DEPTH, 1000).

%% Integers of so many digits are small ones of the VM, and floats have them.
-define(FEW_DIGITS, 15).

-define(IS_SPACE(C), (C =:= $\s orelse C =:= $\t orelse C =:= $\n orelse C =:= $\r)).
-define(IS_DIGIT(C), (C >= $0 andalso C =< $9)).
-define(IS_WORD(C), (?IS_DIGIT(C) orelse (C >= $a andalso C =< $z) orelse (C >= $A andalso C =< $Z))).

%% @doc The term of a JSON text with nothing after it. Throws `bad_json' with the offset, and `bad_value' for what is no
%% iodata.
-spec decode(iodata()) -> aldis_json:json().
decode(Io) ->
    Text = aldis_text:bytes(Io, []),
    try value(space(Text), ?DEPTH) of
        {Value, Rest} ->
            case space(Rest) of
                <<>> -> Value;
                More -> bad(Text, More)
            end
    catch
        throw:{bad, Where} -> bad(Text, Where)
    end.

-spec bad(binary(), binary()) -> no_return().
bad(Text, Where) -> aldis_fault:raise(bad_json, {at, byte_size(Text) - byte_size(Where)}, []).

space(<<C, Rest/binary>>) when ?IS_SPACE(C) -> space(Rest);
space(Text) -> Text.

value(Text, 0) -> throw({bad, Text});
value(<<$", Rest/binary>> = Text, _) -> string(Rest, Text);
value(<<${, Rest/binary>>, Depth) -> object(space(Rest), Depth);
value(<<$[, Rest/binary>>, Depth) -> array(space(Rest), Depth);
value(<<"null", Rest/binary>> = Text, _) -> word(null, Rest, Text);
value(<<"true", Rest/binary>> = Text, _) -> word(true, Rest, Text);
value(<<"false", Rest/binary>> = Text, _) -> word(false, Rest, Text);
value(Text, _) -> number(Text).

word(_, <<C, _/binary>>, Text) when ?IS_WORD(C) -> throw({bad, Text});
word(Word, Rest, _) -> {Word, Rest}.

array(<<$], Rest/binary>>, _) -> {[], Rest};
array(Text, Depth) -> elements(Text, Depth, []).

elements(Text, Depth, Acc) ->
    case element(Text, Depth - 1, Acc) of
        {Value, <<$,, C, _/binary>> = Rest} when not ?IS_SPACE(C) ->
            <<_, More/binary>> = Rest,
            elements(More, Depth, [Value | Acc]);
        {Value, Rest} ->
            case space(Rest) of
                <<$,, More/binary>> -> elements(space(More), Depth, [Value | Acc]);
                <<$], More/binary>> -> {lists:reverse(Acc, [Value]), More};
                Other -> throw({bad, Other})
            end
    end.

%% Objects of an array mostly have the keys of the one before, which are then there once.
element(Text, Depth, [{Members} | _]) ->
    case Text of
        <<${, Rest/binary>> when Depth > 0 -> object(space(Rest), Depth, Members);
        _ -> value(Text, Depth)
    end;
element(Text, Depth, _) -> value(Text, Depth).

object(Text, Depth) -> object(Text, Depth, []).

object(<<$}, Rest/binary>>, _, _) -> {{[]}, Rest};
object(Text, Depth, Like) -> members(Text, Depth, Like, #{}, []).

%% `Like' are members of another object.
members(<<$", Rest/binary>> = Text, Depth, Like, Seen, Acc) ->
    {Key, AfterKey, Like1} = key(Rest, Text, Like),
    is_map_key(Key, Seen) andalso throw({bad, Text}),
    case space(AfterKey) of
        <<$:, AfterColon/binary>> ->
            {Value, AfterValue} = value(space(AfterColon), Depth - 1),
            case space(AfterValue) of
                <<$,, More/binary>> -> members(space(More), Depth, Like1, Seen#{Key => []}, [{Key, Value} | Acc]);
                <<$}, More/binary>> -> {{lists:reverse(Acc, [{Key, Value}])}, More};
                Other -> throw({bad, Other})
            end;
        Other -> throw({bad, Other})
    end;
members(Text, _, _, _, _) -> throw({bad, Text}).

%% A key, which is that of the other object's member where it is the same text.
key(Rest, Text, [{Key, _} | Like]) ->
    case plain(Rest, 0) of
        {Length, $"} when Length =:= byte_size(Key) ->
            case Rest of
                <<Key:Length/binary, $", More/binary>> -> {Key, More, Like};
                _ -> key(Rest, Text, [])
            end;
        _ -> key(Rest, Text, [])
    end;
key(Rest, Text, []) ->
    {Key, More} = string(Rest, Text),
    {Key, More, []}.

%% `Rest' follows the quote that `Text' begins with.
string(<<$", Rest/binary>>, _) -> {<<>>, Rest};
string(Rest, Text) ->
    case plain(Rest, 0) of
        {Length, $"} ->
            <<Plain:Length/binary, $", More/binary>> = Rest,
            {utf8(Plain, Text), More};
        {Length, $\\} ->
            <<Plain:Length/binary, More/binary>> = Rest,
            escaped(More, Text, [utf8(Plain, Text)]);
        bad -> throw({bad, Text})
    end.

%% How many bytes stand for themselves, and what comes then.
plain(<<C, Rest/binary>>, Length) when C >= 16#20, C =/= $", C =/= $\\ -> plain(Rest, Length + 1);
plain(<<C, _/binary>>, Length) when C =:= $"; C =:= $\\ -> {Length, C};
plain(_, _) -> bad.

escaped(<<$\\, Escape/binary>>, Text, Acc) ->
    {Char, Rest} = escape(Escape, Text),
    case plain(Rest, 0) of
        {Length, $"} ->
            <<Plain:Length/binary, $", More/binary>> = Rest,
            {iolist_to_binary(lists:reverse(Acc, [Char, utf8(Plain, Text)])), More};
        {Length, $\\} ->
            <<Plain:Length/binary, More/binary>> = Rest,
            escaped(More, Text, [utf8(Plain, Text), Char | Acc]);
        bad -> throw({bad, Text})
    end.

escape(<<$", Rest/binary>>, _) -> {$", Rest};
escape(<<$\\, Rest/binary>>, _) -> {$\\, Rest};
escape(<<$/, Rest/binary>>, _) -> {$/, Rest};
escape(<<$b, Rest/binary>>, _) -> {$\b, Rest};
escape(<<$f, Rest/binary>>, _) -> {$\f, Rest};
escape(<<$n, Rest/binary>>, _) -> {$\n, Rest};
escape(<<$r, Rest/binary>>, _) -> {$\r, Rest};
escape(<<$t, Rest/binary>>, _) -> {$\t, Rest};
escape(<<$u, Hex:4/binary, Rest/binary>>, Text) ->
    case {hex(Hex, Text), Rest} of
        {High, <<"\\u", LowHex:4/binary, More/binary>>} when High >= 16#D800, High =< 16#DBFF ->
            case hex(LowHex, Text) of
                Low when Low >= 16#DC00, Low =< 16#DFFF ->
                    {<<(16#10000 + (High - 16#D800) * 16#400 + Low - 16#DC00)/utf8>>, More};
                _ -> throw({bad, Text})
            end;
        {Half, _} when Half >= 16#D800, Half =< 16#DFFF -> throw({bad, Text});
        {Char, _} -> {<<Char/utf8>>, Rest}
    end;
escape(_, Text) -> throw({bad, Text}).

hex(Hex, Text) ->
    lists:foldl(fun(C, Number) -> Number * 16 + digit(C, Text) end, 0, binary_to_list(Hex)).

digit(C, _) when ?IS_DIGIT(C) -> C - $0;
digit(C, _) when C >= $a, C =< $f -> C - $a + 10;
digit(C, _) when C >= $A, C =< $F -> C - $A + 10;
digit(_, Text) -> throw({bad, Text}).

utf8(Bin, Text) ->
    case unicode:characters_to_binary(Bin) of
        Bin -> Bin;
        _ -> throw({bad, Text})
    end.

number(<<D, Rest/binary>> = Text) when D >= $1, D =< $9 -> short(Rest, D - $0, ?FEW_DIGITS - 1, 1, Text);
number(<<$-, D, Rest/binary>> = Text) when D >= $1, D =< $9 -> short(Rest, D - $0, ?FEW_DIGITS - 1, -1, Text);
number(<<$0, $., D, Rest/binary>> = Text) when ?IS_DIGIT(D) -> fraction(Rest, ?FEW_DIGITS - 1, Text);
number(<<$0, Rest/binary>> = Text) -> short(Rest, 0, 0, 1, Text);
number(Text) -> long(Text).

short(<<D, Rest/binary>>, Number, Digits, Sign, Text) when ?IS_DIGIT(D), Digits > 0 ->
    short(Rest, 10 * Number + D - $0, Digits - 1, Sign, Text);
short(<<$., D, Rest/binary>>, _, Digits, _, Text) when ?IS_DIGIT(D), Digits > 0 ->
    fraction(Rest, Digits - 1, Text);
short(<<C, _/binary>>, _, _, _, Text) when ?IS_DIGIT(C); C =:= $.; C =:= $e; C =:= $E -> long(Text);
short(Rest, Number, _, Sign, _) -> {Sign * Number, Rest}.

%% A float of so few digits is whole exactly where its text is.
fraction(<<D, Rest/binary>>, Digits, Text) when ?IS_DIGIT(D), Digits > 0 -> fraction(Rest, Digits - 1, Text);
fraction(<<C, _/binary>>, _, Text) when ?IS_DIGIT(C); C =:= $e; C =:= $E -> long(Text);
fraction(Rest, _, Text) ->
    {binary_to_float(binary:part(Text, 0, byte_size(Text) - byte_size(Rest))), Rest}.

long(Text) ->
    Whole = case Text of
        <<$-, More/binary>> -> More;
        _ -> Text
    end,
    AfterWhole = case Whole of
        <<$0, Rest0/binary>> -> Rest0;
        _ -> digits(Whole, Text)
    end,
    case AfterWhole of
        <<D, _/binary>> when ?IS_DIGIT(D) -> throw({bad, Text});
        _ -> ok
    end,
    AfterFraction = case AfterWhole of
        <<$., Fraction/binary>> -> digits(Fraction, Text);
        _ -> AfterWhole
    end,
    Rest = case AfterFraction of
        <<E, Sign, Exponent/binary>> when (E =:= $e orelse E =:= $E), (Sign =:= $+ orelse Sign =:= $-) ->
            digits(Exponent, Text);
        <<E, Exponent/binary>> when E =:= $e; E =:= $E -> digits(Exponent, Text);
        _ -> AfterFraction
    end,
    {{number, binary:part(Text, 0, byte_size(Text) - byte_size(Rest))}, Rest}.

%% At least one.
digits(<<D, Rest/binary>>, _) when ?IS_DIGIT(D) -> after_digits(Rest);
digits(_, Text) -> throw({bad, Text}).

%% @private What follows the digits that a text begins with.
-spec after_digits(binary()) -> binary().
after_digits(<<D, Rest/binary>>) when ?IS_DIGIT(D) -> after_digits(Rest);
after_digits(Rest) -> Rest.
