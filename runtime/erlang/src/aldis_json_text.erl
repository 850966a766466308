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
    try value(Text, ?DEPTH) of
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

%% Space in front of something is skipped where that is read: no binary is made of what follows.
value(<<C, Rest/binary>>, Depth) when ?IS_SPACE(C) -> value(Rest, Depth);
value(Text, 0) -> throw({bad, Text});
value(<<$", Rest/binary>> = Text, _) -> string(Rest, Text);
value(<<${, Rest/binary>>, Depth) -> object(Rest, Depth, []);
value(<<$[, Rest/binary>>, Depth) -> array(Rest, Depth);
value(<<"null", Rest/binary>> = Text, _) -> word(null, Rest, Text);
value(<<"true", Rest/binary>> = Text, _) -> word(true, Rest, Text);
value(<<"false", Rest/binary>> = Text, _) -> word(false, Rest, Text);
value(Text, _) -> number(Text).

word(_, <<C, _/binary>>, Text) when ?IS_WORD(C) -> throw({bad, Text});
word(Word, Rest, _) -> {Word, Rest}.

array(<<$], Rest/binary>>, _) -> {[], Rest};
array(<<C, Rest/binary>>, Depth) when ?IS_SPACE(C) -> array(Rest, Depth);
array(Text, Depth) -> elements(Text, Depth, []).

elements(Text, Depth, Acc) ->
    {Value, Rest} = element(Text, Depth - 1, Acc),
    after_element(Rest, Depth, [Value | Acc]).

after_element(<<$,, Rest/binary>>, Depth, Acc) -> elements(Rest, Depth, Acc);
after_element(<<$], Rest/binary>>, _, Acc) -> {lists:reverse(Acc), Rest};
after_element(<<C, Rest/binary>>, Depth, Acc) when ?IS_SPACE(C) -> after_element(Rest, Depth, Acc);
after_element(Other, _, _) -> throw({bad, Other}).

%% Objects of an array mostly have the keys of the one before, which are then there once.
element(Text, Depth, [{Members} | _]) ->
    case space(Text) of
        <<${, Rest/binary>> when Depth > 0 -> object(Rest, Depth, Members);
        Other -> value(Other, Depth)
    end;
element(Text, Depth, _) -> value(Text, Depth).

object(<<$}, Rest/binary>>, _, _) -> {{[]}, Rest};
object(<<C, Rest/binary>>, Depth, Like) when ?IS_SPACE(C) -> object(Rest, Depth, Like);
object(Text, Depth, []) -> members(Text, Depth, [], #{}, []);
object(Text, Depth, Like) -> members(Text, Depth, Like, like, []).

%% `Like' are members of another object, and `Seen' the keys that there were, or `like', which says that they are those of its members.
members(<<$", Rest/binary>> = Text, Depth, [{Key, _} | Like], Seen, Acc) ->
    case plain(Rest, 0) of
        Length when Length =:= byte_size(Key) ->
            case Rest of
                <<Key:Length/binary, $", More/binary>> -> member(More, Key, Depth, Like, Seen, Acc);
                _ -> members(Text, Depth, [], Seen, Acc)
            end;
        _ -> members(Text, Depth, [], Seen, Acc)
    end;
members(<<$", Rest/binary>> = Text, Depth, [], Seen, Acc) ->
    {Key, More} = string(Rest, Text),
    member(More, Key, Depth, [], seen(Key, Seen, Acc, Text), Acc);
members(<<C, Rest/binary>>, Depth, Like, Seen, Acc) when ?IS_SPACE(C) -> members(Rest, Depth, Like, Seen, Acc);
members(Text, _, _, _, _) -> throw({bad, Text}).

member(<<$:, Rest/binary>>, Key, Depth, Like, Seen, Acc) ->
    {Value, AfterValue} = value(Rest, Depth - 1),
    after_member(AfterValue, Depth, Like, Seen, [{Key, Value} | Acc]);
member(<<C, Rest/binary>>, Key, Depth, Like, Seen, Acc) when ?IS_SPACE(C) ->
    member(Rest, Key, Depth, Like, Seen, Acc);
member(Other, _, _, _, _, _) -> throw({bad, Other}).

after_member(<<$,, Rest/binary>>, Depth, Like, Seen, Acc) -> members(Rest, Depth, Like, Seen, Acc);
after_member(<<$}, Rest/binary>>, _, _, _, Acc) -> {{lists:reverse(Acc)}, Rest};
after_member(<<C, Rest/binary>>, Depth, Like, Seen, Acc) when ?IS_SPACE(C) ->
    after_member(Rest, Depth, Like, Seen, Acc);
after_member(Other, _, _, _, _) -> throw({bad, Other}).

seen(Key, like, Acc, Text) -> seen(Key, maps:from_keys([Other || {Other, _} <- Acc], []), Acc, Text);
seen(Key, Seen, _, Text) ->
    is_map_key(Key, Seen) andalso throw({bad, Text}),
    Seen#{Key => []}.

%% `Rest' follows the quote that `Text' begins with.
string(<<$", Rest/binary>>, _) -> {<<>>, Rest};
string(Rest, Text) ->
    case piece(Rest, Text) of
        {_, _} = Whole -> Whole;
        {Plain, Escape, more} -> escaped(Escape, Text, [Plain])
    end.

%% The bytes that stand for themselves, and what follows their quote; or `more', and what follows the sign of an escape.
piece(Rest, Text) ->
    case plain(Rest, 0) of
        Length when is_integer(Length) ->
            case Rest of
                <<Plain:Length/binary, $", More/binary>> -> {Plain, More};
                <<Plain:Length/binary, $\\, More/binary>> -> {Plain, More, more}
            end;
        {wide, Length} ->
            case Rest of
                <<Plain:Length/binary, $", More/binary>> -> {utf8(Plain, Text), More};
                <<Plain:Length/binary, $\\, More/binary>> -> {utf8(Plain, Text), More, more}
            end;
        bad -> throw({bad, Text})
    end.

%% How many bytes stand for themselves, before a quote or an escape.
plain(<<C, Rest/binary>>, Length) when C >= 16#20, C < 16#80, C =/= $", C =/= $\\ -> plain(Rest, Length + 1);
plain(<<C, _/binary>>, Length) when C =:= $"; C =:= $\\ -> Length;
plain(Rest, Length) -> wide(Rest, Length).

wide(<<C, Rest/binary>>, Length) when C >= 16#20, C =/= $", C =/= $\\ -> wide(Rest, Length + 1);
wide(<<C, _/binary>>, Length) when C =:= $"; C =:= $\\ -> {wide, Length};
wide(_, _) -> bad.

escaped(Escape, Text, Acc) ->
    {Char, Rest} = escape(Escape, Text),
    case piece(Rest, Text) of
        {Plain, More} -> {iolist_to_binary(lists:reverse(Acc, [Char, Plain])), More};
        {Plain, More, more} -> escaped(More, Text, [Plain, Char | Acc])
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
number(<<$0, $., D, Rest/binary>> = Text) when ?IS_DIGIT(D) -> fraction(Rest, D - $0, 10.0, ?FEW_DIGITS - 1, 1, Text);
number(<<$0, Rest/binary>> = Text) -> short(Rest, 0, 0, 1, Text);
number(Text) -> long(Text).

short(<<D, Rest/binary>>, Number, Digits, Sign, Text) when ?IS_DIGIT(D), Digits > 0 ->
    short(Rest, 10 * Number + D - $0, Digits - 1, Sign, Text);
short(<<$., D, Rest/binary>>, Number, Digits, Sign, Text) when ?IS_DIGIT(D), Digits > 0 ->
    fraction(Rest, 10 * Number + D - $0, 10.0, Digits - 1, Sign, Text);
short(<<C, _/binary>>, _, _, _, Text) when ?IS_DIGIT(C); C =:= $.; C =:= $e; C =:= $E -> long(Text);
short(Rest, Number, _, Sign, _) -> {Sign * Number, Rest}.

%% A float of so few digits is whole exactly where its text is. Digits and scale are floats without a rest, so that their quotient is the
%% float nearest to the text (W. D. Clinger, How to Read Floating Point Numbers Accurately, 1990).
fraction(<<D, Rest/binary>>, Number, Scale, Digits, Sign, Text) when ?IS_DIGIT(D), Digits > 0 ->
    fraction(Rest, 10 * Number + D - $0, 10.0 * Scale, Digits - 1, Sign, Text);
fraction(<<C, _/binary>>, _, _, _, _, Text) when ?IS_DIGIT(C); C =:= $e; C =:= $E -> long(Text);
fraction(Rest, Number, Scale, _, Sign, _) -> {Sign * Number / Scale, Rest}.

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
