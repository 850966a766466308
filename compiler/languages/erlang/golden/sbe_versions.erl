%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    number :: aldis:uint32() | undefined,
    later :: aldis:uint32() | undefined
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_number'/1, 'Message_later'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1,
    from_json_Message/1, encode/1, identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% [as in the base]
-define(WITHIN(Value, Min, Max), (is_integer(Value) andalso Value >= Min andalso Value =< Max)).
-define(WITHIN_OR_NULL(Value, Min, Max),
    (Value =:= undefined orelse (is_integer(Value) andalso Value >= Min andalso Value =< Max))).

-compile({inline, [or_null/2]}).

%% [as in the base]
%%                       0       4  number
%%                       4       4  later, since version 1
%%                               8  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{number = 0, later = 0}.

%% [as in the base]

run_Message() ->
    {record, 'Message', 3, 8, little,
     [{0, 2, number, uint32}, {4, 3, later, {or_absent, 4294967295, uint32}, 1}]}.

fast_encode_Message(#'Message'{number = Number_, later = Later_})
    when ?WITHIN(Number_, 0, 4294967295), ?WITHIN_OR_NULL(Later_, 0, 4294967295) ->
    <<
        8:16/little, 1:16/little, 1:16/little, 1:16/little, Number_:32/little,
        (or_null(Later_, 4294967295)):32/little
    >>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(<<8:16/little, 1:16/little, 1:16/little, 1:16/little>>, fun write_Message/2, Value).

%% [as in the base]

open_Message(<<Extent:16/little, 1:16/little, 1:16/little, Version:16/little, Root/binary>>) ->
    {Root, Extent, Version};
open_Message(<<_:8/binary, _/binary>> = Bin) -> aldis_wire:unknown_message(Bin);
%% [as in the base]

read_Message(Bin, Extent, Version, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    aldis_run:read(run_Message(), Bin, Extent, Version, Budget, [], Path).

fast_decode_Message(
    <<
        8:16/little, 1:16/little, 1:16/little, Version:16/little, Number_:32/little, Later_:32/little,
        Rest/binary
    >>
) when Version >= 1 ->
    {ok, #'Message'{number = Number_, later = Later_}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]
decode_Message_carefully(Bin, Limits) ->
    aldis_wire:decoded(fun open_Message/1, fun read_Message/6, 8, Bin, Limits).

%% [as in the base]
'Message_number'(Bin) -> 'Message_get'(number, Bin).
-spec 'Message_later'(binary()) -> aldis:read(aldis:uint32() | undefined).
'Message_later'(Bin) -> 'Message_get'(later, Bin).

%% [as in the base]

about('Message') -> {record, [{number, uint32}, {later, uint32}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

or_null(undefined, Null) -> Null;
or_null(Value, _) -> Value.
%% ==== feature_view.erl
%% [as in the base]

view_Message(Field, Bin, Extent, Version, _Depth, _Budget, Path) ->
    {Block, _} = aldis_wire:block(Bin, Extent, Path),
    aldis_run:field(feature:run_Message(), Field, Block, Version).

%% [as in the base]
    aldis:check_field(Field, record_info(fields, 'Message')),
    aldis_wire:viewed(Field, fun feature:open_Message/1, fun view_Message/7, 8, Bin, Limits).

'Message_get'(
    number,
    <<8:16/little, 1:16/little, 1:16/little, _:16/little, Number_:32/little, _:4/binary, _/binary>>
) ->
    {ok, Number_};
'Message_get'(
    later,
    <<8:16/little, 1:16/little, 1:16/little, Version:16/little, _:4/binary, Later_:32/little, _/binary>>
) when Version >= 1 ->
    {ok, Later_};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]
json_Message() ->
    {record, 'Message', none,
     [{number, <<"number">>, <<"{\"number\":">>, uint32, [undefined], [], []},
      {later, <<"later">>, <<",\"later\":">>, uint32, [undefined], [undefined], []}]}.

