%% ==== feature.hrl
%% Records behind their count.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    parts :: ['Message'()]
}).
%% ==== feature.erl
%% Records behind their count.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_parts'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message/1, read_Message/4]).

%% [as in the base]

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/3]}).

%% [as in the base]
%%                       4       4  (type)
%%                       8       4  parts, an offset
%%                              12  (total, as this schema's writers write it)
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{parts = []}.

write_Message(#'Message'{parts = Parts} = Value, Depth, Path) ->
    aldis_check:depth(Depth, Path),
    {PartsBytes, At1} = put_Message_parts(Parts, 12, Depth, [parts | Path]),
    {[write_Message_run(Value, 12, Path), PartsBytes], At1};
write_Message(_, _, Path) -> aldis_check:wrong(Path).

put_Message(Value, At, Depth, Path) ->
    {Bytes, Size} = write_Message(Value, Depth + 1, Path),
    {Bytes, At + Size}.

put_Message_parts_cells(Value, At, Depth, Path) ->
    put_Message_parts_cells_each(Value, At, Depth, 0, [], [], Path).

put_Message_parts_cells_each([Item | Rest], At, Depth, Index, Cells, Bytes, Path) ->
    {ItemBytes, ItemEnd} = put_Message(Item, At, Depth, [Index | Path]),
    put_Message_parts_cells_each(
        Rest, ItemEnd, Depth, Index + 1, [<<At:32/little>> | Cells], [ItemBytes | Bytes], Path
    );
put_Message_parts_cells_each([], At, _Depth, _Index, Cells, Bytes, _Path) ->
    {iolist_to_binary(lists:reverse(Cells)), lists:reverse(Bytes), At}.

put_Message_parts(Value, At, Depth, Path) ->
    Items = aldis_check:list(Value, Path),
    Count = aldis_check:count(length(Items), 0, 4294967295, Path),
    {Cells, Bytes, End} = put_Message_parts_cells(Items, At + 4 + Count * 4, Depth, Path),
    {[<<Count:32/little>>, Cells, Bytes], End}.

write_Message_run(#'Message'{}, PartsAt, _Path) -> <<12:32/little, 1:32/little, PartsAt:32/little>>.

-spec encode_Message(#'Message'{}) -> {ok, binary()} | {error, aldis:reason()}.
encode_Message(Value) -> aldis:binary(encode_Message_iolist(Value)).

%% [as in the base]
encode_Message_iolist(Value) ->
    try
        {Body, Size} = write_Message(Value, 1, []),
        FrameSize = aldis_check:frame(Size + 8),
        {ok, [<<FrameSize:32/little, 8:32/little>>, Body]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% [as in the base]

read_Message(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {PartsAt, Budget1} = read_Message_run(Bin, Budget, Path),
    {Parts, Budget2} = 'Message_parts_at'(PartsAt, Bin, Depth, Budget1, [parts | Path]),
    {#'Message'{parts = Parts}, Budget2}.

read_Message_run(<<12:32/little, 1:32/little, PartsAt:32/little, _/binary>>, Budget, _Path)
    when Budget >= 36 ->
    {PartsAt, Budget - 36};
read_Message_run(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Budget, Path) ->
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 12, 12, 0, [parts]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [{12, 24}], [{12, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        case Block of
            <<_:8/binary, PartsAt:32/little, _/binary>> -> PartsAt;
            _ -> missing
        end,
        Budget1
    };
read_Message_run(Bin, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

'Message_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message(Target, Depth + 1, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

read_Message_parts_list(<<Count:32/little, Bin1/binary>> = Bin, Base, Depth, Budget, Path)
    when Count * 4 =< byte_size(Bin1) ->
    Budget1 = aldis_wire:charge(Budget, 4, Bin, Path),
    aldis_heap:reserve(Count * 4, Count * 1),
    {Items, _Rest, Budget2} = read_Message_parts_list_each(0, Count, Bin1, Base, Depth, Budget1, Path, []),
    {Items, Budget2};
read_Message_parts_list(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_parts_list(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

read_Message_parts_list_each(Count, Count, Bin, _Base, _Depth, Budget, _Path, Acc) ->
    {lists:reverse(Acc), Bin, Budget};
read_Message_parts_list_each(
    Index, Count, <<ValueAt:32/little, Rest/binary>> = Bin, Base, Depth, Budget, Path, Acc
) ->
    Charged = aldis_wire:charge(Budget, 4, 24, Bin, [Index | Path]),
    {ValueFollowed, Charged1} = 'Message_at'(ValueAt, Base, Depth, Charged, [Index | Path]),
    read_Message_parts_list_each(Index + 1, Count, Rest, Base, Depth, Charged1, Path, [ValueFollowed | Acc]).

'Message_parts_at'(missing, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_parts_at'(0, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_parts_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_parts_list(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

%% [as in the base]
-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(Bin) -> decode_Message_carefully(Bin, default).

%% [as in the base]

-spec 'Message_parts'(binary()) -> aldis:read(['Message'()]).
'Message_parts'(Bin) -> 'Message_get'(parts, Bin).

%% [as in the base]

about('Message') -> {record, [{parts, {list, {named, 'Message'}}}]}.
%% ==== feature_view.erl
%% Records behind their count.
%% @private A part of feature, which is what users call.
%% [as in the base]

'Message_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> feature:read_Message(Target, Depth + 1, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

read_Message_parts_list(<<Count:32/little, Bin1/binary>> = Bin, Base, Depth, Budget, Path)
    when Count * 4 =< byte_size(Bin1) ->
    Budget1 = aldis_wire:charge(Budget, 4, Bin, Path),
    aldis_heap:reserve(Count * 4, Count * 1),
    {Items, _Rest, Budget2} = read_Message_parts_list_each(0, Count, Bin1, Base, Depth, Budget1, Path, []),
    {Items, Budget2};
read_Message_parts_list(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_parts_list(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

read_Message_parts_list_each(Count, Count, Bin, _Base, _Depth, Budget, _Path, Acc) ->
    {lists:reverse(Acc), Bin, Budget};
read_Message_parts_list_each(
    Index, Count, <<ValueAt:32/little, Rest/binary>> = Bin, Base, Depth, Budget, Path, Acc
) ->
    Charged = aldis_wire:charge(Budget, 4, 24, Bin, [Index | Path]),
    {ValueFollowed, Charged1} = 'Message_at'(ValueAt, Base, Depth, Charged, [Index | Path]),
    read_Message_parts_list_each(Index + 1, Count, Rest, Base, Depth, Charged1, Path, [ValueFollowed | Acc]).

'Message_parts_at'(missing, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_parts_at'(0, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_parts_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_parts_list(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

view_Message(parts, Bin, Depth, Budget, Path) ->
    Block =
%% [as in the base]
        end,
    PartsAt =
        case Block of
            <<_:8/binary, FoundAt:32/little, _/binary>> -> FoundAt;
            _ -> missing
        end,
    {Parts, _Budget1} = 'Message_parts_at'(PartsAt, Bin, Depth, Budget, [parts | Path]),
    Parts.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Records behind their count.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([json_Message/0, to_json_Message/1, from_json_Message/1]).

%% [as in the base]

json_Message() ->
    {record, 'Message', record,
     [{parts, <<"parts">>, <<"{\"parts\":">>, {list, fun feature_json:json_Message/0}, [], [], [[]]}]}.

