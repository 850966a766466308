%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    code :: binary() | string() | undefined
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_code'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]

-compile({inline, [text_size/2, fixed_text/3]}).

%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       4  code
%%                               4  (total, as this schema's writers write it)
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{code = <<>>}.

%% [as in the base]

run_Message() -> {record, 'Message', 2, 4, little, [{0, 2, code, {chars, 4, latin1}}]}.

fast_encode_Message(#'Message'{code = Code}) ->
    CodeSize = text_size(Code, 4),
    <<4:16/little, 1:16/little, 1:16/little, 0:16/little, Code:CodeSize/binary, 0:(4 - CodeSize)/unit:8>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]

fast_decode_Message(<<4:16/little, 1:16/little, 1:16/little, _:16/little, Code:32, Rest/binary>>) ->
    {ok, #'Message'{code = fixed_text(Code, 32, 16#1010101)}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_code'(binary()) -> aldis:read(binary() | undefined).
'Message_code'(Bin) -> 'Message_get'(code, Bin).

%% [as in the base]

about('Message') -> {record, [{code, {chars, 4}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

text_size(Text, Most) when is_binary(Text), byte_size(Text) =< Most -> byte_size(Text);
text_size(_, _) -> throw(unusual).

fixed_text(Number, Bits, LowestBits)
    when ((Number - LowestBits) band bnot Number band (LowestBits bsl 7)) =:= 0 ->
    <<Number:Bits>>;
fixed_text(Number, Bits, _) -> aldis_text:cut(<<Number:Bits>>).
%% ==== feature_view.erl
%% [as in the base]

-compile({inline, [fixed_text/3]}).

%% feature.Message
%% [as in the base]

'Message_get'(code, <<4:16/little, 1:16/little, 1:16/little, _:16/little, Code:32, _/binary>>) ->
    {ok, fixed_text(Code, 32, 16#1010101)};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% [as in the base]
    aldis:viewed(Field, fun 'Message_get'/2, fun 'Message_get_carefully'/3, Bin, Options).


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

fixed_text(Number, Bits, LowestBits)
    when ((Number - LowestBits) band bnot Number band (LowestBits bsl 7)) =:= 0 ->
    <<Number:Bits>>;
fixed_text(Number, Bits, _) -> aldis_text:cut(<<Number:Bits>>).
%% ==== feature_json.erl
%% [as in the base]
json_Message() ->
    {record, 'Message', none, [{code, <<"code">>, <<"{\"code\":">>, latin1, [undefined], [], []}]}.

