%% ==== feature.hrl
%% Names of numbers.
-ifndef(FEATURE_HRL).
%% [as in the base]

%% feature.Side
-type 'Side'() :: buy | sell | integer().

%% feature.Message
-record('Message', {
    side :: 'Side'()
}).
%% ==== feature.erl
%% Names of numbers.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_side'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([
    number_Side/0, 'Side_to_number'/2, 'Side_from_number'/1, run_Message/0, open_Message/1, in_Message/2
]).

%% [as in the base]

-compile({inline, [fast_Side_to_number/1]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [fast_encode_Message/1, fast_Side_to_number/1]}).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Side
%% -----------------------------------------------------------------------------

number_Side() -> {number, fun feature:'Side_to_number'/2, fun feature:'Side_from_number'/1, uint8}.

'Side_to_number'(buy, _) -> 0;
'Side_to_number'(sell, _) -> 1;
'Side_to_number'(Unknown, Path) -> aldis_check:int(Unknown, 0, 255, Path).

'Side_from_number'(0) -> buy;
'Side_from_number'(1) -> sell;
'Side_from_number'(Unknown) -> Unknown.

%% -----------------------------------------------------------------------------
%% feature.Message
%% [as in the base]
%%                       4       4  (type)
%%                       8       1  side
%%                               9  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{side = buy}.

%% [as in the base]
run_Message() ->
    {
        record, 'Message', 2, 9, little,
        [{0, <<9:32/little>>}, {4, <<1:32/little>>}, {8, 2, side, fun feature:number_Side/0}]
    }.

fast_encode_Message(#'Message'{side = Side}) ->
    FrameSize = aldis_check:frame(17),
    <<FrameSize:32/little, 8:32/little, 9:32/little, 1:32/little, (fast_Side_to_number(Side)):8>>;
fast_encode_Message(_) -> throw(unusual).

fast_Side_to_number(buy) -> 0;
fast_Side_to_number(sell) -> 1;
fast_Side_to_number(_) -> throw(unusual).

encode_Message_carefully(Value) ->
%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 9, 9, 0, [side]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [], [{9, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {#'Message'{side = in_Message(side, Block)}, Budget1};
read_Message(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

in_Message(side, <<_:8/binary, Side:8, _/binary>>) -> 'Side_from_number'(Side);
in_Message(side, _) -> buy.

fast_decode_Message(<<FrameSize:32/little, 8:32/little, 9:32/little, 1:32/little, Side:8, Rest/binary>>)
    when FrameSize =:= 17 ->
    {ok, #'Message'{side = 'Side_from_number'(Side)}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_side'(binary()) -> aldis:read('Side'()).
'Message_side'(Bin) -> 'Message_get'(side, Bin).

%% [as in the base]

about('Side') -> {enum, [buy, sell], uint8};
about('Message') -> {record, [{side, {named, 'Side'}}]}.
%% ==== feature_view.erl
%% Names of numbers.
%% @private A part of feature, which is what users call.
%% [as in the base]

'Message_get'(side, <<FrameSize:32/little, 8:32/little, 9:32/little, 1:32/little, Side:8, _/binary>> = Bin)
    when FrameSize >= 17, FrameSize =< byte_size(Bin) ->
    {ok, feature:'Side_from_number'(Side)};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Names of numbers.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([json_Side/0, to_json_Message/1, from_json_Message/1]).

%% feature.Side

json_Side() ->
    {enum, fun feature:'Side_to_number'/2, fun feature:'Side_from_number'/1, uint8, #{},
     #{<<"buy">> => 0, <<"sell">> => 1}}.

%% [as in the base]

json_Message() ->
    {record, 'Message', none,
     [{side, <<"side">>, <<"{\"side\":">>, fun feature_json:json_Side/0, [], [], [buy]}]}.

