%% @doc JSON for generated codecs, both ways.
%%
%% {@link aldis_json_text} reads text as terms. The `to_...' functions turn these into values and throw `bad_json' and
%% `out_of_range' with the path.
-module(aldis_json).

-export([decode/1, read/2, take/2]).
-export([fields/3, members/2, pairs/2, to_list/3, to_array/3, to_set/2, to_set/3, to_map/2, to_map/3, required/1, bad_json/1, same/3]).
-export([to_boolean/2, to_integer/4, to_float32/2, to_float64/2, to_any_float32/2, to_any_float64/2, to_char/2]).
-export([to_decimal/2, to_uuid/2, to_text/3, to_bytes/2, to_flags/4, key_boolean/2, key_integer/4]).
-export([boolean/2, integer/1, integer/4, char/2, float32/2, float64/2, any_float32/2, any_float64/2, decimal/2, uuid/2]).
-export([base64/2, text/3, flags/1, array/3, object/3]).
-export_type([json/0]).

-type json() :: null | boolean() | number() | {number, binary()} | binary() | [json()] | {[{binary(), json()}]}.
-type path() :: aldis_fault:path().

%% How many texts of elements are made one binary, which takes less room than they do.
-define(TOGETHER, 64).

%% No integer of a schema has more digits. Longer ones are not converted: that takes quadratic time.
-define(MOST_DIGITS, 40).

%% Bytes of memory that records may take for each byte of text, and on top of that. Its terms, lists and texts take the rest of 64
%% for each byte and 16 MiB.
-define(MEMORY_FACTOR, 24).
-define(MEMORY_BASE, 16#600000).

%% A field is a word in its record, one or two on the way there, and a collector copies them.
-define(FIELD, 32).

%%% Reading text

%% @doc As {@link aldis_json_text:decode/1}.
-spec decode(iodata()) -> json().
decode(Io) -> aldis_json_text:decode(Io).

%% @doc The value that `Read' makes of the term of a JSON text. An object becomes all fields of its record, whichever it gives: those
%% that {@link take/2} is told of may not take far more memory than the text.
-spec read(iodata(), fun((json()) -> Value)) -> Value.
read(Io, Read) ->
    Text = aldis_text:bytes(Io, []),
    _ = put(?MODULE, ?MEMORY_FACTOR * byte_size(Text) + ?MEMORY_BASE),
    try
        Read(decode(Text))
    after
        erase(?MODULE)
    end.

%% @doc Pays for a record of so many fields before it is made.
-spec take(non_neg_integer(), path()) -> ok.
take(Fields, Path) ->
    case get(?MODULE) of
        Left when is_integer(Left), Left < ?FIELD * Fields -> aldis_fault:raise(too_large, none, Path);
        Left when is_integer(Left) -> _ = put(?MODULE, Left - ?FIELD * Fields), ok;
        undefined -> ok
    end.

%%% Terms to values

%% @doc It is JSON, but not of this type.
-spec bad_json(path()) -> no_return().
bad_json(Path) -> aldis_fault:raise(bad_json, none, Path).

-spec out_of_range(path()) -> no_return().
out_of_range(Path) -> aldis_fault:raise(out_of_range, none, Path).

%% @doc A field without which there is no value.
-spec required(path()) -> no_return().
required(Path) -> bad_json(Path).

%% @doc A value that the schema fixes.
-spec same(Value, Value, path()) -> Value.
same(Value, Value, _) -> Value;
same(_, _, Path) -> bad_json(Path).

%% @doc The members of an object in the order of `Names', `missing' where there is none. Other members are refused.
-spec fields(json(), [binary()], path()) -> [json() | missing].
fields({Members}, Names, Path) ->
    case in_order(Members, Names) of
        false ->
            take(length(Names), Path),
            Map = maps:from_list(Members),
            Known = maps:with(Names, Map),
            map_size(Known) =:= map_size(Map) orelse bad_json([hd(maps:keys(maps:without(Names, Map))) | Path]),
            [maps:get(Name, Map, missing) || Name <- Names];
        Values -> Values
    end;
fields(_, _, Path) -> bad_json(Path).

