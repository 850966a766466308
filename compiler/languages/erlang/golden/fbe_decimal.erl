%% ==== feature.hrl
%% A number of 16 bytes.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    price :: aldis:decimal()
}).
%% ==== feature.erl
%% A number of 16 bytes.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_price'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([run_Message/0, open_Message/1]).

%% [as in the base]

%% The last clauses are for values of other types.
%% [as in the base]
%%                       4       4  (type)
%%                       8      16  price
%%                              24  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{price = {decimal, 1, 0, 0}}.

%% [as in the base]
run_Message() ->
    {record, 'Message', 2, 24, little, [{0, <<24:32/little>>}, {4, <<1:32/little>>}, {8, 2, price, decimal}]}.

fast_encode_Message(#'Message'{price = Price}) ->
    FrameSize = aldis_check:frame(32),
    <<
        FrameSize:32/little, 8:32/little, 24:32/little, 1:32/little,
        (aldis_decimal:encode(Price, [])):16/binary
    >>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 24, 24, 0, [price]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [], [{24, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
    {
        #'Message'{
            price = case Block of
                <<_:8/binary, Price:16/binary, _/binary>> -> aldis_decimal:decode(Price, Path);
                _ -> {decimal, 1, 0, 0}
            end
        },
        Budget1
    };
read_Message(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

fast_decode_Message(
    <<FrameSize:32/little, 8:32/little, 24:32/little, 1:32/little, Price:16/binary, Rest/binary>>
) when FrameSize =:= 32 ->
    {ok, #'Message'{price = aldis_decimal:decode(Price, [])}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_price'(binary()) -> aldis:read(aldis:decimal()).
'Message_price'(Bin) -> 'Message_get'(price, Bin).

%% [as in the base]

about('Message') -> {record, [{price, decimal}]}.
%% ==== feature_view.erl
%% A number of 16 bytes.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message(price, Bin, _Depth, _Budget, Path) ->
    Block =
%% [as in the base]
        end,
    case Block of
        <<_:8/binary, Price:16/binary, _/binary>> -> aldis_decimal:decode(Price, Path);
        _ -> {decimal, 1, 0, 0}
    end.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% A number of 16 bytes.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() ->
    {record, 'Message', none,
     [{price, <<"price">>, <<"{\"price\":">>, decimal, [], [], [{decimal, 1, 0, 0}]}]}.

