%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    row :: [aldis:int16()] | undefined
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_row'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       6  row
%%                               6  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{row = [0, 0, 0]}.

%% [as in the base]

run_Message() -> {record, 'Message', 2, 6, little, [{0, 2, row, {array, 3, int16}}]}.

fast_encode_Message(#'Message'{row = [Row1, Row2, Row3]})
    when ?WITHIN(Row1, -32768, 32767), ?WITHIN(Row2, -32768, 32767), ?WITHIN(Row3, -32768, 32767) ->
    <<
        6:16/little, 1:16/little, 1:16/little, 0:16/little,
        ((Row1 band 65535) bor ((Row2 band 65535) bsl 16) bor ((Row3 band 65535) bsl 32)):48/little
    >>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(<<6:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    aldis_run:read(run_Message(), Bin, Extent, 0, Budget, [{6, 18}], Path).

fast_decode_Message(
    <<
        6:16/little, 1:16/little, 1:16/little, _:16/little, Row1:16/signed-little, Row2:16/signed-little,
        Row3:16/signed-little, Rest/binary
    >>
) ->
    {ok, #'Message'{row = [Row1, Row2, Row3]}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_row'(binary()) -> aldis:read([aldis:int16()] | undefined).
'Message_row'(Bin) -> 'Message_get'(row, Bin).

%% [as in the base]

about('Message') -> {record, [{row, {array, int16, 3}}]}.
%% ==== feature_view.erl
%% [as in the base]

'Message_get'(row, <<6:16/little, 1:16/little, 1:16/little, _:16/little, Row:6/binary, _/binary>>) ->
    {ok, [RowItem || <<RowItem:16/signed-little>> <= Row]};
'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]
json_Message() ->
    {record, 'Message', none, [{row, <<"row">>, <<"{\"row\":">>, {array, int16, 3}, [undefined], [], []}]}.