%% The usual case: all members, as the schema has them.
in_order([], []) -> [];
in_order([{Name, Value} | Members], [Name | Names]) ->
    case in_order(Members, Names) of
        false -> false;
        Values -> [Value | Values]
    end;
in_order(_, _) -> false.

%% @doc The members of an object that is a map.
-spec members(json(), path()) -> [{binary(), json()}].
members({Members}, _) -> Members;
members(_, Path) -> bad_json(Path).

%% @doc A map as an array of pairs.
-spec pairs(json(), path()) -> [{json(), json()}].
pairs(Pairs, Path) when is_list(Pairs) -> [pair(Pair, Path) || Pair <- Pairs];
pairs(_, Path) -> bad_json(Path).

pair([Key, Value], _) -> {Key, Value};
pair(_, Path) -> bad_json(Path).

%% @doc An array's elements, or a map's pairs, as `Read' has them, which is given each with its path.
-spec to_list(json() | [Element], path(), fun((Element, path()) -> Value)) -> [Value].
to_list(List, Path, Read) when is_list(List) -> to_list(List, 0, Path, Read);
to_list(_, Path, _) -> bad_json(Path).

to_list([Element | Rest], Index, Path, Read) ->
    [Read(Element, [Index | Path]) | to_list(Rest, Index + 1, Path, Read)];
to_list([], _, _, _) -> [].

%% @doc The elements of an array that must be exactly `Count'.
-spec to_array([Value], non_neg_integer(), path()) -> [Value].
to_array(List, Count, _) when length(List) =:= Count -> List;
to_array(_, _, Path) -> bad_json(Path).

%% @doc The elements of a set; none may come twice.
-spec to_set([Value], path()) -> [Value].
to_set(Elements, Path) ->
    to_set(Elements, fun(Element) -> Element end, Path).

%% @doc As {@link to_set/2}; elements of the same `Order' are equal.
-spec to_set([Value], fun((Value) -> term()), path()) -> [Value].
to_set(Elements, Order, Path) ->
    Distinct = aldis_order:values([{Order(Element), Element} || Element <- Elements]),
    length(Distinct) =:= length(Elements) orelse bad_json(Path),
    Distinct.

%% @doc A map of pairs; no key may come twice.
-spec to_map([{Key, Value}], path()) -> #{Key => Value}.
to_map(Pairs, Path) ->
    Map = maps:from_list(Pairs),
    map_size(Map) =:= length(Pairs) orelse bad_json(Path),
    Map.

%% @doc As {@link to_map/2}; keys of the same `Order' are equal.
-spec to_map([{Key, Value}], fun((Key) -> term()), path()) -> #{Key => Value}.
to_map(Pairs, Order, Path) ->
    Distinct = aldis_order:values([{Order(Key), Pair} || {Key, _} = Pair <- Pairs]),
    length(Distinct) =:= length(Pairs) orelse bad_json(Path),
    maps:from_list(Distinct).

%% @doc A boolean.
-spec to_boolean(json(), path()) -> boolean().
to_boolean(Value, _) when is_boolean(Value) -> Value;
to_boolean(_, Path) -> bad_json(Path).

%% @doc An integer by value: `1e3' and `2.0' are integers.
-spec to_integer(json(), integer(), integer(), path()) -> integer().
to_integer(Value, Min, Max, _) when is_integer(Value), Value >= Min, Value =< Max -> Value;
to_integer(Value, _, _, Path) when is_integer(Value) -> out_of_range(Path);
to_integer(Value, Min, Max, Path) when is_float(Value) ->
    case trunc(Value) of
        Whole when Whole == Value -> to_integer(Whole, Min, Max, Path);
        _ -> out_of_range(Path)
    end;
to_integer({number, Text}, Min, Max, Path) ->
    case integer_value(Text) of
        Value when is_integer(Value), Value >= Min, Value =< Max -> Value;
        _ -> out_of_range(Path)
    end;
to_integer(_, _, _, Path) -> bad_json(Path).

integer_value(<<$-, Text/binary>>) ->
    case integer_value(Text) of
        none -> none;
        Value -> -Value
    end;
integer_value(Text) ->
    case aldis_decimal:significant(Text) of
        {<<>>, _} -> 0;
        {Digits, Exponent} when Exponent >= 0, byte_size(Digits) + Exponent =< ?MOST_DIGITS ->
            binary_to_integer(Digits) * pow10(Exponent);
        _ -> none
    end.

