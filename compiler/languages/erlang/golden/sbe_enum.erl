%% ==== feature.hrl
%% [as in the base]

%% feature.Side
-type 'Side'() :: buy | sell | integer().

%% feature.Message
-record('Message', {
    side :: 'Side'() | undefined
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_side'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([number_Side/0, 'Side_to_number'/2, 'Side_from_number'/1, run_Message/0, open_Message/1]).

%% [as in the base]

-compile({inline, [fast_Side_to_number/1]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [fast_encode_Message/1, fast_Side_to_number/1]}).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Side
%% -----------------------------------------------------------------------------

number_Side() -> {number, fun feature:'Side_to_number'/2, fun feature:'Side_from_number'/1, uint8}.

'Side_to_number'(buy, _) -> 1;
'Side_to_number'(sell, _) -> 2;
'Side_to_number'(Unknown, Path) -> aldis_check:int(Unknown, 0, 255, Path).

'Side_from_number'(1) -> buy;
'Side_from_number'(2) -> sell;
'Side_from_number'(Unknown) -> Unknown.

%% -----------------------------------------------------------------------------
%% feature.Message
%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       1  side
%%                               1  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{side = buy}.

%% [as in the base]

run_Message() -> {record, 'Message', 2, 1, little, [{0, 2, side, fun feature:number_Side/0}]}.

fast_encode_Message(#'Message'{side = Side}) ->
    <<1:16/little, 1:16/little, 1:16/little, 0:16/little, (fast_Side_to_number(Side)):8>>;
fast_encode_Message(_) -> throw(unusual).

fast_Side_to_number(buy) -> 1;
fast_Side_to_number(sell) -> 2;
fast_Side_to_number(_) -> throw(unusual).

encode_Message_carefully(Value) ->
    aldis_fault:written(<<1:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]

fast_decode_Message(<<1:16/little, 1:16/little, 1:16/little, _:16/little, Side:8, Rest/binary>>) ->
    {ok, #'Message'{side = 'Side_from_number'(Side)}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_side'(binary()) -> aldis:read('Side'() | undefined).
'Message_side'(Bin) -> 'Message_get'(side, Bin).

%% [as in the base]

about('Side') -> {enum, [buy, sell], uint8};
about('Message') -> {record, [{side, {named, 'Side'}}]}.
%% ==== feature_view.erl
%% [as in the base]

'Message_get'(side, <<1:16/little, 1:16/little, 1:16/little, _:16/little, Side:8, _/binary>>) ->
    {ok, feature:'Side_from_number'(Side)};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]

-export([json_Side/0, to_json_Message/1, from_json_Message/1]).

%% feature.Side

json_Side() ->
    {enum, fun feature:'Side_to_number'/2, fun feature:'Side_from_number'/1, uint8,
     #{buy => <<"\"buy\"">>, sell => <<"\"sell\"">>}, #{<<"buy">> => 1, <<"sell">> => 2}}.

%% [as in the base]
json_Message() ->
    {record, 'Message', none,
     [{side, <<"side">>, <<"{\"side\":">>, fun feature_json:json_Side/0, [undefined], [], []}]}.

