%% @doc JSON by tables for records and unions whose objects leave out nulls; an object may hold members of several of them.
%%
%% Where it does, the table is `shaped': all members are read from one map, each record and union with a prefix that its members' names
%% begin with. Else the table has the names of the members, of which one of a list may be there.
-module(aldis_json_object).

-export([write/4, read/4]).
-export_type([table/0]).

-type path() :: aldis_fault:path().
-type json() :: aldis_json:json().
-type names() :: shaped | [binary() | [binary()]].

-type table() ::
    {object, names(), made(), record | group, [row()]}
    | {choice, names(), told(), [arm()], missing()}.

%% A record, or the value of its only union, which stands in its place.
-type made() :: {record, Tag :: atom()} | {struct, Empty :: map(), Keys :: [atom()]} | union.

%% A field with how its null is written; a record or union that is flattened: its name in paths, the prefix of its members' names, also as
%% it is in JSON's strings, its table, what null is, whether it has members; a union whose member is one of the record's own.
-type row() ::
    {field, aldis_json_table:field(), null()}
    | {flat, atom(), binary(), binary(), fun(() -> table()), [term()], boolean(), missing()}
    | {union, fun(() -> table()), missing()}.

%% Null and its text, or `[]' where it is left out; nothing, whose member is left out; `[]' where null is written as the value is.
-type null() :: [] | [term()] | {absent, term()}.

%% What is not there: a value, a function and its arguments, or a fault.
-type missing() :: [term()] | {fun(), [term()]}.

%% The member that tells which arm is active, its text, and the name of the member that all arms have, if there is one.
-type told() :: none | {binary(), binary(), binary() | none}.

%% What the arm's value begins with, its name, and how it lies in the object. Where it is told, its name as text, and how it lies there
%% then, too.
-type arm() :: {term(), binary(), row()} | {term(), binary(), row(), binary(), row()}.

