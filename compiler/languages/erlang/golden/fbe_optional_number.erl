%% ==== feature.hrl
%% A number that may be null, in place.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    size :: aldis:int32() | undefined
}).
%% ==== feature.erl
%% A number that may be null, in place.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_size'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([run_Message/0, open_Message/1]).

%% [as in the base]

-compile({inline, [has/1, at/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/2, fast_encode_Message/1]}).

%% [as in the base]
%%                       4       4  (type)
%%                       8       5  size, presence and an offset
%%                              13  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{size = undefined}.

write_Message(#'Message'{size = Size_} = Value, Path) ->
    {Size_Bytes, At1} = put_Message_size_if(Size_, 13, [size | Path]),
    {[write_Message_run(Value, 13, Path), Size_Bytes], At1};
write_Message(_, Path) -> aldis_check:wrong(Path).

put_Message_size_value(Value, At, Path) ->
    {[<<(aldis_check:int(Value, -2147483648, 2147483647, Path)):32/little>>, []], At + 4}.

put_Message_size_here(Value, At, Path) ->
    {Bytes, Size} = put_Message_size_value(Value, 0, Path),
    {Bytes, At + Size}.

put_Message_size_if(undefined, At, _Path) -> {[], At};
put_Message_size_if(Value, At, Path) -> put_Message_size_here(Value, At, Path).

write_Message_run(Value, Size_At, Path) -> aldis_run:write(run_Message(), Value, [Size_At], Path).

run_Message() ->
    {record, 'Message', 2, 13, little, [{0, <<13:32/little>>}, {4, <<1:32/little>>}, {8, 2, size, presence}]}.

fast_encode_Message(#'Message'{size = Size_}) ->
    Size_At = 13,
    Size_Bytes =
        case Size_ of
            undefined -> <<>>;
            _ -> <<(aldis_check:int(Size_, -2147483648, 2147483647, [])):32/little>>
        end,
    FrameSize = aldis_check:frame(8 + Size_At + byte_size(Size_Bytes)),
    <<
        FrameSize:32/little, 8:32/little, 13:32/little, 1:32/little,
        (has(Size_) bor (at(Size_, Size_At) bsl 8)):40/little,
        Size_Bytes/binary
    >>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
    try
        {Body, Size} = write_Message(Value, []),
        FrameSize = aldis_check:frame(Size + 8),
        {ok, [<<FrameSize:32/little, 8:32/little>>, Body]}
%% [as in the base]

read_Message(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Size_Has, Size_At, Budget1} = read_Message_run(Bin, Budget, Path),
    {Size_, Budget2} = 'Message_size_if'(Size_Has, Size_At, Bin, Depth, Budget1, [size | Path]),
    {#'Message'{size = Size_}, Budget2}.

read_Message_run(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Budget, Path) ->
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 13, 13, 0, [size]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [{13, 24}], [{13, 5}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        case Block of
            <<_:8/binary, Size_Has:8, Size_At:32/little, _/binary>> -> Size_Has;
            _ -> missing
        end,
        case Block of
            <<_:8/binary, Size_Has:8, Size_At:32/little, _/binary>> -> Size_At;
            _ -> missing
        end,
        Budget1
    };
read_Message_run(Bin, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_size_value(<<Value:32/signed-little, _Rest/binary>> = Bin, _Base, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 4, Bin, Path),
    {Value, Budget1};
read_Message_size_value(Bin, _Base, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_size_here(Bin, _Base, Depth, Budget, Path) ->
    read_Message_size_value(Bin, Bin, Depth, Budget, Path).

'Message_size_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_size_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_size_here(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

'Message_size_if'(missing, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_size_if'(0, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_size_if'(_, At, Base, Depth, Budget, Path) -> 'Message_size_at'(At, Base, Depth, Budget, Path).

fast_decode_Message(
    <<
        FrameSize:32/little, 8:32/little, 13:32/little, 1:32/little, Size_Has:8, Size_At:32/little,
        Rest/binary
    >>
) when Size_Has =:= 0 orelse Size_At =:= 13 ->
    {Size_, Size_Size, After} = fast_read_Message_size_optional(Rest, Size_Has),
    fast_decode_Message_2(After, FrameSize, Size_, Size_Size);
fast_decode_Message(_) -> throw(unusual).

fast_decode_Message_2(Rest, FrameSize, Size_, Size_Size) when FrameSize =:= 21 + Size_Size ->
    {ok, #'Message'{size = Size_}, Rest};
fast_decode_Message_2(_, _, _, _) -> throw(unusual).

fast_read_Message_size_optional(Rest, 0) -> {undefined, 0, Rest};
fast_read_Message_size_optional(<<Found:32/signed-little, Rest/binary>>, 1) -> {Found, 4, Rest};
fast_read_Message_size_optional(_, _) -> throw(unusual).

frame_size(<<FrameSize:32/little, _:32/little, _/binary>> = Bin) -> min(FrameSize, byte_size(Bin));
%% [as in the base]

-spec 'Message_size'(binary()) -> aldis:read(aldis:int32() | undefined).
'Message_size'(Bin) -> 'Message_get'(size, Bin).

%% [as in the base]

about('Message') -> {record, [{size, {optional, int32}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

has(undefined) -> 0;
has(_) -> 1.

at(undefined, _) -> 0;
at(_, At) -> At.
%% ==== feature_view.erl
%% A number that may be null, in place.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_Message_size_value(<<Value:32/signed-little, _Rest/binary>> = Bin, _Base, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 4, Bin, Path),
    {Value, Budget1};
read_Message_size_value(Bin, _Base, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

read_Message_size_here(Bin, _Base, Depth, Budget, Path) ->
    read_Message_size_value(Bin, Bin, Depth, Budget, Path).

'Message_size_at'(0, Base, _Depth, _Budget, Path) -> aldis_wire:bad_pointer(0, Base, Path);
'Message_size_at'(At, Base, Depth, Budget, Path) ->
    case Base of
        <<_:At/binary, Target/binary>> -> read_Message_size_here(Target, Base, Depth, Budget, Path);
        _ -> aldis_wire:bad_pointer(At, Base, Path)
    end.

'Message_size_if'(missing, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_size_if'(0, _At, _Base, _Depth, Budget, _Path) -> {undefined, Budget};
'Message_size_if'(_, At, Base, Depth, Budget, Path) -> 'Message_size_at'(At, Base, Depth, Budget, Path).

view_Message(size, Bin, Depth, Budget, Path) ->
    Block =
%% [as in the base]
        end,
    {Size_Has, Size_At} =
        case Block of
            <<_:8/binary, FoundHas:8, FoundAt:32/little, _/binary>> -> {FoundHas, FoundAt};
            _ -> {missing, missing}
        end,
    {Size_, _Budget1} = 'Message_size_if'(Size_Has, Size_At, Bin, Depth, Budget, [size | Path]),
    Size_.

%% [as in the base]
'Message_get'(
    size,
    <<FrameSize:32/little, 8:32/little, 13:32/little, 1:32/little, 0:8, _Size_At:32/little, _/binary>> = Bin
) when FrameSize >= 21, FrameSize =< byte_size(Bin) ->
    {ok, undefined};
'Message_get'(
    size,
    <<FrameSize:32/little, 8:32/little, 13:32/little, 1:32/little, 1:8, Size_At:32/little, _/binary>> = Bin
) when FrameSize >= 21, FrameSize =< byte_size(Bin), Size_At > 0 ->
    case Bin of
        <<_:8/binary, _:Size_At/binary, Found:32/signed-little, _/binary>> when 8 + Size_At
                + 4 =< FrameSize -> {ok, Found};
        _ -> 'Message_get_carefully'(size, Bin, default)
    end;
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% A number that may be null, in place.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{size, <<"size">>, <<"{\"size\":">>, int32, undefined}]}.

