%% @doc JSON by tables: generated codecs say what their values are made of, and these functions walk it, both ways.
%%
%% A {@type kind()} says what a value is. Those of records, enums and flags stand behind functions of no argument, as types
%% may hold themselves; what these give is a literal, which costs nothing to give. Faults are those of {@link aldis_json}, with
%% the path.
-module(aldis_json_table).

-export([to_json/2, from_json/2, write/4, read/4, value/4, values/3, bounds/1]).
-export_type([kind/0, table/0, field/0]).

-type path() :: aldis_fault:path().
-type json() :: aldis_json:json().
-type scalar() ::
    opaque | boolean | char | decimal | uuid | utf8 | latin1 | base64 | hex | byte_array
    | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
    | float32 | float64 | any_float32 | any_float64 | nullable_float32 | nullable_float64.
%% The term by which elements of a set or keys of a map are sorted; their own where there is no function.
-type order() :: none | fun((term()) -> term()).
-type kind() ::
    scalar()
    | fun(() -> table())
    % Nothing, with the term that null is.
    | {void, term()}
    % A string of digits, and a number that may also be read from one.
    | {wide | digits, scalar()}
    % The term that null is, and its text.
    | {optional, term(), binary(), kind()}
    % Functions from the runtime's value to the language's, and back.
    | {converted, fun((term()) -> term()), fun((term()) -> term()), kind()}
    | {list, kind()}
    | {array, kind(), non_neg_integer()}
    | {set, kind(), order()}
    % An object, and an array of pairs.
    | {map | pairs, kind(), kind(), order()}.