pow10(0) -> 1;
pow10(N) -> 10 * pow10(N - 1).

%% @doc A finite float of 64 bits.
-spec to_float64(json(), path()) -> float().
to_float64(Value, _) when is_number(Value) -> float(Value);
to_float64({number, Text}, Path) ->
    try
        binary_to_float(with_point(Text))
    catch
        error:badarg -> out_of_range(Path)
    end;
to_float64(_, Path) -> bad_json(Path).

%% Erlang reads floats only with digits on both sides of a point.
with_point(Text) ->
    case binary:match(Text, <<".">>) of
        nomatch ->
            case binary:split(Text, [<<"e">>, <<"E">>]) of
                [Whole, Exponent] -> <<Whole/binary, ".0e", Exponent/binary>>;
                [Whole] -> <<Whole/binary, ".0">>
            end;
        _ -> Text
    end.

%% @doc A finite float of 32 bits, the nearest to the number as 64 bits have it.
-spec to_float32(json(), path()) -> float().
to_float32(Json, Path) ->
    case aldis_float:narrow(to_float64(Json, Path)) of
        {ok, Float} -> Float;
        error -> out_of_range(Path)
    end.

%% @doc A float of 64 bits, NaN and infinities as strings.
-spec to_any_float64(json(), path()) -> aldis:real().
to_any_float64(<<"NaN">>, _) -> nan;
to_any_float64(<<"Infinity">>, _) -> infinity;
to_any_float64(<<"-Infinity">>, _) -> '-infinity';
to_any_float64(Json, Path) -> to_float64(Json, Path).

%% @doc A float of 32 bits, NaN and infinities as strings.
-spec to_any_float32(json(), path()) -> aldis:real().
to_any_float32(Json, Path) when is_binary(Json) -> to_any_float64(Json, Path);
to_any_float32(Json, Path) -> to_float32(Json, Path).

%% @doc A character of one byte.
-spec to_char(json(), path()) -> byte().
to_char(<<Char/utf8>>, _) when Char < 256 -> Char;
to_char(<<_/utf8>>, Path) -> out_of_range(Path);
to_char(_, Path) -> bad_json(Path).

%% @doc A decimal as a string.
-spec to_decimal(json(), path()) -> aldis:decimal().
to_decimal(Text, Path) when is_binary(Text) ->
    case aldis_decimal:from_text(Text) of
        {ok, Decimal} -> Decimal;
        out_of_range -> out_of_range(Path);
        error -> bad_json(Path)
    end;
to_decimal(_, Path) -> bad_json(Path).

%% @doc A uuid as a string.
-spec to_uuid(json(), path()) -> aldis:uuid().
to_uuid(Text, Path) when is_binary(Text) ->
    case aldis_uuid:from_text(Text) of
        {ok, Uuid} -> Uuid;
        error -> bad_json(Path)
    end;
to_uuid(_, Path) -> bad_json(Path).

%% @doc Text as bytes of its encoding.
-spec to_text(json(), aldis_text:encoding(), path()) -> binary().
to_text(Text, utf8, _) when is_binary(Text) -> Text;
to_text(Text, latin1, Path) when is_binary(Text) ->
    case unicode:characters_to_binary(Text, utf8, latin1) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> out_of_range(Path)
    end;
to_text(_, _, Path) -> bad_json(Path).

%% @doc Bytes as base64 with padding.
-spec to_bytes(json(), path()) -> binary().
to_bytes(Text, Path) when is_binary(Text) ->
    try base64:decode(Text) of
        Bytes ->
            %% The library reads on over white space and spare bits.
            base64:encode(Bytes) =:= Text orelse bad_json(Path),
            Bytes
    catch
        error:_ -> bad_json(Path)
    end;
to_bytes(_, Path) -> bad_json(Path).

