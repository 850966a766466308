%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    count :: aldis:uint16() | undefined
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_count'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]

-define(WITHIN_OR_NULL(Value, Min, Max),
    (Value =:= undefined orelse (is_integer(Value) andalso Value >= Min andalso Value =< Max))).

-compile({inline, [nullable/2, or_null/2]}).

%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       2  count
%%                               2  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{count = undefined}.

%% [as in the base]

run_Message() -> {record, 'Message', 2, 2, little, [{0, 2, count, {or_null, 65535, uint16}}]}.

fast_encode_Message(#'Message'{count = Count_}) when ?WITHIN_OR_NULL(Count_, 0, 65535) ->
    <<2:16/little, 1:16/little, 1:16/little, 0:16/little, (or_null(Count_, 65535)):16/little>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(<<2:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]

fast_decode_Message(<<2:16/little, 1:16/little, 1:16/little, _:16/little, Count_:16/little, Rest/binary>>) ->
    {ok, #'Message'{count = nullable(Count_, 65535)}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_count'(binary()) -> aldis:read(aldis:uint16() | undefined).
'Message_count'(Bin) -> 'Message_get'(count, Bin).

%% [as in the base]

about('Message') -> {record, [{count, {optional, uint16}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

nullable(Null, Null) -> undefined;
nullable(Value, _) -> Value.

or_null(undefined, Null) -> Null;
or_null(Value, _) -> Value.
%% ==== feature_view.erl
%% [as in the base]

-compile({inline, [nullable/2]}).

%% feature.Message
%% [as in the base]

'Message_get'(count, <<2:16/little, 1:16/little, 1:16/little, _:16/little, Count_:16/little, _/binary>>) ->
    {ok, nullable(Count_, 65535)};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% [as in the base]
    aldis:viewed(Field, fun 'Message_get'/2, fun 'Message_get_carefully'/3, Bin, Options).


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

nullable(Null, Null) -> undefined;
nullable(Value, _) -> Value.
%% ==== feature_json.erl
%% [as in the base]

json_Message() -> {record, 'Message', none, [{count, <<"count">>, <<"{\"count\":">>, uint16, undefined}]}.