%% @doc An object.
-spec write(table(), term(), pos_integer(), path()) -> iodata().
write({object, [_ | _], Made, _, Rows}, Value, Depth, Path) when Made =/= union ->
    Values = parts(Made, Rows, Value, Path),
    ok = aldis_check:depth(Depth, Path),
    texts(Rows, Values, ${, Depth, Path);
write({object, [_], union, _, Rows}, Value, Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    texts(Rows, [Value], ${, Depth, Path);
write(Table, Value, Depth, Path) -> aldis_json_sparse:object(members(Table, Value, <<>>, Depth, Path)).

%% The members of a record that shares its object with no other, each behind a sign.
texts([{field, _, [Null, []]} | Rows], [Null | Values], Sign, Depth, Path) -> texts(Rows, Values, Sign, Depth, Path);
texts([{field, Field, _} | Rows], [Value | Values], Sign, Depth, Path) ->
    Text = aldis_json_table:write(element(4, Field), Value, Depth, [element(1, Field) | Path]),
    [Sign, element(3, Field), Text | texts(Rows, Values, $,, Depth, Path)];
texts([{union, Union, _} | Rows], [Value | Values], Sign, Depth, Path) ->
    case members(Union(), Value, <<>>, Depth, Path) of
        [Member] when Member =/= [] -> [Sign, Member | texts(Rows, Values, $,, Depth, Path)];
        _ -> texts(Rows, Values, Sign, Depth, Path)
    end;
texts([], [], ${, _, _) -> [<<"{}">>];
texts([], [], $,, _, _) -> [$}].

%% The values of a record's fields.
parts({record, Tag}, Rows, Value, Path) ->
    case is_tuple(Value) andalso tuple_to_list(Value) of
        [Tag | Values] when length(Values) =:= length(Rows) -> Values;
        _ -> aldis_check:wrong(Path)
    end;
parts({struct, #{'__struct__' := Module}, Keys}, _, Value, Path) ->
    case Value of
        #{'__struct__' := Module} -> aldis_json_table:values(Keys, Value, Path);
        _ -> aldis_check:wrong(Path)
    end.

%% The members of an object that a value is, as text. `Prefix' is as it is in a string.
members({object, _, union, _, [{union, Union, _}]}, Value, Prefix, Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    members(Union(), Value, Prefix, Depth, Path);
members({object, _, Made, _, Rows}, Value, Prefix, Depth, Path) ->
    Values = parts(Made, Rows, Value, Path),
    ok = aldis_check:depth(Depth, Path),
    rows(Rows, Values, Prefix, Depth, Path);
members({choice, _, Told, Arms, _}, {Tag, Value}, Prefix, Depth, Path) ->
    case lists:keyfind(Tag, 1, Arms) of
        {_, _, {field, _, _} = Row} -> [member(Row, Value, Prefix, Depth, Path)];
        {_, _, Row} -> row(Row, Value, Prefix, Depth, Path);
        {_, _, _, Name, Row} -> [[key(element(2, Told), Prefix), Name] | row(Row, Value, Prefix, Depth, Path)];
        false when Tag =:= unknown -> aldis_json_sparse:unknown(Value, Path);
        false -> aldis_check:wrong(Path)
    end;
members(_, _, _, _, Path) -> aldis_check:wrong(Path).

rows([{field, _, _} = Row | Rows], [Value | Values], Prefix, Depth, Path) ->
    [member(Row, Value, Prefix, Depth, Path) | rows(Rows, Values, Prefix, Depth, Path)];
rows([Row | Rows], [Value | Values], Prefix, Depth, Path) ->
    Members = row(Row, Value, Prefix, Depth, Path),
    Members ++ rows(Rows, Values, Prefix, Depth, Path);
rows([], [], _, _, _) -> [].

row({flat, _, _, _, _, [Null], _, _}, Null, _, _, _) -> [];
row({flat, Key, _, Inner, Table, _, _, _}, Value, Prefix, Depth, Path) ->
    Of = Table(),
    members(Of, Value, <<Prefix/binary, Inner/binary>>, written(Of, Depth), [Key | Path]);
row({union, Union, _}, Value, Prefix, Depth, Path) -> members(Union(), Value, Prefix, Depth, Path);
row(Row, Value, Prefix, Depth, Path) -> [member(Row, Value, Prefix, Depth, Path)].

written({object, _, _, record, _}, Depth) -> Depth + 1;
written(_, Depth) -> Depth.

member({field, _, [Null, []]}, Null, _, _, _) -> [];
member({field, Field, [Null, Text]}, Null, Prefix, _, _) -> [key(element(3, Field), Prefix), Text];
member({field, _, {absent, Null}}, Null, _, _, _) -> [];
member({field, Field, {absent, _}}, _, _, _, Path) -> aldis_check:wrong([element(1, Field) | Path]);
member({field, Field, _}, Value, Prefix, Depth, Path) ->
    Text = aldis_json_table:write(element(4, Field), Value, Depth, [element(1, Field) | Path]),
    [key(element(3, Field), Prefix), Text].

key(Text, <<>>) -> Text;
key(<<$", Text/binary>>, Prefix) -> <<$", Prefix/binary, Text/binary>>.

%% @doc The value of an object.
-spec read(table(), json(), pos_integer(), path()) -> term().
read({object, shaped, _, _, _} = Table, Json, Depth, Path) ->
    from_members(Table, aldis_json_sparse:members(Json, Depth - 1, Path), <<>>, Depth, Path);
read({choice, shaped, _, _, _} = Table, Json, Depth, Path) ->
    from_members(Table, aldis_json_sparse:members(Json, Depth, Path), <<>>, Depth, Path);
read({object, Names, Made, _, Rows}, Json, Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    made(Made, values(Rows, aldis_json_sparse:fields(Json, Names, Depth, Path), Depth, Path));
read({choice, Names, _, Arms, Missing}, Json, Depth, Path) ->
    [Member] = aldis_json_sparse:fields(Json, Names, Depth, Path),
    one_of(Member, Arms, Missing, Depth, Path).

values([{field, Field, _} | Rows], [Json | Members], Depth, Path) ->
    [aldis_json_table:value(Json, Field, Depth, Path) | values(Rows, Members, Depth, Path)];
values([{union, Union, Missing} | Rows], [Member | Members], Depth, Path) ->
    [one_of(Member, element(4, Union()), Missing, Depth, Path) | values(Rows, Members, Depth, Path)];
values([], [], _, _) -> [].

one_of(missing, _, Missing, _, Path) -> missing(Missing, Path);
one_of({Name, Json}, Arms, _, Depth, Path) ->
    {Tag, _, {field, Field, _}} = lists:keyfind(Name, 2, Arms),
    {Tag, aldis_json_table:value(Json, Field, Depth, Path)}.

made({record, Tag}, Values) -> list_to_tuple([Tag | Values]);
made({struct, Empty, Keys}, Values) -> maps:merge(Empty, maps:from_list(lists:zip(Keys, Values)));
made(union, [Value]) -> Value.

missing([Value], _) -> Value;
missing({Make, Args}, _) -> apply(Make, Args);
missing([], Path) -> aldis_json:bad_json(Path).

from_members({object, _, Made, _, Rows}, Members, Prefix, Depth, Path) ->
    ok = aldis_check:depth(Depth, Path),
    aldis_json:take(length(Rows), Path),
    made(Made, [part(Row, Members, Prefix, Depth, Path) || Row <- Rows]);
from_members({choice, _, Told, Arms, Missing}, Members, Prefix, Depth, Path) ->
    Given = [{element(2, Arm), is_given(element(3, Arm), Members, Prefix, Depth)} || Arm <- Arms],
    Read = fun(Name) ->
        Arm = lists:keyfind(Name, 2, Arms),
        {element(1, Arm), part(element(3, Arm), Members, Prefix, Depth, Path)}
    end,
    Found =
        case Told of
            none -> aldis_json_sparse:given(Given, Read, Path);
            {Teller, _, Common} ->
                Word = of_name(Teller, Members, Prefix),
                ReadTold = told_reader(Common, Arms, Members, Prefix, Depth, Path, Read),
                aldis_json_sparse:told(Word, ReadTold, Given, Read, Path)
        end,
    case Found of
        missing -> missing(Missing, Path);
        _ -> Found
    end.

told_reader(none, _, _, _, _, _, Read) -> Read;
told_reader(Common, Arms, Members, Prefix, Depth, Path, _) ->
    Json = of_name(Common, Members, Prefix),
    fun(Name) ->
        {Tag, _, _, _, {field, Field, _}} = lists:keyfind(Name, 2, Arms),
        {Tag, aldis_json_table:value(Json, Field, Depth, Path)}
    end.

of_name(Name, Members, Prefix) -> maps:get(<<Prefix/binary, Name/binary>>, Members, missing).

part({field, Field, _}, Members, Prefix, Depth, Path) ->
    aldis_json_table:value(of_name(element(2, Field), Members, Prefix), Field, Depth, Path);
part({union, Union, _}, Members, Prefix, Depth, Path) -> from_members(Union(), Members, Prefix, Depth, Path);
part({flat, Key, Inner, _, Table, _, _, Missing} = Row, Members, Prefix, Depth, Path) ->
    case is_given(Row, Members, Prefix, Depth) of
        true ->
            Of = Table(),
            from_members(Of, Members, <<Prefix/binary, Inner/binary>>, read_at(Of, Depth), [Key | Path]);
        false -> missing(Missing, Path)
    end.

read_at({object, _, _, _, _}, Depth) -> Depth + 1;
read_at(_, Depth) -> Depth.

%% Whether a field is given, or any member of what is flattened. What lies too deep is not.
is_given({field, Field, _}, Members, Prefix, _) -> is_map_key(<<Prefix/binary, (element(2, Field))/binary>>, Members);
is_given({union, Union, _}, Members, Prefix, Depth) -> any_given(Union(), Members, Prefix, Depth);
is_given({flat, _, Inner, _, Table, _, Has, _}, Members, Prefix, Depth) ->
    Has andalso any_given(Table(), Members, <<Prefix/binary, Inner/binary>>, Depth).

any_given(Table, Members, Prefix, Depth) ->
    aldis_json_sparse:deeper(Depth) andalso
        case Table of
            {object, _, _, _, Rows} ->
                lists:any(fun(Row) -> is_given(Row, Members, Prefix, Depth + 1) end, Rows);
            {choice, _, {Teller, _, _}, _, _} when is_map_key(<<Prefix/binary, Teller/binary>>, Members) -> true;
            {choice, _, _, Arms, _} ->
                lists:any(fun(Arm) -> is_given(element(3, Arm), Members, Prefix, Depth + 1) end, Arms)
        end.
