%% @doc Messages one after another in a stream of bytes.
%%
%% A receiver takes bytes as they come and gives whole messages; it keeps what is left. It is a value: whoever reads the
%% socket or file holds it. A sender needs no state: {@link frame/2} puts a length before a message where the framing
%% wants one.
%%
%% ```
%% R0 = aldis_stream:new(u32le),
%% {ok, Messages, R1} = aldis_stream:feed(Bytes, R0),
%% {ok, Records, R2} = aldis_stream:records(fun market:decode/1, MoreBytes, R1, #{unknown => skip}),
%% {ok, Io} = aldis_stream:send(fun market:encode/1, Record, u32le)
%% '''
-module(aldis_stream).

-export([new/1, new/2, feed/2, records/3, records/4, rest/1, frame/2, send/3, format_error/1]).
-export_type([framing/0, receiver/0, fault/0, decoder/1, record_options/0]).

-type framing() ::
    u16le | u16be | u32le | u32be
    | fbe
    | sofh
    | capnp
    | capnp_packed
    | {length, At :: non_neg_integer(), Bits :: 8 | 16 | 32 | 64, little | big, Min :: non_neg_integer()}.
%% `u16le' to `u32be': a length before each message, not counting itself. `fbe': each message begins with its own
%% length, as 32 bits. `sofh': the FIX Simple Open Framing Header, a 32-bit big-endian length that counts the header, and
%% a 16-bit encoding type. `capnp', `capnp_packed': each message begins with the table of its segments, and is packed; the
%% limit is of the unpacked message. `{length, At, Bits, Order, Min}': each message holds its own length, never less than
%% `Min' nor than what is needed to hold it.
-type fault() :: {frame_too_large, Size :: non_neg_integer(), Limit :: pos_integer()}
    | {frame_too_small, Size :: non_neg_integer(), Min :: non_neg_integer()}
    | {too_many_segments, Count :: pos_integer(), Most :: pos_integer()}
    | {bad_packing, bad_count | bad_value}.

-type decoder(Record) :: fun((binary()) -> {ok, Record, Rest :: binary()} | {error, aldis:reason()}).
%% A generated module's `decode/1', which goes by the message's id, or `decode_M/1'.
-type record_options() :: #{unknown => stop | skip | keep}.
%% `unknown': messages with an id that the schema does not know, as newer peers send them. They end it (the default), are
%% left out, or stand among the records as `{unknown, Message}', whose bytes can go on to whoever knows them. To `decode_M/1'
%% all other messages are unknown; to SBE's `decode/1' those of other schema ids are too.

-record(receiver, {
    framing :: framing(),
    limit :: pos_integer(),
    %% The chunks that came and are no whole frame yet, last one first, and how many bytes they have.
    chunks = [] :: [binary()],
    have = 0 :: non_neg_integer(),
    %% How many bytes there must be before looking again.
    need = 0 :: non_neg_integer(),
    %% How far the packed message that they begin has been walked.
    walked = table :: table | aldis_packing:place()
}).

-opaque receiver() :: #receiver{}.

-define(LIMIT, 67108864).
%% As in `aldis_segments'.
-define(MOST_SEGMENTS, 511).
%% Encoding types of SBE 1.0, little and big endian.
-define(SOFH_LITTLE, 16#EB50).
-define(SOFH_BIG, 16#5BE0).

%% @doc A receiver of frames of at most 64 MiB.
-spec new(framing()) -> receiver().
new(Framing) -> new(Framing, ?LIMIT).

%% @doc A receiver of frames of at most `Limit' bytes. Raises `badarg' for what is no framing or limit.
-spec new(framing(), pos_integer()) -> receiver().
new(Framing, Limit) when is_integer(Limit), Limit > 0 -> #receiver{framing = checked(Framing), limit = Limit};
new(_, _) -> error(badarg).

checked({length, At, Bits, Order, Min} = Framing)
        when is_integer(At), At >= 0, is_integer(Min), Min >= 0,
            (Bits =:= 8 orelse Bits =:= 16 orelse Bits =:= 32 orelse Bits =:= 64),
            (Order =:= little orelse Order =:= big) ->
    Framing;
