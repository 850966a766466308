%% @doc Streams of a market's messages, cut in two at every byte and fed byte by byte: the records come out, in their order, and
%% nothing is left. Where messages have ids, one that the schema does not know is among them too.
-module(streams_check).

-export([main/0]).

-spec main() -> no_return().
main() ->
    Held = lists:append([form(Form) || Form <- market_testee:forms()]),
    true = lists:all(fun(Holds) -> Holds =:= true end, Held),
    io:format("~b", [length(Held)]),
    halt().

%% The functions of a market are called by their names, since each format's market has some of them.
form(<<"fbe">>) -> dispatched([fbe, u32le], encode, decode, ['OrderBook', 'Account', 'Balance'], {12, 4});
form(<<"fbe-final">>) -> dispatched([fbe], encode_final, decode_final, ['OrderBook', 'Account', 'Balance'], {4, 4});
form(<<"sbe">>) ->
    Framings = [u16le, u16be, u32le, u32be, sofh, {sofh, big}],
    dispatched(Framings, encode, decode, ['OrderBook', 'Account', 'OrderBook'], {2, 2});
form(<<"capnp">>) -> one_type([capnp, u32be], encode_Level, decode_Level);
form(<<"capnp-packed">>) -> one_type([capnp_packed, u16le], encode_Level_packed, decode_Level_packed);
form(<<"capnp-canonical">>) -> one_type([u32le], encode_Level_canonical, decode_Level_canonical).

%% `Id' is where a message's id is, and how many bytes it has.
dispatched(Framings, Encode, Decode, Names, Id) ->
    Records = [market:(list_to_atom("new_" ++ atom_to_list(Name)))() || Name <- Names],
    framed(Framings, Encode, Decode, Records, Names)
        ++ [strange(Framing, fun market:Encode/1, fun market:Decode/1, hd(Records), Id) || Framing <- Framings].

%% Messages of this format do not say which they are. The last word of packed bytes is dense, zero or neither.
one_type(Framings, Encode, Decode) ->
    Level = market:new_Level(),
    Records = [Level, setelement(2, Level, -1), setelement(3, Level, 7), Level],
    framed(Framings, Encode, Decode, Records, ['Level', 'Level', 'Level', 'Level']).

%% A message with an unknown id and a cut one, between two others, however the stream is cut.
strange(Framing, Encode, Decode, Record, {At, Size}) ->
    {ok, Known} = Encode(Record),
    <<Before:At/binary, _:Size/binary, Behind/binary>> = Known,
    Unknown = <<Before/binary, -1:Size/unit:8, Behind/binary>>,
    {ok, Read, <<>>} = Decode(Known),
    Receiver = aldis_stream:new(received(Framing), byte_size(Known) + 8),
    Stream = stream_of(Framing, [Known, Unknown, Known]),
    Outcome = fun(Chunks, Options) -> outcome(Chunks, Decode, Receiver, Options, []) end,
    Cuts = [[binary:part(Stream, 0, Cut), binary:part(Stream, Cut, byte_size(Stream) - Cut)]
        || Cut <- lists:seq(0, byte_size(Stream))],
    {error, {unknown_message, _, <<>>} = Reason} = Decode(Unknown),
    {error, Broken} = Decode(shortened(Framing, Known)),
    Held = [
        [Outcome(Chunks, #{}) =:= {[Read], Reason} || Chunks <- Cuts],
        [Outcome(Chunks, #{unknown => skip}) =:= {[Read, Read], whole} || Chunks <- Cuts],
        [Outcome(Chunks, #{unknown => keep}) =:= {[Read, {unknown, Unknown}, Read], whole} || Chunks <- Cuts],
        Outcome([stream_of(Framing, [Known, shortened(Framing, Known), Known])], #{unknown => skip}) =:= {[Read], Broken},
        case Outcome([stream_of(Framing, [Known, <<Unknown/binary, 0:9/unit:8>>])], #{unknown => skip}) of
            {[Read], {frame_too_large, _, _}} -> true;
            %% Bytes behind a message that says its size are another's.
            {[Read], {frame_too_small, 0, 8}} -> Framing =:= fbe;
            _ -> false
        end
    ],
    lists:all(fun(Holds) -> Holds =:= true end, lists:flatten(Held)).

%% A message that lacks its end, as the framing has it.
shortened(fbe, <<Size:32/little, Message/binary>>) ->
    <<(Size - 1):32/little, (binary:part(Message, 0, Size - 5))/binary>>;
shortened(_, Message) -> binary:part(Message, 0, byte_size(Message) - 1).

stream_of(Framing, Messages) ->
    iolist_to_binary([Io || {ok, Io} <- [aldis_stream:frame(Framing, Message) || Message <- Messages]]).

outcome([], _, Receiver, _, Acc) ->
    {Acc, case aldis_stream:rest(Receiver) of <<>> -> whole; Rest -> Rest end};
outcome([Chunk | Chunks], Decode, Receiver, Options, Acc) ->
    case aldis_stream:records(Decode, Chunk, Receiver, Options) of
        {ok, Records, Next} -> outcome(Chunks, Decode, Next, Options, Acc ++ Records);
        {error, Reason, Records} -> {Acc ++ Records, Reason}
    end.

framed(Framings, Encode, Decode, Records, Names) ->
    lists:append([stream(Framing, fun market:Encode/1, fun market:Decode/1, Records, Names) || Framing <- Framings]).

stream(Framing, Encode, Decode, Records, Names) ->
    Sent = [aldis_stream:send(Encode, Record, Framing) || Record <- Records],
    Stream = iolist_to_binary([Io || {ok, Io} <- Sent]),
    Receiver = aldis_stream:new(received(Framing)),
    {ok, Wanted, _} = aldis_stream:records(Decode, Stream, Receiver),
    Names = [element(1, Record) || Record <- Wanted],
    Bytes = [<<Byte>> || <<Byte>> <= Stream],
    [all([binary:part(Stream, 0, At), binary:part(Stream, At, byte_size(Stream) - At)], Decode, Receiver, Wanted)
        || At <- lists:seq(0, byte_size(Stream))] ++ [all(Bytes, Decode, Receiver, Wanted)].

received({sofh, _}) -> sofh;
received(Framing) -> Framing.

all([Chunk | Chunks], Decode, Receiver, Wanted) ->
    {ok, Records, Next} = aldis_stream:records(Decode, Chunk, Receiver),
    {Got, Wanted1} = lists:split(length(Records), Wanted),
    Got =:= Records andalso all(Chunks, Decode, Next, Wanted1);
all([], _, Receiver, Wanted) -> Wanted =:= [] andalso aldis_stream:rest(Receiver) =:= <<>>.
