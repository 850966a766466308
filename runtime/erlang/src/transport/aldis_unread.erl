%% @doc Bytes that a session has sent and its client has not taken. Answers of up to 64 KiB do not count; larger ones count in the listener's
%% memory while a part of them waits in the VM's driver, which is looked at again every 50 ms.
%%
%% All clients of a listener may leave half of its memory unread. Then requests wait, as each could have a large answer, until some are
%% read, while batches and pushes go on. A client that reads nothing for the listener's send timeout is slow.
-module(aldis_unread).

-export([new/4, room/1, asked/1, sending/2, look/2, deadline/1, is_stuck/2]).
-export_type([unread/0]).

-record(unread, {
    socket :: aldis_socket:t(),
    budget :: aldis_budget:budget(),
    counted :: counters:counters_ref(),
    timeout :: pos_integer(),
    %% Bytes that count, and those of them that are for an answer to come, which is taken to be as large as the one before.
    bytes = 0 :: non_neg_integer(),
    expected = 0 :: non_neg_integer(),
    usual = 0 :: non_neg_integer(),
    %% Bytes that waited at the last look, when there were less than before, and when to look again, in monotonic milliseconds.
    left = 0 :: non_neg_integer(),
    less = 0 :: integer(),
    look = infinity :: integer() | infinity
}).
-opaque unread() :: #unread{}.

%% Bytes that do not count.
-define(LITTLE, 65536).
%% Milliseconds until what counts is looked at again.
-define(LOOK, 50).

%% @doc Of a client that has nothing to read.
-spec new(aldis_socket:t(), aldis_budget:budget(), counters:counters_ref(), pos_integer()) -> unread().
new(Socket, Budget, Counted, Timeout) -> #unread{socket = Socket, budget = Budget, counted = Counted, timeout = Timeout}.

%% @doc Whether there is memory for answers that their clients may not read.
-spec room(unread()) -> boolean().
room(#unread{budget = Budget}) -> aldis_budget:may_answer(Budget).

%% @doc A request is about to be answered, if there is memory for that.
-spec asked(unread()) -> {ok, unread()} | no_room.
asked(#unread{usual = 0} = Unread) ->
    case room(Unread) of
        true -> {ok, Unread};
        false -> no_room
    end;
%% All that is answered before the next sending is little, but for the last.
asked(#unread{expected = Expected} = Unread) when Expected > 0 -> {ok, Unread};
asked(#unread{budget = Budget, counted = Counted, bytes = Bytes, usual = Usual} = Unread) ->
    case aldis_budget:answer(Budget, Counted, Usual) of
        true -> {ok, Unread#unread{bytes = Bytes + Usual, expected = Usual}};
        false -> no_room
    end.

%% @doc So many bytes are about to be sent: those that were expected are among them.
-spec sending(non_neg_integer(), unread()) -> unread().
sending(Bytes, #unread{bytes = Counted, expected = Expected} = Unread) ->
    Waiting = Counted - Expected,
    if
        Bytes > ?LITTLE -> (count(Waiting + Bytes, Unread))#unread{expected = 0, usual = Bytes};
        Waiting > 0 -> (count(Waiting + Bytes, Unread))#unread{expected = 0};
        %% An answer that was expected to be large is little.
        Expected > 0 -> (count(0, Unread))#unread{expected = 0, usual = 0};
        true -> Unread
    end.

%% @doc Looks at how much of what counts has gone.
-spec look(Now :: integer(), unread()) -> unread().
look(_, #unread{bytes = 0} = Unread) -> Unread;
look(Now, #unread{socket = Socket} = Unread) ->
    case aldis_socket:unsent(Socket) of
        0 -> (count(0, Unread))#unread{look = infinity};
        Left -> (count(counting(Left, Unread), Unread))#unread{left = Left, less = less(Left, Now, Unread), look = Now + ?LOOK}
    end.

%% A sending waits until little is left of those before it, so little is of the last one alone.
counting(Left, #unread{bytes = Bytes}) when Left > ?LITTLE -> Bytes;
counting(_, #unread{bytes = Bytes, usual = Last}) -> min(Bytes, Last).

%% When there was less than before.
less(_, Now, #unread{look = infinity}) -> Now;
less(Left, Now, #unread{left = Before}) when Left < Before -> Now;
less(_, _, #unread{less = Less}) -> Less.

count(Same, #unread{bytes = Same} = Unread) -> Unread;
count(Bytes, #unread{budget = Budget, counted = Counted, bytes = Before} = Unread) ->
    ok = aldis_budget:unread(Budget, Counted, Bytes - Before),
    Unread#unread{bytes = Bytes}.

%% @doc When to look again.
-spec deadline(unread()) -> integer() | infinity.
deadline(#unread{look = Look}) -> Look.

%% @doc Whether the client has taken nothing for too long.
-spec is_stuck(Now :: integer(), unread()) -> boolean().
is_stuck(_, #unread{look = infinity}) -> false;
is_stuck(Now, #unread{less = Less, timeout = Timeout}) -> Now - Less >= Timeout.
