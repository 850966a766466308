%% @doc What a durable log has on the disk, and what it knows of it: a value that {@link aldis_log}'s process holds.
%%
%% What is known (producers, offsets) changes only after the write that says so is on the disk. A write that fails is cut
%% off, and the next one goes to a new segment: a file whose fdatasync has failed once is not to be trusted with more.
-module(aldis_log_store).

-export([open/1, close/1, write/2, retain/1, table/1, durable/1, info/1]).
-export_type([store/0, op/0, outcome/0, seen/0]).

-record(segment, {
    base :: aldis_sink:sequence(),
    created :: non_neg_integer(),
    size :: non_neg_integer()
}).

-record(store, {
    folder :: file:filename_all(),
    files :: module(),
    options :: map(),
    table :: ets:table(),
    %% The newest segment; none after a failure, until a new one can be made.
    file = none :: none | file:fd(),
    base = 0 :: aldis_sink:sequence(),
    salt = 0 :: aldis_log_record:salt(),
    position = 0 :: non_neg_integer(),
    indexed = 0 :: non_neg_integer(),
    %% All before the newest, newest first.
    older = [] :: [#segment{}],
    created = 0 :: non_neg_integer(),
    durable = 0 :: aldis_sink:sequence(),
    producers = #{} :: aldis_log_segment:producers()
}).
-opaque store() :: #store{}.

-type op() ::
    {append, To :: term(), aldis_sink:producer(), aldis_sink:epoch(), aldis_sink:sequence(), pos_integer(),
        aldis_sink:schema(), aldis_sink:entries()}
    | {producer, To :: term(), aldis_sink:producer(), aldis_sink:epoch()}.
-type outcome() :: {To :: term(), append | producer, aldis_sink:outcome()}.
-type seen() :: #{messages := non_neg_integer(), bytes := non_neg_integer(), batches := non_neg_integer(),
    duplicates := non_neg_integer(), fsync := none | Nanoseconds :: non_neg_integer()}.

%% How far apart the entries of the index are, in bytes.
-define(INDEX, 1048576).

