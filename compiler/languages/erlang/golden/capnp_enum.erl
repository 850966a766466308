%% ==== feature.hrl
%% Names of numbers.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    side :: 'Side'()
}).
%% [as in the base]

%% Side
-type 'Side'() :: buy | sell | integer().

-endif.
%% ==== feature.erl
%% Names of numbers.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_side'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% For the modules of this codec alone.
-export(['Side_to_number'/2, 'Side_from_number'/1]).

%% [as in the base]

-compile({inline, ['Side_to_number'/2]}).

%% The last clauses are for values of other types.
%% [as in the base]
%%   offset    size  field
%%      0       2  side
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{side = buy}.

%% [as in the base]

write_Message(#'Message'{side = Side}, _At, Next, _Depth, Path) ->
    {<<('Side_to_number'(Side, [side | Path])):16/little, 0:48>>, [], Next};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{side = Side} = Value) ->
    try {ok, <<0:32, 2:32/little, 0:32, 1:32/little, ('Side_to_number'(Side, [])):64/little>>}
    catch _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).
%% [as in the base]
read_Message(Bin, At, 8, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, Side:16/little, _/binary>> = Bin,
    {#'Message'{side = 'Side_from_number'(Side)}, Budget};
read_Message(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<Side:16/little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 8, 0, [{0, 2}]),
    {#'Message'{side = 'Side_from_number'(Side)}, Budget}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, 2:32/little, 0:32, 1:32/little, Side:16/little, _:48>>) ->
    {ok, #'Message'{side = 'Side_from_number'(Side)}, <<>>};
decode_Message(<<0:32, 2:32/little, 0:32, 1:32/little, Side:16/little, _:48, Rest/binary>>) ->
    {ok, #'Message'{side = 'Side_from_number'(Side)}, Rest};
decode_Message(Bin) -> aldis_message:decode(framed, fun read_Message/8, Bin).
%% [as in the base]

-spec 'Message_side'(binary()) -> aldis:read('Side'()).
'Message_side'(Bin) -> 'Message_get'(side, Bin).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% Side
%% -----------------------------------------------------------------------------

'Side_to_number'(buy, _) -> 0;
'Side_to_number'(sell, _) -> 1;
'Side_to_number'(Unknown, Path) -> aldis_check:int(Unknown, 0, 65535, Path).

'Side_from_number'(0) -> buy;
'Side_from_number'(1) -> sell;
'Side_from_number'(Unknown) -> Unknown.

%% -----------------------------------------------------------------------------
%% The whole schema
%% [as in the base]

about('Message') -> {record, [{side, {named, 'Side'}}]};
about('Side') -> {enum, [buy, sell], uint16}.
%% ==== feature_view.erl
%% Names of numbers.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_side(Bin, At, 8, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, Side:16/little, _/binary>> = Bin,
    {feature:'Side_from_number'(Side), Budget};
view_Message_side(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<Side:16/little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 8, 0, [{0, 2}]),
    {feature:'Side_from_number'(Side), Budget}.

'Message_get'(side, <<0:32, 2:32/little, 0:32, 1:32/little, Side:16/little, _:48, _/binary>>) ->
    {ok, feature:'Side_from_number'(Side)};
'Message_get'(side, Bin) -> aldis_message:view(fun view_Message_side/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(side, Bin, Options) ->
    aldis_message:viewed(fun view_Message_side/8, fun(Given) -> 'Message_get'(side, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% Names of numbers.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([to_json_Message/1, from_json_Message/1, json_Side/0]).

%% [as in the base]
json_Message() ->
    {object, [<<"side">>], {record, 'Message'}, record,
     [{field, {side, <<"side">>, <<"\"side\":">>, fun feature_json:json_Side/0, [], [], [buy]}, []}]}.

%% [as in the base]
from_json_Message(Text) -> aldis_json_table:from_json(json_Message(), Text).

%% Side

json_Side() ->
    {enum, fun feature:'Side_to_number'/2, fun feature:'Side_from_number'/1, uint16,
     #{buy => <<"\"buy\"">>, sell => <<"\"sell\"">>}, #{<<"buy">> => 0, <<"sell">> => 1}}.
