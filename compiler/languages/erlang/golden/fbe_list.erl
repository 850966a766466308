%% ==== feature.hrl
%% Numbers behind their count.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    sizes :: [aldis:int32()]
}).
%% ==== feature.erl
%% Numbers behind their count.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_sizes'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([run_Message/0, open_Message/1]).

%% [as in the base]

-compile({inline, [list_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/2, fast_encode_Message/1, fast_encode_Message_iolist/1]}).

%% [as in the base]
%%                       4       4  (type)
%%                       8       4  sizes, an offset
%%                              12  (total, as this schema's writers write it)
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{sizes = []}.

write_Message(#'Message'{sizes = Sizes} = Value, Path) ->
    {SizesBytes, At1} = put_Message_sizes(Sizes, 12, [sizes | Path]),
    {[write_Message_run(Value, 12, Path), SizesBytes], At1};
write_Message(_, Path) -> aldis_check:wrong(Path).

put_Message_sizes(Value, At, Path) ->
    Items = aldis_check:list(Value, Path),
    Count = aldis_check:count(length(Items), 0, 4294967295, Path),
    {
        [
            <<Count:32/little>>,
            << <<(aldis_check:int(Item, -2147483648, 2147483647, Path)):32/little>> || Item <- Items >>
        ],
        At + 4 + Count * 4
    }.

write_Message_run(Value, SizesAt, Path) -> aldis_run:write(run_Message(), Value, [SizesAt], Path).

run_Message() ->
    {record, 'Message', 2, 12, little, [{0, <<12:32/little>>}, {4, <<1:32/little>>}, {8, 2, sizes, link}]}.

fast_encode_Message(#'Message'{sizes = Sizes}) ->
    SizesSize = list_size(Sizes, 4294967295),
    SizesBytes = << <<(aldis_check:int(Item, -2147483648, 2147483647, [])):32/little>> || Item <- Sizes >>,
    FrameSize = aldis_check:frame(24 + byte_size(SizesBytes)),
    <<
        FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, 12:32/little, SizesSize:32/little,
        SizesBytes/binary
    >>;
fast_encode_Message(_) -> throw(unusual).

fast_encode_Message_iolist(#'Message'{sizes = Sizes}) ->
    SizesSize = list_size(Sizes, 4294967295),
    SizesBytes = << <<(aldis_check:int(Item, -2147483648, 2147483647, [])):32/little>> || Item <- Sizes >>,
    FrameSize = aldis_check:frame(24 + byte_size(SizesBytes)),
    [
        <<FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, 12:32/little, SizesSize:32/little>>,
        SizesBytes
    ];
fast_encode_Message_iolist(_) -> throw(unusual).

encode_Message_carefully(Value) ->
    try
        {Body, Size} = write_Message(Value, []),
        FrameSize = aldis_check:frame(Size + 8),
        {ok, [<<FrameSize:32/little, 8:32/little>>, Body]}
%% [as in the base]
encode_Message_iolist(Value) ->
    try {ok, fast_encode_Message_iolist(Value)} catch throw:_ -> encode_Message_carefully(Value) end.

%% [as in the base]

read_Message(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {SizesAt, Budget1} = read_Message_run(Bin, Budget, Path),
    {Sizes, Budget2} = 'Message_sizes_at'(SizesAt, Bin, Depth, Budget1, [sizes | Path]),
    {#'Message'{sizes = Sizes}, Budget2}.

read_Message_run(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Budget, Path) ->
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 12, 12, 0, [sizes]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [{12, 24}], [{12, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        case Block of
            <<_:8/binary, SizesAt:32/little, _/binary>> -> SizesAt;
            _ -> missing
        end,
        Budget1
    };
read_Message_run(Bin, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_sizes_list(<<Count:32/little, Bin1/binary>> = Bin, _Base, _Depth, Budget, Path)
    when Count * 4 =< byte_size(Bin1) ->
    Budget1 = aldis_wire:charge(Budget, 4 + Count * 4, Count * 4, Bin, Path),
    Size = Count * 4,
    aldis_heap:reserve(Count * 4, Count * 2),
    <<Table:Size/binary, _Rest/binary>> = Bin1,
    List = [TableItem || <<TableItem:32/signed-little>> <= Table],
    {List, Budget1};
read_Message_sizes_list(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_sizes_list(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

'Message_sizes_at'(missing, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_sizes_at'(0, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_sizes_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_sizes_list(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

fast_decode_Message(
    <<
        FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, 12:32/little, SizesCount:32/little,
        SizesTable:SizesCount/binary-unit:32, Rest/binary
    >>
) when SizesCount =< 4096, FrameSize =:= 24 + 4 * SizesCount ->
    {ok, #'Message'{sizes = [SizesTableItem || <<SizesTableItem:32/signed-little>> <= SizesTable]}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_sizes'(binary()) -> aldis:read([aldis:int32()]).
'Message_sizes'(Bin) -> 'Message_get'(sizes, Bin).

%% [as in the base]

about('Message') -> {record, [{sizes, {list, int32}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

list_size(List, Most) when length(List) =< Most -> length(List);
list_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% Numbers behind their count.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_Message_sizes_list(<<Count:32/little, Bin1/binary>> = Bin, _Base, _Depth, Budget, Path)
    when Count * 4 =< byte_size(Bin1) ->
    Budget1 = aldis_wire:charge(Budget, 4 + Count * 4, Count * 4, Bin, Path),
    Size = Count * 4,
    aldis_heap:reserve(Count * 4, Count * 2),
    <<Table:Size/binary, _Rest/binary>> = Bin1,
    List = [TableItem || <<TableItem:32/signed-little>> <= Table],
    {List, Budget1};
read_Message_sizes_list(<<Count:32/little, _/binary>> = Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_sizes_list(Bin, _Base, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

'Message_sizes_at'(missing, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_sizes_at'(0, _Base, _Depth, Budget, _Path) -> {[], Budget};
'Message_sizes_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_sizes_list(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

fast_view_Message_sizes(
    <<FoundCount:32/little, FoundTable:FoundCount/binary-unit:32, _Rest/binary>>,
    At, Most
) when FoundCount =< 4096, 4 + At + 4 * FoundCount =< Most ->
    {ok, [FoundTableItem || <<FoundTableItem:32/signed-little>> <= FoundTable]};
fast_view_Message_sizes(_, _, _) -> throw(unusual).

view_Message(sizes, Bin, Depth, Budget, Path) ->
    Block =
%% [as in the base]
        end,
    SizesAt =
        case Block of
            <<_:8/binary, FoundAt:32/little, _/binary>> -> FoundAt;
            _ -> missing
        end,
    {Sizes, _Budget1} = 'Message_sizes_at'(SizesAt, Bin, Depth, Budget, [sizes | Path]),
    Sizes.

%% [as in the base]
'Message_get'(
    sizes,
    <<FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, SizesAt:32/little, _/binary>> = Bin
) when FrameSize >= 20, FrameSize =< byte_size(Bin), SizesAt > 0 ->
    case Bin of
        <<_:8/binary, _:SizesAt/binary, Rest/binary>> ->
            try fast_view_Message_sizes(Rest, SizesAt, FrameSize - 8)
            catch throw:_ -> 'Message_get_carefully'(sizes, Bin, default)
            end;
        _ -> 'Message_get_carefully'(sizes, Bin, default)
    end;
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Numbers behind their count.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() ->
    {record, 'Message', none, [{sizes, <<"sizes">>, <<"{\"sizes\":">>, {list, int32}, [], [], [[]]}]}.

