%% ==== feature.hrl
%% A number that may be null, in the Final form.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    size :: aldis:int32() | undefined
}).
%% ==== feature.erl
%% A number that may be null, in the Final form.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message_final/1, encode_Message_final_iolist/1, decode_Message_final/1,
    decode_Message_final/2, 'Message_size'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1,
    from_json_Message/1, encode_final/1, identify_final/1, decode_final/1, decode_final/2, messages/0,
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message_final/1]).

%% [as in the base]

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message_final/2, fast_encode_Message_final/1]}).

%% [as in the base]
%% Layout in fbe-final:   offset    size  field
%%                         after  varies  size
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{size = undefined}.

write_Message_final(#'Message'{size = Size_} = _Value, Path) ->
    [write_Message_size_final_optional(Size_, [size | Path])];
write_Message_final(_, Path) -> aldis_check:wrong(Path).

write_Message_size_final_optional(undefined, _Path) -> <<0>>;
write_Message_size_final_optional(Value, Path) ->
    [<<1>>, <<(aldis_check:int(Value, -2147483648, 2147483647, Path)):32/little>>].

fast_encode_Message_final(#'Message'{size = Size_}) ->
    Size_Bytes =
        case Size_ of
            undefined -> <<0>>;
            _ -> <<1, (aldis_check:int(Size_, -2147483648, 2147483647, [])):32/little>>
        end,
    FrameSize = aldis_check:frame(8 + byte_size(Size_Bytes)),
    <<FrameSize:32/little, 1:32/little, Size_Bytes/binary>>;
fast_encode_Message_final(_) -> throw(unusual).

%% [as in the base]
    try {ok, fast_encode_Message_final(Value)}
    catch throw:_ -> aldis:binary(encode_Message_final_iolist(Value))
    end.
%% [as in the base]
encode_Message_final_iolist(Value) ->
    try
        Body = write_Message_final(Value, []),
        FrameSize = aldis_check:frame(iolist_size(Body) + 8),
        {ok, [<<FrameSize:32/little, 1:32/little>>, Body]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Size_, Bin1, Budget1} = read_Message_size_final_optional(Bin, Depth, Budget, [size | Path]),
    {#'Message'{size = Size_}, Bin1, Budget1}.

read_Message_size_final_value(<<Value:32/signed-little, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 4, Bin, Path),
    {Value, Rest, Budget1};
read_Message_size_final_value(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_size_final_optional(<<0, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    {undefined, Rest, Budget1};
read_Message_size_final_optional(<<_, Rest/binary>> = Bin, Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    read_Message_size_final_value(Rest, Depth, Budget1, Path);
read_Message_size_final_optional(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

fast_decode_Message_final(<<FrameSize:32/little, 1:32/little, Rest/binary>> = Bin) ->
    {Size_, After} = fast_read_Message_size_final_optional(Rest),
    fast_decode_Message_final_2(After, FrameSize, Size_, Bin);
fast_decode_Message_final(_) -> throw(unusual).

fast_decode_Message_final_2(Rest, FrameSize, Size_, Bin)
    when FrameSize =:= byte_size(Bin) - byte_size(Rest) ->
    {ok, #'Message'{size = Size_}, Rest};
fast_decode_Message_final_2(_, _, _, _) -> throw(unusual).

fast_read_Message_size_final_optional(<<0, Rest/binary>>) -> {undefined, Rest};
fast_read_Message_size_final_optional(<<1, Found:32/signed-little, Rest/binary>>) -> {Found, Rest};
fast_read_Message_size_final_optional(_) -> throw(unusual).

%% [as in the base]

-spec 'Message_size'(binary()) -> aldis:read(aldis:int32() | undefined).
'Message_size'(Bin) -> 'Message_get'(size, Bin).

%% [as in the base]

about('Message') -> {record, [{size, {optional, int32}}]}.
%% ==== feature_view.erl
%% A number that may be null, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_Message_size_final_value(<<Value:32/signed-little, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 4, Bin, Path),
    {Value, Rest, Budget1};
read_Message_size_final_value(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_size_final_optional(<<0, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    {undefined, Rest, Budget1};
read_Message_size_final_optional(<<_, Rest/binary>> = Bin, Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    read_Message_size_final_value(Rest, Depth, Budget1, Path);
read_Message_size_final_optional(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

view_Message_final(size, Bin, Depth, Budget, Path) ->
    {Size_, _Bin1, _Budget1} = read_Message_size_final_optional(Bin, Depth, Budget, [size | Path]),
    Size_.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% A number that may be null, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{size, <<"size">>, <<"{\"size\":">>, int32, undefined}]}.

