%% @doc Records' runs by tables: the writers of values, and the readers of bytes, that generated code does not take at once. A table
%% has a row a slot, in the order of the bytes; constants are checked before the other values, as the interpreter does.
-module(aldis_run).

-export([write/4, read/7, skip/7, field/4, viewed/7, with/2]).
-export_type([table/0, named/0]).

-type path() :: aldis_fault:path().

%% A record: its tag, how many elements its tuple has, how many bytes its run, its byte order, and its rows; or a map that says what
%% struct it is.
-type table() ::
    {record, atom(), pos_integer(), non_neg_integer(), order(), [row()]}
    | {struct, map(), non_neg_integer(), order(), [row()]}.

-type order() :: little | big.

%% Where the value lies, where the record has it, its name in paths, its kind, and the version that it came with, where that is not the
%% first. Numbers about the message are the bytes themselves. A `link' and a `presence' byte with its link take the next place,
%% and `cells' the next bytes, that are given beside the record.
-type row() ::
    {non_neg_integer(), binary()}
    | {non_neg_integer(), place(), term(), {constant, term()} | link | presence | cells | kind()}
    | {non_neg_integer(), place(), term(), {constant, term()} | kind(), pos_integer()}.

-type place() :: pos_integer() | atom().

%% Null is a number in the place of the value's, any NaN, bytes that are written but never read as null, or a number that is not.
-type kind() ::
    word()
    | decimal
    | uuid
    | fun(() -> table() | named())
    | {chars, non_neg_integer(), utf8 | latin1}
    | {array, non_neg_integer(), kind()}
    | {converted, fun((term()) -> term()), kind()}
    | {or_null | or_nan | or_absent, integer() | binary(), kind()}.

-type word() :: uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | boolean | float32 | float64.

%% An enum or a flags type: its value's number, the value of a number, and how that is written.
-type named() :: {number, fun((term(), path()) -> integer()), fun((integer()) -> term()), word()}.

%% @doc The bytes of a record's run. `Given' is what lies beside the record for its links and cells, in order.
-spec write(table(), term(), [non_neg_integer() | binary()], path()) -> binary().
write({record, Tag, Size, Bytes, Order, Rows}, Value, Given, Path) ->
    is_tuple(Value) andalso tuple_size(Value) =:= Size andalso element(1, Value) =:= Tag orelse aldis_check:wrong(Path),
    run(Rows, Bytes, Value, {Order, undefined}, Given, Path);
