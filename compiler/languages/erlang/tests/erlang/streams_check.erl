%% @doc Streams of a market's messages, cut in two at every byte and fed byte by byte: the records come out, in their order, and
%% nothing is left.
-module(streams_check).

-export([main/0]).

-spec main() -> no_return().
main() ->
    Held = lists:append([form(Form) || Form <- market_testee:forms()]),
    true = lists:all(fun(Holds) -> Holds =:= true end, Held),
    io:format("~b", [length(Held)]),
    halt().

%% The functions of a market are called by their names, since each format's market has some of them.
form(<<"fbe">>) -> dispatched([fbe, u32le], encode, decode, ['OrderBook', 'Account', 'Balance']);
form(<<"fbe-final">>) -> dispatched([fbe], encode_final, decode_final, ['OrderBook', 'Account', 'Balance']);
form(<<"sbe">>) ->
    dispatched([u16le, u16be, u32le, u32be, sofh, {sofh, big}], encode, decode, ['OrderBook', 'Account', 'OrderBook']);
form(<<"capnp">>) -> one_type([capnp, u32be], encode_Level, decode_Level);
form(<<"capnp-packed">>) -> one_type([capnp_packed, u16le], encode_Level_packed, decode_Level_packed);
form(<<"capnp-canonical">>) -> one_type([u32le], encode_Level_canonical, decode_Level_canonical).

dispatched(Framings, Encode, Decode, Names) ->
    Records = [market:(list_to_atom("new_" ++ atom_to_list(Name)))() || Name <- Names],
    framed(Framings, Encode, Decode, Records, Names).

%% Messages of this format do not say which they are. The last word of packed bytes is dense, zero or neither.
one_type(Framings, Encode, Decode) ->
    Level = market:new_Level(),
    Records = [Level, setelement(2, Level, -1), setelement(3, Level, 7), Level],
    framed(Framings, Encode, Decode, Records, ['Level', 'Level', 'Level', 'Level']).

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
