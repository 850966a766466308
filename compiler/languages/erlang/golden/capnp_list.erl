%% ==== feature.hrl
%% Numbers behind a pointer.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    sizes :: [aldis:uint32()] | undefined
}).
%% ==== feature.erl
%% Numbers behind a pointer.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_sizes'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]
%%
%% Layout: 0 words of data, 1 pointer
%%   offset    size  field
%%     *0       8  sizes
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{sizes = undefined}.

%% [as in the base]
    {Body, Objects, End} = write_Message(Value, Next, Next + 1, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 65536, [Body | Objects], End}.

write_Message(#'Message'{sizes = Sizes}, At, Next, Depth, Path) ->
    {SizesLow, SizesHigh, SizesIo, Next1} = put_Message_sizes(Sizes, At, Next, Depth, [sizes | Path]),
    {<<SizesLow:32/little, SizesHigh:32/little>>, [SizesIo], Next1};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).

put_Message_sizes(undefined, _, Next, _, _) -> {0, 0, [], Next};
put_Message_sizes(Value, Place, Next, Depth, Path) ->
    aldis_check:depth(Depth + 1, Path),
    aldis_words:numbers(
        <<
            <<(aldis_check:int(Item, 0, 4294967295, Path)):32/little>>
                || Item <- aldis_check:list(Value, Path)
        >>,
        4, 4, Place, Next, Path
    ).

-spec encode_Message(#'Message'{}) -> {ok, binary()} | {error, aldis:reason()}.
%% [as in the base]

add_uint32_list([A, B, C, D, E, F, G, H | Rest], Acc)
    when ((A bsr 32) bor (B bsr 32) bor (C bsr 32) bor (D bsr 32) bor (E bsr 32) bor (F bsr 32) bor (G bsr 32)
             bor (H bsr 32)) =:= 0 ->
    add_uint32_list(
        Rest,
        <<
            Acc/binary, A:32/little, B:32/little, C:32/little, D:32/little, E:32/little, F:32/little,
            G:32/little, H:32/little
        >>
    );
add_uint32_list([A | Rest], Acc) when (A bsr 32) =:= 0 -> add_uint32_list(Rest, <<Acc/binary, A:32/little>>);
add_uint32_list([], Acc) -> aldis_direct:padded(Acc).

-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{sizes = Sizes} = Value) ->
    try
        Next1 = 1 + case Sizes of undefined -> 0; _ -> (4 * length(Sizes) + 7) bsr 3 end,
        true = Next1 < 67108864,
        Acc =
            <<
                ((Next1 + 1) bsl 32):64/little, 0:32, 65536:32/little,
                (case Sizes of undefined -> 0; _ -> (length(Sizes) bsl 35) + 16#400000001 end):64/little
            >>,
        Acc1 = case Sizes of undefined -> Acc; _ -> add_uint32_list(Sizes, Acc) end,
        {ok, Acc1}
    catch
        _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

read_Message(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, SizesLow:32/signed-little, SizesHigh:32/little, _/binary>> = Bin,
    {Sizes, Budget1} =
        follow_Message_sizes(SizesLow, SizesHigh, Bin, At, Message, Depth, Budget, [sizes | Path]),
    {#'Message'{sizes = Sizes}, Budget1};
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<SizesLow:32/signed-little, SizesHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    {Sizes, Budget1} =
        follow_Message_sizes(SizesLow, SizesHigh, Bin, At + Size, Message, Depth, Budget, [sizes | Path]),
    {#'Message'{sizes = Sizes}, Budget1}.

follow_Message_sizes(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
follow_Message_sizes(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {Table, Budget1} = aldis_pointer:numbers(4, Low, High, Bin, At, Message, Depth, Budget, Path),
    {[TableItem || <<TableItem:32/little>> <= Table], Budget1}.

direct_Message_sizes(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message_sizes(Low, High, Bin, At, Budget) ->
    {Table, Budget1} = aldis_direct:numbers(4, 4, Low, High, Bin, At, Budget),
    {[TableItem || <<TableItem:32/little>> <= Table], Budget1}.

direct_Message(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message(Low, 65536, Bin, At, Budget) when (Low band 3) =:= 0, Budget >= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, SizesLow:32/little, SizesHigh:32/little, _/binary>> = Bin,
    {Sizes, Budget1} = direct_Message_sizes(SizesLow, SizesHigh, Bin, Start + 8, Budget),
    {#'Message'{sizes = Sizes}, Budget1 - 1}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(
    <<0:32, Words:32/little, 0:32, 65536:32/little, SizesLow:32/little, SizesHigh:32/little, _/binary>> = Bin
) when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        Budget = byte_size(Bin) + 32767,
        {Sizes, Budget1} = direct_Message_sizes(SizesLow, SizesHigh, Bin, 24, Budget),
        true = Budget1 >= 0,
        {ok, #'Message'{sizes = Sizes}, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_direct:decode(fun direct_Message/5, fun read_Message/8, Bin).

%% [as in the base]

-spec 'Message_sizes'(binary()) -> aldis:read([aldis:uint32()] | undefined).
'Message_sizes'(Bin) -> 'Message_get'(sizes, Bin).

%% [as in the base]

about('Message') -> {record, [{sizes, {optional, {list, uint32}}}]}.
%% ==== feature_view.erl
%% Numbers behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_sizes(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, SizesLow:32/signed-little, SizesHigh:32/little, _/binary>> = Bin,
    follow_Message_sizes(SizesLow, SizesHigh, Bin, At, Message, Depth, Budget, [sizes | Path]);
view_Message_sizes(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<SizesLow:32/signed-little, SizesHigh:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    follow_Message_sizes(SizesLow, SizesHigh, Bin, At + Size, Message, Depth, Budget, [sizes | Path]).

follow_Message_sizes(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
follow_Message_sizes(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {Table, Budget1} = aldis_pointer:numbers(4, Low, High, Bin, At, Message, Depth, Budget, Path),
    {[TableItem || <<TableItem:32/little>> <= Table], Budget1}.

direct_Message_sizes(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message_sizes(Low, High, Bin, At, Budget) ->
    {Table, Budget1} = aldis_direct:numbers(4, 4, Low, High, Bin, At, Budget),
    {[TableItem || <<TableItem:32/little>> <= Table], Budget1}.

'Message_get'(
    sizes,
    <<0:32, Words:32/little, 0:32, 65536:32/little, SizesLow:32/little, SizesHigh:32/little, _/binary>> = Bin
) when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        case direct_Message_sizes(SizesLow, SizesHigh, Bin, 24, byte_size(Bin) + 32767) of
            {Value, Left} when Left >= 0 -> {ok, Value}
        end
    catch _:_ -> aldis_message:view(fun view_Message_sizes/8, Bin)
    end;
'Message_get'(sizes, Bin) -> aldis_message:view(fun view_Message_sizes/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(sizes, Bin, Options) ->
    aldis_message:viewed(
        fun view_Message_sizes/8, fun(Given) -> 'Message_get'(sizes, Given) end, Bin, Options
    );
%% ==== feature_json.erl
%% Numbers behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]
json_Message() ->
    {object, [<<"sizes">>], {record, 'Message'}, record,
     [{field, {sizes, <<"sizes">>, <<"\"sizes\":">>, {list, {digits, uint32}}, [], [undefined], [undefined]},
       [undefined, []]}]}.

