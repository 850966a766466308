%% The frames of the protocol aldis/1 (docs/protocol.md), as aldis_frame reads and writes them. For the server and the
%% client of this application: users see none of these.

-record(hello, {
    version = 1 :: 0..255,
    features = 0 :: 0..16#FFFFFFFF,
    producer :: <<_:128>>,
    epoch = 0 :: 0..16#FFFFFFFF,
    auth_method = <<>> :: binary(),
    auth_data = <<>> :: binary(),
    durability = handled :: aldis_frame:durability() | 4..255,
    %% 0: the server's choice.
    window_messages = 0 :: 0..16#FFFFFFFF,
    window_bytes = 0 :: 0..16#FFFFFFFF
}).

-record(welcome, {
    version = 1 :: 0..255,
    features = 0 :: 0..16#FFFFFFFF,
    session :: aldis_frame:u64(),
    last = 0 :: aldis_frame:u64(),
    credit_messages :: 0..16#FFFFFFFF,
    credit_bytes :: 0..16#FFFFFFFF,
    max_frame :: 0..16#FFFFFFFF,
    durability :: aldis_frame:durability() | 4..255,
    %% The epoch, if the feature NEXT_EPOCH is granted.
    epoch = none :: 0..16#FFFFFFFF | none
}).

%% `rest' is all that follows the checksum: the schema where that feature is granted, and the entries.
-record(batch, {
    first :: aldis_frame:u64(),
    count :: 0..16#FFFFFFFF,
    crc = 0 :: 0..16#FFFFFFFF,
    rest :: iodata()
}).

-record(ack, {
    received = 0 :: aldis_frame:u64(),
    handled = 0 :: aldis_frame:u64(),
    durable = 0 :: aldis_frame:u64(),
    duplicates = 0 :: aldis_frame:u64(),
    credit_messages :: 0..16#FFFFFFFF,
    credit_bytes :: 0..16#FFFFFFFF
}).

-record(nack, {expected :: aldis_frame:u64(), code :: aldis_frame:code(), text = <<>> :: unicode:chardata()}).
-record(request, {correlation :: aldis_frame:u64(), deadline = 0 :: 0..16#FFFFFFFF, bytes :: iodata()}).
-record(reply, {correlation :: aldis_frame:u64(), code = normal :: aldis_frame:code32(), bytes :: iodata()}).
-record(push, {
    subscription :: 0..16#FFFFFFFF,
    first :: aldis_frame:u64(),
    count :: 0..16#FFFFFFFF,
    entries :: iodata()
}).
-record(ping, {opaque = 0 :: aldis_frame:u64()}).
-record(pong, {opaque = 0 :: aldis_frame:u64()}).
-record(drain, {ms = 0 :: 0..16#FFFFFFFF}).
-record(close, {code = normal :: aldis_frame:code(), text = <<>> :: unicode:chardata()}).
-record(subscribe, {
    subscription :: 0..16#FFFFFFFF,
    from = 0 :: aldis_frame:u64(),
    credit :: 0..16#FFFFFFFF,
    topic :: unicode:chardata()
}).
-record(unsubscribe, {
    subscription :: 0..16#FFFFFFFF,
    code = normal :: aldis_frame:code(),
    text = <<>> :: unicode:chardata()
}).
-record(credit, {
    subscription :: 0..16#FFFFFFFF,
    consumed :: aldis_frame:u64(),
    credit :: 0..16#FFFFFFFF
}).

%% Bits of features.
-define(NO_CHECKSUM, 1).
-define(CRC32C, 2).
-define(SCHEMA, 4).
-define(PUSH, 8).
-define(NEXT_EPOCH, 16).

%% Kinds of frames that are looked at before they are decoded.
-define(KIND_HELLO, 16#01).
-define(KIND_BATCH, 16#03).
