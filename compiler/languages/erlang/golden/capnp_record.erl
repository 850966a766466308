%% ==== feature.hrl
%% A record behind a pointer.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    next :: 'Message'() | undefined
}).
%% ==== feature.erl
%% A record behind a pointer.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_next'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% For the modules of this codec alone.
-export([follow_Message/8]).

%% [as in the base]
%%
%% Layout: 0 words of data, 1 pointer
%%   offset    size  field
%%     *0       8  next
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{next = undefined}.

%% [as in the base]
    {Body, Objects, End} = write_Message(Value, Next, Next + 1, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 65536, [Body | Objects], End}.

write_Message(#'Message'{next = Next_}, At, Next, Depth, Path) ->
    {Next_Low, Next_High, Next_Io, Next1} = put_Message(Next_, At, Next, Depth, [next | Path]),
    {<<Next_Low:32/little, Next_High:32/little>>, [Next_Io], Next1};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{next = Next_} = Value) ->
    try {ok, <<0:32, 2:32/little, 0:32, 65536:32/little, (case Next_ of undefined -> 0 end):64/little>>}
    catch _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

read_Message(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, Next_Low:32/signed-little, Next_High:32/little, _/binary>> = Bin,
    {Next_, Budget1} = follow_Message(Next_Low, Next_High, Bin, At, Message, Depth, Budget, [next | Path]),
    {#'Message'{next = Next_}, Budget1};
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<Next_Low:32/signed-little, Next_High:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    {Next_, Budget1} =
        follow_Message(Next_Low, Next_High, Bin, At + Size, Message, Depth, Budget, [next | Path]),
    {#'Message'{next = Next_}, Budget1}.

follow_Message(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
follow_Message(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {Segment, Start, Size, Count, Budget1} =
        aldis_pointer:record(Low, High, Bin, At, Message, Depth, Budget, Path, {[], [{8, 6}]}),
    read_Message(Segment, Start, Size, Count, Message, Depth + 1, Budget1, Path).

direct_Message(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message(Low, 65536, Bin, At, Budget) when (Low band 3) =:= 0, Budget >= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, 0:64, _/binary>> = Bin,
    Next_ = undefined,
    {#'Message'{next = Next_}, Budget - 1}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, Words:32/little, 0:32, 65536:32/little, 0:64, _/binary>> = Bin)
    when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        Budget = byte_size(Bin) + 32767,
        Next_ = undefined,
        true = Budget >= 0,
        {ok, #'Message'{next = Next_}, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_direct:decode(fun direct_Message/5, fun read_Message/8, Bin).

%% [as in the base]

-spec 'Message_next'(binary()) -> aldis:read('Message'() | undefined).
'Message_next'(Bin) -> 'Message_get'(next, Bin).

%% [as in the base]

about('Message') -> {record, [{next, {optional, {named, 'Message'}}}]}.
%% ==== feature_view.erl
%% A record behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_next(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, Next_Low:32/signed-little, Next_High:32/little, _/binary>> = Bin,
    feature:follow_Message(Next_Low, Next_High, Bin, At, Message, Depth, Budget, [next | Path]);
view_Message_next(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<Next_Low:32/signed-little, Next_High:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    feature:follow_Message(Next_Low, Next_High, Bin, At + Size, Message, Depth, Budget, [next | Path]).

'Message_get'(next, Bin) -> aldis_message:view(fun view_Message_next/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(next, Bin, Options) ->
    aldis_message:viewed(fun view_Message_next/8, fun(Given) -> 'Message_get'(next, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% A record behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([json_Message/0, to_json_Message/1, from_json_Message/1]).

%% [as in the base]
json_Message() ->
    {object, [<<"next">>], {record, 'Message'}, record,
     [{field,
       {next, <<"next">>, <<"\"next\":">>, fun feature_json:json_Message/0, [], [undefined], [undefined]},
       [undefined, []]}]}.

