%% ==== feature.hrl
%% Text in place, in the Final form.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    name :: unicode:chardata()
}).
%% ==== feature.erl
%% Text in place, in the Final form.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message_final/1, encode_Message_final_iolist/1, decode_Message_final/1,
    decode_Message_final/2, 'Message_name'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1,
    from_json_Message/1, encode_final/1, identify_final/1, decode_final/1, decode_final/2, messages/0,
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message_final/1]).

%% [as in the base]

-compile({inline, [text_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message_final/2, fast_encode_Message_final/1]}).

%% [as in the base]
%% Layout in fbe-final:   offset    size  field
%%                         after  varies  name
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{name = <<>>}.

write_Message_final(#'Message'{name = Name_} = _Value, Path) -> [write_text_final(Name_, [name | Path])];
write_Message_final(_, Path) -> aldis_check:wrong(Path).

write_text_final(Value, Path) ->
    Bytes = aldis_text:encode(Value, utf8, Path),
    Count = aldis_check:count(byte_size(Bytes), 0, 4294967295, Path),
    [<<Count:32/little>>, Bytes].

fast_encode_Message_final(#'Message'{name = Name_}) ->
    NameSize = text_size(Name_, 4294967295),
    FrameSize = aldis_check:frame(12 + NameSize),
    <<FrameSize:32/little, 1:32/little, NameSize:32/little, Name_:NameSize/binary>>;
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
    {Name_, Bin1, Budget1} = read_text_final(Bin, Depth, Budget, [name | Path]),
    {#'Message'{name = Name_}, Bin1, Budget1}.

read_text_final(<<0:32/little, Rest/binary>>, _Depth, Budget, _Path) when Budget >= 4 ->
    {<<>>, Rest, Budget - 4};
read_text_final(<<Count:32/little, Value:Count/binary, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Rest, Budget1};
read_text_final(<<Count:32/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text_final(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

fast_decode_Message_final(
    <<FrameSize:32/little, 1:32/little, Name_Size:32/little, Name_:Name_Size/binary, Rest/binary>> = Bin
) when FrameSize =:= byte_size(Bin) - byte_size(Rest) ->
    {ok, #'Message'{name = Name_}, Rest};
fast_decode_Message_final(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_name'(binary()) -> aldis:read(binary()).
'Message_name'(Bin) -> 'Message_get'(name, Bin).

%% [as in the base]

about('Message') -> {record, [{name, text}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

text_size(Text, Most) when is_binary(Text), byte_size(Text) =< Most -> byte_size(Text);
text_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% Text in place, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_text_final(<<0:32/little, Rest/binary>>, _Depth, Budget, _Path) when Budget >= 4 ->
    {<<>>, Rest, Budget - 4};
read_text_final(<<Count:32/little, Value:Count/binary, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Rest, Budget1};
read_text_final(<<Count:32/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text_final(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

view_Message_final(name, Bin, Depth, Budget, Path) ->
    {Name_, _Bin1, _Budget1} = read_text_final(Bin, Depth, Budget, [name | Path]),
    Name_.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Text in place, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{name, <<"name">>, <<"{\"name\":">>, utf8, [], [], [<<>>]}]}.

