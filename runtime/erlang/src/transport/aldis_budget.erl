%% @doc How much memory a listener may use: for what it has received (frames that are not whole yet, and batches that its log has
%% not written), and for what subscribers of its log have not taken. Beyond it clients wait, as nothing more is received; none is cut.
%%
%% Connections claim bytes and give them back; what one that was killed had claimed is given back for it, by its counters.
-module(aldis_budget).

-export([new/1, default/0, claim/3, take/3, lend/3, full/1, share/2, given_back/2]).
-export_type([budget/0]).

%% Bytes claimed, and the most that there may be.
-opaque budget() :: {atomics:atomics_ref(), pos_integer()}.

%% The index of a connection's claim among its counters.
-define(CLAIMED, 4).
%% The memory that is assumed if the system does not say how much there is, and the part of it that a listener gets.
-define(MEMORY, 4294967296).
-define(PART, 4).
%% The part of what there is to lend that one borrower gets.
-define(LOAN, 16).

%% @doc A budget of so many bytes.
-spec new(pos_integer()) -> budget().
new(Limit) -> {atomics:new(1, []), Limit}.

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
claim({Used, Limit} = Budget, Counted, Bytes) ->
    case atomics:add_get(Used, 1, Bytes) =< Limit of
        true ->
            counters:add(Counted, ?CLAIMED, Bytes),
            true;
        false ->
            atomics:sub(element(1, Budget), 1, Bytes),
            false
    end.

%% @doc Takes bytes that are there already, or gives back what was taken (less than 0).
-spec take(budget(), counters:counters_ref(), integer()) -> ok.
take({Used, _}, Counted, Bytes) ->
    counters:add(Counted, ?CLAIMED, Bytes),
    atomics:add(Used, 1, Bytes).

%% @doc Takes up to `Most' bytes for long, and says how many. Borrowers have no more than half of the memory between them, and the
%% more there are, the less the next one gets. They are given back with {@link take/3}.
-spec lend(budget(), counters:counters_ref(), pos_integer()) -> non_neg_integer().
lend({Used, Limit} = Budget, Counted, Most) ->
    Bytes = max(0, min(Most, (Limit div 2 - atomics:get(Used, 1)) div ?LOAN)),
    ok = take(Budget, Counted, Bytes),
    Bytes.

%% @doc Gives back what a connection that has ended had.
-spec given_back(budget(), counters:counters_ref()) -> ok.
given_back({Used, _}, Counted) -> atomics:sub(Used, 1, counters:get(Counted, ?CLAIMED)).

%% @doc Whether nothing more should be received.
-spec full(budget()) -> boolean().
full({Used, Limit}) -> atomics:get(Used, 1) >= Limit.

%% @doc The memory that each of so many connections may use.
-spec share(budget(), Connections :: non_neg_integer()) -> pos_integer().
share({_, Limit}, Connections) -> Limit div max(1, Connections) + 1.
