%% ==== feature.hrl
%% Bytes that may be null, in place, in the Final form.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    proof :: iodata() | undefined
}).
%% ==== feature.erl
%% Bytes that may be null, in place, in the Final form.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message_final/1, encode_Message_final_iolist/1, decode_Message_final/1,
    decode_Message_final/2, 'Message_proof'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1,
    from_json_Message/1, encode_final/1, identify_final/1, decode_final/1, decode_final/2, messages/0,
%% [as in the base]
%% For the modules of this codec alone.
-export([open_Message_final/1]).

%% [as in the base]

-compile({inline, [text_size/2]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message_final/2, fast_encode_Message_final/1, fast_write_Message_proof_final/1]}).

%% [as in the base]
%% Layout in fbe-final:   offset    size  field
%%                         after  varies  proof
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{proof = undefined}.

write_Message_final(#'Message'{proof = Proof} = _Value, Path) ->
    [write_Message_proof_final_optional(Proof, [proof | Path])];
write_Message_final(_, Path) -> aldis_check:wrong(Path).

write_bytes_final(Value, Path) ->
    Bytes = aldis_text:bytes(Value, Path),
    Count = aldis_check:count(byte_size(Bytes), 0, 4294967295, Path),
    [<<Count:32/little>>, Bytes].

write_Message_proof_final_optional(undefined, _Path) -> <<0>>;
write_Message_proof_final_optional(Value, Path) -> [<<1>>, write_bytes_final(Value, Path)].

fast_encode_Message_final(#'Message'{proof = Proof}) ->
    ProofBytes =
        case Proof of
            undefined -> <<0>>;
            _ -> <<1, (fast_write_Message_proof_final(Proof))/binary>>
        end,
    FrameSize = aldis_check:frame(8 + byte_size(ProofBytes)),
    <<FrameSize:32/little, 1:32/little, ProofBytes/binary>>;
fast_encode_Message_final(_) -> throw(unusual).

fast_write_Message_proof_final(Value) ->
    ValueSize = text_size(Value, 4294967295),
    <<ValueSize:32/little, Value:ValueSize/binary>>.

%% [as in the base]
    try {ok, fast_encode_Message_final(Value)}
    catch throw:_ -> aldis:binary(encode_Message_final_iolist(Value))
    end.
%% [as in the base]
encode_Message_final_iolist(Value) ->
    try
        Body = write_Message_final(Value, []),
        FrameSize = aldis_check:frame(iolist_size(Body) + 8),
        {ok, [<<FrameSize:32/little, 1:32/little>>, Body]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> aldis_fault:error(Fault, none)
    end.

%% [as in the base]
    aldis_wire:check_depth(Depth, Bin, Path),
    {Proof, Bin1, Budget1} = read_Message_proof_final_optional(Bin, Depth, Budget, [proof | Path]),
    {#'Message'{proof = Proof}, Bin1, Budget1}.

read_bytes_final(<<0:32/little, Rest/binary>>, _Depth, Budget, _Path) when Budget >= 4 ->
    {<<>>, Rest, Budget - 4};
read_bytes_final(<<Count:32/little, Value:Count/binary, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Rest, Budget1};
read_bytes_final(<<Count:32/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_bytes_final(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

read_Message_proof_final_optional(<<0, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    {undefined, Rest, Budget1};
read_Message_proof_final_optional(<<_, Rest/binary>> = Bin, Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    read_bytes_final(Rest, Depth, Budget1, Path);
read_Message_proof_final_optional(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

fast_decode_Message_final(<<FrameSize:32/little, 1:32/little, Rest/binary>> = Bin) ->
    {Proof, After} = fast_read_Message_proof_final_optional(Rest),
    fast_decode_Message_final_2(After, FrameSize, Proof, Bin);
fast_decode_Message_final(_) -> throw(unusual).

fast_decode_Message_final_2(Rest, FrameSize, Proof, Bin)
    when FrameSize =:= byte_size(Bin) - byte_size(Rest) ->
    {ok, #'Message'{proof = Proof}, Rest};
fast_decode_Message_final_2(_, _, _, _) -> throw(unusual).

fast_read_Message_proof_final_optional(<<0, Rest/binary>>) -> {undefined, Rest};
fast_read_Message_proof_final_optional(<<1, FoundSize:32/little, Found:FoundSize/binary, Rest/binary>>) ->
    {Found, Rest};
fast_read_Message_proof_final_optional(_) -> throw(unusual).

%% [as in the base]

-spec 'Message_proof'(binary()) -> aldis:read(binary() | undefined).
'Message_proof'(Bin) -> 'Message_get'(proof, Bin).

%% [as in the base]

about('Message') -> {record, [{proof, {optional, bytes}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

text_size(Text, Most) when is_binary(Text), byte_size(Text) =< Most -> byte_size(Text);
text_size(_, _) -> throw(unusual).
%% ==== feature_view.erl
%% Bytes that may be null, in place, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

read_bytes_final(<<0:32/little, Rest/binary>>, _Depth, Budget, _Path) when Budget >= 4 ->
    {<<>>, Rest, Budget - 4};
read_bytes_final(<<Count:32/little, Value:Count/binary, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge_blob(Budget, 4, Count, Bin, Path),
    {Value, Rest, Budget1};
read_bytes_final(<<Count:32/little, _/binary>> = Bin, _Depth, _Budget, Path) ->
    aldis_wire:bad_count(Count, Bin, Path);
read_bytes_final(Bin, _Depth, _Budget, Path) ->
    aldis_wire:cut(Bin, 4, {0, [{0, 4, 4, 0, [<<"count">>]}]}, Path).

read_Message_proof_final_optional(<<0, Rest/binary>> = Bin, _Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    {undefined, Rest, Budget1};
read_Message_proof_final_optional(<<_, Rest/binary>> = Bin, Depth, Budget, Path) ->
    Budget1 = aldis_wire:charge(Budget, 1, Bin, Path),
    read_bytes_final(Rest, Depth, Budget1, Path);
read_Message_proof_final_optional(Bin, _Depth, _Budget, Path) -> aldis_wire:truncated(Bin, Path).

view_Message_final(proof, Bin, Depth, Budget, Path) ->
    {Proof, _Bin1, _Budget1} = read_Message_proof_final_optional(Bin, Depth, Budget, [proof | Path]),
    Proof.

%% [as in the base]

'Message_get'(Field, Bin) -> 'Message_get_carefully'(Field, Bin, default).
%% ==== feature_json.erl
%% Bytes that may be null, in place, in the Final form.
%% @private A part of feature, which is what users call.
%% [as in the base]

json_Message() -> {record, 'Message', none, [{proof, <<"proof">>, <<"{\"proof\":">>, base64, undefined}]}.

