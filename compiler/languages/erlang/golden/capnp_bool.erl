%% ==== feature.hrl
%% A bit.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    urgent :: boolean()
}).
%% ==== feature.erl
%% A bit.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_urgent'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]

-compile({inline, [bool/1]}).

%% The last clauses are for values of other types.
%% [as in the base]
%%   offset    size  field
%%    0.0   1 bit  urgent
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{urgent = false}.

%% [as in the base]

write_Message(#'Message'{urgent = Urgent}, _At, Next, _Depth, Path) ->
    {<<0:7, (aldis_check:bool(Urgent, [urgent | Path])):1, 0:56>>, [], Next};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{urgent = Urgent}) when is_boolean(Urgent) ->
    {ok, <<0:32, 2:32/little, 0:32, 1:32/little, (bool(Urgent)):64/little>>};
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).
%% [as in the base]
read_Message(Bin, At, 8, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, _:7, Urgent:1, _/binary>> = Bin,
    {#'Message'{urgent = Urgent =:= 1}, Budget};
read_Message(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<_:7, Urgent:1, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 8, 0, []),
    {#'Message'{urgent = Urgent =:= 1}, Budget}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, 2:32/little, 0:32, 1:32/little, _:7, Urgent:1, _:56>>) ->
    {ok, #'Message'{urgent = Urgent =:= 1}, <<>>};
decode_Message(<<0:32, 2:32/little, 0:32, 1:32/little, _:7, Urgent:1, _:56, Rest/binary>>) ->
    {ok, #'Message'{urgent = Urgent =:= 1}, Rest};
decode_Message(Bin) -> aldis_message:decode(framed, fun read_Message/8, Bin).
%% [as in the base]

-spec 'Message_urgent'(binary()) -> aldis:read(boolean()).
'Message_urgent'(Bin) -> 'Message_get'(urgent, Bin).

%% [as in the base]

about('Message') -> {record, [{urgent, bool}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

bool(true) -> 1;
bool(false) -> 0.
%% ==== feature_view.erl
%% A bit.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_urgent(Bin, At, 8, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, _:7, Urgent:1, _/binary>> = Bin,
    {Urgent =:= 1, Budget};
view_Message_urgent(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<_:7, Urgent:1, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 8, 0, []),
    {Urgent =:= 1, Budget}.

'Message_get'(urgent, <<0:32, 2:32/little, 0:32, 1:32/little, _:7, Urgent:1, _:56, _/binary>>) ->
    {ok, Urgent =:= 1};
'Message_get'(urgent, Bin) -> aldis_message:view(fun view_Message_urgent/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(urgent, Bin, Options) ->
    aldis_message:viewed(
        fun view_Message_urgent/8, fun(Given) -> 'Message_get'(urgent, Given) end, Bin, Options
    );
%% ==== feature_json.erl
%% A bit.
%% @private A part of feature, which is what users call.
%% [as in the base]
json_Message() ->
    {object, [<<"urgent">>], {record, 'Message'}, record,
     [{field, {urgent, <<"urgent">>, <<"\"urgent\":">>, boolean, [], [], [false]}, []}]}.

