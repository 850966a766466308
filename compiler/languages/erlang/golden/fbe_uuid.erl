%% ==== feature.hrl
%% An id of 16 bytes.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    id :: aldis:uuid()
}).
%% ==== feature.erl
%% An id of 16 bytes.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_id'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]

%% The last clauses are for values of other types.
%% [as in the base]
%%                       4       4  (type)
%%                       8      16  id
%%                              24  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{id = <<0:128>>}.

%% [as in the base]
run_Message() ->
    {record, 'Message', 2, 24, little, [{0, <<24:32/little>>}, {4, <<1:32/little>>}, {8, 2, id, uuid}]}.

fast_encode_Message(#'Message'{id = Id_}) when is_binary(Id_), byte_size(Id_) =:= 16 ->
    FrameSize = aldis_check:frame(32),
    <<FrameSize:32/little, 8:32/little, 24:32/little, 1:32/little, Id_:16/binary>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 24, 24, 0, [id]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [], [{24, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {#'Message'{id = in_Message(id, Block)}, Budget1};
read_Message(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

in_Message(id, <<_:8/binary, Id_:16/binary, _/binary>>) -> Id_;
in_Message(id, _) -> <<0:128>>.

fast_decode_Message(
    <<FrameSize:32/little, 8:32/little, 24:32/little, 1:32/little, Id_:16/binary, Rest/binary>>
) when FrameSize =:= 32 ->
    {ok, #'Message'{id = Id_}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_id'(binary()) -> aldis:read(aldis:uuid()).
'Message_id'(Bin) -> 'Message_get'(id, Bin).

%% [as in the base]

about('Message') -> {record, [{id, uuid}]}.
%% ==== feature_view.erl
%% An id of 16 bytes.
%% @private A part of feature, which is what users call.
%% [as in the base]
'Message_get'(
    id,
    <<FrameSize:32/little, 8:32/little, 24:32/little, 1:32/little, Id_:16/binary, _/binary>> = Bin
) when FrameSize >= 32, FrameSize =< byte_size(Bin) ->
    {ok, Id_};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% An id of 16 bytes.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{id, <<"id">>, <<"{\"id\":">>, uuid, [], [], [<<0:128>>]}]}.

