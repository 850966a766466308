%% ==== feature.hrl
%% What the field is that an older writer does not know.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    size :: aldis:int32()
}).
%% ==== feature.erl
%% What the field is that an older writer does not know.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_size'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%%                       4       4  (type)
%%                       8       4  size
%%                              12  (total, as this schema's writers write it)
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{size = 5}.

%% [as in the base]
run_Message() ->
    {record, 'Message', 2, 12, little, [{0, <<12:32/little>>}, {4, <<1:32/little>>}, {8, 2, size, int32}]}.

fast_encode_Message(#'Message'{size = Size_}) when ?WITHIN(Size_, -2147483648, 2147483647) ->
    FrameSize = aldis_check:frame(20),
    <<FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, Size_:32/little>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 12, 12, 0, [size]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [], [{12, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {#'Message'{size = in_Message(size, Block)}, Budget1};
read_Message(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

in_Message(size, <<_:8/binary, Size_:32/signed-little, _/binary>>) -> Size_;
in_Message(size, _) -> 5.

fast_decode_Message(
    <<FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, Size_:32/signed-little, Rest/binary>>
) when FrameSize =:= 20 ->
    {ok, #'Message'{size = Size_}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_size'(binary()) -> aldis:read(aldis:int32()).
'Message_size'(Bin) -> 'Message_get'(size, Bin).

%% [as in the base]

about('Message') -> {record, [{size, int32}]}.
%% ==== feature_view.erl
%% What the field is that an older writer does not know.
%% @private A part of feature, which is what users call.
%% [as in the base]
'Message_get'(
    size,
    <<FrameSize:32/little, 8:32/little, 12:32/little, 1:32/little, Size_:32/signed-little, _/binary>> = Bin
) when FrameSize >= 20, FrameSize =< byte_size(Bin) ->
    {ok, Size_};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% What the field is that an older writer does not know.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{size, <<"size">>, <<"{\"size\":">>, int32, [], [], [5]}]}.

