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
    decode_Message/2,
    'Message_price'/1,
    'Message_get'/2,
%% [as in the base]

needs_runtime() ->
%% [as in the base]
%%                       4       4  (type)
%%                       8      16  price
%%                              24  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
new_Message() ->
    #'Message'{price = {decimal, 1, 0, 0}}.

-dialyzer({no_match, write_Message/2}).
write_Message(#'Message'{price = Price}, Path) ->
    <<24:32/little, 1:32/little, (aldis_decimal:encode(Price, [price | Path])):16/binary>>;
write_Message(_, Path) ->
%% [as in the base]
-dialyzer({no_match, fast_encode_Message/1}).
fast_encode_Message(#'Message'{price = Price}) ->
    FrameSize = aldis_check:frame(32),
    <<
        FrameSize:32/little,
        8:32/little,
        24:32/little,
        1:32/little,
        (aldis_decimal:encode(Price, [])):16/binary
    >>;
fast_encode_Message(_) ->
%% [as in the base]

read_Message(<<24:32/little, 1:32/little, Price:16/binary, _/binary>>, Depth, Budget, Path)
    when Depth =< 64,
         Budget >= 24 ->
    {#'Message'{price = aldis_decimal:decode(Price, Path)}, Budget - 24};
read_Message(<<Extent:32/little, TypeId:32/little, _/binary>> = Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, _Rest} = aldis_wire:stated_block(Bin, Extent, 8, {0, [{8, 24, 24, 0, [price]}]}, Path),
    Budget1 = aldis_wire:charge_block(Budget, Extent, [], [{24, 4}], Bin, Path),
    aldis_wire:check_type(TypeId, 1, Bin, Path),
%% [as in the base]
        #'Message'{
            price = case Block of
                <<_:8/binary, Price:16/binary, _/binary>> -> aldis_decimal:decode(Price, Path);
                _ -> {decimal, 1, 0, 0}
            end
%% [as in the base]
fast_decode_Message(
    <<FrameSize:32/little, 8:32/little, 24:32/little, 1:32/little, Price:16/binary, Rest/binary>>
) when FrameSize =:= 32 ->
    {ok, #'Message'{price = aldis_decimal:decode(Price, [])}, Rest};
fast_decode_Message(_) ->
%% [as in the base]

-spec 'Message_price'(binary()) -> {ok, aldis:decimal()} | {error, aldis:reason()}.
'Message_price'(Bin) ->
    feature_view:'Message_get'(price, Bin).

%% [as in the base]
about('Message') ->
    {record, [{price, decimal}]}.
%% ==== feature_view.erl
%% A number of 16 bytes.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_price(Bin, _Depth, _Budget, Path) ->
    Block =
%% [as in the base]
    case Block of
        <<_:8/binary, Price:16/binary, _/binary>> -> aldis_decimal:decode(Price, Path);
        _ -> {decimal, 1, 0, 0}
    end.

'Message_reader'(price) ->
    fun view_Message_price/4;
'Message_reader'(Field) ->
    aldis:no_field(Field, [price]).

%% [as in the base]

'Message_get'(Field, Bin) ->
%% ==== feature_json.erl
%% A number of 16 bytes.
%% @private A part of feature, which is what users call.
%% [as in the base]
-dialyzer({no_match, json_Message/2}).
json_Message(#'Message'{price = Price}, Path) ->
    [<<"{\"price\":">>, aldis_json:decimal(Price, [price | Path]), <<"}">>];
json_Message(_, Path) ->
%% [as in the base]
from_Message(Json, Path) ->
    [Price] = aldis_json:fields(Json, [<<"price">>], Path),
    #'Message'{
        price = case Price of
            missing -> {decimal, 1, 0, 0};
            _ -> aldis_json:to_decimal(Price, [price | Path])
        end
