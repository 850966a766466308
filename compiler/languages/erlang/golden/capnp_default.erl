%% ==== feature.hrl
%% A default, by which what is stored differs.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    size :: aldis:int16()
}).
%% ==== feature.erl
%% A default, by which what is stored differs.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_size'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%%   offset    size  field
%%      0       2  size
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{size = 5}.

%% [as in the base]

write_Message(#'Message'{size = Size_}, _At, Next, _Depth, Path) ->
    {<<(aldis_check:int(Size_, -32768, 32767, [size | Path]) bxor 5):16/little, 0:48>>, [], Next};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{size = Size_}) when ((Size_ + 32768) bsr 16) =:= 0 ->
    {ok, <<0:32, 2:32/little, 0:32, 1:32/little, ((Size_ bxor 5) band 65535):64/little>>};
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).
%% [as in the base]
read_Message(Bin, At, 8, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, Size_:16/signed-little, _/binary>> = Bin,
    {#'Message'{size = Size_ bxor 5}, Budget};
read_Message(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<Size_:16/signed-little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 8, 0, [{0, 2}]),
    {#'Message'{size = Size_ bxor 5}, Budget}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, 2:32/little, 0:32, 1:32/little, Size_:16/signed-little, _:48>>) ->
    {ok, #'Message'{size = Size_ bxor 5}, <<>>};
decode_Message(<<0:32, 2:32/little, 0:32, 1:32/little, Size_:16/signed-little, _:48, Rest/binary>>) ->
    {ok, #'Message'{size = Size_ bxor 5}, Rest};
decode_Message(Bin) -> aldis_message:decode(framed, fun read_Message/8, Bin).
%% [as in the base]

-spec 'Message_size'(binary()) -> aldis:read(aldis:int16()).
'Message_size'(Bin) -> 'Message_get'(size, Bin).

%% [as in the base]

about('Message') -> {record, [{size, int16}]}.
%% ==== feature_view.erl
%% A default, by which what is stored differs.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_size(Bin, At, 8, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, Size_:16/signed-little, _/binary>> = Bin,
    {Size_ bxor 5, Budget};
view_Message_size(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<Size_:16/signed-little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 8, 0, [{0, 2}]),
    {Size_ bxor 5, Budget}.

'Message_get'(size, <<0:32, 2:32/little, 0:32, 1:32/little, Size_:16/signed-little, _:48, _/binary>>) ->
    {ok, Size_ bxor 5};
'Message_get'(size, Bin) -> aldis_message:view(fun view_Message_size/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(size, Bin, Options) ->
    aldis_message:viewed(fun view_Message_size/8, fun(Given) -> 'Message_get'(size, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% A default, by which what is stored differs.
%% @private A part of feature, which is what users call.
%% [as in the base]
json_Message() ->
    {object, [<<"size">>], {record, 'Message'}, record,
     [{field, {size, <<"size">>, <<"\"size\":">>, {digits, int16}, [], [], [5]}, []}]}.

