%% ==== feature.hrl
%% What a pointer leads to is kept as it is.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    any :: aldis:any_pointer() | undefined
}).
%% ==== feature.erl
%% What a pointer leads to is kept as it is.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    decode_as_Message/1, decode_as_Message/2, encode_as_Message/1, 'Message_any'/1, 'Message_get'/2,
    'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1, identify/1, decode/1, decode/2,
    messages/0, format_error/2, format_error/3
]).
%% [as in the base]
%%
%% Layout: 0 words of data, 1 pointer
%%   offset    size  field
%%     *0       8  any
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{any = undefined}.

%% [as in the base]
    {Body, Objects, End} = write_Message(Value, Next, Next + 1, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 65536, [Body | Objects], End}.

write_Message(#'Message'{any = Any}, At, Next, Depth, Path) ->
    {AnyLow, AnyHigh, AnyIo, Next1} = aldis_object:put(Any, At, Next, Depth, [any | Path]),
    {<<AnyLow:32/little, AnyHigh:32/little>>, [AnyIo], Next1};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]

encode_Message_unread(#'Message'{any = Any} = Value) ->
    try {ok, <<0:32, 2:32/little, 0:32, 65536:32/little, (case Any of undefined -> 0 end):64/little>>}
    catch _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_unread(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(Value) -> aldis:readable(encode_Message_unread(Value), fun decode_Message/1).

read_Message(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, AnyLow:32/signed-little, AnyHigh:32/little, _/binary>> = Bin,
    {Any, Budget1} = aldis_pointer:opaque(AnyLow, AnyHigh, Bin, At, Message, Depth, Budget, [any | Path]),
    {#'Message'{any = Any}, Budget1};
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<AnyLow:32/signed-little, AnyHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    {Any, Budget1} =
        aldis_pointer:opaque(AnyLow, AnyHigh, Bin, At + Size, Message, Depth, Budget, [any | Path]),
    {#'Message'{any = Any}, Budget1}.

direct_Message(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message(Low, 65536, Bin, At, Budget) when (Low band 3) =:= 0, Budget >= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, 0:64, _/binary>> = Bin,
    Any = undefined,
    {#'Message'{any = Any}, Budget - 1}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, Words:32/little, 0:32, 65536:32/little, 0:64, _/binary>> = Bin)
    when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        Budget = byte_size(Bin) + 32767,
        Any = undefined,
        true = Budget >= 0,
        {ok, #'Message'{any = Any}, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_direct:decode(fun direct_Message/5, fun read_Message/8, Bin).

%% [as in the base]

-spec decode_as_Message(aldis:any_pointer()) -> {ok, #'Message'{}} | {error, aldis:reason()}.
decode_as_Message(Value) -> aldis_message:decode_as(fun read_Message/8, Value).

-spec decode_as_Message(aldis:any_pointer(), aldis:decode_options()) ->
    {ok, #'Message'{}} | {error, aldis:reason()}.
decode_as_Message(Value, Options) -> aldis_message:decode_as(fun read_Message/8, Value, Options).

-spec encode_as_Message(#'Message'{}) -> {ok, aldis:any_pointer()} | {error, aldis:reason()}.
encode_as_Message(Value) -> aldis_message:encode_as(fun put_Message/5, fun read_Message/8, Value).

-spec 'Message_any'(binary()) -> aldis:read(aldis:any_pointer() | undefined).
'Message_any'(Bin) -> 'Message_get'(any, Bin).

%% [as in the base]

about('Message') -> {record, [{any, {optional, open}}]}.
%% ==== feature_view.erl
%% What a pointer leads to is kept as it is.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_any(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, AnyLow:32/signed-little, AnyHigh:32/little, _/binary>> = Bin,
    aldis_pointer:opaque(AnyLow, AnyHigh, Bin, At, Message, Depth, Budget, [any | Path]);
view_Message_any(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<AnyLow:32/signed-little, AnyHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    aldis_pointer:opaque(AnyLow, AnyHigh, Bin, At + Size, Message, Depth, Budget, [any | Path]).

'Message_get'(any, Bin) -> aldis_message:view(fun view_Message_any/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(any, Bin, Options) ->
    aldis_message:viewed(fun view_Message_any/8, fun(Given) -> 'Message_get'(any, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% What a pointer leads to is kept as it is.
%% @private A part of feature, which is what users call.
%% [as in the base]
json_Message() ->
    {object, [<<"any">>], {record, 'Message'}, record,
     [{field, {any, <<"any">>, <<"\"any\":">>, opaque, [], [undefined], [undefined]}, [undefined, []]}]}.

