%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    items :: ['Message_items'()]
}).
%% [as in the base]

%% feature.Message.items
-record('Message_items', {
    n :: aldis:uint8() | undefined
}).
-type 'Message_items'() :: #'Message_items'{}.

-endif.
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_items'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1,
    new_Message_items/0, encode/1, identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% For the modules of this codec alone.
-export([
    open_Message/1, run_Message/0, run_Message_items/0, read_Message_items_table/1, read_Message_items/5
]).

%% [as in the base]

-compile({inline, [list_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [
    write_Message/2, fast_encode_Message/2, fast_append_Message_items_item/2, fast_list_Message_items_item/1,
    fast_encode_Message_iolist/1, write_Message_items/2
]}).

%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                               0  (total, as this schema's writers write it)
%%                   after  varies  items
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{items = []}.

write_Message(#'Message'{items = Items_} = Value, Path) ->
    [write_Message_run(Value, Path), write_Message_items_list(Items_, [items | Path])];
write_Message(_, Path) -> aldis_check:wrong(Path).

write_Message_run(#'Message'{}, _Path) -> <<>>.

write_Message_items_list(Value, Path) ->
    Items = aldis_check:list(Value, Path),
    Count = aldis_check:count(length(Items), 0, 65534, Path),
    [<<1:16/little, Count:16/little>> | write_Message_items_list_each(Items, 0, Path)].

write_Message_items_list_each([Item | Rest], Index, Path) ->
    [write_Message_items(Item, [Index | Path]) | write_Message_items_list_each(Rest, Index + 1, Path)];
write_Message_items_list_each([], _, _Path) -> [].

fast_encode_Message(#'Message'{items = [#'Message_items'{n = Items_1_N}]}, _Acc)
    when ?WITHIN(Items_1_N, 0, 255) ->
    <<0:16/little, 1:16/little, 1:16/little, 0:16/little, 1:16/little, 1:16/little, Items_1_N:8>>;
fast_encode_Message(
    #'Message'{items = [#'Message_items'{n = Items_1_N}, #'Message_items'{n = Items_2_N}]},
    _Acc
) when ?WITHIN(Items_1_N, 0, 255), ?WITHIN(Items_2_N, 0, 255) ->
    <<
        0:16/little, 1:16/little, 1:16/little, 0:16/little, 1:16/little, 2:16/little,
        (Items_1_N bor (Items_2_N bsl 8)):16/little
    >>;
fast_encode_Message(#'Message'{items = Items_}, Acc) ->
    ItemsSize = list_size(Items_, 65534),
    fast_append_Message_items_item(
        Items_,
        <<Acc/binary, 0:16/little, 1:16/little, 1:16/little, 0:16/little, 1:16/little, ItemsSize:16/little>>
    );
fast_encode_Message(_, _) -> throw(unusual).

fast_append_Message_items_item([#'Message_items'{n = Item1_N}, #'Message_items'{n = Item2_N} | Rest], Acc)
    when ?WITHIN(Item1_N, 0, 255), ?WITHIN(Item2_N, 0, 255) ->
    fast_append_Message_items_item(Rest, <<Acc/binary, (Item1_N bor (Item2_N bsl 8)):16/little>>);
fast_append_Message_items_item([#'Message_items'{n = Item1_N}], Acc) when ?WITHIN(Item1_N, 0, 255) ->
    <<Acc/binary, Item1_N:8>>;
fast_append_Message_items_item([], Acc) -> Acc;
fast_append_Message_items_item(_, _) -> throw(unusual).

fast_list_Message_items_item([#'Message_items'{n = Item1_N}, #'Message_items'{n = Item2_N} | Rest])
    when ?WITHIN(Item1_N, 0, 255), ?WITHIN(Item2_N, 0, 255) ->
    [<<(Item1_N bor (Item2_N bsl 8)):16/little>> | fast_list_Message_items_item(Rest)];
fast_list_Message_items_item([#'Message_items'{n = Item1_N}]) when ?WITHIN(Item1_N, 0, 255) ->
    [<<Item1_N:8>>];
fast_list_Message_items_item([]) -> [];
fast_list_Message_items_item(_) -> throw(unusual).

fast_encode_Message_iolist(#'Message'{items = Items_}) ->
    ItemsSize = list_size(Items_, 65534),
    Piece = <<0:16/little, 1:16/little, 1:16/little, 0:16/little, 1:16/little, ItemsSize:16/little>>,
    Items_Bytes = fast_list_Message_items_item(Items_),
    [Piece, Items_Bytes];
fast_encode_Message_iolist(_) -> throw(unusual).

encode_Message_carefully(Value) ->
    aldis_fault:written(<<0:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]
encode_Message(Value) ->
    try {ok, fast_encode_Message(Value, <<>>)}
    catch throw:_ -> aldis:binary(encode_Message_carefully(Value))
    end.

%% [as in the base]
encode_Message_iolist(Value) ->
    try {ok, fast_encode_Message_iolist(Value)} catch throw:_ -> encode_Message_carefully(Value) end.

%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Run, Bin1, Budget1} = aldis_run:read(run_Message(), Bin, Extent, 0, Budget, [], Path),
    {Items_, Bin2, Budget2} = read_Message_items_list(Bin1, Depth, Budget1, [items | Path]),
    {aldis_run:with(Run, [{2, Items_}]), Bin2, Budget2}.

run_Message() -> {record, 'Message', 2, 0, little, []}.

read_Message_items_list(<<Extent:16/little, Count:16/little, Bin1/binary>> = Bin, Depth, Budget, Path)
    when Count * Extent =< byte_size(Bin1) ->
    Budget1 =
        aldis_wire:charge(
            Budget,
            4 + Count * aldis_wire:element(Extent, 0, {[{1, 4}], []}, always),
            Bin, Path
        ),
    Size = Count * Extent,
    case Bin1 of
        <<Table:Size/binary, Rest/binary>> when Extent =:= 1, Depth < 64, Budget1 >= Count * 1 ->
            aldis_heap:reserve(Count * Extent, Count * 5),
            {read_Message_items_table(Table), Rest, Budget1 - Count * 1};
        <<Table:Size/binary, Rest/binary>> when Extent =< 1, Count >= 1024, Depth < 64,
            Budget1 >= Count * Extent ->
            Read = fun(Block) -> element(1, read_Message_items(Block, Extent, Depth + 1, Budget1, Path)) end,
            {aldis_wire:few_bytes(Table, Count, Extent, Read), Rest, Budget1 - Count * Extent};
        _ ->
            aldis_heap:reserve(Count * Extent, Count * 1),
            read_Message_items_list_each(0, Count, Bin1, Extent, Depth, Budget1, Path, [])
    end;
read_Message_items_list(<<_Extent:16/little, Count:16/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_items_list(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 2, 2, 0, [<<"blockLength">>]}, {2, 4, 4, 0, [<<"numInGroup">>]}]}, Path).

read_Message_items_list_each(Count, Count, Bin, _Extent, _Depth, Budget, _Path, Acc) ->
    {lists:reverse(Acc), Bin, Budget};
read_Message_items_list_each(Index, Count, Bin, Extent, Depth, Budget, Path, Acc) ->
    {Item, Bin1, Budget1} = read_Message_items(Bin, Extent, Depth + 1, Budget, [Index | Path]),
    read_Message_items_list_each(Index + 1, Count, Bin1, Extent, Depth, Budget1, Path, [Item | Acc]).

fast_decode_Message(
    <<0:16/little, 1:16/little, 1:16/little, _:16/little, 1:16/little, Items_Count:16/little, Rest/binary>>
) when Items_Count < 1024 ->
    {Items_, After} = fast_read_Message_items_item_list(Rest, Items_Count, []),
    {ok, #'Message'{items = Items_}, After};
fast_decode_Message(_) -> throw(unusual).

fast_read_Message_items_item_list(<<Item1_N:8, Rest/binary>>, 1, []) ->
    {[#'Message_items'{n = Item1_N}], Rest};
fast_read_Message_items_item_list(<<Item1_N:8, Item2_N:8, Rest/binary>>, 2, []) ->
    {[#'Message_items'{n = Item1_N}, #'Message_items'{n = Item2_N}], Rest};
fast_read_Message_items_item_list(<<Item1_N:8, Item2_N:8, Item3_N:8, Rest/binary>>, 3, []) ->
    {[#'Message_items'{n = Item1_N}, #'Message_items'{n = Item2_N}, #'Message_items'{n = Item3_N}], Rest};
fast_read_Message_items_item_list(<<Item1_N:8, Item2_N:8, Item3_N:8, Rest/binary>>, Left, Acc)
    when Left >= 3 ->
    fast_read_Message_items_item_list(
        Rest, Left - 3,
        [#'Message_items'{n = Item3_N}, #'Message_items'{n = Item2_N}, #'Message_items'{n = Item1_N} | Acc]
    );
fast_read_Message_items_item_list(Rest, 0, Acc) -> {lists:reverse(Acc), Rest};
fast_read_Message_items_item_list(<<Item_N:8, Rest/binary>>, Left, Acc) ->
    fast_read_Message_items_item_list(Rest, Left - 1, [#'Message_items'{n = Item_N} | Acc]);
fast_read_Message_items_item_list(_, _, _) -> throw(unusual).

decode_Message_carefully(Bin, Limits) ->
%% [as in the base]

-spec 'Message_items'(binary()) -> aldis:read(['Message_items'()]).
'Message_items'(Bin) -> 'Message_get'(items, Bin).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Message.items
%%
%% Layout in sbe:   offset    size  field
%%                       0       1  n
%%                               1  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------

write_Message_items(#'Message_items'{n = N}, _Path) when ?WITHIN(N, 0, 255) -> <<N:8>>;
write_Message_items(Value, Path) -> aldis_run:write(run_Message_items(), Value, [], Path).

run_Message_items() -> {record, 'Message_items', 2, 1, little, [{0, 2, n, uint8}]}.

read_Message_items_table(Bin) -> [#'Message_items'{n = N} || <<N:8>> <= Bin].

read_Message_items(<<N:8, Rest/binary>>, 1, Depth, Budget, _Path) when Depth =< 64, Budget >= 1 ->
    {#'Message_items'{n = N}, Rest, Budget - 1};
read_Message_items(Bin, Extent, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    aldis_run:read(run_Message_items(), Bin, Extent, 0, Budget, [], Path).

-spec new_Message_items() -> #'Message_items'{}.
new_Message_items() -> #'Message_items'{n = 0}.

%% -----------------------------------------------------------------------------
%% The whole schema
%% [as in the base]

about('Message') -> {record, [{items, {list, {named, 'Message_items'}}}]};
about('Message_items') -> {record, [{n, uint8}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

list_size(List, Most) when length(List) =< Most -> length(List);
list_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% [as in the base]

read_Message_items_list(<<Extent:16/little, Count:16/little, Bin1/binary>> = Bin, Depth, Budget, Path)
    when Count * Extent =< byte_size(Bin1) ->
    Budget1 =
        aldis_wire:charge(
            Budget,
            4 + Count * aldis_wire:element(Extent, 0, {[{1, 4}], []}, always),
            Bin, Path
        ),
    Size = Count * Extent,
    case Bin1 of
        <<Table:Size/binary, Rest/binary>> when Extent =:= 1, Depth < 64, Budget1 >= Count * 1 ->
            aldis_heap:reserve(Count * Extent, Count * 5),
            {feature:read_Message_items_table(Table), Rest, Budget1 - Count * 1};
        <<Table:Size/binary, Rest/binary>> when Extent =< 1, Count >= 1024, Depth < 64,
            Budget1 >= Count * Extent ->
            Read =
                fun(Block) ->
                    element(1, feature:read_Message_items(Block, Extent, Depth + 1, Budget1, Path))
                end,
            {aldis_wire:few_bytes(Table, Count, Extent, Read), Rest, Budget1 - Count * Extent};
        _ ->
            aldis_heap:reserve(Count * Extent, Count * 1),
            read_Message_items_list_each(0, Count, Bin1, Extent, Depth, Budget1, Path, [])
    end;
read_Message_items_list(<<_Extent:16/little, Count:16/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_items_list(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 2, 2, 0, [<<"blockLength">>]}, {2, 4, 4, 0, [<<"numInGroup">>]}]}, Path).

read_Message_items_list_each(Count, Count, Bin, _Extent, _Depth, Budget, _Path, Acc) ->
    {lists:reverse(Acc), Bin, Budget};
read_Message_items_list_each(Index, Count, Bin, Extent, Depth, Budget, Path, Acc) ->
    {Item, Bin1, Budget1} = feature:read_Message_items(Bin, Extent, Depth + 1, Budget, [Index | Path]),
    read_Message_items_list_each(Index + 1, Count, Bin1, Extent, Depth, Budget1, Path, [Item | Acc]).

view_Message(items, Bin, Extent, Depth, Budget, Path) ->
    {Bin1, Budget1} = aldis_run:skip(feature:run_Message(), Bin, Extent, 0, Budget, [], Path),
    {Items_, _Bin2, _Budget2} = read_Message_items_list(Bin1, Depth, Budget1, [items | Path]),
    Items_.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]

-export([to_json_Message/1, from_json_Message/1, json_Message_items/0]).

%% [as in the base]
json_Message() ->
    {record, 'Message', none,
     [{items, <<"items">>, <<"{\"items\":">>, {list, fun feature_json:json_Message_items/0}, [], [], [[]]}]}.

%% [as in the base]
from_json_Message(Text) -> aldis_json_table:from_json(json_Message(), Text).

%% feature.Message.items

json_Message_items() ->
    {record, 'Message_items', none, [{n, <<"n">>, <<"{\"n\":">>, uint8, [undefined], [], []}]}.
