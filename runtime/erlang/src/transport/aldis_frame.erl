%% @doc The frames of the protocol aldis/1 (docs/protocol.md): found in a stream, read and written. Pure.
%%
%% A frame is a record of `include/aldis_frame.hrl'. Reading never raises, whatever the bytes are.
-module(aldis_frame).

-include("aldis_frame.hrl").

-export([next/3, decode/2, encode/1]).
-export([checksum/3, batch/4, schema/1, number/1, code/1, level/1]).
-export_type([frame/0, code/0, code32/0, durability/0, u64/0, schema/0]).

-type u64() :: 0..16#FFFFFFFFFFFFFFFF.
-type durability() :: received | handled | durable | replicated.
-type code() ::
    normal | protocol | frame_too_large | version | unauthorized | too_many_connections | idle | slow | draining | gap
    | bad_checksum | bad_count | refused | handler | credit | stale_epoch | deadline | unsupported | unavailable
    | superseded
    | 20..16#FFFF.
%% Why a frame, a batch or a connection is refused; numbers that this version has no name for stay numbers.
-type code32() :: code() | 16#10000..16#FFFFFFFF.
-type schema() :: {Schema :: 0..16#FFFFFFFF, Template :: 0..16#FFFFFFFF} | none.
-type frame() ::
    #hello{} | #welcome{} | #batch{} | #ack{} | #nack{} | #request{} | #reply{} | #push{} | #ping{} | #pong{}
    | #drain{} | #close{} | #subscribe{} | #unsubscribe{} | #credit{}.

-define(MAX_TEXT, 1024).

%% By their numbers, from 0.
-define(CODES, {normal, protocol, frame_too_large, version, unauthorized, too_many_connections, idle, slow, draining,
                gap, bad_checksum, bad_count, refused, handler, credit, stale_epoch, deadline, unsupported,
                unavailable, superseded}).

%% @doc The frame that begins at an offset of what has come: its kind, its body and where the next one begins; or how
%% many bytes there have to be behind the offset before it is worth looking again. `Max' bounds what follows the length.
-spec next(binary(), non_neg_integer(), pos_integer()) ->
    {frame, Kind :: byte(), Body :: binary(), Next :: non_neg_integer()}
    | {need, pos_integer()}
    | {error, frame_too_large | protocol}.
next(Bytes, Offset, Max) ->
    case Bytes of
        <<_:Offset/binary, Length:32/little, _/binary>> when Length > Max -> {error, frame_too_large};
        <<_:Offset/binary, 0:32, _/binary>> -> {error, protocol};
        <<_:Offset/binary, Length:32/little, Kind, _/binary>> when byte_size(Bytes) - Offset - 4 >= Length ->
            {frame, Kind, binary:part(Bytes, Offset + 5, Length - 1), Offset + 4 + Length};
        <<_:Offset/binary, Length:32/little, _/binary>> -> {need, Length + 4};
        _ -> {need, 4}
    end.

%% @doc The contents of a frame's body. `skip': a kind of a later version that may be passed over.
-spec decode(Kind :: byte(), Body :: binary()) -> {ok, frame() | skip} | {error, protocol}.
decode(Kind, Body) ->
    case body(Kind, Body) of
        error -> {error, protocol};
        Frame -> {ok, Frame}
    end.

%% The client that speaks a later version still says a HELLO of this shape.
body(16#01, <<"ALDIS", Version, Features:32/little, Producer:16/binary, Epoch:32/little, MethodSize,
              Method:MethodSize/binary, DataSize:16/little, Data:DataSize/binary, Durability, Messages:32/little,
              Bytes:32/little>>) ->
    #hello{version = Version, features = Features, producer = Producer, epoch = Epoch, auth_method = Method,
           auth_data = Data, durability = durability(Durability), window_messages = Messages, window_bytes = Bytes};
body(16#02, <<Version, Features:32/little, Session:64/little, Last:64/little, Messages:32/little, Bytes:32/little,
              MaxFrame:32/little, Durability>>) ->
    #welcome{version = Version, features = Features, session = Session, last = Last, credit_messages = Messages,
             credit_bytes = Bytes, max_frame = MaxFrame, durability = durability(Durability)};