checked(Framing) when is_tuple(Framing) -> error(badarg);
checked(Framing) ->
    lists:member(Framing, [u16le, u16be, u32le, u32be, fbe, sofh, capnp, capnp_packed]) orelse error(badarg),
    Framing.

%% @doc The messages that are complete with these bytes. A broken frame ends the stream: there is no way to find the
%% next one. Messages are parts of what was fed; a long stay of one should be a copy.
-spec feed(binary(), receiver()) -> {ok, [binary()], receiver()} | {error, fault(), Messages :: [binary()]}.
feed(Bytes, #receiver{framing = capnp_packed} = Receiver) -> packed(Bytes, Receiver, []);
feed(Bytes, #receiver{chunks = Chunks, have = Have, need = Need} = Receiver) when Have + byte_size(Bytes) < Need ->
    {ok, [], Receiver#receiver{chunks = [Bytes | Chunks], have = Have + byte_size(Bytes)}};
feed(Bytes, #receiver{chunks = Chunks} = Receiver) -> frames(joined(Chunks, Bytes), Receiver, []).

%% @doc As {@link records/4}, where a message with an unknown id ends it.
-spec records(decoder(Record), binary(), receiver()) ->
    {ok, [Record], receiver()} | {error, fault() | aldis:reason(), [Record]}.
records(Decode, Bytes, Receiver) -> decoded(Decode, Bytes, Receiver, stop).

%% @doc As {@link feed/2}, with each message decoded. The first message that cannot be decoded ends it, with the records
%% before it. Raises `badarg' for what are no options.
-spec records(decoder(Record), binary(), receiver(), record_options()) ->
    {ok, [Record | {unknown, binary()}], receiver()}
    | {error, fault() | aldis:reason(), [Record | {unknown, binary()}]}.
records(Decode, Bytes, Receiver, Options) -> decoded(Decode, Bytes, Receiver, unknown(Options)).

unknown(Options) when Options =:= #{} -> stop;
unknown(#{unknown := Unknown} = Options)
        when map_size(Options) =:= 1, (Unknown =:= stop orelse Unknown =:= skip orelse Unknown =:= keep) ->
    Unknown;
unknown(_) -> error(badarg).

decoded(Decode, Bytes, Receiver, Unknown) ->
    case feed(Bytes, Receiver) of
        {ok, Messages, Next} ->
            case each(Messages, Decode, Unknown, []) of
                {ok, Records} -> {ok, Records, Next};
                {error, _, _} = Error -> Error
            end;
        {error, Fault, Messages} ->
            case each(Messages, Decode, Unknown, []) of
                {ok, Records} -> {error, Fault, Records};
                {error, _, _} = Error -> Error
            end
    end.

each([Message | Messages], Decode, Unknown, Records) ->
    case Decode(Message) of
        {ok, Record, _} -> each(Messages, Decode, Unknown, [Record | Records]);
        %% Without an offset: messages of this format have no ids.
        {error, {unknown_message, Offset, _}} when is_integer(Offset), Unknown =:= skip ->
            each(Messages, Decode, Unknown, Records);
        {error, {unknown_message, Offset, _}} when is_integer(Offset), Unknown =:= keep ->
            each(Messages, Decode, Unknown, [{unknown, Message} | Records]);
        {error, Reason} -> {error, Reason, lists:reverse(Records)}
    end;
each([], _, _, Records) -> {ok, lists:reverse(Records)}.

%% @doc A record as it goes into a stream, by a generated module's `encode/1' or by `encode_M_iolist/1'.
-spec send(fun((Record) -> {ok, iodata()} | {error, aldis:reason()}), Record, framing() | {sofh, little | big}) ->
    {ok, iodata()} | {error, fault() | aldis:reason()}.
send(Encode, Record, Framing) ->
    case Encode(Record) of
        {ok, Message} -> frame(Framing, Message);
        {error, _} = Error -> Error
    end.

%% @doc The bytes that were fed and are no whole message yet.
-spec rest(receiver()) -> binary().
rest(#receiver{chunks = Chunks}) -> joined(Chunks, <<>>).

frames(Bytes, #receiver{framing = Framing, limit = Limit} = Receiver, Acc) ->
    case head(Framing, Bytes) of
        {_, Size, _} when Size > Limit -> {error, {frame_too_large, Size, Limit}, lists:reverse(Acc)};
        {Skip, Size, _} when Size >= Skip, byte_size(Bytes) >= Size ->
            Length = Size - Skip,
            <<_:Skip/binary, Message:Length/binary, Rest/binary>> = Bytes,
            frames(Rest, Receiver, [Message | Acc]);
        {Skip, Size, Min} when Size < Skip; Size < Min ->
            {error, {frame_too_small, Size, max(Skip, Min)}, lists:reverse(Acc)};
        {_, Size, _} -> {ok, lists:reverse(Acc), keep(Bytes, Size, Receiver)};
        {need, Size} when Size > Limit -> {error, {frame_too_large, Size, Limit}, lists:reverse(Acc)};
        {need, Size} -> {ok, lists:reverse(Acc), keep(Bytes, Size, Receiver)};
        {fault, Fault} -> {error, Fault, lists:reverse(Acc)}
    end.

keep(<<>>, Need, Receiver) -> Receiver#receiver{chunks = [], have = 0, need = Need};
keep(Bytes, Need, Receiver) -> Receiver#receiver{chunks = [Bytes], have = byte_size(Bytes), need = Need}.

%% Only unpacking tells where a packed message ends, or walking over its tags: that goes on where it was.
packed(<<>>, Receiver, Acc) -> {ok, lists:reverse(Acc), Receiver};
packed(Bytes, #receiver{walked = table, chunks = Chunks, limit = Limit} = Receiver, Acc) ->
    Begun = joined(Chunks, Bytes),
    case aldis_packing:head(Begun) of
        {ok, Size, _, _} when Size > Limit -> {error, {frame_too_large, Size, Limit}, lists:reverse(Acc)};
        {ok, _, Words, Rest} -> walk(Rest, {tag, Words}, Begun, Receiver#receiver{chunks = []}, Acc);
        more -> {ok, lists:reverse(Acc), Receiver#receiver{chunks = [Begun]}};
        {error, Code} -> {error, {bad_packing, Code}, lists:reverse(Acc)}
    end;
packed(Bytes, #receiver{walked = Place} = Receiver, Acc) -> walk(Bytes, Place, Bytes, Receiver, Acc).

%% `Rest' is what of `Bytes' has not been walked yet.
walk(Rest, Place, Bytes, #receiver{chunks = Chunks} = Receiver, Acc) ->
    case aldis_packing:skip(Rest, Place) of
        {done, Next} ->
            Last = binary:part(Bytes, 0, byte_size(Bytes) - byte_size(Next)),
            packed(Next, Receiver#receiver{chunks = [], walked = table}, [joined(Chunks, Last) | Acc]);
        {more, Further} -> {ok, lists:reverse(Acc), Receiver#receiver{chunks = [Bytes | Chunks], walked = Further}};
        {error, Code} -> {error, {bad_packing, Code}, lists:reverse(Acc)}
    end.

joined([], Bytes) -> Bytes;
joined(Chunks, Bytes) -> iolist_to_binary(lists:reverse(Chunks, [Bytes])).

%% `{Skip, Size, Min}': the frame takes `Size' bytes, of which the first `Skip' are not the message's.
head(u16le, <<Size:16/little, _/binary>>) -> {2, Size + 2, 2};
head(u16be, <<Size:16, _/binary>>) -> {2, Size + 2, 2};
head(u32le, <<Size:32/little, _/binary>>) -> {4, Size + 4, 4};
head(u32be, <<Size:32, _/binary>>) -> {4, Size + 4, 4};
head(sofh, <<Size:32, _:16, _/binary>>) -> {6, Size, 6};
head(fbe, Bytes) -> head({length, 0, 32, little, 8}, Bytes);
head(capnp, <<LessOne:32/little, _/binary>>) when LessOne >= ?MOST_SEGMENTS ->
    {fault, {too_many_segments, LessOne + 1, ?MOST_SEGMENTS}};
head(capnp, <<LessOne:32/little, Sizes:(LessOne + 1)/binary-unit:32, _/binary>>) ->
    {0, table(LessOne) + 8 * lists:sum([Words || <<Words:32/little>> <= Sizes]), table(LessOne)};
head(capnp, <<LessOne:32/little, _/binary>>) -> {need, table(LessOne)};
head({length, At, Bits, Order, Min}, Bytes) ->
    case {Bytes, Order} of
        {<<_:At/binary, Size:Bits/little, _/binary>>, little} -> length_head(Size, max(Min, At + Bits div 8));
        {<<_:At/binary, Size:Bits, _/binary>>, big} -> length_head(Size, max(Min, At + Bits div 8));
        _ -> {need, At + Bits div 8}
    end;
head(u16le, _) -> {need, 2};
head(u16be, _) -> {need, 2};
head(sofh, _) -> {need, 6};
head(_, _) -> {need, 4}.

%% The bytes of a table of segments: how many less one, the words of each, zeros up to a whole word.
table(LessOne) -> ((LessOne + 1) div 2 + 1) * 8.

%% A frame that is too small must not look complete.
length_head(Size, Min) when Size < Min -> {Min, Size, Min};
length_head(Size, Min) -> {0, Size, Min}.

%% @doc A message as it goes into a stream.
-spec frame(framing() | {sofh, little | big}, iodata()) -> {ok, iodata()} | {error, fault()}.
frame(u16le, Message) -> prefixed(Message, 16#FFFF, fun(Size) -> <<Size:16/little>> end);
frame(u16be, Message) -> prefixed(Message, 16#FFFF, fun(Size) -> <<Size:16>> end);
frame(u32le, Message) -> prefixed(Message, 16#FFFFFFFF, fun(Size) -> <<Size:32/little>> end);
frame(u32be, Message) -> prefixed(Message, 16#FFFFFFFF, fun(Size) -> <<Size:32>> end);
frame({sofh, little}, Message) -> prefixed(Message, 16#FFFFFFF9, fun(Size) -> <<(Size + 6):32, ?SOFH_LITTLE:16>> end);
frame({sofh, big}, Message) -> prefixed(Message, 16#FFFFFFF9, fun(Size) -> <<(Size + 6):32, ?SOFH_BIG:16>> end);
frame(sofh, Message) -> frame({sofh, little}, Message);
frame(fbe, Message) -> {ok, Message};
frame(capnp, Message) -> {ok, Message};
frame(capnp_packed, Message) -> {ok, Message};
frame({length, _, _, _, _}, Message) -> {ok, Message}.

prefixed(Message, Limit, Prefix) ->
    case iolist_size(Message) of
        Size when Size =< Limit -> {ok, [Prefix(Size), Message]};
        Size -> {error, {frame_too_large, Size, Limit}}
    end.

%% @doc A fault in words.
-spec format_error(fault() | aldis:reason()) -> unicode:chardata().
format_error({frame_too_large, Size, Limit}) ->
    io_lib:format("the size of a frame is ~b, where ~b is the most: is this the peer's framing?", [Size, Limit]);
format_error({frame_too_small, Size, Min}) ->
    io_lib:format("the size of a frame is ~b, where ~b is the least: is this the peer's framing?", [Size, Min]);
format_error({too_many_segments, Count, Most}) ->
    io_lib:format("a message has ~b segments, where ~b are the most: is this the peer's framing?", [Count, Most]);
format_error({bad_packing, bad_count}) -> "a packed message has more segments or words than there can be: is it packed?";
format_error({bad_packing, bad_value}) -> "a run of words ends beyond its packed message: is it packed?";
format_error({unknown_message, '-', _}) ->
    "the value is none of the schema's messages, or messages of this format do not say which they are: use the functions "
    "of one message";
format_error({unknown_message, _, _}) -> "a message is none of the schema's: the option `unknown' can pass over it";
format_error({Code, Offset, Path}) ->
    Place = [[", byte ", integer_to_list(Offset)] || is_integer(Offset)] ++ [[", field ", Path] || Path =/= <<>>],
    ["a message cannot be read or written: ", atom_to_list(Code), Place].
