%% @doc The messages that a client holds until they are acknowledged: in batches, in the order of their numbers. Pure.
%%
%% Messages are numbered from 1 by the client. New ones go to the open batch; a sealed batch waits; a sent one flies, until
%% its last message is acknowledged. Messages that a lost connection took with it go back to the front.
-module(aldis_client_queue).

-export([new/2, add/3, seal/1, take/3, ack/2, rewind/2]).
-export([next/1, acked/1, sent/1, held/1, outstanding/1, open/1]).
-export_type([queue/0, batch/0]).

-type batch() :: {First :: pos_integer(), Count :: pos_integer(), Entries :: binary()}.
%% Entries as on the wire: size u32 little-endian, and bytes, for each message.

-record(queue, {
    batch_messages :: pos_integer(),
    batch_bytes :: pos_integer(),
    next = 1 :: pos_integer(),
    acked = 0 :: non_neg_integer(),
    %% The open batch, last entries first.
    open = [] :: [binary()],
    open_count = 0 :: non_neg_integer(),
    open_bytes = 0 :: non_neg_integer(),
    waiting = queue:new() :: queue:queue(batch()),
    flying = queue:new() :: queue:queue(batch()),
    held_bytes = 0 :: non_neg_integer(),
    out_messages = 0 :: non_neg_integer(),
    out_bytes = 0 :: non_neg_integer()
}).
-opaque queue() :: #queue{}.

%% @doc A queue whose batches are full with so many messages, or bytes of entries.
-spec new(pos_integer(), pos_integer()) -> queue().
new(Messages, Bytes) -> #queue{batch_messages = Messages, batch_bytes = Bytes}.