body(16#02, <<Welcome:34/binary, Epoch:32/little>>) ->
    case body(16#02, Welcome) of
        #welcome{features = Features} = Known when Features band ?NEXT_EPOCH =/= 0 -> Known#welcome{epoch = Epoch};
        _ -> error
    end;
body(16#03, <<First:64/little, Count:32/little, Crc:32/little, Rest/binary>>) ->
    #batch{first = First, count = Count, crc = Crc, rest = Rest};
body(16#04, <<Received:64/little, Handled:64/little, Durable:64/little, Duplicates:64/little, Messages:32/little,
              Bytes:32/little>>) ->
    #ack{received = Received, handled = Handled, durable = Durable, duplicates = Duplicates,
         credit_messages = Messages, credit_bytes = Bytes};
body(16#05, <<Expected:64/little, Code:16/little, Text/binary>>) ->
    with_text(Text, fun(Said) -> #nack{expected = Expected, code = code(Code), text = Said} end);
body(16#06, <<Correlation:64/little, Deadline:32/little, Bytes/binary>>) ->
    #request{correlation = Correlation, deadline = Deadline, bytes = Bytes};
body(16#07, <<Correlation:64/little, Code:32/little, Bytes/binary>>) ->
    #reply{correlation = Correlation, code = code(Code), bytes = Bytes};
body(16#08, <<Subscription:32/little, First:64/little, Count:32/little, Entries/binary>>) ->
    #push{subscription = Subscription, first = First, count = Count, entries = Entries};
body(16#09, <<Opaque:64/little>>) -> #ping{opaque = Opaque};
body(16#0A, <<Opaque:64/little>>) -> #pong{opaque = Opaque};
body(16#0B, <<Ms:32/little>>) -> #drain{ms = Ms};
body(16#0C, <<Code:16/little, Text/binary>>) ->
    with_text(Text, fun(Said) -> #close{code = code(Code), text = Said} end);
body(16#0D, <<Subscription:32/little, From:64/little, Credit:32/little, Text/binary>>) ->
    with_text(Text, fun(Topic) ->
        #subscribe{subscription = Subscription, from = From, credit = Credit, topic = Topic}
    end);
body(16#0E, <<Subscription:32/little, Code:16/little, Text/binary>>) ->
    with_text(Text, fun(Said) -> #unsubscribe{subscription = Subscription, code = code(Code), text = Said} end);
body(16#0F, <<Subscription:32/little, Consumed:64/little, Credit:32/little>>) ->
    #credit{subscription = Subscription, consumed = Consumed, credit = Credit};
body(Kind, _) when Kind >= 16#80 -> skip;
body(_, _) -> error.

with_text(<<Size:16/little, Text:Size/binary>>, Frame) when Size =< ?MAX_TEXT ->
    case unicode:characters_to_binary(Text) of
        Text -> Frame(Text);
        _ -> error
    end;
with_text(_, _) -> error.

%% @doc A frame as bytes, its length in front. Texts beyond 1,024 bytes are cut.
-spec encode(frame()) -> iodata().
encode(#hello{} = F) ->
    #hello{auth_method = Method, auth_data = Data} = F,
    frame(16#01, <<"ALDIS", (F#hello.version), (F#hello.features):32/little, (F#hello.producer):16/binary,
                   (F#hello.epoch):32/little, (byte_size(Method)), Method/binary, (byte_size(Data)):16/little,
                   Data/binary, (level(F#hello.durability)), (F#hello.window_messages):32/little,
                   (F#hello.window_bytes):32/little>>);
encode(#welcome{} = F) ->
    frame(16#02, <<(F#welcome.version), (F#welcome.features):32/little, (F#welcome.session):64/little,
                   (F#welcome.last):64/little, (F#welcome.credit_messages):32/little,
                   (F#welcome.credit_bytes):32/little, (F#welcome.max_frame):32/little,
                   (level(F#welcome.durability)), (epoch(F#welcome.epoch))/binary>>);
encode(#batch{first = First, count = Count, crc = Crc, rest = Rest}) ->
    frame(16#03, <<First:64/little, Count:32/little, Crc:32/little>>, Rest);
encode(#ack{} = F) ->
    frame(16#04, <<(F#ack.received):64/little, (F#ack.handled):64/little, (F#ack.durable):64/little,
                   (F#ack.duplicates):64/little, (F#ack.credit_messages):32/little, (F#ack.credit_bytes):32/little>>);
encode(#nack{expected = Expected, code = Code, text = Text}) ->
    frame(16#05, <<Expected:64/little, (number(Code)):16/little>>, text(Text));
encode(#request{correlation = Correlation, deadline = Deadline, bytes = Bytes}) ->
    frame(16#06, <<Correlation:64/little, Deadline:32/little>>, Bytes);
encode(#reply{correlation = Correlation, code = Code, bytes = Bytes}) ->
    frame(16#07, <<Correlation:64/little, (number(Code)):32/little>>, Bytes);
encode(#push{subscription = Subscription, first = First, count = Count, entries = Entries}) ->
    frame(16#08, <<Subscription:32/little, First:64/little, Count:32/little>>, Entries);
encode(#ping{opaque = Opaque}) -> frame(16#09, <<Opaque:64/little>>);
encode(#pong{opaque = Opaque}) -> frame(16#0A, <<Opaque:64/little>>);
encode(#drain{ms = Ms}) -> frame(16#0B, <<Ms:32/little>>);
encode(#close{code = Code, text = Text}) -> frame(16#0C, <<(number(Code)):16/little>>, text(Text));
encode(#subscribe{subscription = Subscription, from = From, credit = Credit, topic = Topic}) ->
    frame(16#0D, <<Subscription:32/little, From:64/little, Credit:32/little>>, text(Topic));
encode(#unsubscribe{subscription = Subscription, code = Code, text = Text}) ->
    frame(16#0E, <<Subscription:32/little, (number(Code)):16/little>>, text(Text));
encode(#credit{subscription = Subscription, consumed = Consumed, credit = Credit}) ->
    frame(16#0F, <<Subscription:32/little, Consumed:64/little, Credit:32/little>>).

epoch(none) -> <<>>;
epoch(Epoch) -> <<Epoch:32/little>>.

frame(Kind, Body) -> <<(byte_size(Body) + 1):32/little, Kind, Body/binary>>.

frame(Kind, Head, Rest) ->
    [<<(byte_size(Head) + iolist_size(Rest) + 1):32/little, Kind, Head/binary>>, Rest].

text(Text) ->
    Bytes = whole(unicode:characters_to_binary(Text)),
    [<<(byte_size(Bytes)):16/little>>, Bytes].

%% At most so many bytes, and no character cut in two.
whole(Bytes) when is_binary(Bytes), byte_size(Bytes) =< ?MAX_TEXT -> Bytes;
whole(<<Cut:?MAX_TEXT/binary, _/binary>>) ->
    case unicode:characters_to_binary(Cut) of
        {incomplete, Whole, _} -> Whole;
        Whole -> Whole
    end;
whole(_) -> <<>>.

%% @doc The checksum of a batch: `Rest' is all that follows the checksum in the frame.
-spec checksum(u64(), 0..16#FFFFFFFF, iodata()) -> 0..16#FFFFFFFF.
checksum(First, Count, Rest) ->
    aldis_scan:crc32(erlang:crc32(<<First:64/little, Count:32/little>>), Rest).

%% @doc The batch of these messages. The features granted say whether it has a checksum and a schema.
-spec batch(u64(), schema(), [iodata()], Features :: non_neg_integer()) -> #batch{}.
batch(First, Schema, Messages, Features) ->
    Entries = [[<<(iolist_size(Message)):32/little>>, Message] || Message <- Messages],
    Rest = case {Features band ?SCHEMA, Schema} of
        {0, _} -> Entries;
        {_, none} -> [<<0:64>> | Entries];
        {_, {Id, Template}} -> [<<Id:32/little, Template:32/little>> | Entries]
    end,
    Count = length(Messages),
    Crc = case Features band ?NO_CHECKSUM of
        0 -> checksum(First, Count, Rest);
        _ -> 0
    end,
    #batch{first = First, count = Count, crc = Crc, rest = Rest}.

%% @doc The schema and the entries of what follows a batch's checksum, where the feature SCHEMA is granted.
-spec schema(binary()) -> {schema(), Entries :: binary()} | error.
schema(<<Schema:32/little, Template:32/little, Entries/binary>>) -> {{Schema, Template}, Entries};
schema(_) -> error.

%% @doc The number of a durability on the wire.
-spec level(durability() | byte()) -> byte().
level(received) -> 0;
level(handled) -> 1;
level(durable) -> 2;
level(replicated) -> 3;
level(Number) -> Number.

durability(0) -> received;
durability(1) -> handled;
durability(2) -> durable;
durability(3) -> replicated;
durability(Number) -> Number.

%% @doc The name of a code on the wire, where it has one.
-spec code(0..16#FFFFFFFF) -> code32().
code(Number) when Number < tuple_size(?CODES) -> element(Number + 1, ?CODES);
code(Number) -> Number.

%% @doc The number of a code on the wire.
-spec number(code32()) -> 0..16#FFFFFFFF.
number(Number) when is_integer(Number) -> Number;
number(Name) -> position(Name, 1).

position(Name, Index) when element(Index, ?CODES) =:= Name -> Index - 1;
position(Name, Index) -> position(Name, Index + 1).
