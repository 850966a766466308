%% ==== feature.erl
%% [as in the base]

run_Message() -> {record, 'Message', 2, 4, big, [{0, 2, number, uint32}]}.

fast_encode_Message(#'Message'{number = Number_}) when ?WITHIN(Number_, 0, 4294967295) ->
    <<4:16, 1:16, 1:16, 0:16, Number_:32>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(<<4:16, 1:16, 1:16, 0:16>>, fun write_Message/2, Value).

%% [as in the base]

open_Message(<<Extent:16, 1:16, 1:16, _Version:16, Root/binary>>) -> {Root, Extent};
open_Message(<<_:8/binary, _/binary>> = Bin) -> aldis_wire:unknown_message(Bin);
%% [as in the base]

fast_decode_Message(<<4:16, 1:16, 1:16, _:16, Number_:32, Rest/binary>>) ->
    {ok, #'Message'{number = Number_}, Rest};
%% [as in the base]
    try
        aldis_wire:expect(Bin, 4, 16, big, 1),
        Id = aldis_wire:id(Bin, 0, 2, 16, big),
        case Id of
%% [as in the base]
-spec decode(binary()) -> {ok, tuple(), Rest :: binary()} | {error, aldis:reason()}.
decode(<<_:2/binary, 1:16, 1:16, _/binary>> = Bin) -> decode_Message(Bin);
decode(Bin) ->
%% ==== feature_view.erl
%% [as in the base]

'Message_get'(number, <<4:16, 1:16, 1:16, _:16, Number_:32, _/binary>>) -> {ok, Number_};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