%% @doc The number that the next message will get.
-spec next(queue()) -> pos_integer().
next(#queue{next = Next}) -> Next.

%% @doc The last message that is acknowledged.
-spec acked(queue()) -> non_neg_integer().
acked(#queue{acked = Acked}) -> Acked.

%% @doc The last message that is sent.
-spec sent(queue()) -> non_neg_integer().
sent(#queue{acked = Acked, out_messages = Out}) -> Acked + Out.

%% @doc Messages, and bytes of entries, that are not acknowledged.
-spec held(queue()) -> {non_neg_integer(), non_neg_integer()}.
held(#queue{next = Next, acked = Acked, held_bytes = Bytes}) -> {Next - 1 - Acked, Bytes}.

%% @doc How many messages are sent and not acknowledged.
-spec outstanding(queue()) -> non_neg_integer().
outstanding(#queue{out_messages = Out}) -> Out.

%% @doc Whether there is an open batch with messages.
-spec open(queue()) -> boolean().
open(#queue{open_count = Count}) -> Count > 0.

%% @doc Takes `Count' messages in.
-spec add(pos_integer(), binary(), queue()) -> queue().
add(Count, Entries, #queue{open_count = OpenCount, open_bytes = OpenBytes, batch_messages = Messages, batch_bytes = Bytes,
        next = Next, held_bytes = Held} = Queue) ->
    Size = byte_size(Entries),
    if
        OpenCount + Count < Messages, OpenBytes + Size < Bytes ->
            Queue#queue{open = [Entries | Queue#queue.open], open_count = OpenCount + Count, open_bytes = OpenBytes + Size,
                next = Next + Count, held_bytes = Held + Size};
        true ->
            Sealed = #queue{waiting = Waiting} = seal(Queue),
            Sealed#queue{waiting = pieces({Next, Count, Entries}, Messages, Bytes, Waiting), next = Next + Count,
                held_bytes = Held + Size}
    end.

pieces(Batch, Messages, Bytes, Waiting) ->
    case split(Batch, Messages, Bytes) of
        {Head, none} -> queue:in(Head, Waiting);
        {none, {First, _, _}} ->
            %% Larger than a batch should be, but one message has to go somewhere.
            case split(Batch, 1, infinity) of
                {{First, 1, _} = One, none} -> queue:in(One, Waiting);
                {{First, 1, _} = One, Rest} -> pieces(Rest, Messages, Bytes, queue:in(One, Waiting))
            end;
        {Head, Rest} -> pieces(Rest, Messages, Bytes, queue:in(Head, Waiting))
    end.

%% @doc Ends the open batch, so that it can be sent.
-spec seal(queue()) -> queue().
seal(#queue{open_count = 0} = Queue) -> Queue;
seal(#queue{open = Open, open_count = Count, next = Next, waiting = Waiting} = Queue) ->
    Batch = {Next - Count, Count, iolist_to_binary(lists:reverse(Open))},
    Queue#queue{open = [], open_count = 0, open_bytes = 0, waiting = queue:in(Batch, Waiting)}.

%% @doc The next batch to send within the credit, which counts messages and bytes that are outstanding, and a frame's room
%% for entries. `none': nothing waits, or it has to wait for acks. A single message may always go when none is outstanding.
-spec take({Messages :: non_neg_integer(), Bytes :: non_neg_integer()}, Room :: pos_integer(), queue()) ->
    {ok, batch(), queue()} | none | {error, too_large}.
take({Messages, Bytes}, Room, #queue{waiting = Waiting, out_messages = OutMessages, out_bytes = OutBytes} = Queue) ->
    case queue:out(Waiting) of
        {empty, _} -> none;
        {{value, {_, Count, _} = Batch}, Rest} ->
            case split(Batch, Messages - OutMessages, min(Bytes - OutBytes, Room)) of
                {Batch, none} -> {ok, Batch, flown(Batch, Queue#queue{waiting = Rest})};
                %% Small pieces of batches are not worth their frames while acks are coming that allow more.
                {{_, Some, _} = Head, Tail} when OutMessages =:= 0; 4 * Some >= Count ->
                    {ok, Head, flown(Head, Queue#queue{waiting = queue:in_r(Tail, Rest)})};
                {none, _} when OutMessages =:= 0 -> take_one(Batch, Room, Queue#queue{waiting = Rest});
                _ -> none
            end
    end.

take_one(Batch, Room, #queue{waiting = Rest} = Queue) ->
    case split(Batch, 1, Room) of
        {none, _} -> {error, too_large};
        {One, none} -> {ok, One, flown(One, Queue)};
        {One, Tail} -> {ok, One, flown(One, Queue#queue{waiting = queue:in_r(Tail, Rest)})}
    end.

flown({_, Count, Entries} = Batch, #queue{flying = Flying, out_messages = Messages, out_bytes = Bytes} = Queue) ->
    Queue#queue{flying = queue:in(Batch, Flying), out_messages = Messages + Count, out_bytes = Bytes + byte_size(Entries)}.

%% @doc All messages up to `Last' are done with. Acknowledged or unsent messages change nothing.
-spec ack(non_neg_integer(), queue()) -> queue().
ack(Last, #queue{acked = Acked} = Queue) when Last =< Acked -> Queue;
ack(Last, #queue{flying = Flying, waiting = Waiting} = Queue) ->
    case {queue:out(Flying), queue:out(Waiting)} of
        {{{value, Batch}, Rest}, _} -> landed(Last, Batch, Queue#queue{flying = Rest}, fun(Part, #queue{flying = F} = Q) ->
            Q#queue{flying = queue:in_r(Part, F)}
        end);
        {_, {{value, {_, Count, Entries} = Batch}, Rest}} ->
            %% Sent by a connection that is gone.
            #queue{out_messages = Messages, out_bytes = Bytes} = Queue,
            Back = Queue#queue{waiting = Rest, out_messages = Messages + Count, out_bytes = Bytes + byte_size(Entries)},
            landed(Last, Batch, Back, fun({_, C, E} = Part, #queue{waiting = W, out_messages = M, out_bytes = B} = Q) ->
                Q#queue{waiting = queue:in_r(Part, W), out_messages = M - C, out_bytes = B - byte_size(E)}
            end);
        _ -> Queue
    end.

landed(Last, {First, Count, Entries}, Queue, _) when First + Count - 1 =< Last ->
    ack(Last, gone(Count, byte_size(Entries), Queue));
landed(Last, {First, Count, Entries} = Batch, Queue, PutBack) ->
    {{First, Some, Done}, Rest} = split(Batch, Last - First + 1, infinity),
    true = Some < Count andalso byte_size(Done) < byte_size(Entries),
    PutBack(Rest, gone(Some, byte_size(Done), Queue)).

gone(Count, Size, #queue{acked = Acked, out_messages = Messages, out_bytes = Bytes, held_bytes = Held} = Queue) ->
    Queue#queue{acked = Acked + Count, out_messages = Messages - Count, out_bytes = Bytes - Size, held_bytes = Held - Size}.

%% @doc All from `From' on has to be sent again; what flies before it goes on flying.
-spec rewind(From :: non_neg_integer(), queue()) -> queue().
rewind(From, #queue{flying = Flying, waiting = Waiting} = Queue) ->
    case queue:out_r(Flying) of
        {{value, {First, _, _} = Batch}, Before} when First >= From ->
            rewind(From, returned(Batch, Queue#queue{flying = Before, waiting = queue:in_r(Batch, Waiting)}));
        {{value, {First, Count, _} = Batch}, Before} when First + Count > From ->
            {Head, Tail} = split(Batch, From - First, infinity),
            returned(Tail, Queue#queue{flying = queue:in(Head, Before), waiting = queue:in_r(Tail, Waiting)});
        _ -> Queue
    end.

returned({_, Count, Entries}, #queue{out_messages = Messages, out_bytes = Bytes} = Queue) ->
    Queue#queue{out_messages = Messages - Count, out_bytes = Bytes - byte_size(Entries)}.

%% As many whole messages of a batch as there may be, and the rest.
split(Batch, Messages, _) when Messages =< 0 -> {none, Batch};
split({_, Count, Entries} = Batch, Messages, Bytes) when Count =< Messages, byte_size(Entries) =< Bytes -> {Batch, none};
split({First, Count, Entries} = Batch, Messages, Bytes) ->
    case fitting(Entries, 0, 0, min(Messages, Count), Bytes) of
        {0, 0} -> {none, Batch};
        {Some, At} ->
            <<Head:At/binary, Tail/binary>> = Entries,
            {{First, Some, Head}, {First + Some, Count - Some, Tail}}
    end.

fitting(_, At, Messages, Messages, _) -> {Messages, At};
fitting(Entries, At, N, Messages, Bytes) ->
    <<_:At/binary, Size:32/little, _/binary>> = Entries,
    case At + 4 + Size of
        Next when Next =< Bytes -> fitting(Entries, Next, N + 1, Messages, Bytes);
        _ -> {N, At}
    end.
