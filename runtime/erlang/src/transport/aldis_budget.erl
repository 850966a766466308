%% @doc How much memory a listener may use: for what it has received (frames that are not whole yet, and batches that its log has
%% not written), for what subscribers of its log have not taken, and for what was sent and is not read. Beyond it clients wait, as nothing more
%% is received; none is cut for that.
%%
%% Connections claim bytes and give them back; what one that was killed had claimed is given back for it, by its counters.
-module(aldis_budget).

-export([new/1, default/0, claim/3, take/3, lend/3, full/1, share/2, unread/3, may_answer/1, answer/3, given_back/2]).
-export_type([budget/0]).

%% Bytes claimed, and those of them that clients have not read; and the most that there may be.
-opaque budget() :: {atomics:atomics_ref(), pos_integer()}.

-define(USED, 1).
-define(UNREAD, 2).
%% The indices of a connection's claim among its counters, and of what it has not read.
-define(CLAIMED, 4).
-define(CLAIMED_UNREAD, 5).
%% The memory that is assumed if the system does not say how much there is, and the part of it that a listener gets.
-define(MEMORY, 4294967296).
-define(PART, 4).
%% The part of what there is to lend that one borrower gets.
-define(LOAN, 16).

%% @doc A budget of so many bytes.
-spec new(pos_integer()) -> budget().
new(Limit) -> {atomics:new(2, []), Limit}.

%% @doc A quarter of the memory that this container, or machine, may use.
-spec default() -> pos_integer().
default() ->
    Known = [Bytes || File <- ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"],
        Bytes <- number(file:read_file(File))] ++ machine(file:read_file("/proc/meminfo")),
    lists:min([?MEMORY * 1024 | case Known of [] -> [?MEMORY]; _ -> Known end]) div ?PART.

number({ok, Text}) ->
    case string:to_integer(Text) of
        {Bytes, _} when is_integer(Bytes), Bytes > 0 -> [Bytes];
        _ -> []
    end;
number(_) -> [].

machine({ok, Text}) ->
    case re:run(Text, "MemTotal: *([0-9]+) kB", [{capture, all_but_first, binary}]) of
        {match, [Kilobytes]} -> [binary_to_integer(Kilobytes) * 1024];
        nomatch -> []
    end;
machine(_) -> [].

%% @doc Claims so many bytes for a connection, if there is room.
-spec claim(budget(), counters:counters_ref(), non_neg_integer()) -> boolean().
claim({Taken, Limit}, Counted, Bytes) ->
    case atomics:add_get(Taken, ?USED, Bytes) =< Limit of
        true ->
            counters:add(Counted, ?CLAIMED, Bytes),
            true;
        false ->
            atomics:sub(Taken, ?USED, Bytes),
            false
    end.

%% @doc Takes bytes that are there already, or gives back what was taken (less than 0).
-spec take(budget(), counters:counters_ref(), integer()) -> ok.
take({Taken, _}, Counted, Bytes) ->
    counters:add(Counted, ?CLAIMED, Bytes),
    atomics:add(Taken, ?USED, Bytes).

%% @doc Takes up to `Most' bytes for long, and says how many. Borrowers have no more than half of the memory between them, and the
%% more there are, the less the next one gets. They are given back with {@link take/3}.
-spec lend(budget(), counters:counters_ref(), pos_integer()) -> non_neg_integer().
lend({Taken, Limit} = Budget, Counted, Most) ->
    Bytes = max(0, min(Most, (Limit div 2 - atomics:get(Taken, ?USED)) div ?LOAN)),
    ok = take(Budget, Counted, Bytes),
    Bytes.

%% @doc Gives back what a connection that has ended had.
-spec given_back(budget(), counters:counters_ref()) -> ok.
given_back({Taken, _}, Counted) ->
    atomics:sub(Taken, ?UNREAD, counters:get(Counted, ?CLAIMED_UNREAD)),
    atomics:sub(Taken, ?USED, counters:get(Counted, ?CLAIMED)).

%% @doc Whether nothing more should be received.
-spec full(budget()) -> boolean().
full({Taken, Limit}) -> atomics:get(Taken, ?USED) >= Limit.

%% @doc Takes bytes that were sent and are not read, or gives back what was taken (less than 0).
-spec unread(budget(), counters:counters_ref(), integer()) -> ok.
unread({Taken, _} = Budget, Counted, Bytes) ->
    counters:add(Counted, ?CLAIMED_UNREAD, Bytes),
    atomics:add(Taken, ?UNREAD, Bytes),
    take(Budget, Counted, Bytes).

%% @doc Whether there may be more that is not read: it is half of the memory at most.
-spec may_answer(budget()) -> boolean().
may_answer({Taken, Limit}) -> atomics:get(Taken, ?UNREAD) < Limit div 2.

%% @doc As {@link unread/3} for an answer to come, if {@link may_answer/1}.
-spec answer(budget(), counters:counters_ref(), pos_integer()) -> boolean().
answer({Taken, Limit} = Budget, Counted, Bytes) ->
    case atomics:add_get(Taken, ?UNREAD, Bytes) - Bytes < Limit div 2 of
        true ->
            counters:add(Counted, ?CLAIMED_UNREAD, Bytes),
            ok = take(Budget, Counted, Bytes),
            true;
        false ->
            atomics:sub(Taken, ?UNREAD, Bytes),
            false
    end.

%% @doc The memory that each of so many connections may use.
-spec share(budget(), Connections :: non_neg_integer()) -> pos_integer().
share({_, Limit}, Connections) -> Limit div max(1, Connections) + 1.