write({struct, #{'__struct__' := Module}, Bytes, Order, Rows}, Value, Given, Path) ->
    case Value of
        #{'__struct__' := Module} -> run(Rows, Bytes, Value, {Order, nil}, Given, Path);
        _ -> aldis_check:wrong(Path)
    end.

run(Rows, Bytes, Record, Form, Given, Path) ->
    lists:foreach(fun(Row) -> constant(Row, Record, Path) end, Rows),
    Written = iolist_to_binary(rows(Rows, 0, Record, Form, Given, Path)),
    <<Written/binary, 0:(Bytes - byte_size(Written))/unit:8>>.

constant({At, Place, Key, Kind, _}, Record, Path) -> constant({At, Place, Key, Kind}, Record, Path);
constant({_, Place, Key, {constant, Value}}, Record, Path) ->
    aldis_check:constant(of_record(Place, Record, Path), Value, [Key | Path]);
constant(_, _, _) -> ok.

of_record(Place, Record, _) when is_integer(Place) -> element(Place, Record);
of_record(Place, Record, Path) ->
    case Record of
        #{Place := Value} -> Value;
        _ -> aldis_check:wrong(Path)
    end.

%% `To' is where the bytes end that were written; zeros lie in gaps.
rows([{At, Place, Key, Kind, _} | Rows], To, Record, Form, Given, Path) ->
    rows([{At, Place, Key, Kind} | Rows], To, Record, Form, Given, Path);
rows([{_, _, _, {constant, _}} | Rows], To, Record, Form, Given, Path) -> rows(Rows, To, Record, Form, Given, Path);
rows([Row | Rows], To, Record, Form, Given, Path) ->
    {Bytes, Left} = row(Row, Record, Form, Given, Path),
    At = element(1, Row),
    [<<0:(At - To)/unit:8>>, Bytes | rows(Rows, At + byte_size(Bytes), Record, Form, Left, Path)];
rows([], _, _, _, [], _) -> [].

row({_, Bytes}, _, _, Given, _) -> {Bytes, Given};
row({_, _, _, link}, _, {Order, _}, [At | Given], _) -> {bits(At, 32, Order), Given};
row({_, Place, _, presence}, Record, {Order, Null}, [At | Given], Path) ->
    case of_record(Place, Record, Path) of
        Null -> {<<0:40>>, Given};
        _ -> {<<1, (bits(At, 32, Order))/binary>>, Given}
    end;
row({_, _, _, cells}, _, _, [Cells | Given], _) -> {Cells, Given};
row({_, Place, Key, Kind}, Record, Form, Given, Path) ->
    {value(Kind, of_record(Place, Record, Path), Form, [Key | Path]), Given}.

value({_, Bytes, _}, Null, {_, Null}, _) when is_binary(Bytes) -> Bytes;
value({Or, Number, Kind}, Null, {Order, Null}, _) when is_integer(Number), Or =/= chars, Or =/= array ->
    bits(Number, size_of(Kind) * 8, Order);
value({Or, _, Kind}, Value, Form, Path) when Or =:= or_null; Or =:= or_nan; Or =:= or_absent ->
    value(Kind, Value, Form, Path);
value({chars, Size, Encoding}, Value, _, Path) -> aldis_text:chars(Value, Size, Encoding, Path);
value({array, Count, Kind}, Value, Form, Path) ->
    iolist_to_binary([value(Kind, Item, Form, Path) || Item <- aldis_check:array(Value, Count, Path)]);
value({converted, To, Kind}, Value, Form, Path) -> value(Kind, To(Value), Form, Path);
value(decimal, Value, _, Path) -> aldis_decimal:encode(Value, Path);
value(uuid, Value, _, Path) -> aldis_check:uuid(Value, Path);
value(Named, Value, {Order, _}, Path) when is_function(Named, 0) ->
    case Named() of
        {number, To, _, Word} -> bits(To(Value, Path), size_of(Word) * 8, Order);
        Table -> write(Table, Value, [], Path)
    end;
value(Word, Value, {Order, _}, Path) -> bits(number(Word, Value, Path), size_of(Word) * 8, Order).

number(boolean, Value, Path) -> aldis_check:bool(Value, Path);
number(float32, Value, Path) -> aldis_float:encode32(Value, Path);
number(float64, Value, Path) -> aldis_float:encode64(Value, Path);
number(uint8, Value, Path) -> aldis_check:int(Value, 0, 16#FF, Path);
number(uint16, Value, Path) -> aldis_check:int(Value, 0, 16#FFFF, Path);
number(uint32, Value, Path) -> aldis_check:int(Value, 0, 16#FFFFFFFF, Path);
number(uint64, Value, Path) -> aldis_check:int(Value, 0, 16#FFFFFFFFFFFFFFFF, Path);
number(int8, Value, Path) -> aldis_check:int(Value, -16#80, 16#7F, Path);
number(int16, Value, Path) -> aldis_check:int(Value, -16#8000, 16#7FFF, Path);
number(int32, Value, Path) -> aldis_check:int(Value, -16#80000000, 16#7FFFFFFF, Path);
number(int64, Value, Path) -> aldis_check:int(Value, -16#8000000000000000, 16#7FFFFFFFFFFFFFFF, Path).

bits(Number, Bits, little) -> <<Number:Bits/little>>;
bits(Number, Bits, big) -> <<Number:Bits>>.

%% The bytes that a value of some kind takes.
size_of({constant, _}) -> 0;
size_of({chars, Size, _}) -> Size;
size_of({array, Count, Kind}) -> Count * size_of(Kind);
size_of({_, _, Kind}) -> size_of(Kind);
size_of(Named) when is_function(Named, 0) ->
    case Named() of
        {number, _, _, Word} -> size_of(Word);
        {record, _, _, Bytes, _, _} -> Bytes;
        {struct, _, Bytes, _, _} -> Bytes
    end;
size_of(Word) when Word =:= uint8; Word =:= int8; Word =:= boolean -> 1;
size_of(Word) when Word =:= uint16; Word =:= int16 -> 2;
size_of(Word) when Word =:= uint32; Word =:= int32; Word =:= float32 -> 4;
size_of(Word) when Word =:= uint64; Word =:= int64; Word =:= float64 -> 8;
size_of(Kind) when Kind =:= decimal; Kind =:= uuid -> 16.

%%% Bytes to values

%% @doc The record of a run of `Extent' bytes, and what follows. Fields that the run does not have, or its writer did not know, are null.
-spec read(table(), binary(), non_neg_integer(), non_neg_integer(), Budget, [{pos_integer(), pos_integer()}], path()) ->
    {tuple() | map(), binary(), Budget} when Budget :: integer().
read(Table, Bin, Extent, Version, Budget, Surcharges, Path) ->
    {Rest, Left} = skip(Table, Bin, Extent, Version, Budget, Surcharges, Path),
    <<Block:Extent/binary, _/binary>> = Bin,
    {record(Table, Block, 0, Version), Rest, Left}.

%% @doc What follows a run, which is charged for and not looked at.
-spec skip(table(), binary(), non_neg_integer(), non_neg_integer(), Budget, [{pos_integer(), pos_integer()}], path()) ->
    {binary(), Budget} when Budget :: integer().
skip(Table, Bin, Extent, Version, Budget, Surcharges, Path) ->
    case Bin of
        <<_:Extent/binary, Rest/binary>> ->
            {Rest, aldis_wire:charge_block(Budget, Extent, Surcharges, [], Bin, Path)};
        _ ->
            aldis_wire:cut(Bin, Extent, {Version, cuts(Table, {0, 1, 0}, [])}, Path)
    end.

%% @doc The field with this key in the bytes of a run.
-spec field(table(), term(), binary(), non_neg_integer()) -> term().
field(Table, Key, Block, Version) ->
    Rows = element(tuple_size(Table), Table),
    Row = lists:keyfind(Key, 3, Rows),
    [{_, Value}] = fields([Row], Block, 0, Version, {element(tuple_size(Table) - 1, Table), null(Table)}),
    Value.

%% @doc The field with this key in a message, as {@link aldis_wire:viewed/6} reads it; one that the schema fixes is not looked for.
-spec viewed(atom(), table(), fun((binary()) -> tuple()), function(), non_neg_integer(), binary(), aldis_wire:within()) ->
    {ok, term()} | {error, aldis:reason()}.
viewed(Field, Table, Open, View, Head, Bin, Limits) ->
    case lists:keyfind(Field, 3, element(tuple_size(Table), Table)) of
        Row when element(1, element(4, Row)) =:= constant -> aldis_wire:constant(Bin, element(2, element(4, Row)));
        _ -> aldis_wire:viewed(Field, Open, View, Head, Bin, Limits)
    end.

null(Table) when element(1, Table) =:= record -> undefined;
null(_) -> nil.

%% @doc A record with more values.
-spec with(tuple() | map(), [{place(), term()}]) -> tuple() | map().
with(Record, Values) when is_tuple(Record) ->
    lists:foldl(fun({Place, Value}, With) -> setelement(Place, With, Value) end, Record, Values);
with(Record, Values) ->
    maps:merge(Record, maps:from_list(Values)).

record({record, Tag, Size, _, Order, Rows}, Block, From, Version) ->
    erlang:make_tuple(Size, undefined, [{1, Tag} | fields(Rows, Block, From, Version, {Order, undefined})]);
record({struct, Empty, _, Order, Rows}, Block, From, Version) ->
    maps:merge(Empty, maps:from_list(fields(Rows, Block, From, Version, {Order, nil}))).

fields([{_, Place, _, {constant, Value}} | Rows], Block, From, Version, Form) ->
    [{Place, Value} | fields(Rows, Block, From, Version, Form)];
fields([{_, Place, _, {constant, Value}, _} | Rows], Block, From, Version, Form) ->
    [{Place, Value} | fields(Rows, Block, From, Version, Form)];
fields([{At, Place, _, Kind} | Rows], Block, From, Version, Form) ->
    [{Place, found(Kind, Block, From + At, Version, Form)} | fields(Rows, Block, From, Version, Form)];
fields([{At, Place, _, Kind, Since} | Rows], Block, From, Version, Form) when Version >= Since ->
    [{Place, found(Kind, Block, From + At, Version, Form)} | fields(Rows, Block, From, Version, Form)];
fields([{_, Place, _, _, _} | Rows], Block, From, Version, {_, Null} = Form) ->
    [{Place, Null} | fields(Rows, Block, From, Version, Form)];
fields([], _, _, _, _) -> [].

found({or_null, Number, Kind}, Block, At, Version, {Order, Null} = Form) when is_integer(Number) ->
    case raw(word(Kind), Block, At, Order) of
        Number -> Null;
        _ -> found(Kind, Block, At, Version, Form)
    end;
found({or_nan, _, Kind}, Block, At, Version, {_, Null} = Form) ->
    case found(Kind, Block, At, Version, Form) of
        nan -> Null;
        Value -> Value
    end;
found({Or, _, Kind}, Block, At, Version, Form) when Or =:= or_null; Or =:= or_absent ->
    found(Kind, Block, At, Version, Form);
found({chars, Size, _}, Block, At, _, {_, Null}) ->
    case Block of
        <<_:At/binary, Text:Size/binary, _/binary>> -> aldis_text:cut(Text);
        _ -> Null
    end;
found({array, Count, Kind}, Block, At, Version, {_, Null} = Form) ->
    Size = size_of(Kind),
    case byte_size(Block) >= At + Count * Size of
        true -> [found(Kind, Block, At + Index * Size, Version, Form) || Index <- lists:seq(0, Count - 1)];
        false -> Null
    end;
found(Named, Block, At, Version, {Order, Null}) when is_function(Named, 0) ->
    case Named() of
        {number, _, From, Word} ->
            case raw(Word, Block, At, Order) of
                none -> Null;
                Number -> From(Number)
            end;
        Table when byte_size(Block) - At >= element(tuple_size(Table) - 2, Table) -> record(Table, Block, At, Version);
        _ -> Null
    end;
found(Word, Block, At, _, {Order, Null}) ->
    case raw(Word, Block, At, Order) of
        none -> Null;
        Bits when Word =:= float32 -> aldis_float:decode32(Bits);
        Bits when Word =:= float64 -> aldis_float:decode64(Bits);
        Number when Word =:= boolean -> Number =/= 0;
        Number -> Number
    end.

word(Named) when is_function(Named, 0) -> element(4, Named());
word(Word) -> Word.

%% The number at a place; `none' where the block ends before.
raw(Word, Block, At, Order) ->
    Bits = size_of(Word) * 8,
    Signed = Word =:= int8 orelse Word =:= int16 orelse Word =:= int32 orelse Word =:= int64,
    case Block of
        <<_:At/binary, Number:Bits/signed-little, _/binary>> when Signed, Order =:= little -> Number;
        <<_:At/binary, Number:Bits/signed, _/binary>> when Signed -> Number;
        <<_:At/binary, Number:Bits/little, _/binary>> when Order =:= little -> Number;
        <<_:At/binary, Number:Bits, _/binary>> -> Number;
        _ -> none
    end.

%% The members of a run as {@link aldis_wire:cut/4} takes them: where each lies, the least extent that has it, the first version and
%% its path. What is within a record is there where the record is.
cuts(Table, Outer, Names) ->
    Rows = element(tuple_size(Table), Table),
    lists:append([cut(Row, Outer, Names) || Row <- Rows, tuple_size(Row) >= 4]).

cut({At, Place, Key, Kind}, Outer, Names) -> cut({At, Place, Key, Kind, 0}, Outer, Names);
cut({At, _, Key, Kind, Since}, {From, Least, First}, Names) ->
    {Begin, Path, Known} = {From + At, [Key | Names], max(First, Since)},
    End = Begin + size_of(Kind),
    Needed =
        case Kind of
            {constant, _} -> Least;
            _ -> max(Least, End)
        end,
    within(Kind, {Begin, Needed, Known}, Path) ++ [{Begin, End, Needed, Known, Path}].

within({Or, _, Kind}, Outer, Path) when Or =:= or_null; Or =:= or_absent -> within(Kind, Outer, Path);
within(Named, Outer, Path) when is_function(Named, 0) ->
    case Named() of
        {number, _, _, _} -> [];
        Table -> cuts(Table, Outer, Path)
    end;
within(_, _, _) -> [].
