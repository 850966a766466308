%% ==== feature.hrl
%% Records behind a pointer.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    parts :: ['Message'()] | undefined
}).
%% ==== feature.erl
%% Records behind a pointer.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_parts'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% For the modules of this codec alone.
-export([follow_Message_list/8]).

%% [as in the base]
%%
%% Layout: 0 words of data, 1 pointer
%%   offset    size  field
%%     *0       8  parts
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{parts = undefined}.

%% [as in the base]
    {Body, Objects, End} = write_Message(Value, Next, Next + 1, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 65536, [Body | Objects], End}.

write_Message(#'Message'{parts = Parts}, At, Next, Depth, Path) ->
    {PartsLow, PartsHigh, PartsIo, Next1} = put_Message_list(Parts, At, Next, Depth, [parts | Path]),
    {<<PartsLow:32/little, PartsHigh:32/little>>, [PartsIo], Next1};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).

put_Message_list(undefined, _, Next, _, _) -> {0, 0, [], Next};
put_Message_list(Value, Place, Next, Depth, Path) ->
    aldis_check:depth(Depth + 2, Path),
    Write = fun(Item, At, Next1, Path1) -> write_Message(Item, At, Next1, Depth + 2, Path1) end,
    aldis_words:records(Write, Value, 0, 1, Place, Next, Path).

-spec encode_Message(#'Message'{}) -> {ok, binary()} | {error, aldis:reason()}.
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{parts = Parts} = Value) ->
    try {ok, <<0:32, 2:32/little, 0:32, 65536:32/little, (case Parts of undefined -> 0 end):64/little>>}
    catch _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

read_Message(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, PartsLow:32/signed-little, PartsHigh:32/little, _/binary>> = Bin,
    {Parts, Budget1} =
        follow_Message_list(PartsLow, PartsHigh, Bin, At, Message, Depth, Budget, [parts | Path]),
    {#'Message'{parts = Parts}, Budget1};
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<PartsLow:32/signed-little, PartsHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    {Parts, Budget1} =
        follow_Message_list(PartsLow, PartsHigh, Bin, At + Size, Message, Depth, Budget, [parts | Path]),
    {#'Message'{parts = Parts}, Budget1}.

follow_Message_list(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
follow_Message_list(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    aldis_pointer:records(
        fun read_Message/8, 5, {[], [{8, 5}]}, Low, High, Bin, At, Message, Depth, Budget, Path
    ).

direct_Message(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message(Low, 65536, Bin, At, Budget) when (Low band 3) =:= 0, Budget >= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, 0:64, _/binary>> = Bin,
    Parts = undefined,
    {#'Message'{parts = Parts}, Budget - 1}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, Words:32/little, 0:32, 65536:32/little, 0:64, _/binary>> = Bin)
    when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        Budget = byte_size(Bin) + 32767,
        Parts = undefined,
        true = Budget >= 0,
        {ok, #'Message'{parts = Parts}, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_direct:decode(fun direct_Message/5, fun read_Message/8, Bin).

%% [as in the base]

-spec 'Message_parts'(binary()) -> aldis:read(['Message'()] | undefined).
'Message_parts'(Bin) -> 'Message_get'(parts, Bin).

%% [as in the base]

about('Message') -> {record, [{parts, {optional, {list, {named, 'Message'}}}}]}.
%% ==== feature_view.erl
%% Records behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_parts(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, PartsLow:32/signed-little, PartsHigh:32/little, _/binary>> = Bin,
    feature:follow_Message_list(PartsLow, PartsHigh, Bin, At, Message, Depth, Budget, [parts | Path]);
view_Message_parts(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<PartsLow:32/signed-little, PartsHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    feature:follow_Message_list(PartsLow, PartsHigh, Bin, At + Size, Message, Depth, Budget, [parts | Path]).

'Message_get'(parts, Bin) -> aldis_message:view(fun view_Message_parts/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(parts, Bin, Options) ->
    aldis_message:viewed(
        fun view_Message_parts/8, fun(Given) -> 'Message_get'(parts, Given) end, Bin, Options
    );
%% ==== feature_json.erl
%% Records behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([json_Message/0, to_json_Message/1, from_json_Message/1]).

%% [as in the base]
json_Message() ->
    {object, [<<"parts">>], {record, 'Message'}, record,
     [{field,
       {parts, <<"parts">>, <<"\"parts\":">>, {list, fun feature_json:json_Message/0}, [], [undefined],
        [undefined]}, [undefined, []]}]}.

