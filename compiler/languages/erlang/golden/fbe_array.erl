%% ==== feature.hrl
%% A fixed number of texts.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    names :: [unicode:chardata()]
}).
%% ==== feature.erl
%% A fixed number of texts.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_names'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message/1]).

%% [as in the base]

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/2]}).

%% [as in the base]
%%                       4       4  (type)
%%                       8       8  names
%%                              16  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{names = [<<>>, <<>>]}.

write_Message(#'Message'{names = Names_} = Value, Path) ->
    {Names_Cells, Names_Bytes, At1} = put_Message_names_cells(Names_, 16, [names | Path]),
    {[write_Message_run(Value, Names_Cells, Path), Names_Bytes], At1};
write_Message(_, Path) -> aldis_check:wrong(Path).

put_text(Value, At, Path) ->
    Bytes = aldis_text:encode(Value, utf8, Path),
    Count = aldis_check:count(byte_size(Bytes), 0, 4294967295, Path),
    {[<<Count:32/little>>, Bytes], At + 4 + Count}.

put_Message_names_cells(Value, At, Path) ->
    put_Message_names_cells_each(aldis_check:array(Value, 2, Path), At, 0, [], [], Path).

put_Message_names_cells_each([Item | Rest], At, Index, Cells, Bytes, Path) ->
    {ItemBytes, ItemEnd} = put_text(Item, At, [Index | Path]),
    put_Message_names_cells_each(
        Rest, ItemEnd, Index + 1, [<<At:32/little>> | Cells], [ItemBytes | Bytes], Path
    );
put_Message_names_cells_each([], At, _Index, Cells, Bytes, _Path) ->
    {iolist_to_binary(lists:reverse(Cells)), lists:reverse(Bytes), At}.

write_Message_run(#'Message'{}, Names_Cells, _Path) -> <<16:32/little, 1:32/little, Names_Cells/binary>>.

-spec encode_Message(#'Message'{}) -> {ok, binary()} | {error, aldis:reason()}.
encode_Message(Value) -> aldis:binary(encode_Message_iolist(Value)).

%% [as in the base]
encode_Message_iolist(Value) ->
    try
        {Body, Size} = write_Message(Value, []),
        FrameSize = aldis_check:frame(Size + 8),
        {ok, [<<FrameSize:32/little, 8:32/little>>, Body]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% [as in the base]

read_Message(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Names_Raw, Budget1} = read_Message_run(Bin, Budget, Path),
    {Names_, Budget2} = 'Message_names_item_2_at'(Names_Raw, Bin, Depth, Budget1, [names | Path]),
    {#'Message'{names = Names_}, Budget2}.

read_Message_run(<<16:32/little, 1:32/little, Names_:8/binary, _/binary>>, Budget, _Path) when Budget >= 64 ->
    {Names_, Budget - 64};
read_Message_run(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Budget, Path) ->
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 16, 16, 0, [names]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [{16, 48}], [{16, 8}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        case Block of
            <<_:8/binary, Names_:8/binary, _/binary>> -> Names_;
            _ -> missing
        end,
        Budget1
    };
read_Message_run(Bin, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_text(<<0:32/little, _Rest/binary>>, _Base, _Depth, Budget, _Path) when Budget >= 4 -> {<<>>, Budget - 4};
read_text(<<Count:32/little, Value:Count/binary, _Rest/binary>> = Bin, _Base, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Budget1};
read_text(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

text_at(0, _Base, _Depth, Budget, _Path) -> {<<>>, Budget};
text_at(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Count:32/little, Value:Count/binary, _/binary>> when Budget >= Count + 4 ->
            {Value, Budget - Count - 4};
        <<_:At/binary, Target/binary>> -> read_text(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

'Message_names_item_2_at'(missing, _Base, _Depth, Budget, _Path) -> {[<<>>, <<>>], Budget};
'Message_names_item_2_at'(Table, Base, Depth, Budget, Path) ->
    'Message_names_item_2_at_each'(0, Table, Base, Depth, Budget, Path).

'Message_names_item_2_at_each'(_, <<>>, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_names_item_2_at_each'(Index, <<ValueAt:32/little, Rest/binary>>, Base, Depth, Budget, Path) ->
    {ValueFollowed, Budget1} = text_at(ValueAt, Base, Depth, Budget, [Index | Path]),
    {Values, Budget2} = 'Message_names_item_2_at_each'(Index + 1, Rest, Base, Depth, Budget1, Path),
    {[ValueFollowed | Values], Budget2}.

%% [as in the base]
-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(Bin) -> decode_Message_carefully(Bin, default).

%% [as in the base]

-spec 'Message_names'(binary()) -> aldis:read([binary()]).
'Message_names'(Bin) -> 'Message_get'(names, Bin).

%% [as in the base]

about('Message') -> {record, [{names, {array, text, 2}}]}.
%% ==== feature_view.erl
%% A fixed number of texts.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_text(<<0:32/little, _Rest/binary>>, _Base, _Depth, Budget, _Path) when Budget >= 4 -> {<<>>, Budget - 4};
read_text(<<Count:32/little, Value:Count/binary, _Rest/binary>> = Bin, _Base, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Budget1};
read_text(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

text_at(0, _Base, _Depth, Budget, _Path) -> {<<>>, Budget};
text_at(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Count:32/little, Value:Count/binary, _/binary>> when Budget >= Count + 4 ->
            {Value, Budget - Count - 4};
        <<_:At/binary, Target/binary>> -> read_text(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

'Message_names_item_2_at'(missing, _Base, _Depth, Budget, _Path) -> {[<<>>, <<>>], Budget};
'Message_names_item_2_at'(Table, Base, Depth, Budget, Path) ->
    'Message_names_item_2_at_each'(0, Table, Base, Depth, Budget, Path).

'Message_names_item_2_at_each'(_, <<>>, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_names_item_2_at_each'(Index, <<ValueAt:32/little, Rest/binary>>, Base, Depth, Budget, Path) ->
    {ValueFollowed, Budget1} = text_at(ValueAt, Base, Depth, Budget, [Index | Path]),
    {Values, Budget2} = 'Message_names_item_2_at_each'(Index + 1, Rest, Base, Depth, Budget1, Path),
    {[ValueFollowed | Values], Budget2}.

view_Message(names, Bin, Depth, Budget, Path) ->
    Block =
%% [as in the base]
        end,
    Names_Raw =
        case Block of
            <<_:8/binary, Found:8/binary, _/binary>> -> Found;
            _ -> missing
        end,
    {Names_, _Budget1} = 'Message_names_item_2_at'(Names_Raw, Bin, Depth, Budget, [names | Path]),
    Names_.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% A fixed number of texts.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() ->
    {record, 'Message', none,
     [{names, <<"names">>, <<"{\"names\":">>, {array, utf8, 2}, [], [], [[<<>>, <<>>]]}]}.

