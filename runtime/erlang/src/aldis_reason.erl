%% @doc Reasons in words: the value that is at fault, and what its field takes.
%%
%% A reason is small, since faults are made where codecs must be quick: `{bad_value, '-', <<"team">>}'. A generated module
%% knows its schema, and its function `format_error' says the rest when somebody asks:
%% `team: red is none of home, away (bad_value)'.
-module(aldis_reason).

-export([format/1, format/4]).
-export_type([about/0, type/0]).

-type type() ::
    bool | char | float | decimal | timestamp | uuid | bytes | text | void | open
    | integer_type()
    | {chars, Length :: non_neg_integer()}
    | {named, Name :: atom()}
    | {optional, type()} | {list, type()} | {set, type()} | {array, type(), Length :: non_neg_integer()}
    | {map, Key :: type(), Value :: type()}
    | {constant, type()}
    | {secret, type()}
    | {flag, Flags :: atom()}.
-type integer_type() :: int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64.
%% The type of a field. `constant' fields have a value that the schema fixes; the value of a `secret' one is not shown; `flag' is
%% an element of a flags type.
-type about() ::
    {record, [{Field :: atom(), type()}]}
    | {union, [{Arm :: atom(), type()}]}
    | {enum, [Enumerant :: atom()], integer_type()}
    | {flags, [Flag :: atom()]}.
%% A type of a schema. The field of an unnamed union is called `'''.

-type step() :: binary() | integer() | none.
-type value() :: {value, term()} | missing | unknown.

%% Characters of a text that are quoted.
-define(QUOTED, 40).

%% Names of a long list that are shown.
-define(NAMES, 40).

%% The terms that stand for no value in Erlang, Elixir and JSON.
-define(IS_NULL(Value), (Value =:= undefined orelse Value =:= nil orelse Value =:= null)).

%% @doc A reason in words, without its schema.
-spec format(aldis:reason()) -> binary().
format({Code, _, _} = Reason) -> sentence(Reason, meaning(Code)).

%% @doc A reason in words. `Name' is the message's record, `Given' what the function was given that gave the reason (a
%% record, JSON or bytes) or `none', and `About' knows the types of the schema.
-spec format(aldis:reason(), atom(), term(), fun((atom()) -> about())) -> binary().
format({Code, '-', Path} = Reason, Name, Given, About)
    when Code =:= bad_value; Code =:= out_of_range; Code =:= bad_json ->
    Found = find({named, Name}, given(Given), steps(Path), About),
    sentence(Reason, said(Code, Found, About));
format({bad_json, Offset, _} = Reason, _, Given, _) when is_binary(Given), is_integer(Offset), Offset < byte_size(Given) ->
    sentence(Reason, [meaning(bad_json), at_character(binary:part(Given, Offset, min(4, byte_size(Given) - Offset)))]);
format({truncated, _, _} = Reason, _, Given, _) when is_binary(Given) ->
    sentence(Reason, [meaning(truncated), ": there are ", integer_to_binary(byte_size(Given))]);
format(Reason, _, _, _) ->
    format(Reason).

%% `orders[2].symbol, byte 40: … (bad_count)'
sentence({Code, Offset, Path}, Words) ->
    Byte = ["byte " ++ integer_to_list(Offset) || is_integer(Offset)],
    Field = [Path || Path =/= <<>>],
    Place = case Field ++ Byte of
        [] -> [];
        Both -> [lists:join(", ", Both), ": "]
    end,
    unicode:characters_to_binary([Place, Words, " (", atom_to_binary(Code, utf8), ")"]).

meaning(truncated) -> "the bytes end too early";
meaning(bad_pointer) -> "a pointer leads outside of the message, or is misaligned";
meaning(bad_count) -> "a count or length is larger than the bytes can hold";
meaning(bad_text) -> "the bytes are not the text that the schema says they are";
meaning(bad_value) -> "the value is not one that this field can have";
meaning(too_deep) -> "records nest deeper than 64";
meaning(too_large) -> "reading this would take far more work than its size allows";
meaning(unknown_message) -> "this is none of the schema's messages";
meaning(bad_json) -> "this is no JSON, or not the JSON of this message";
meaning(out_of_range) -> "the value is outside of what its type can hold";
meaning(_) -> "the message could not be read or written".

%%% The way to the field

%% `orders[2].symbol' as its steps. Indices follow names or each other.
-spec steps(binary()) -> [step()].
steps(<<>>) -> [];
steps(<<$[, Rest/binary>>) ->
    case string:to_integer(Rest) of
        {Index, <<$], More/binary>>} when is_integer(Index) -> [Index | steps(More)];
        %% A field with brackets in its name.
        _ -> [none]
    end;
steps(<<$., Rest/binary>>) -> steps(Rest);
steps(Path) ->
    Length = case binary:match(Path, [<<".">>, <<"[">>]) of
        nomatch -> byte_size(Path);
        {At, _} -> At
    end,
    <<Name:Length/binary, Rest/binary>> = Path,
    [Name | steps(Rest)].

%% Text is JSON here: of bytes each reason has an offset.
-spec given(term()) -> value().
given(none) -> unknown;
given(Text) when is_binary(Text) ->
    try
        {value, aldis_json:decode(Text)}
    catch
        throw:_ -> unknown
    end;
given(Value) -> {value, Value}.

%% The type and the value at the end of the way; `{no_field, Name}' where it leads to a name that `Name' does not have.
-spec find(type(), value(), [step()], fun((atom()) -> about())) ->
    {type(), value()} | {no_field, [atom()]} | unknown.
find({Kind, Type}, Value, Steps, About) when Steps =/= [], (Kind =:= optional orelse Kind =:= secret) ->
    case find(Type, Value, Steps, About) of
        {Found, Of} when Kind =:= secret -> {{secret, Found}, Of};
        Found -> Found
    end;
find(Type, Value, [], _) -> {Type, Value};
find({named, Name}, Value, [Step | Rest], About) when is_binary(Step) ->
    case About(Name) of
        {record, Fields} -> in_record(Fields, Value, Step, Rest, About);
        {union, Arms} -> in_union(Arms, Value, Step, Rest, About);
        _ -> unknown
    end;
find({Kind, Type}, Value, [Step | Rest], About) when is_integer(Step), (Kind =:= list orelse Kind =:= set) ->
    find(Type, element_of(Value, Step), Rest, About);
find({array, Type, _}, Value, [Step | Rest], About) when is_integer(Step) ->
    find(Type, element_of(Value, Step), Rest, About);
find(_, _, _, _) -> unknown.

in_record(Fields, Value, Step, Rest, About) ->
    case lists:search(fun({Name, _}) -> atom_to_binary(Name, utf8) =:= Step end, Fields) of
        {value, {Name, Type}} -> find(Type, field(Name, Fields, Value), Rest, About);
        false ->
            case lists:keyfind('', 1, Fields) of
                %% In JSON the arm of an unnamed union stands in the record's own object.
                {_, {named, Union}} ->
                    {union, Arms} = About(Union),
                    in_union(Arms, unnamed(Fields, Value), Step, Rest, About);
                _ -> {no_field, [Name || {Name, _} <- Fields]}
            end
    end.

in_union(Arms, Value, Step, Rest, About) ->
    case lists:search(fun({Name, _}) -> atom_to_binary(Name, utf8) =:= Step end, Arms) of
        {value, {Name, Type}} -> find(Type, arm(Name, Value), Rest, About);
        false -> {no_field, [Name || {Name, _} <- Arms]}
    end.

%% The value of a field of a record, a struct, or an object of JSON.
field(Name, _, {value, {Members}}) when is_list(Members) ->
    case lists:keyfind(atom_to_binary(Name, utf8), 1, Members) of
        {_, Value} -> {value, Value};
        false -> missing
    end;
field(Name, Fields, {value, Record}) when tuple_size(Record) =:= length(Fields) + 1 ->
    {value, element(position(Name, Fields, 2), Record)};
field(Name, _, {value, Struct}) when is_map_key(Name, Struct) -> {value, map_get(Name, Struct)};
field(_, _, _) -> unknown.

position(Name, [{Name, _} | _], At) -> At;
position(Name, [_ | Fields], At) -> position(Name, Fields, At + 1).

%% The union without a name that is in a record.
unnamed(_, {value, {Members}} = Object) when is_list(Members) -> Object;
unnamed(_, {value, #{union := Union}}) -> {value, Union};
unnamed(Fields, Value) -> field('', Fields, Value).

arm(Name, {value, {Name, Value}}) -> {value, Value};
arm(Name, {value, {Members}} = Object) when is_list(Members) -> field(Name, [], Object);
arm(_, _) -> unknown.

element_of({value, List}, Index) when is_list(List) -> element_at(List, Index);
element_of(_, _) -> unknown.

element_at([Value | _], 0) -> {value, Value};
element_at([_ | Rest], Index) when Index > 0 -> element_at(Rest, Index - 1);
element_at(_, _) -> unknown.

%%% Words

said(_, {no_field, Names}, _) -> ["there is no such field; there are ", names(Names)];
said(_, {{constant, _}, Value}, _) -> [subject(Value), " is not the value that the schema fixes"];
said(Code, {{secret, Type}, {value, _}}, About) -> said(Code, {Type, secret}, About);
said(Code, {{secret, Type}, Value}, About) -> said(Code, {Type, Value}, About);
said(_, {Type, missing}, About) -> ["it is missing, and must be ", expected(Type, About)];
said(_, {Type, {value, Null}}, About) when ?IS_NULL(Null) ->
    ["it has no value, and must be ", expected(Type, About)];
said(Code, {{optional, Type}, {value, _} = Value}, About) -> said(Code, {Type, Value}, About);
said(Code, {{array, _, Length} = Type, {value, List}}, About) when is_list(List) ->
    case count(List) of
        Length -> in_list(Code, Type, List, About);
        Count -> ["a list of ", integer_to_binary(Count), " is not ", expected(Type, About)]
    end;
said(Code, {{Kind, _} = Type, {value, List}}, About) when is_list(List), (Kind =:= list orelse Kind =:= set) ->
    in_list(Code, Type, List, About);
said(Code, {{named, Name} = Type, {value, List}}, About) when is_list(List) ->
    case About(Name) of
        {flags, _} -> in_list(Code, {list, {flag, Name}}, List, About);
        _ -> misfit(Type, {value, List}, About)
    end;
said(Code, {Type, Value}, About) ->
    case {Code, fits(Type, Value)} of
        {out_of_range, true} -> "its length is more than its place in the message can say";
        {_, true} -> meaning(Code);
        {_, false} -> misfit(Type, Value, About)
    end;
said(Code, unknown, _) -> meaning(Code).

%% Paths lead to lists of numbers and enumerants, not into them: the element that is at fault is found here.
in_list(Code, Container, List, About) ->
    Element = element(2, Container),
    case culprit(Element, List, 0, About) of
        {Index, Value} -> ["element ", integer_to_binary(Index), ": ", misfit(Element, {value, Value}, About)];
        none when Code =:= out_of_range -> "its length is more than its place in the message can say";
        none -> meaning(Code)
    end.

culprit(Type, [Value | Rest], Index, About) ->
    case is_of(Type, Value, About) of
        true -> culprit(Type, Rest, Index + 1, About);
        false -> {Index, Value}
    end;
culprit(_, _, _, _) -> none.

%% Whether a value can be of a type; values of types without bounds are believed to be.
is_of(bool, Value, _) -> is_boolean(Value);
is_of({flag, Name}, Value, About) ->
    {flags, Names} = About(Name),
    is_name(Value, Names) orelse is_tuple(Value);
is_of({named, Name}, Value, About) ->
    case About(Name) of
        {enum, Names, Type} when is_integer(Value) -> Names =/= [] andalso is_of(Type, Value, About);
        {enum, Names, _} -> is_name(Value, Names);
        _ -> true
    end;
is_of({optional, _}, Null, _) when ?IS_NULL(Null) -> true;
is_of({optional, Type}, Value, About) -> is_of(Type, Value, About);
is_of(Type, Value, _) ->
    case aldis_json_table:bounds(Type) of
        {Min, Max} -> is_integer(Value) andalso Value >= Min andalso Value =< Max;
        none -> true
    end.

%% In JSON names are text.
is_name(Value, Names) when is_binary(Value) -> lists:any(fun(Name) -> atom_to_binary(Name, utf8) =:= Value end, Names);
is_name({enum, Name}, Names) -> lists:member(Name, Names);
is_name(Value, Names) -> lists:member(Value, Names).

%% Elements up to where a list ends, be it proper or not.
count([_ | Rest]) -> 1 + count(Rest);
count(_) -> 0.

%% Whether a value of a type without bounds is of that type: then something else is wrong with it.
fits(text, {value, Text}) -> is_binary(Text) orelse is_list(Text);
fits(bytes, {value, Bytes}) -> is_binary(Bytes) orelse is_list(Bytes);
fits(_, _) -> false.

misfit({flag, Name}, Value, About) ->
    {flags, Names} = About(Name),
    [subject(Value), " is none of ", names(Names)];
misfit({named, Name} = Type, Value, About) ->
    case About(Name) of
        {enum, Names, Number} ->
            [subject(Value), " is none of ", names(Names), ", and no number from ", range(Number)];
        _ -> [subject(Value), " is not ", expected(Type, About)]
    end;
misfit(Type, Value, About) ->
    [subject(Value), " is not ", expected(Type, About)].

-spec expected(type(), fun((atom()) -> about())) -> iodata().
expected(bool, _) -> "true or false";
expected(char, _) -> "one character, or its number from 0 to 255";
expected(float, _) -> "a number that its float can hold";
expected(decimal, _) -> "a decimal of at most 96 bits and 28 digits behind the point";
expected(timestamp, _) -> "nanoseconds since 1970, from 0 to 18446744073709551615";
expected(uuid, _) -> "a uuid";
expected(bytes, _) -> "bytes";
expected(text, _) -> "text";
expected(void, _) -> "null";
expected(open, _) -> "a value of open type";
expected({chars, Length}, _) -> ["text of at most ", integer_to_binary(Length), " bytes"];
expected({optional, Type}, About) -> [expected(Type, About), ", or null"];
expected({list, _}, _) -> "a list";
expected({set, _}, _) -> "a set, with each element once";
expected({array, _, Length}, _) -> ["a list of ", integer_to_binary(Length)];
expected({map, _, _}, _) -> "a map, with each key once";
expected({named, Name}, About) ->
    case About(Name) of
        {record, Fields} -> ["a ", atom_to_binary(Name, utf8), " of ", names([Field || {Field, _} <- Fields])];
        {union, Arms} -> ["one of ", names([Arm || {Arm, _} <- Arms]), ", with its value"];
        {enum, Names, Number} -> ["one of ", names(Names), ", or a number from ", range(Number)];
        {flags, Names} -> ["a list of ", names(Names)]
    end;
expected({_, Type}, About) -> expected(Type, About);
expected(Number, _) -> ["a whole number from ", range(Number)].

range(Number) ->
    {Min, Max} = aldis_json_table:bounds(Number),
    [integer_to_binary(Min), " to ", integer_to_binary(Max)].

names(Names) when length(Names) > ?NAMES ->
    More = integer_to_list(length(Names) - ?NAMES),
    [names(lists:sublist(Names, ?NAMES)), " and ", More, " more"];
names(Names) -> lists:join(", ", [name(Name) || Name <- Names]).

name('') -> "union";
name(Name) -> atom_to_binary(Name, utf8).

subject(unknown) -> "the value";
subject(secret) -> "the value ***";
subject(missing) -> "the missing value";
subject(Value) -> shown(Value).

%% A value as one can read it, whatever its size.
shown({value, Text}) when is_binary(Text) ->
    case {readable(binary:part(Text, 0, min(byte_size(Text), ?QUOTED))), byte_size(Text) > ?QUOTED} of
        {<<>>, true} -> "this value";
        {Start, true} -> [$", Start, "…\""];
        {Whole, false} -> [$", Whole, $"]
    end;
shown({value, {number, Text}}) when byte_size(Text) =< ?QUOTED -> Text;
shown({value, {number, Text}}) -> [binary:part(Text, 0, ?QUOTED), "…"];
shown({value, Value}) when is_atom(Value) -> atom_to_binary(Value, utf8);
shown({value, Value}) when is_integer(Value), abs(Value) < 1 bsl 256 -> integer_to_binary(Value);
shown({value, Value}) when is_integer(Value) -> "a very large number";
shown({value, Value}) when is_float(Value) -> io_lib:format("~w", [Value]);
shown({value, List}) when is_list(List) -> "this list";
shown({value, Map}) when is_map(Map) -> "this map";
shown({value, {Members}}) when is_list(Members) -> "this object";
shown(_) -> "this value".

%% One character and no more: what follows it may be the value of a field that is not shown.
at_character(Text) ->
    case unicode:characters_to_list(readable(Text)) of
        [Char | _] -> [", at the character ", Char];
        [] -> []
    end.

%% The part of a text that is UTF-8, without characters that would command a terminal.
readable(Text) ->
    Valid = case unicode:characters_to_list(Text) of
        Chars when is_list(Chars) -> Chars;
        {_, Chars, _} -> Chars
    end,
    unicode:characters_to_binary([C || C <- Valid, C >= $\s, C < 16#7F orelse C > 16#9F]).