%% @doc Opens or begins a log. The calling process owns its folder, its file and its table.
-spec open(map()) -> {ok, store(), aldis_log_lock:lock()} | {error, term()}.
open(#{folder := Folder, files := Files} = Options) ->
    case filelib:ensure_path(Folder) of
        ok ->
            case aldis_log_lock:acquire(Folder) of
                {ok, Lock} ->
                    Table = ets:new(?MODULE, [ordered_set, protected, {read_concurrency, true}]),
                    Store = #store{folder = Folder, files = Files, options = Options, table = Table},
                    opened(aldis_log_segment:list(Folder), Store, Lock);
                {error, locked} -> {error, {locked, Folder}};
                {error, Reason} -> {error, {folder, Folder, Reason}}
            end;
        {error, Reason} -> {error, {folder, Folder, Reason}}
    end.

opened({ok, Bases}, Store, Lock) ->
    Result = case Bases of
        [] -> begin_segment(Store);
        _ -> take(Bases, Store)
    end,
    case Result of
        {ok, #store{} = Ready} -> {ok, publish(Ready), Lock};
        {error, _} = Error ->
            aldis_log_lock:release(Lock),
            Error
    end;
opened({error, Reason}, #store{folder = Folder}, Lock) ->
    aldis_log_lock:release(Lock),
    {error, {folder, Folder, Reason}}.

take([Newest], Store) -> take_newest(Newest, Store);
take([Base | Bases], #store{folder = Folder, older = Older, table = Table} = Store) ->
    Path = aldis_log_segment:path(Folder, Base),
    case read_head(Path, [raw, binary, read]) of
        {ok, File, #{salt := Salt, start := Start, created := Created}, Size} ->
            _ = file:close(File),
            true = ets:insert(Table, [{{segment, Base}, Salt}, {{index, Base}, Base, Start}]),
            take(Bases, Store#store{older = [#segment{base = Base, created = Created, size = Size} | Older]});
        {error, _} = Error -> Error
    end.

read_head(Path, Modes) ->
    case file:open(Path, Modes) of
        {ok, File} ->
            case aldis_log_segment:head(File) of
                {ok, Head} ->
                    {ok, Size} = file:position(File, eof),
                    {ok, File, Head, Size};
                {error, Reason} ->
                    _ = file:close(File),
                    {error, unreadable(Reason, Path)}
            end;
        {error, Reason} -> {error, unreadable(Reason, Path)}
    end.

unreadable(damaged, Path) -> {damaged, Path, 0};
unreadable(Reason, Path) -> {unreadable, Path, Reason}.

take_newest(Base, #store{folder = Folder, files = Files, options = Options, table = Table} = Store) ->
    Path = aldis_log_segment:path(Folder, Base),
    case read_head(Path, [raw, binary, read, write]) of
        {ok, File, #{salt := Salt, created := Created} = Head, Size} ->
            case intact(aldis_log_segment:recover(File, Head, Size), File, Path, Options) of
                {ok, #{next := Next, position := Position, producers := Producers, index := Index}} ->
                    true = ets:insert(Table, [{{segment, Base}, Salt} | [{{index, O}, Base, P} || {O, P} <- Index]]),
                    [{_, Indexed} | _] = Index,
                    settled(Files, File, Path, Store#store{file = File, base = Base, salt = Salt, created = Created,
                        position = Position, indexed = Indexed, durable = Next - 1, producers = Producers}, Size);
                {error, _} = Error -> Error
            end;
        {error, _} = Error -> Error
    end.

intact({ok, #{cut := 0} = Got}, _, _, _) ->
    {ok, Got};
intact({ok, #{cut := Cut, position := Position} = Got}, _, Path, _) ->
    logger:notice("log: ~ts ended in ~b bytes of an unfinished write, behind byte ~b; they were never acknowledged as "
        "durable and are cut off", [Path, Cut, Position]),
    {ok, Got};
intact({error, {damaged, Position, Got}}, File, Path, #{repair := true}) ->
    Aside = Path ++ ".damaged",
    case file:pread(File, Position, maps:get(cut, Got)) of
        {ok, Tail} ->
            case file:write_file(Aside, Tail) of
                ok ->
                    logger:error("log: ~ts is damaged at byte ~b; all from there on is in ~ts now", [Path, Position, Aside]),
                    {ok, Got};
                {error, Reason} -> {error, {unreadable, Aside, Reason}}
            end;
        Other -> {error, {unreadable, Path, Other}}
    end;
intact({error, {damaged, Position, _}}, _, Path, _) ->
    {error, {damaged, Path, Position}};
intact({error, Reason}, _, Path, _) ->
    {error, {unreadable, Path, Reason}}.

%% What a killed process wrote may be in the system's memory only, and is about to be called durable.
settled(Files, File, Path, #store{position = Position} = Store, Size) ->
    case {cut(Files, File, Position, Size), Files:datasync(File)} of
        {ok, ok} -> {ok, Store};
        {{error, Reason}, _} -> {error, {unreadable, Path, Reason}};
        {_, {error, Reason}} -> {error, {unreadable, Path, Reason}}
    end.

cut(Files, File, Position, Size) ->
    case Files:position(File, Position) of
        {ok, Position} when Position < Size -> Files:truncate(File);
        {ok, Position} -> ok;
        {error, _} = Error -> Error
    end.

%% @doc Writes what is new in a group of batches and announcements, waits for the disk, and says what became of each.
-spec write([op()], store()) -> {[outcome()], seen(), store()}.
write(Ops, Store) ->
    case ready(Store) of
        {ok, #store{position = Position, producers = Producers, durable = Durable} = Ready} ->
            Plan = #{store => Ready, time => erlang:system_time(millisecond), producers => Producers,
                next => Durable + 1, position => Position, indexed => Ready#store.indexed, index => [], bytes => [],
                outcomes => [], seen => nothing_seen()},
            executed(lists:foldl(fun plan/2, Plan, Ops), Ready);
        {error, Reason} -> {unavailable(Ops), nothing_seen(), failed(Reason, Store)}
    end.

nothing_seen() -> #{messages => 0, bytes => 0, batches => 0, duplicates => 0, fsync => none}.

unavailable(Ops) -> [{element(2, Op), element(1, Op), {error, unavailable}} || Op <- Ops].

%% A full segment ends; one that failed is left behind.
ready(#store{file = none} = Store) -> begin_segment(Store);
ready(#store{position = Position, options = #{segment_bytes := Full}} = Store) when Position >= Full -> roll(Store);
ready(Store) -> {ok, Store}.

plan({producer, To, Producer, Epoch}, #{time := Time} = Plan) ->
    case last(Producer, Epoch, Plan) of
        {known, Last} -> outcome(To, producer, {durable, Last}, Plan);
        full -> outcome(To, producer, {error, full}, Plan);
        new ->
            outcome(To, producer, {durable, 0}, add(batch(Time, Producer, Epoch, 1, 0, none, <<>>), Plan));
        {stale, Newest} -> outcome(To, producer, {error, {stale_epoch, Newest}}, Plan)
    end;
plan({append, To, Producer, Epoch, First, Count, Schema, Entries}, #{time := Time} = Plan) ->
    Last = case last(Producer, Epoch, Plan) of
        {known, Known} -> Known;
        full -> full;
        new -> 0;
        {stale, Newest} -> {stale_epoch, Newest}
    end,
    case new_part(batch(Time, Producer, Epoch, First, Count, Schema, Entries), Last) of
        {ok, #{count := Added} = New} ->
            outcome(To, append, {durable, First + Count - 1}, duplicates(Count - Added, add(New, Plan)));
        known -> outcome(To, append, {durable, Last}, duplicates(Count, Plan));
        {error, _} = Error -> outcome(To, append, Error, Plan)
    end.

%% Where it will lie is known when it is added.
batch(Time, Producer, Epoch, First, Count, Schema, Entries) ->
    #{offset => 0, synced => 0, time => Time, producer => Producer, epoch => Epoch, first => First, count => Count,
        schema => Schema, entries => Entries}.

last(Producer, Epoch, #{producers := Producers, store := #store{options = #{max_producers := Max}}}) ->
    case Producers of
        #{Producer := {Epoch, Last, _}} -> {known, Last};
        #{Producer := {Newer, _, _}} when Newer > Epoch -> {stale, Newer};
        #{Producer := _} -> new;
        #{} when map_size(Producers) < Max -> new;
        #{} -> full
    end.

%% What of a batch is behind the producer's last message.
new_part(_, {stale_epoch, _} = Stale) -> {error, Stale};
new_part(_, full) -> {error, full};
new_part(#{first := First}, Last) when First > Last + 1 -> {error, {gap, Last + 1}};
new_part(#{first := First, count := Count}, Last) when First + Count - 1 =< Last -> known;
new_part(#{first := First} = Batch, Last) -> aldis_log_record:drop(Batch, Last + 1 - First).

outcome(To, Kind, Outcome, #{outcomes := Outcomes} = Plan) -> Plan#{outcomes := [{To, Kind, Outcome} | Outcomes]}.

duplicates(0, Plan) -> Plan;
duplicates(N, #{seen := #{duplicates := Before} = Seen} = Plan) -> Plan#{seen := Seen#{duplicates := Before + N}}.

add(#{count := Count, entries := Entries} = Batch, #{store := #store{salt = Salt, position = Synced}, next := Next,
        position := End, producers := Producers, bytes := Bytes, seen := Seen} = Plan) ->
    Record = aldis_log_record:encode(Batch#{offset => Next, synced => Synced}, Salt),
    #{messages := Messages, bytes := Size, batches := Batches} = Seen,
    noted(End, Plan#{
        next := Next + Count,
        position := End + aldis_log_record:header_size() + byte_size(Entries),
        producers := aldis_log_segment:remember(Batch, Producers),
        bytes := [Bytes, Record],
        seen := Seen#{messages := Messages + Count, bytes := Size + byte_size(Entries),
            batches := Batches + min(Count, 1)}
    }, Next).

noted(At, #{indexed := Indexed, index := Index} = Plan, Offset) when At - Indexed >= ?INDEX ->
    Plan#{indexed := At, index := [{Offset, At} | Index]};
noted(_, Plan, _) ->
    Plan.

executed(#{bytes := [], outcomes := Outcomes, seen := Seen}, Store) ->
    {lists:reverse(Outcomes), Seen, Store};
executed(#{bytes := Bytes, outcomes := Outcomes, seen := Seen} = Plan, #store{file = File, files = Files} = Store) ->
    case Files:write(File, Bytes) of
        ok ->
            Begin = erlang:monotonic_time(nanosecond),
            case Files:datasync(File) of
                ok ->
                    Time = erlang:monotonic_time(nanosecond) - Begin,
                    {lists:reverse(Outcomes), Seen#{fsync := Time}, learnt(Plan, Store)};
                {error, Reason} -> lost(Plan, Reason, Store)
            end;
        {error, Reason} -> lost(Plan, Reason, Store)
    end.

lost(#{outcomes := Outcomes}, Reason, Store) ->
    {[{To, Kind, {error, unavailable}} || {To, Kind, _} <- lists:reverse(Outcomes)], nothing_seen(), failed(Reason, Store)}.

learnt(#{position := End, next := Next, producers := Producers, index := Index, indexed := Indexed},
        #store{table = Table, base = Base} = Store) ->
    true = ets:insert(Table, [{{index, Offset}, Base, At} || {Offset, At} <- Index]),
    publish(Store#store{position = End, durable = Next - 1, producers = Producers, indexed = Indexed}).

%% Readers see what is durable in one look.
publish(#store{table = Table, durable = Durable, base = Base, position = Position} = Store) ->
    true = ets:insert(Table, {durable, Durable, Base, Position}),
    Store.

%% What was not acknowledged is taken away again as well as may be.
failed(Reason, #store{options = #{name := Name}} = Store) ->
    aldis_telemetry:execute([aldis, log, error], #{count => 1}, #{log => Name, reason => Reason}),
    left(Reason, Store).

left(_, #store{file = none} = Store) -> Store;
left(Reason, #store{file = File, files = Files, folder = Folder, position = Position} = Store) ->
    logger:error("log: ~ts cannot be written (~0tp); producers are told to send again later", [Folder, Reason]),
    _ = cut(Files, File, Position, infinity),
    _ = Files:close(File),
    Store#store{file = none}.

roll(#store{file = File, files = Files} = Store) ->
    _ = Files:close(File),
    case begin_segment(Store#store{file = none}) of
        {ok, Rolled} -> {ok, retain_older(Rolled)};
        {error, _} = Error -> Error
    end.

%% A segment that holds no messages is replaced by the new one.
begin_segment(#store{folder = Folder, files = Files, durable = Durable, table = Table, base = Old} = Store) ->
    Base = Durable + 1,
    case aldis_log_segment:create(Files, Folder, Base, living(Store)) of
        {ok, File, #{salt := Salt, start := Start, created := Created, producers := Producers}} ->
            true = ets:insert(Table, [{{segment, Base}, Salt}, {{index, Base}, Base, Start}]),
            Older = case Store of
                #store{base = B} when B =:= 0; B =:= Base -> Store#store.older;
                #store{} -> [#segment{base = Old, created = Store#store.created, size = Store#store.position}
                    | Store#store.older]
            end,
            {ok, publish(Store#store{file = File, base = Base, salt = Salt, position = Start, indexed = Start,
                older = Older, created = Created, producers = Producers})};
        {error, _} = Error -> Error
    end.

living(#store{producers = Producers, options = #{producer_ms := infinity}}) -> Producers;
living(#store{producers = Producers, options = #{producer_ms := Silent}}) ->
    Oldest = erlang:system_time(millisecond) - Silent,
    maps:filter(fun(_, {_, _, Time}) -> Time >= Oldest end, Producers).

%% @doc Removes the oldest segments as the options say. The newest stays, but one that is old and holds something ends.
%% Producers that were silent for long are forgotten.
-spec retain(store()) -> store().
retain(Store) -> retain_newest(Store#store{producers = living(Store)}).

retain_newest(#store{options = #{retain_ms := Age}, created = Created, base = Base, durable = Durable, file = File} = Store)
        when is_integer(Age), Durable >= Base, File =/= none ->
    case erlang:system_time(millisecond) - Created > Age of
        true ->
            case roll(Store) of
                {ok, Rolled} -> Rolled;
                {error, Reason} -> failed(Reason, Store#store{file = none})
            end;
        false -> retain_older(Store)
    end;
retain_newest(Store) ->
    retain_older(Store).

retain_older(#store{older = Older, created = Created, position = Position, options = Options} = Store) ->
    {Keep, Go} = keep(Older, Position, Created, Options, []),
    Store#store{older = Keep ++ lists:reverse(removed(lists:reverse(Go), Store))}.

%% Oldest first, and none after one that stays: whenever this ends, what is left has no hole. Gives what stays.
removed([Segment | Newer] = All, Store) ->
    case remove(Segment, Store) of
        ok -> removed(Newer, Store);
        kept -> All
    end;
removed([], _) -> [].

%% From the newest on: a segment stays while there is room for it, and what came after it (at `Next') is young enough.
keep([#segment{size = Size, created = Created} = Segment | Older] = All, Total, Next, Options, Keep) ->
    #{retain_bytes := Bytes, retain_ms := Age} = Options,
    case Total + Size =< Bytes andalso (Age =:= infinity orelse erlang:system_time(millisecond) - Next =< Age) of
        true -> keep(Older, Total + Size, Created, Options, [Segment | Keep]);
        false -> {lists:reverse(Keep), All}
    end;
keep([], _, _, _, Keep) ->
    {lists:reverse(Keep), []}.

%% Readers look for a file that they miss in the table, so it goes there first.
remove(#segment{base = Base}, #store{table = Table, folder = Folder, files = Files}) ->
    Path = aldis_log_segment:path(Folder, Base),
    Known = ets:lookup(Table, {segment, Base}) ++ ets:match_object(Table, {{index, '_'}, Base, '_'}),
    lists:foreach(fun(Row) -> true = ets:delete(Table, element(1, Row)) end, Known),
    case Files:delete(Path) of
        ok -> ok;
        %% Somebody else has removed it.
        {error, enoent} -> ok;
        {error, Reason} ->
            true = ets:insert(Table, Known),
            logger:warning("log: ~ts cannot be removed (~0tp); it and what came after it stay until it can", [Path, Reason]),
            kept
    end.

%% @doc Lets go of the file.
-spec close(store()) -> ok.
close(#store{file = none}) -> ok;
close(#store{file = File, files = Files}) ->
    _ = Files:close(File),
    ok.

%% @doc Where readers look: see {@link aldis_log_reader:handle()}.
-spec table(store()) -> ets:table().
table(#store{table = Table}) -> Table.

%% @doc The last offset that is on the disk.
-spec durable(store()) -> aldis_sink:sequence().
durable(#store{durable = Durable}) -> Durable.

%% @doc What there is.
-spec info(store()) -> aldis_log:info().
info(#store{older = Older, base = Base, position = Position, durable = Durable, producers = Producers}) ->
    #{first => case Older of [] -> Base; _ -> (lists:last(Older))#segment.base end,
        last => Durable,
        bytes => Position + lists:sum([Size || #segment{size = Size} <- Older]),
        segments => length(Older) + 1,
        producers => map_size(Producers)}.
