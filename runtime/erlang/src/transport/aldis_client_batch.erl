%% @doc Messages that are gathered in the caller's process and given to an {@link aldis_client} many at a time, which costs a tenth of
%% a call for each.
%%
%% ```
%% Batch = aldis_client_batch:new(Client),
%% {ok, More} = aldis_client_batch:add(<<"hello">>, Batch),
%% {ok, 1, Empty} = aldis_client_batch:push(More)
%% '''
%%
%% A batch is a value: what is added is the client's when {@link add/2} finds the batch full, or with {@link push/1}, and is lost with the
%% process before. The client's own options `batch_messages', `batch_bytes' and `linger_ms' count from then on.
-module(aldis_client_batch).

-export([new/1, new/2, add/2, push/1]).
-export_type([batch/0]).

-record(batch, {
    client :: aldis_client:client(),
    most_messages :: pos_integer(),
    most_bytes :: pos_integer(),
    count = 0 :: non_neg_integer(),
    largest = 0 :: non_neg_integer(),
    entries = <<>> :: binary()
}).
-opaque batch() :: #batch{}.

-define(MESSAGES, 1000).
-define(BYTES, 65536).

%% @doc An empty batch that is full with 1,000 messages or 64 KiB.
-spec new(aldis_client:client()) -> batch().
new(Client) -> new(Client, #{}).

%% @doc The same with other bounds.
-spec new(aldis_client:client(), #{messages => pos_integer(), bytes => pos_integer()}) -> batch().
new(Client, Bounds) ->
    #batch{client = Client, most_messages = maps:get(messages, Bounds, ?MESSAGES), most_bytes = maps:get(bytes, Bounds, ?BYTES)}.

%% @doc Adds a message. A batch that is full then goes to the client, which may make this wait as {@link aldis_client:send/2} does. After
%% an error the batch is as it was, without the message.
-spec add(iodata(), batch()) -> {ok, batch()} | {error, timeout | too_large | closing}.
add(Message, #batch{count = Count, entries = Entries, most_messages = Messages, most_bytes = Most} = Batch) when is_binary(Message) ->
    case byte_size(Entries) + byte_size(Message) + 4 of
        Bytes when Bytes < Most, Count + 1 < Messages -> {ok, added(Message, Batch)};
        %% A message that fills a batch alone goes with what there is, all or nothing.
        Bytes when Bytes > Most, Count > 0, byte_size(Message) + 4 < Most ->
            case push(Batch) of
                {ok, _, Empty} -> add(Message, Empty);
                {error, _} = Error -> Error
            end;
        _ ->
            case push(added(Message, Batch)) of
                {ok, _, Empty} -> {ok, Empty};
                {error, _} = Error -> Error
            end
    end;
add(Message, Batch) -> add(iolist_to_binary(Message), Batch).

added(Message, #batch{count = Count, largest = Largest, entries = Entries} = Batch) ->
    Size = byte_size(Message),
    Batch#batch{count = Count + 1, largest = max(Largest, Size), entries = <<Entries/binary, Size:32/little, Message/binary>>}.

%% @doc Gives the client what the batch has: the number of its last message, or `none' of an empty batch. After an error the batch
%% is as it was.
-spec push(batch()) -> {ok, pos_integer() | none, batch()} | {error, timeout | too_large | closing}.
push(#batch{count = 0} = Batch) -> {ok, none, Batch};
push(#batch{client = Client, count = Count, largest = Largest, entries = Entries} = Batch) ->
    case aldis_client:send_entries(Client, Count, Largest, Entries) of
        {ok, Number} -> {ok, Number, Batch#batch{count = 0, largest = 0, entries = <<>>}};
        {error, _} = Error -> Error
    end.
