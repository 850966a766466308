%% @private The front of {@link aldis_client}: messages that callers have sent and its process has not taken yet, in a buffer that they share
%% ({@link aldis_front_nif}). So no message waits for an answer of the process, which is woken by the first one and by each batch.
%%
%% Where the buffer's library is not there, and for what it does not take (a queue that is full, a long message, a client that drains), the
%% process is asked.
-module(aldis_client_front).

-export([send/2]).
-export([new/1, take/3, tell/4, close/1]).
-export_type([front/0]).

-type front() :: aldis_front_nif:front() | none.

%% In the process dictionary of who sends: the fronts of the clients that it used last.
-define(KNOWN, '$aldis_client_fronts').
-define(MOST, 8).
%% More than any queue may hold.
-define(FULL, 16#FFFFFFFF).

%% @doc Sends a message without its client: the number. `ask': the client has to be asked.
-spec send(aldis_client:client(), binary()) -> {ok, pos_integer()} | ask.
send(Client, Message) when is_pid(Client), node(Client) =:= node() -> put_in(Client, front(Client), Message);
send(Client, Message) when is_atom(Client) ->
    case whereis(Client) of
        Pid when is_pid(Pid) -> put_in(Pid, front(Pid), Message);
        undefined -> ask
    end;
send(_, _) -> ask.

put_in(_, none, _) -> ask;
put_in(Client, Front, Message) ->
    case aldis_front_nif:append(Front, Message) of
        Number when is_integer(Number) -> {ok, Number};
        {Number, News} ->
            Client ! {aldis_front, News},
            {ok, Number};
        ask -> ask;
        gone ->
            put(?KNOWN, lists:keydelete(Client, 1, known())),
            ask
    end.

front(Client) ->
    case lists:keyfind(Client, 1, known()) of
        {_, Front} -> Front;
        false -> asked(aldis_front_nif:loaded() andalso Client =/= self(), Client)
    end.

known() ->
    case get(?KNOWN) of
        undefined -> [];
        Known -> Known
    end.

asked(false, _) -> none;
asked(true, Client) ->
    Front = gen_statem:call(Client, front, infinity),
    put(?KNOWN, [{Client, Front} | lists:sublist(known(), ?MOST - 1)]),
    Front.

%% @doc The front of the calling process, with its options.
-spec new(map()) -> front().
new(#{queue_messages := Messages, queue_bytes := Bytes, batch_messages := Batch, batch_bytes := BatchBytes}) ->
    case aldis_front_nif:loaded() of
        true -> aldis_front_nif:new(Messages, Bytes, Batch, BatchBytes);
        false -> none
    end.

%% @doc The queue with all that was sent. Messages with the `More' numbers behind that are about to be added.
-spec take(front(), More :: non_neg_integer(), aldis_client_queue:queue()) -> aldis_client_queue:queue().
take(none, _, Queue) -> Queue;
take(Front, More, Queue) ->
    case aldis_front_nif:take(Front, More) of
        none -> Queue;
        {Count, Entries} -> aldis_client_queue:add(Count, Entries, Queue)
    end.

%% @doc Says how much the queue holds, and how long a message may be. `Waited': others wait for room in the queue, and come first.
-spec tell(front(), aldis_client_queue:queue(), Longest :: integer(), Waited :: boolean()) -> ok.
tell(none, _, _, _) -> ok;
tell(Front, _, _, true) -> aldis_front_nif:set(Front, ?FULL, 0, 0);
tell(Front, Queue, Longest, false) ->
    {Messages, Bytes} = aldis_client_queue:held(Queue),
    aldis_front_nif:set(Front, Messages, Bytes, max(0, Longest)).

%% @doc Lets nothing more in.
-spec close(front()) -> ok.
close(none) -> ok;
close(Front) -> aldis_front_nif:close(Front).
