%% ==== feature.hrl
%% Bits behind a pointer.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    bits :: [boolean()] | undefined
}).
%% ==== feature.erl
%% Bits behind a pointer.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_bits'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%%
%% Layout: 0 words of data, 1 pointer
%%   offset    size  field
%%     *0       8  bits
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{bits = undefined}.

%% [as in the base]
    {Body, Objects, End} = write_Message(Value, Next, Next + 1, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 65536, [Body | Objects], End}.

write_Message(#'Message'{bits = Bits}, At, Next, Depth, Path) ->
    {BitsLow, BitsHigh, BitsIo, Next1} = put_bits(Bits, At, Next, Depth, [bits | Path]),
    {<<BitsLow:32/little, BitsHigh:32/little>>, [BitsIo], Next1};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).

put_bits(undefined, _, Next, _, _) -> {0, 0, [], Next};
put_bits(Value, Place, Next, Depth, Path) ->
    aldis_check:depth(Depth + 1, Path),
    aldis_words:bits(Value, Place, Next, Path).

-spec encode_Message(#'Message'{}) -> {ok, binary()} | {error, aldis:reason()}.
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{bits = Bits} = Value) ->
    try {ok, <<0:32, 2:32/little, 0:32, 65536:32/little, (case Bits of undefined -> 0 end):64/little>>}
    catch _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

read_Message(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, BitsLow:32/signed-little, BitsHigh:32/little, _/binary>> = Bin,
    {Bits, Budget1} = follow_bits(BitsLow, BitsHigh, Bin, At, Message, Depth, Budget, [bits | Path]),
    {#'Message'{bits = Bits}, Budget1};
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<BitsLow:32/signed-little, BitsHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    {Bits, Budget1} = follow_bits(BitsLow, BitsHigh, Bin, At + Size, Message, Depth, Budget, [bits | Path]),
    {#'Message'{bits = Bits}, Budget1}.

follow_bits(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
follow_bits(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:bits(Low, High, Bin, At, Message, Depth, Budget, Path).

direct_Message(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message(Low, 65536, Bin, At, Budget) when (Low band 3) =:= 0, Budget >= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, BitsLow:32/little, BitsHigh:32/little, _/binary>> = Bin,
    {Bits, Left1} = follow_bits(BitsLow, BitsHigh, Bin, Start, {{Bin}, {0}}, 1, 8 * Budget, []),
    Budget1 = Left1 bsr 3,
    {#'Message'{bits = Bits}, Budget1 - 1}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(
    <<0:32, Words:32/little, 0:32, 65536:32/little, BitsLow:32/little, BitsHigh:32/little, _/binary>> = Bin
) when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        Budget = byte_size(Bin) + 32767,
        {Bits, Left1} = follow_bits(BitsLow, BitsHigh, Bin, 16, {{Bin}, {0}}, 1, 8 * Budget, []),
        Budget1 = Left1 bsr 3,
        true = Budget1 >= 0,
        {ok, #'Message'{bits = Bits}, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_direct:decode(fun direct_Message/5, fun read_Message/8, Bin).

%% [as in the base]

-spec 'Message_bits'(binary()) -> aldis:read([boolean()] | undefined).
'Message_bits'(Bin) -> 'Message_get'(bits, Bin).

%% [as in the base]

about('Message') -> {record, [{bits, {optional, {list, bool}}}]}.
%% ==== feature_view.erl
%% Bits behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_bits(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, BitsLow:32/signed-little, BitsHigh:32/little, _/binary>> = Bin,
    follow_bits(BitsLow, BitsHigh, Bin, At, Message, Depth, Budget, [bits | Path]);
view_Message_bits(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<BitsLow:32/signed-little, BitsHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    follow_bits(BitsLow, BitsHigh, Bin, At + Size, Message, Depth, Budget, [bits | Path]).

follow_bits(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
follow_bits(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:bits(Low, High, Bin, At, Message, Depth, Budget, Path).

'Message_get'(bits, Bin) -> aldis_message:view(fun view_Message_bits/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(bits, Bin, Options) ->
    aldis_message:viewed(fun view_Message_bits/8, fun(Given) -> 'Message_get'(bits, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% Bits behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]
json_Message() ->
    {object, [<<"bits">>], {record, 'Message'}, record,
     [{field, {bits, <<"bits">>, <<"\"bits\":">>, {list, boolean}, [], [undefined], [undefined]},
       [undefined, []]}]}.

