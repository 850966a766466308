%% ==== feature.hrl
%% Numbers by their keys, written in order of these, in the Final form.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    sizes :: #{aldis:int32() => aldis:int32()}
}).
%% ==== feature.erl
%% Numbers by their keys, written in order of these, in the Final form.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message_final/1, encode_Message_final_iolist/1, decode_Message_final/1,
    decode_Message_final/2, 'Message_sizes'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1,
    from_json_Message/1, encode_final/1, identify_final/1, decode_final/1, decode_final/2, messages/0,
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message_final/1]).

%% [as in the base]

-compile({inline, [list_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [
    write_Message_final/2, fast_encode_Message_final/1, fast_encode_Message_final_iolist/1
]}).

%% [as in the base]
%% Layout in fbe-final:   offset    size  field
%%                         after  varies  sizes
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{sizes = #{}}.

write_Message_final(#'Message'{sizes = Sizes} = _Value, Path) ->
    [write_Message_sizes_final_list(Sizes, [sizes | Path])];
write_Message_final(_, Path) -> aldis_check:wrong(Path).

write_Message_sizes_final_list(Value, Path) ->
    Items = lists:keysort(1, aldis_check:map(Value, Path)),
    Count = aldis_check:count(length(Items), 0, 4294967295, Path),
    [
        <<Count:32/little>>,
        <<
            <<
                (aldis_check:int(Key, -2147483648, 2147483647, Path)):32/little,
                (aldis_check:int(Of, -2147483648, 2147483647, Path)):32/little
            >> || {Key, Of} <- Items
        >>
    ].

fast_encode_Message_final(#'Message'{sizes = Sizes}) ->
    SizesItems = lists:keysort(1, aldis_check:map(Sizes, [])),
    SizesItemsSize = list_size(SizesItems, 4294967295),
    SizesBytes =
        <<
            <<
                (aldis_check:int(Key, -2147483648, 2147483647, [])):32/little,
                (aldis_check:int(Of, -2147483648, 2147483647, [])):32/little
            >> || {Key, Of} <- SizesItems
        >>,
    FrameSize = aldis_check:frame(12 + byte_size(SizesBytes)),
    <<FrameSize:32/little, 1:32/little, SizesItemsSize:32/little, SizesBytes/binary>>;
fast_encode_Message_final(_) -> throw(unusual).

fast_encode_Message_final_iolist(#'Message'{sizes = Sizes}) ->
    SizesItems = lists:keysort(1, aldis_check:map(Sizes, [])),
    SizesItemsSize = list_size(SizesItems, 4294967295),
    SizesBytes =
        <<
            <<
                (aldis_check:int(Key, -2147483648, 2147483647, [])):32/little,
                (aldis_check:int(Of, -2147483648, 2147483647, [])):32/little
            >> || {Key, Of} <- SizesItems
        >>,
    FrameSize = aldis_check:frame(12 + byte_size(SizesBytes)),
    [<<FrameSize:32/little, 1:32/little, SizesItemsSize:32/little>>, SizesBytes];
fast_encode_Message_final_iolist(_) -> throw(unusual).

encode_Message_final_carefully(Value) ->
%% [as in the base]
encode_Message_final_iolist(Value) ->
    try {ok, fast_encode_Message_final_iolist(Value)}
    catch throw:_ -> encode_Message_final_carefully(Value)
    end.

%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Sizes, Bin1, Budget1} = read_Message_sizes_final_list(Bin, Depth, Budget, [sizes | Path]),
    {#'Message'{sizes = Sizes}, Bin1, Budget1}.

read_Message_sizes_final_list(<<Count:32/little, Bin1/binary>> = Bin, _Depth, Budget, Path)
    when Count * 8 =< byte_size(Bin1) ->
    Budget1 = aldis_wire:charge(Budget, 4 + Count * 8, Bin, Path),
    Size = Count * 8,
    aldis_heap:reserve(Count * 8, Count * 5),
    <<Table:Size/binary, Rest/binary>> = Bin1,
    List = [{Key, Value} || <<Key:32/signed-little, Value:32/signed-little>> <= Table],
    {maps:from_list(lists:reverse(List)), Rest, Budget1};
read_Message_sizes_final_list(<<Count:32/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_sizes_final_list(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

fast_decode_Message_final(
    <<
        FrameSize:32/little, 1:32/little, SizesCount:32/little, SizesTable:SizesCount/binary-unit:64,
        Rest/binary
    >> = Bin
) when SizesCount =< 2048, FrameSize =:= byte_size(Bin) - byte_size(Rest) ->
    {
        ok,
        #'Message'{
            sizes = maps:from_list(
                lists:reverse([{Key, Of} || <<Key:32/signed-little, Of:32/signed-little>> <= SizesTable])
            )
        },
        Rest
    };
fast_decode_Message_final(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_sizes'(binary()) -> aldis:read(#{aldis:int32() => aldis:int32()}).
'Message_sizes'(Bin) -> 'Message_get'(sizes, Bin).

%% [as in the base]

about('Message') -> {record, [{sizes, {map, int32, int32}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

list_size(List, Most) when length(List) =< Most -> length(List);
list_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% Numbers by their keys, written in order of these, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_Message_sizes_final_list(<<Count:32/little, Bin1/binary>> = Bin, _Depth, Budget, Path)
    when Count * 8 =< byte_size(Bin1) ->
    Budget1 = aldis_wire:charge(Budget, 4 + Count * 8, Bin, Path),
    Size = Count * 8,
    aldis_heap:reserve(Count * 8, Count * 5),
    <<Table:Size/binary, Rest/binary>> = Bin1,
    List = [{Key, Value} || <<Key:32/signed-little, Value:32/signed-little>> <= Table],
    {maps:from_list(lists:reverse(List)), Rest, Budget1};
read_Message_sizes_final_list(<<Count:32/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_Message_sizes_final_list(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

view_Message_final(sizes, Bin, Depth, Budget, Path) ->
    {Sizes, _Bin1, _Budget1} = read_Message_sizes_final_list(Bin, Depth, Budget, [sizes | Path]),
    Sizes.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Numbers by their keys, written in order of these, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() ->
    {record, 'Message', none,
     [{sizes, <<"sizes">>, <<"{\"sizes\":">>, {map, int32, int32, none}, [], [], [#{}]}]}.

