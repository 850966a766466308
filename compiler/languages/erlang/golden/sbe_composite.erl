%% ==== feature.hrl
%% [as in the base]

%% feature.Price
-record('Price', {
    mantissa :: aldis:int64() | undefined,
    exponent = -2 :: aldis:int8()
}).
-type 'Price'() :: #'Price'{}.

%% feature.Message
-record('Message', {
    price :: 'Price'() | undefined
}).
%% ==== feature.erl
%% [as in the base]
-export([
    new_Price/0, new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_price'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([run_Price/0, run_Message/0, open_Message/1]).

%% [as in the base]

%% Within the bounds of 64 bits. Small integers are compared with small ones first, which is cheap.
-define(WITHIN_WIDE(Value, Min, Max),
    (is_integer(Value) andalso
        ((Value >= 0 andalso Value =< 16#7FFFFFFFFFFFFFF) orelse (Value >= Min andalso Value =< Max)))).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.Price
%% -----------------------------------------------------------------------------

-spec new_Price() -> #'Price'{}.
new_Price() -> #'Price'{mantissa = 0}.

run_Price() -> {record, 'Price', 3, 8, little, [{0, 2, mantissa, int64}, {8, 3, exponent, {constant, -2}}]}.

%% -----------------------------------------------------------------------------
%% feature.Message
%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       8  price.mantissa
%%                       8       0  price.exponent, constant
%%                               8  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{price = new_Price()}.

%% [as in the base]

run_Message() -> {record, 'Message', 2, 8, little, [{0, 2, price, fun feature:run_Price/0}]}.

fast_encode_Message(#'Message'{price = #'Price'{mantissa = Price_Mantissa, exponent = Price_Exponent}})
    when ?WITHIN_WIDE(Price_Mantissa, -9223372036854775808, 9223372036854775807), Price_Exponent =:= -2 ->
    <<8:16/little, 1:16/little, 1:16/little, 0:16/little, Price_Mantissa:64/little>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(<<8:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]

fast_decode_Message(
    <<8:16/little, 1:16/little, 1:16/little, _:16/little, Price_Mantissa:64/signed-little, Rest/binary>>
) ->
    {ok, #'Message'{price = #'Price'{mantissa = Price_Mantissa}}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_price'(binary()) -> aldis:read('Price'() | undefined).
'Message_price'(Bin) -> 'Message_get'(price, Bin).

%% [as in the base]

about('Price') -> {record, [{mantissa, int64}, {exponent, {constant, int8}}]};
about('Message') -> {record, [{price, {named, 'Price'}}]}.
%% ==== feature_view.erl
%% [as in the base]

'Message_get'(
    price,
    <<8:16/little, 1:16/little, 1:16/little, _:16/little, Price_Mantissa:64/signed-little, _/binary>>
) ->
    {ok, #'Price'{mantissa = Price_Mantissa}};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]

-export([json_Price/0, to_json_Message/1, from_json_Message/1]).

%% feature.Price

json_Price() ->
    {record, 'Price', none,
     [{mantissa, <<"mantissa">>, <<"{\"mantissa\":">>, int64, [undefined], [], []},
      {exponent, <<"exponent">>, <<",\"exponent\":">>, int8, {same, -2}, [], [-2]}]}.

%% [as in the base]
json_Message() ->
    {record, 'Message', none,
     [{price, <<"price">>, <<"{\"price\":">>, fun feature_json:json_Price/0, [undefined], [], []}]}.