%% @doc The number of an array of flags' names and numbers.
-spec to_flags([json()], #{binary() => non_neg_integer()}, non_neg_integer(), path()) -> non_neg_integer().
to_flags(Names, Masks, Max, Path) ->
    lists:foldl(fun(Name, Number) -> Number bor to_mask(Name, Masks, Max, Path) end, 0, Names).

to_mask(Name, Masks, _, Path) when is_binary(Name) ->
    case Masks of
        #{Name := Mask} -> Mask;
        _ -> bad_json(Path)
    end;
to_mask(Number, _, Max, Path) -> to_integer(Number, 0, Max, Path).

%% @doc A boolean as an object's key.
-spec key_boolean(binary(), path()) -> boolean().
key_boolean(<<"true">>, _) -> true;
key_boolean(<<"false">>, _) -> false;
key_boolean(_, Path) -> bad_json(Path).

%% @doc An integer as an object's key: only the text that is written for it, no other spelling of the number.
-spec key_integer(binary(), integer(), integer(), path()) -> integer().
key_integer(<<"0">> = Key, Min, Max, Path) -> to_integer({number, Key}, Min, Max, Path);
key_integer(<<$-, D, Rest/binary>> = Key, Min, Max, Path) when D >= $1, D =< $9 ->
    key_digits(Rest, Key, Min, Max, Path);
key_integer(<<D, Rest/binary>> = Key, Min, Max, Path) when D >= $1, D =< $9 -> key_digits(Rest, Key, Min, Max, Path);
key_integer(_, _, _, Path) -> bad_json(Path).

key_digits(Rest, Key, Min, Max, Path) ->
    case aldis_json_text:after_digits(Rest) of
        <<>> -> to_integer({number, Key}, Min, Max, Path);
        _ -> bad_json(Path)
    end.

%%% Values to text

%% @doc A boolean.
-spec boolean(term(), path()) -> binary().
boolean(true, _) -> <<"true">>;
boolean(false, _) -> <<"false">>;
boolean(_, Path) -> aldis_check:wrong(Path).

%% @doc An integer whose bounds were checked.
-spec integer(integer()) -> binary().
integer(Value) -> integer_to_binary(Value).

%% @doc An integer within its bounds.
-spec integer(term(), integer(), integer(), path()) -> binary().
integer(Value, Min, Max, Path) -> integer_to_binary(aldis_check:int(Value, Min, Max, Path)).

%% @doc A character of one byte, as a string.
-spec char(term(), path()) -> iodata().
char(Value, Path) -> text(<<(aldis_check:int(Value, 0, 255, Path))>>, latin1, Path).

%% @doc A finite float of 32 bits; others are `bad_value'.
-spec float32(term(), path()) -> binary().
float32(Value, Path) ->
    case aldis_float:decode32(aldis_float:encode32(Value, Path)) of
        Float when is_float(Float) -> aldis_float:text32(Float);
        _ -> aldis_check:wrong(Path)
    end.

%% @doc A finite float of 64 bits; others are `bad_value'.
-spec float64(term(), path()) -> binary().
float64(Value, _) when is_float(Value) -> aldis_float:text64(Value);
float64(Value, Path) ->
    case aldis_float:decode64(aldis_float:encode64(Value, Path)) of
        Float when is_float(Float) -> aldis_float:text64(Float);
        _ -> aldis_check:wrong(Path)
    end.

%% @doc A float of 32 bits, NaN and infinities as strings.
-spec any_float32(term(), path()) -> binary().
any_float32(Value, Path) when is_atom(Value), Value =/= undefined -> non_finite(Value, Path);
any_float32(Value, Path) -> float32(Value, Path).

%% @doc A float of 64 bits, NaN and infinities as strings.
-spec any_float64(term(), path()) -> binary().
any_float64(Value, Path) when is_atom(Value), Value =/= undefined -> non_finite(Value, Path);
any_float64(Value, Path) -> float64(Value, Path).

non_finite(nan, _) -> <<"\"NaN\"">>;
non_finite(infinity, _) -> <<"\"Infinity\"">>;
non_finite('-infinity', _) -> <<"\"-Infinity\"">>;
non_finite(_, Path) -> aldis_check:wrong(Path).

%% @doc A decimal, as a string.
-spec decimal(term(), path()) -> iodata().
decimal(Value, Path) ->
    %% Encoding checks it.
    [$", aldis_decimal:to_text(aldis_decimal:decode(aldis_decimal:encode(Value, Path), Path)), $"].

%% @doc A uuid, as a string.
-spec uuid(term(), path()) -> iodata().
uuid(Value, Path) -> [$", aldis_uuid:to_text(aldis_check:uuid(Value, Path)), $"].

%% @doc Bytes, as base64.
-spec base64(term(), path()) -> iodata().
base64(Value, Path) -> [$", base64:encode(aldis_text:bytes(Value, Path)), $"].

%% @doc Text, as a string. Bytes that are not in the encoding are `bad_text'.
-spec text(term(), aldis_text:encoding(), path()) -> iodata().
text(Value, Encoding, Path) when is_binary(Value) ->
    case is_plain(Value) of
        true -> [$", Value, $"];
        false -> escaped(Value, Encoding, Path)
    end;
text(Value, Encoding, Path) -> escaped(Value, Encoding, Path).

%% Bytes that stand for themselves in all encodings.
is_plain(<<C, Rest/binary>>) when C >= 16#20, C < 16#80, C =/= $", C =/= $\\ -> is_plain(Rest);
is_plain(Rest) -> Rest =:= <<>>.

escaped(Value, utf8, Path) ->
    Bytes = aldis_text:encode(Value, utf8, Path),
    case unicode:characters_to_binary(Bytes) of
        Bytes -> [$", escape(Bytes), $"];
        _ -> aldis_fault:raise(bad_text, none, Path)
    end;
escaped(Value, latin1, Path) ->
    Bytes = aldis_text:encode(Value, latin1, Path),
    [$", escape(unicode:characters_to_binary(Bytes, latin1, utf8)), $"].

escape(Bytes) -> escape(Bytes, 0, Bytes).

%% `Bytes' begins with `Plain' bytes that stand for themselves; `Rest' follows them.
escape(<<C, Rest/binary>>, Plain, Bytes) when C >= 16#20, C =/= $", C =/= $\\ -> escape(Rest, Plain + 1, Bytes);
escape(<<C, Rest/binary>>, Plain, Bytes) -> [binary:part(Bytes, 0, Plain), short(C) | escape(Rest, 0, Rest)];
escape(<<>>, _, Bytes) -> [Bytes].

short($") -> <<"\\\"">>;
short($\\) -> <<"\\\\">>;
short($\b) -> <<"\\b">>;
short($\f) -> <<"\\f">>;
short($\n) -> <<"\\n">>;
short($\r) -> <<"\\r">>;
short($\t) -> <<"\\t">>;
short(C) -> [<<"\\u00">>, hex_digit(C bsr 4), hex_digit(C band 15)].

hex_digit(D) when D < 10 -> $0 + D;
hex_digit(D) -> $a + D - 10.

%% @doc Flags as an array of names, bits without a name as a number at the end.
-spec flags([atom() | {unknown, pos_integer()}]) -> iodata().
flags(Names) -> [$[, lists:join($,, [flag(Name) || Name <- Names]), $]].

flag({unknown, Bits}) -> integer_to_binary(Bits);
flag(Name) -> [$", escape(atom_to_binary(Name, utf8)), $"].

%% @doc An array of the texts that `Write' has for elements, given each with its path.
-spec array([Element], path(), fun((Element, path()) -> iodata())) -> iodata().
array(Elements, Path, Write) -> [$[, texts(Elements, 0, Path, Write, [], ?TOGETHER), $]].

%% @doc As {@link array/3}, for members of an object.
-spec object([Member], path(), fun((Member, path()) -> iodata())) -> iodata().
object(Members, Path, Write) -> [${, texts(Members, 0, Path, Write, [], ?TOGETHER), $}].

%% The reversed texts since the last binary, and for how many more there is room.
texts([Element | Rest], Index, Path, Write, Acc, Room) ->
    Text = Write(Element, [Index | Path]),
    case Rest of
        [] -> [iolist_to_binary(lists:reverse(Acc, [Text]))];
        _ when Room =:= 0 ->
            Together = iolist_to_binary(lists:reverse(Acc, [Text, $,])),
            [Together | texts(Rest, Index + 1, Path, Write, [], ?TOGETHER)];
        _ -> texts(Rest, Index + 1, Path, Write, [$,, Text | Acc], Room - 1)
    end;
texts([], _, _, _, _, _) -> [].