%% Whether a record is a level of its own for the writer and the reader; a group is none for the writer.
-type level() :: record | group | none.
-type table() ::
    {record, Tag :: atom(), level(), [field()]}
    | {struct, Empty :: map(), Keys :: [atom()], level(), [field()]}
    % Functions to and from numbers, the numbers' kind, and the texts and numbers of what has a name.
    | {enum, fun((term(), path()) -> integer()), fun((integer()) -> term()), scalar(), #{term() => binary()},
        #{binary() => integer()}}
    % The masks by name, and whether names alone are written and read.
    | {flags, fun((term(), path()) -> non_neg_integer()), fun((non_neg_integer()) -> term()), scalar(),
        #{binary() => non_neg_integer()}, boolean()}
    | aldis_json_object:table().
%% A field: its name in paths, its name in JSON, what stands before its value, its kind. `Null' is written as null; null, and nothing
%% at all, are read as it. The long form says each of these: what is written as null, or the value that the schema fixes; what null is
%% read as; what a field is read as that is not given, which may be a function and its arguments.
-type field() ::
    {atom(), binary(), binary(), kind()}
    | {atom(), binary(), binary(), kind(), Null :: term()}
    | {atom(), binary(), binary(), kind(), [term()] | {same, term()}, [term()], [term()] | {fun(), [term()]}}.

%% @doc A record as JSON.
-spec to_json(kind() | table(), term()) -> {ok, binary()} | {error, aldis:reason()}.
to_json(Table, Value) ->
    try {ok, iolist_to_binary(write_table(Table, Value, 1, []))}
    catch throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% @doc A record from JSON.
-spec from_json(kind() | table(), iodata()) -> {ok, term()} | {error, aldis:reason()}.
from_json(Table, Text) ->
    try {ok, aldis_json:read(Text, fun(Json) -> read_table(Table, Json, 1, []) end)}
    catch throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%%% Values to text

%% @doc A value as JSON, within a record of this depth.
-spec write(kind(), term(), pos_integer(), path()) -> iodata().
write(Kind, Value, _, Path) when is_atom(Kind) -> write_scalar(Kind, Value, Path);
write(Kind, Value, Depth, Path) when is_function(Kind, 0) ->
    Table = Kind(),
    write_table(Table, Value, written(Table, Depth), Path);
write({optional, Null, Text, _}, Null, _, _) -> Text;
write({optional, _, _, Kind}, Value, Depth, Path) -> write(Kind, Value, Depth, Path);
write({list, Kind}, Value, Depth, Path) -> elements(aldis_check:list(Value, Path), Kind, Depth, Path);
write({array, Kind, Count}, Value, Depth, Path) -> elements(aldis_check:array(Value, Count, Path), Kind, Depth, Path);
write({set, Kind, Order}, Value, Depth, Path) ->
    elements(sorted(aldis_check:list(Value, Path), Order), Kind, Depth, Path);
write({map, Key, Kind, Order}, Value, Depth, Path) ->
    aldis_json:object(sorted_pairs(Value, Order, Path), Path, fun({K, V}, At) ->
        [write_key(Key, K, At), $:, write(Kind, V, Depth, At)]
    end);
write({pairs, Key, Kind, Order}, Value, Depth, Path) ->
    aldis_json:array(sorted_pairs(Value, Order, Path), Path, fun({K, V}, At) ->
        [$[, write(Key, K, Depth, At), $,, write(Kind, V, Depth, At), $]]
    end);
write({converted, _, To, Kind}, Value, Depth, Path) -> write(Kind, To(Value), Depth, Path);
write({wide, Kind}, Value, _, Path) -> [$", write_scalar(Kind, Value, Path), $"];
write({digits, Kind}, Value, _, Path) -> write_scalar(Kind, Value, Path);
write({void, Null}, Null, _, _) -> <<"null">>;
write({void, _}, _, _, Path) -> aldis_check:wrong(Path).

elements(List, Kind, Depth, Path) ->
    aldis_json:array(List, Path, fun(Element, At) -> write(Kind, Element, Depth, At) end).

sorted(List, none) -> lists:usort(List);
sorted(List, Order) -> aldis_order:values([{Order(Item), Item} || Item <- List]).

sorted_pairs(Map, none, Path) -> lists:keysort(1, aldis_check:map(Map, Path));
sorted_pairs(Map, Order, Path) ->
    aldis_order:pairs([{Order(Key), Pair} || {Key, _} = Pair <- aldis_check:map(Map, Path)], Path).

write_key(Text, Key, Path) when Text =:= utf8; Text =:= latin1 -> aldis_json:text(Key, utf8, Path);
write_key(Kind, Key, Path) when is_function(Kind, 0) -> [$", integer_to_binary(number(Kind(), Key, Path)), $"];
write_key(Kind, Key, Path) when Kind =:= uuid; Kind =:= decimal; is_tuple(Kind) -> write(Kind, Key, 1, Path);
write_key(Kind, Key, Path) -> [$", write_scalar(Kind, Key, Path), $"].

write_scalar(int8, Value, Path) -> aldis_json:integer(Value, -16#80, 16#7F, Path);
write_scalar(int16, Value, Path) -> aldis_json:integer(Value, -16#8000, 16#7FFF, Path);
write_scalar(int32, Value, Path) -> aldis_json:integer(Value, -16#80000000, 16#7FFFFFFF, Path);
write_scalar(int64, Value, Path) -> aldis_json:integer(Value, -16#8000000000000000, 16#7FFFFFFFFFFFFFFF, Path);
write_scalar(uint8, Value, Path) -> aldis_json:integer(Value, 0, 16#FF, Path);
write_scalar(uint16, Value, Path) -> aldis_json:integer(Value, 0, 16#FFFF, Path);
write_scalar(uint32, Value, Path) -> aldis_json:integer(Value, 0, 16#FFFFFFFF, Path);
write_scalar(uint64, Value, Path) -> aldis_json:integer(Value, 0, 16#FFFFFFFFFFFFFFFF, Path);
write_scalar(boolean, Value, Path) -> aldis_json:boolean(Value, Path);
write_scalar(utf8, Value, Path) -> aldis_json:text(Value, utf8, Path);
write_scalar(latin1, Value, Path) -> aldis_json:text(Value, latin1, Path);
write_scalar(float32, Value, Path) -> aldis_json:float32(Value, Path);
write_scalar(float64, Value, Path) -> aldis_json:float64(Value, Path);
write_scalar(any_float32, Value, Path) -> aldis_json:any_float32(Value, Path);
write_scalar(any_float64, Value, Path) -> aldis_json:any_float64(Value, Path);
write_scalar(nullable_float32, Value, Path) -> aldis_json:any_float32(Value, Path);
write_scalar(nullable_float64, Value, Path) -> aldis_json:any_float64(Value, Path);
write_scalar(decimal, Value, Path) -> aldis_json:decimal(Value, Path);
write_scalar(uuid, Value, Path) -> aldis_json:uuid(Value, Path);
write_scalar(base64, Value, Path) -> aldis_json:base64(Value, Path);
write_scalar(char, Value, Path) -> aldis_json:char(Value, Path);
write_scalar(hex, Value, Path) -> aldis_json_sparse:hex(Value, Path);
write_scalar(byte_array, Value, Path) -> aldis_json_sparse:byte_array(Value, Path);
write_scalar(opaque, _, Path) -> aldis_check:wrong(Path).

%% How deep a record is for the writer that lies in one of this depth.
written({record, _, record, _}, Depth) -> Depth + 1;
written({struct, _, _, record, _}, Depth) -> Depth + 1;
written({object, _, _, record, _}, Depth) -> Depth + 1;
written(_, Depth) -> Depth.

write_table({record, Tag, _, Fields}, Value, Depth, Path) ->
    is_tuple(Value) andalso tuple_size(Value) =:= 1 + length(Fields) andalso element(1, Value) =:= Tag
        orelse aldis_check:wrong(Path),
    write_record(Fields, tl(tuple_to_list(Value)), Depth, Path);
write_table({struct, #{'__struct__' := Module}, Keys, _, Fields}, Value, Depth, Path) ->
    case Value of
        #{'__struct__' := Module} -> write_record(Fields, values(Keys, Value, Path), Depth, Path);
        _ -> aldis_check:wrong(Path)
    end;
write_table({enum, To, _, _, Texts, _}, Value, _, Path) ->
    case Texts of
        #{Value := Text} -> Text;
        _ -> integer_to_binary(To(Value, Path))
    end;
write_table({object, _, _, _, _} = Table, Value, Depth, Path) -> aldis_json_object:write(Table, Value, Depth, Path);
write_table({choice, _, _, _, _} = Table, Value, Depth, Path) -> aldis_json_object:write(Table, Value, Depth, Path);
write_table({flags, To, From, _, _, true}, Value, _, Path) -> aldis_json:flags(From(To(Value, Path)));
write_table({flags, _, _, _, _, false} = Table, Value, _, Path) -> integer_to_binary(number(Table, Value, Path)).

%% The number of an enum's or flags type's value, with the sign of its representation.
number({enum, To, _, _, _, _}, Value, Path) -> To(Value, Path);
number({flags, To, _, Kind, _, _}, Value, Path) ->
    {Min, Max} = bounds(Kind),
    case To(Value, Path) of
        Number when Number > Max -> Number - (Max - Min + 1);
        Number -> Number
    end.

%% @private The values of a struct's keys.
-spec values([atom()], map(), path()) -> [term()].
values([Key | Keys], Struct, Path) ->
    case Struct of
        #{Key := Value} -> [Value | values(Keys, Struct, Path)];
        _ -> aldis_check:wrong(Path)
    end;
values([], _, _) -> [].

write_record([], [], Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    <<"{}">>;
write_record(Fields, Values, Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    members(Fields, Values, Depth, Path).

members([{Key, _, Text, Kind} | Fields], [Value | Values], Depth, Path) ->
    [Text, write(Kind, Value, Depth, [Key | Path]) | members(Fields, Values, Depth, Path)];
members([{_, _, Text, _, Null} | Fields], [Null | Values], Depth, Path) ->
    [Text, <<"null">> | members(Fields, Values, Depth, Path)];
members([{Key, _, Text, Kind, _} | Fields], [Value | Values], Depth, Path) ->
    [Text, write(Kind, Value, Depth, [Key | Path]) | members(Fields, Values, Depth, Path)];
members([{_, _, Text, _, [Null], _, _} | Fields], [Null | Values], Depth, Path) ->
    [Text, <<"null">> | members(Fields, Values, Depth, Path)];
members([{Key, _, Text, Kind, {same, Value}, _, _} | Fields], [_ | Values], Depth, Path) ->
    [Text, write(Kind, Value, Depth, [Key | Path]) | members(Fields, Values, Depth, Path)];
members([{Key, _, Text, Kind, _, _, _} | Fields], [Value | Values], Depth, Path) ->
    [Text, write(Kind, Value, Depth, [Key | Path]) | members(Fields, Values, Depth, Path)];
members([], [], _, _) -> [$}].

%%% Terms to values

%% @doc The value of a term, within a record of this depth.
-spec read(kind(), json(), pos_integer(), path()) -> term().
read(Kind, Json, _, Path) when is_atom(Kind) -> read_scalar(Kind, Json, Path);
read(Kind, Json, Depth, Path) when is_function(Kind, 0) ->
    Table = Kind(),
    read_table(Table, Json, read_at(Table, Depth), Path);
read({optional, Null, _, _}, null, _, _) -> Null;
read({optional, _, _, Kind}, Json, Depth, Path) -> read(Kind, Json, Depth, Path);
read({list, Kind}, Json, Depth, Path) -> read_elements(Kind, Json, Depth, Path);
read({array, Kind, Count}, Json, Depth, Path) ->
    aldis_json:to_array(read_elements(Kind, Json, Depth, Path), Count, Path);
read({set, Kind, none}, Json, Depth, Path) -> aldis_json:to_set(read_elements(Kind, Json, Depth, Path), Path);
read({set, Kind, Order}, Json, Depth, Path) ->
    aldis_json:to_set(read_elements(Kind, Json, Depth, Path), Order, Path);
read({map, Key, Kind, Order}, Json, Depth, Path) ->
    to_map(aldis_json:members(Json, Path), Order, Path, fun({K, V}, At) ->
        {read_key(Key, K, At), read(Kind, V, Depth, At)}
    end);
read({pairs, Key, Kind, Order}, Json, Depth, Path) ->
    to_map(aldis_json:pairs(Json, Path), Order, Path, fun({K, V}, At) ->
        {read(Key, K, Depth, At), read(Kind, V, Depth, At)}
    end);
read({converted, From, _, Kind}, Json, Depth, Path) -> From(read(Kind, Json, Depth, Path));
read({Digits, Kind}, Json, _, Path) when Digits =:= wide; Digits =:= digits ->
    {Min, Max} = bounds(Kind),
    aldis_json_sparse:to_integer(Json, Min, Max, Path);
read({void, Null}, null, _, _) -> Null;
read({void, _}, _, _, Path) -> aldis_json:bad_json(Path).

read_elements(Kind, Json, Depth, Path) ->
    aldis_json:to_list(Json, Path, fun(Element, At) -> read(Kind, Element, Depth, At) end).

to_map(Pairs, none, Path, Read) -> aldis_json:to_map(aldis_json:to_list(Pairs, Path, Read), Path);
to_map(Pairs, Order, Path, Read) -> aldis_json:to_map(aldis_json:to_list(Pairs, Path, Read), Order, Path).

read_key(boolean, Key, Path) -> aldis_json:key_boolean(Key, Path);
read_key(Kind, Key, Path) when is_function(Kind, 0) ->
    Table = Kind(),
    {Min, Max} = bounds(element(4, Table)),
    (element(3, Table))(aldis_json:key_integer(Key, Min, Max, Path));
read_key(Kind, Key, Path) ->
    case bounds(Kind) of
        none -> read(Kind, Key, 1, Path);
        {Min, Max} -> aldis_json:key_integer(Key, Min, Max, Path)
    end.

%% @private The least and the largest number of a kind of integers.
-spec bounds(term()) -> {integer(), integer()} | none.
bounds(int8) -> {-16#80, 16#7F};
bounds(int16) -> {-16#8000, 16#7FFF};
bounds(int32) -> {-16#80000000, 16#7FFFFFFF};
bounds(int64) -> {-16#8000000000000000, 16#7FFFFFFFFFFFFFFF};
bounds(uint8) -> {0, 16#FF};
bounds(uint16) -> {0, 16#FFFF};
bounds(uint32) -> {0, 16#FFFFFFFF};
bounds(uint64) -> {0, 16#FFFFFFFFFFFFFFFF};
bounds(_) -> none.

read_integer(Kind, Json, Path) ->
    {Min, Max} = bounds(Kind),
    aldis_json:to_integer(Json, Min, Max, Path).

read_scalar(utf8, Json, Path) -> aldis_json:to_text(Json, utf8, Path);
read_scalar(latin1, Json, Path) -> aldis_json:to_text(Json, latin1, Path);
read_scalar(boolean, Json, Path) -> aldis_json:to_boolean(Json, Path);
read_scalar(float32, Json, Path) -> aldis_json:to_float32(Json, Path);
read_scalar(float64, Json, Path) -> aldis_json:to_float64(Json, Path);
read_scalar(any_float32, Json, Path) -> aldis_json:to_any_float32(Json, Path);
read_scalar(any_float64, Json, Path) -> aldis_json:to_any_float64(Json, Path);
read_scalar(nullable_float32, Json, Path) -> aldis_json_sparse:to_float32(Json, Path);
read_scalar(nullable_float64, Json, Path) -> aldis_json_sparse:to_float64(Json, Path);
read_scalar(decimal, Json, Path) -> aldis_json:to_decimal(Json, Path);
read_scalar(uuid, Json, Path) -> aldis_json:to_uuid(Json, Path);
read_scalar(base64, Json, Path) -> aldis_json:to_bytes(Json, Path);
read_scalar(char, Json, Path) -> aldis_json:to_char(Json, Path);
read_scalar(hex, Json, Path) -> aldis_json_sparse:to_hex(Json, Path);
read_scalar(byte_array, Json, Path) -> aldis_json_sparse:to_byte_array(Json, Path);
read_scalar(opaque, _, Path) -> aldis_json:bad_json(Path);
read_scalar(Kind, Json, Path) -> read_integer(Kind, Json, Path).

%% How deep a record is for the reader that lies in one of this depth.
read_at({record, _, none, _}, Depth) -> Depth;
read_at({struct, _, _, none, _}, Depth) -> Depth;
read_at({choice, _, _, _, _}, Depth) -> Depth;
read_at(_, Depth) -> Depth + 1.

read_table({record, Tag, _, Fields}, Json, Depth, Path) ->
    list_to_tuple([Tag | read_fields(Fields, Json, Depth, Path)]);
read_table({struct, Empty, Keys, _, Fields}, Json, Depth, Path) ->
    maps:merge(Empty, maps:from_list(lists:zip(Keys, read_fields(Fields, Json, Depth, Path))));
read_table({enum, _, From, Kind, _, Numbers}, Json, _, Path) ->
    case Numbers of
        #{Json := Number} -> From(Number);
        _ when is_binary(Json) -> aldis_json:bad_json(Path);
        _ -> From(read_integer(Kind, Json, Path))
    end;
read_table({object, _, _, _, _} = Table, Json, Depth, Path) -> aldis_json_object:read(Table, Json, Depth, Path);
read_table({choice, _, _, _, _} = Table, Json, Depth, Path) -> aldis_json_object:read(Table, Json, Depth, Path);
read_table({flags, _, From, Kind, Masks, _}, Json, _, Path) when is_list(Json) ->
    {Min, Max} = bounds(Kind),
    From(aldis_json:to_flags(Json, Masks, Max - Min, Path));
read_table({flags, _, From, Kind, _, false}, Json, _, Path) -> From(read_integer(Kind, Json, Path));
read_table({flags, _, _, _, _, true}, _, _, Path) -> aldis_json:bad_json(Path).

read_fields(Fields, Json, Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    case Json of
        {Members} ->
            case in_order(Members, Fields) of
                true -> given(Members, Fields, Depth, Path);
                false ->
                    Values = aldis_json:fields(Json, [element(2, Field) || Field <- Fields], Path),
                    [value(Value, Field, Depth, Path) || {Value, Field} <- lists:zip(Values, Fields)]
            end;
        _ -> aldis_json:bad_json(Path)
    end.

%% The usual case: all members, as the schema has them.
in_order([{Name, _} | Members], [Field | Fields]) -> Name =:= element(2, Field) andalso in_order(Members, Fields);
in_order(Members, Fields) -> Members =:= [] andalso Fields =:= [].

given([{_, Json} | Members], [Field | Fields], Depth, Path) ->
    [value(Json, Field, Depth, Path) | given(Members, Fields, Depth, Path)];
given([], [], _, _) -> [].

%% @doc The value of a field in an object; `missing' where it is not given.
-spec value(json() | missing, field(), pos_integer(), path()) -> term().
value(Json, {Key, _, _, Kind}, Depth, Path) -> read(Kind, Json, Depth, [Key | Path]);
value(Json, {_, _, _, _, Null}, _, _) when Json =:= null; Json =:= missing -> Null;
value(Json, {Key, _, _, Kind, _}, Depth, Path) -> read(Kind, Json, Depth, [Key | Path]);
value(null, {_, _, _, _, _, [Value], _}, _, _) -> Value;
value(missing, {_, _, _, _, _, _, [Value]}, _, _) -> Value;
value(missing, {_, _, _, _, _, _, {Make, Args}}, _, _) -> apply(Make, Args);
value(missing, {Key, _, _, _, _, _, []}, _, Path) -> aldis_json:required([Key | Path]);
value(Json, {Key, _, _, Kind, {same, Constant}, _, _}, Depth, Path) ->
    aldis_json:same(read(Kind, Json, Depth, [Key | Path]), Constant, [Key | Path]);
value(Json, {Key, _, _, Kind, _, _, _}, Depth, Path) -> read(Kind, Json, Depth, [Key | Path]).
