%% ==== feature.erl
%% [as in the base]
fast_encode_Message(#'Message'{number = Number_}) when ?WITHIN(Number_, 0, 4294967295) ->
    FrameSize = aldis_check:frame(16),
    FrameLength = aldis_check:frame_length(FrameSize, 0, 4294967295),
    <<FrameLength:32/little, 4:16/little, 1:16/little, 1:16/little, 0:16/little, Number_:32/little>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    try
        Body = write_Message(Value, []),
        FrameSize = aldis_check:frame(iolist_size(Body) + 12),
        FrameLength = aldis_check:frame_length(FrameSize, 0, 4294967295),
        {ok, [<<FrameLength:32/little, 4:16/little, 1:16/little, 1:16/little, 0:16/little>>, Body]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% [as in the base]

open_Message(<<_:32/little, Extent:16/little, 1:16/little, 1:16/little, _Version:16/little, Root/binary>>) ->
    {Root, Extent};
open_Message(<<_:12/binary, _/binary>> = Bin) -> aldis_wire:unknown_message(Bin);
open_Message(Bin) -> aldis_wire:cut(Bin, 12, head_members(), []).

%% [as in the base]
    {0,
     [{0, 4, 4, 0, [<<"messageLength">>]}, {4, 6, 6, 0, [<<"blockLength">>]},
      {6, 8, 8, 0, [<<"templateId">>]}, {8, 10, 10, 0, [<<"schemaId">>]}, {10, 12, 12, 0, [<<"version">>]}]}.

%% [as in the base]

fast_decode_Message(
    <<_:32/little, 4:16/little, 1:16/little, 1:16/little, _:16/little, Number_:32/little, Rest/binary>>
) ->
    {ok, #'Message'{number = Number_}, Rest};
%% [as in the base]
decode_Message_carefully(Bin, Limits) ->
    aldis_wire:decoded(fun open_Message/1, fun read_Message/5, 12, Bin, Limits).

%% [as in the base]
    try
        aldis_wire:expect(Bin, 8, 16, little, 1),
        Id = aldis_wire:id(Bin, 0, 6, 16, little),
        case Id of
%% [as in the base]
-spec decode(binary()) -> {ok, tuple(), Rest :: binary()} | {error, aldis:reason()}.
decode(<<_:6/binary, 1:16/little, 1:16/little, _/binary>> = Bin) -> decode_Message(Bin);
decode(Bin) ->
%% ==== feature_view.erl
%% [as in the base]
    aldis:check_field(Field, record_info(fields, 'Message')),
    aldis_wire:viewed(Field, fun feature:open_Message/1, fun view_Message/6, 12, Bin, Limits).

'Message_get'(
    number,
    <<_:32/little, 4:16/little, 1:16/little, 1:16/little, _:16/little, Number_:32/little, _/binary>>
) ->
    {ok, Number_};
