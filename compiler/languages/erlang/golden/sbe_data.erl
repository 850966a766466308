%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    note :: unicode:chardata()
}).
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_note'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message/1, run_Message/0]).

%% [as in the base]

-compile({inline, [text_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message/2, fast_encode_Message/1]}).

%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                               0  (total, as this schema's writers write it)
%%                   after  varies  note
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{note = <<>>}.

write_Message(#'Message'{note = Note} = Value, Path) ->
    [write_Message_run(Value, Path), write_text(Note, [note | Path])];
write_Message(_, Path) -> aldis_check:wrong(Path).

write_Message_run(#'Message'{}, _Path) -> <<>>.

write_text(Value, Path) ->
    Bytes = aldis_text:encode(Value, utf8, Path),
    Count = aldis_check:count(byte_size(Bytes), 0, 65534, Path),
    [<<Count:16/little>>, Bytes].

fast_encode_Message(#'Message'{note = Note}) ->
    NoteSize = text_size(Note, 65534),
    <<0:16/little, 1:16/little, 1:16/little, 0:16/little, NoteSize:16/little, Note:NoteSize/binary>>;
fast_encode_Message(_) -> throw(unusual).

%% [as in the base]
encode_Message(Value) ->
    try {ok, fast_encode_Message(Value)} catch throw:_ -> aldis:binary(encode_Message_iolist(Value)) end.

%% [as in the base]
encode_Message_iolist(Value) ->
    aldis_fault:written(<<0:16/little, 1:16/little, 1:16/little, 0:16/little>>, fun write_Message/2, Value).

%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Run, Bin1, Budget1} = aldis_run:read(run_Message(), Bin, Extent, 0, Budget, [], Path),
    {Note, Bin2, Budget2} = read_text(Bin1, Depth, Budget1, [note | Path]),
    {aldis_run:with(Run, [{2, Note}]), Bin2, Budget2}.

run_Message() -> {record, 'Message', 2, 0, little, []}.

read_text(<<0:16/little, Rest/binary>>, _Depth, Budget, _Path) when Budget >= 2 -> {<<>>, Rest, Budget - 2};
read_text(<<Count:16/little, Value:Count/binary, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 2, Count, Bin, Path),
    {Value, Rest, Budget1};
read_text(<<Count:16/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text(Bin, _Depth, _Budget, Path) -> aldis_wire:cut(Bin, 2, {0, [{0, 2, 2, 0, [<<"length">>]}]}, Path).

fast_decode_Message(
    <<
        0:16/little, 1:16/little, 1:16/little, _:16/little, NoteSize:16/little, Note:NoteSize/binary,
        Rest/binary
    >>
) ->
    {ok, #'Message'{note = Note}, Rest};
fast_decode_Message(_) -> throw(unusual).
%% [as in the base]

-spec 'Message_note'(binary()) -> aldis:read(binary()).
'Message_note'(Bin) -> 'Message_get'(note, Bin).

%% [as in the base]

about('Message') -> {record, [{note, text}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

text_size(Text, Most) when is_binary(Text), byte_size(Text) =< Most -> byte_size(Text);
text_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% [as in the base]

read_text(<<0:16/little, Rest/binary>>, _Depth, Budget, _Path) when Budget >= 2 -> {<<>>, Rest, Budget - 2};
read_text(<<Count:16/little, Value:Count/binary, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 2, Count, Bin, Path),
    {Value, Rest, Budget1};
read_text(<<Count:16/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_text(Bin, _Depth, _Budget, Path) -> aldis_wire:cut(Bin, 2, {0, [{0, 2, 2, 0, [<<"length">>]}]}, Path).

view_Message(note, Bin, Extent, Depth, Budget, Path) ->
    {Bin1, Budget1} = aldis_run:skip(feature:run_Message(), Bin, Extent, 0, Budget, [], Path),
    {Note, _Bin2, _Budget2} = read_text(Bin1, Depth, Budget1, [note | Path]),
    Note.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% [as in the base]

json_Message() -> {record, 'Message', none, [{note, <<"note">>, <<"{\"note\":">>, utf8, [], [], [<<>>]}]}.

