%% @doc The contents of a durable log on the disk, and the tables that describe them: a value that {@link aldis_log}'s process holds.
%%
%% The state (producers, offsets) changes only after the write that says so is on the disk. A write that fails is cut
%% off, and the next one goes to a new segment: a file whose fdatasync has failed once is not to be trusted with more.
-module(aldis_log_store).

-export([open/1, close/1, write/3, retain/1, identity/2, table/1, durable/1, info/1]).
-export_type([store/0, op/0, outcome/0, seen/0]).

-include_lib("kernel/include/file.hrl").

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
    lock :: aldis_log_lock:lock(),
    %% The newest segment; none after a failure, until a new one can be made.
    file = none :: none | aldis_log_file:handle(),
    base = 0 :: aldis_sink:sequence(),
    salt = 0 :: aldis_log_record:salt(),
    %% The begin of its records, and their end.
    start = 0 :: non_neg_integer(),
    position = 0 :: non_neg_integer(),
    indexed = 0 :: non_neg_integer(),
    %% All before the newest, newest first.
    older = [] :: [#segment{}],
    created = 0 :: non_neg_integer(),
    durable = 0 :: aldis_sink:sequence(),
    producers = #{} :: aldis_log_segment:producers(),
    %% How many producers each identity has.
    owned = #{} :: #{<<_:128>> => pos_integer()}
}).
-opaque store() :: #store{}.

-type op() ::
    {append, To :: term(), aldis_sink:producer(), aldis_sink:epoch(), aldis_sink:sequence(), pos_integer(),
        aldis_sink:schema(), aldis_sink:entries(), aldis_log_record:sum()}
    | {producer, To :: term(), aldis_sink:producer(), aldis_sink:epoch() | next, aldis_sink:identity()}.
-type outcome() :: {To :: term(), append, aldis_sink:outcome()}
    | {To :: term(), producer, {ok, aldis_sink:epoch(), aldis_sink:sequence()} | {error, term()}}.
-type seen() :: #{messages := non_neg_integer(), bytes := non_neg_integer(), batches := non_neg_integer(),
    duplicates := non_neg_integer(), fsync := none | Nanoseconds :: non_neg_integer()}.

%% The owner of a producer that came without a name.
-define(NOBODY, <<0:128>>).

%% The least bytes of a write that may go past the system's cache.
-define(LARGE, 65536).
%% And of the blocks in which these go.
-define(BLOCK, 4096).

%% So many bytes of a removed file are freed at once.
-define(FREED, 2097152).

%% How far apart the entries of the index are, in bytes.
-define(INDEX, 1048576).

%% @doc Opens or begins a log. The calling process owns its folder, its file and its table.
-spec open(map()) -> {ok, store(), aldis_log_lock:lock()} | {error, term()}.
open(#{folder := Folder, files := Files, lease_ms := Lease} = Options) ->
    case filelib:ensure_path(Folder) of
        ok ->
            case aldis_log_lock:acquire(Folder, #{lease => Lease, native => maps:get(native_lock, Options, true)}) of
                {ok, Lock} ->
                    Table = ets:new(?MODULE, [ordered_set, protected, {read_concurrency, true}]),
                    Store = #store{folder = Folder, files = Files, options = Options, table = Table, lock = Lock},
                    opened(aldis_log_segment:list(Folder), Store, Lock);
                {error, {locked, Who}} -> {error, {locked, Folder, Who}};
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
    Index = aldis_log_index:read(Folder, Base),
    case {read_head(Path, [raw, binary, read]), Index} of
        {{ok, File, #{salt := Salt, start := Start, created := Created}, Size}, _} ->
            _ = file:close(File),
            true = ets:insert(Table, [{{segment, Base}, Salt}, {{index, Base}, Base, Start} | places(Index, Salt, Base)]),
            take(Bases, Store#store{older = [#segment{base = Base, created = Created, size = Size} | Older]});
        %% All that its header says of the records stands in the index too.
        {{error, {damaged, _, _}}, {ok, #{salt := Salt, created := Created, size := Size}}} ->
            logger:error("log: the header of ~ts is damaged; its messages are read by its index", [Path]),
            true = ets:insert(Table, [{{segment, Base}, Salt} | places(Index, Salt, Base)]),
            take(Bases, Store#store{older = [#segment{base = Base, created = Created, size = Size} | Older]});
        {{error, _} = Error, _} -> Error
    end.

places({ok, #{salt := Salt, places := Places}}, Salt, Base) -> [{{index, Offset}, Base, At} || {Offset, At} <- Places];
places(_, _, _) -> [].

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

take_newest(Base, #store{folder = Folder, options = Options, lock = Lock} = Store) ->
    Path = aldis_log_segment:path(Folder, Base),
    case read_head(Path, [raw, binary, read, write]) of
        {ok, File, #{salt := Salt} = Head, Size} ->
            {Synced, Last} = case aldis_log_lock:mark(Lock) of
                {Salt, Position, Offset} -> {Position, Offset};
                _ -> {0, 0}
            end,
            Intact = intact(aldis_log_segment:recover(File, Head, Size, Synced), {File, Head, Path, Last}, Options),
            _ = file:close(File),
            case Intact of
                {ok, Got, Ends} -> recovered(settled(Path, begun(Head, Got, Store), Ends), Head);
                {error, _} = Error -> Error
            end;
        {error, _} = Error -> Error
    end.

begun(#{base := Base, salt := Salt, created := Created, start := Start}, Got, #store{table = Table} = Store) ->
    #{next := Next, position := Position, producers := Producers, index := [{_, Indexed} | _] = Index} = Got,
    true = ets:insert(Table, [{{segment, Base}, Salt} | [{{index, Offset}, Base, At} || {Offset, At} <- Index]]),
    Owned = maps:fold(fun(_, {_, _, _, Owner, _}, Sums) -> one_more(Owner, Sums) end, #{}, Producers),
    Store#store{base = Base, salt = Salt, created = Created, start = Start, position = Position,
        indexed = Indexed, durable = Next - 1, producers = Producers, owned = Owned}.

%% A file of an older version gets no more, and neither does one that its last owner may still have open.
recovered({ok, #store{lock = Lock} = Store}, #{version := Version}) ->
    case Version < 2 orelse aldis_log_lock:taken(Lock) of
        true -> roll(Store);
        false -> {ok, Store}
    end;
recovered({error, _} = Error, _) -> Error.

%% The recovered state, and the file's size before anything is cut off.
intact({ok, #{cut := 0, position := Position} = Got}, _, _) ->
    {ok, Got, Position};
intact({ok, #{cut := Cut, position := Position} = Got}, {File, _, Path, _}, _) ->
    is_filling(File, Position, Cut) orelse
        logger:notice("log: ~ts ended in ~b bytes of an unfinished write, behind byte ~b; they were never acknowledged as "
            "durable and are cut off", [Path, Cut, Position]),
    {ok, Got, Position + Cut};
intact({error, {damaged, Position, Got}}, {File, Head, Path, Last} = Segment, #{repair := true, name := Name} = Options) ->
    case repaired(aldis_log_segment:repair(File, Head, Got, Last), File, Position, Path ++ ".damaged") of
        ok ->
            logger:error("log: ~ts was damaged at byte ~b; the damaged bytes are in ~ts.damaged now, and what is behind them "
                "is kept", [Path, Position, Path]),
            aldis_telemetry:execute([aldis, log, error], #{count => 1}, #{log => Name, reason => {damaged, Path, Position}}),
            {ok, Size} = file:position(File, eof),
            intact(aldis_log_segment:recover(File, Head, Size, 0), Segment, Options);
        {error, Reason} -> {error, {unreadable, Path, Reason}}
    end;
intact({error, {damaged, Position, _}}, {_, _, Path, _}, _) ->
    {error, {damaged, Path, Position}};
intact({error, damaged}, {_, _, Path, _}, _) ->
    {error, {damaged, Path, 0}};
intact({error, Reason}, {_, _, Path, _}, _) ->
    {error, {unreadable, Path, Reason}}.

%% Zeros that fill a block, of a write past the system's cache.
is_filling(File, Position, Size) -> Size < ?BLOCK andalso file:pread(File, Position, Size) =:= {ok, <<0:(Size * 8)>>}.

%% The damaged bytes are kept elsewhere before they are written over.
repaired({ok, Damaged, Lost}, File, Position, Aside) ->
    case file:write_file(Aside, Damaged, [append, sync]) of
        ok ->
            case file:pwrite(File, Position, Lost) of
                ok -> file:datasync(File);
                {error, _} = Error -> Error
            end;
        {error, _} = Error -> Error
    end;
repaired({error, _} = Error, _, _, _) -> Error.

%% Bytes that a killed process wrote may be in the system's memory only, and are about to be called durable.
settled(Path, #store{position = Position, files = Files} = Store, Size) ->
    case Files:open(Path, old) of
        {ok, File} ->
            case {cut(Files, File, Position, Size), Files:datasync(File)} of
                {ok, ok} -> {ok, Store#store{file = File}};
                {{error, Reason}, _} -> unsettled(Reason, Path, File, Files);
                {_, {error, Reason}} -> unsettled(Reason, Path, File, Files)
            end;
        {error, Reason} -> {error, {unreadable, Path, Reason}}
    end.

unsettled(Reason, Path, File, Files) ->
    _ = Files:close(File),
    {error, {unreadable, Path, Reason}}.

cut(Files, File, Position, Size) ->
    case Files:position(File, Position) of
        ok when Position < Size -> Files:truncate(File);
        ok -> ok;
        {error, _} = Error -> Error
    end.

%% @doc Writes what is new in a group of batches and announcements, waits for the disk, and says what became of each.
-spec write([op()], aldis_log_file:way(), store()) -> {[outcome()], seen(), store()}.
write(Ops, Way, #store{lock = Lock} = Store) ->
    case aldis_log_lock:held(Lock) of
        ok -> planned(Ops, Way, ready(Store), Store);
        {error, Reason} -> {unavailable(Ops), nothing_seen(), refused(Reason, Store)}
    end.

planned(Ops, Way, {ok, Ready}, _) ->
    #store{position = Position, producers = Producers, durable = Durable, indexed = Indexed, owned = Owned} = Ready,
    Plan = #{store => Ready, time => erlang:system_time(millisecond), producers => Producers, owned => Owned,
        next => Durable + 1, position => Position, indexed => Indexed, index => [], bytes => [],
        outcomes => [], seen => nothing_seen()},
    executed(lists:foldl(fun plan/2, Plan, Ops), Way, Ready);
planned(Ops, _, {error, Reason}, Store) ->
    {unavailable(Ops), nothing_seen(), failed(Reason, Store)}.

%% Not a byte of a folder that another owner has is touched.
refused({locked, Who}, #store{folder = Folder}) -> exit({locked, Folder, Who});
refused(Reason, Store) -> failed(Reason, Store).

nothing_seen() -> #{messages => 0, bytes => 0, batches => 0, duplicates => 0, fsync => none}.

unavailable(Ops) -> [{element(2, Op), element(1, Op), {error, unavailable}} || Op <- Ops].

%% A full segment ends; one that failed is left behind. One whose records take less than half of what the producers in its header
%% do is not full, or most of what is written would be that table again and again.
ready(#store{file = none} = Store) -> begin_segment(Store);
ready(#store{start = Start, position = Position, options = #{segment_bytes := Full}} = Store)
        when Position - Start >= Full, Position - Start >= Start div 2 ->
    roll(Store);
ready(Store) -> {ok, Store}.

plan({producer, To, Producer, Wanted, Identity}, #{time := Time} = Plan) ->
    Epoch = wanted(Wanted, Producer, Plan),
    case last(Producer, Epoch, Identity, Plan) of
        {known, Last} -> outcome(To, producer, {ok, Epoch, Last}, Plan);
        {new, Last} ->
            Announced = batch(Time, Producer, Epoch, Last + 1, 0, none, <<>>),
            outcome(To, producer, {ok, Epoch, Last}, owned(Producer, Plan, add(Announced#{identity => Identity}, Plan)));
        {error, _} = Error -> outcome(To, producer, Error, Plan)
    end;
plan({append, To, Producer, Epoch, First, Count, Schema, Entries, Sum}, #{time := Time} = Plan) ->
    Known = case last(Producer, Epoch, any, Plan) of
        {new, 0} -> {known, 0};
        Other -> Other
    end,
    Batch = batch(Time, Producer, Epoch, First, Count, Schema, Entries),
    case new_part(Batch#{sum => Sum}, Known) of
        {ok, #{count := Added} = New} ->
            outcome(To, append, {durable, First + Count - 1}, duplicates(Count - Added, add(New, Plan)));
        {known, Last} -> outcome(To, append, {durable, Last}, duplicates(Count, Plan));
        {error, _} = Error -> outcome(To, append, Error, Plan)
    end.

%% The server counts epochs up, whatever clocks say.
wanted(next, Producer, #{producers := Producers}) ->
    case Producers of
        #{Producer := {Epoch, _, _, _, _}} -> min(Epoch + 1, 16#FFFFFFFF);
        #{} -> 1
    end;
wanted(Epoch, _, _) -> Epoch.

%% A producer that was nobody's is of whom announces it first.
owned(Producer, #{producers := Before}, #{producers := Producers, owned := Owned} = Plan) ->
    #{Producer := {_, _, _, Owner, _}} = Producers,
    case Before of
        #{Producer := {_, _, _, Owner, _}} -> Plan;
        #{} -> Plan#{owned := one_more(Owner, Owned)}
    end.

one_more(?NOBODY, Owned) -> Owned;
one_more(Identity, Owned) -> maps:update_with(Identity, fun(N) -> N + 1 end, 1, Owned).

%% Its offset is known when it is added.
batch(Time, Producer, Epoch, First, Count, Schema, Entries) ->
    #{offset => 0, synced => 0, time => Time, producer => Producer, epoch => Epoch, first => First, count => Count,
        schema => Schema, entries => Entries}.

last(Producer, Epoch, Identity, #{producers := Producers, owned := Owned, store := #store{options = Options}}) ->
    #{max_producers := Max, identity_producers := Most} = Options,
    case Producers of
        #{Producer := {_, _, _, Owner, _}} when Identity =/= any, Owner =/= Identity, Owner =/= ?NOBODY -> {error, not_owner};
        #{Producer := {Newer, _, _, _, _}} when Newer > Epoch -> {error, {stale_epoch, Newer}};
        #{Producer := {Epoch, Last, _, Owner, _}} when Identity =:= any; Owner =:= Identity -> {known, Last};
        #{Producer := {Epoch, Last, _, _, _}} -> {new, Last};
        #{Producer := _} -> {new, 0};
        #{} when map_size(Producers) >= Max -> {error, full};
        #{} when map_get(Identity, Owned) >= Most -> {error, full};
        #{} -> {new, 0}
    end.

%% The part of a batch that is behind the producer's last message.
new_part(_, {error, _} = Error) -> Error;
new_part(#{first := First}, {known, Last}) when First > Last + 1 -> {error, {gap, Last + 1}};
new_part(#{first := First, count := Count}, {known, Last} = Known) when First + Count - 1 =< Last -> Known;
new_part(#{first := First} = Batch, {known, Last}) -> aldis_log_record:drop(Batch, Last + 1 - First).

outcome(To, Kind, Outcome, #{outcomes := Outcomes} = Plan) -> Plan#{outcomes := [{To, Kind, Outcome} | Outcomes]}.

duplicates(0, Plan) -> Plan;
duplicates(N, #{seen := #{duplicates := Before} = Seen} = Plan) -> Plan#{seen := Seen#{duplicates := Before + N}}.

add(#{count := Count, entries := Entries} = Batch, #{store := #store{salt = Salt, position = Synced}, next := Next,
        position := End, producers := Producers, bytes := Bytes, seen := Seen} = Plan) ->
    Record = aldis_log_record:encode(Batch#{offset => Next, synced => Synced}, Salt),
    #{messages := Messages, bytes := Size, batches := Batches} = Seen,
    noted(End, Plan#{
        next := Next + Count,
        position := End + iolist_size(Record),
        producers := aldis_log_segment:remember(Batch, Producers),
        bytes := [Bytes, Record],
        seen := Seen#{messages := Messages + Count, bytes := Size + byte_size(Entries),
            batches := Batches + min(Count, 1)}
    }, Next).

noted(At, #{indexed := Indexed, index := Index} = Plan, Offset) when At - Indexed >= ?INDEX ->
    Plan#{indexed := At, index := [{Offset, At} | Index]};
noted(_, Plan, _) ->
    Plan.

executed(#{bytes := [], outcomes := Outcomes, seen := Seen}, _, Store) ->
    {lists:reverse(Outcomes), Seen, Store};
executed(#{bytes := Bytes, outcomes := Outcomes, seen := Seen} = Plan, Way, #store{file = File, files = Files} = Store) ->
    case Files:write(File, Bytes, way(Way, Plan, Store)) of
        ok ->
            Begin = erlang:monotonic_time(nanosecond),
            case synced(Files, File, Store) of
                ok ->
                    Time = erlang:monotonic_time(nanosecond) - Begin,
                    {lists:reverse(Outcomes), Seen#{fsync := Time}, learnt(Plan, Store)};
                {error, Reason} -> lost(Plan, Reason, Store)
            end;
        {error, Reason} -> lost(Plan, Reason, Store)
    end.

%% A small write costs the same either way, and in the cache the next one goes on with its block.
way(past, #{position := End}, #store{position = Begin}) when End - Begin >= ?LARGE -> past;
way(_, _, _) -> cached.

%% On the disk, in a folder that was ours all the time: a disk may stall for longer than a lease.
synced(Files, File, #store{lock = Lock} = Store) ->
    case {Files:datasync(File), aldis_log_lock:held(Lock)} of
        {ok, {error, Reason}} ->
            _ = refused(Reason, Store),
            {error, Reason};
        {Result, _} -> Result
    end.

lost(#{outcomes := Outcomes}, Reason, Store) ->
    {[{To, Kind, {error, unavailable}} || {To, Kind, _} <- lists:reverse(Outcomes)], nothing_seen(), failed(Reason, Store)}.

learnt(#{position := End, next := Next, producers := Producers, index := Index, indexed := Indexed, owned := Owned},
        #store{table = Table, base = Base} = Store) ->
    true = ets:insert(Table, [{{index, Offset}, Base, At} || {Offset, At} <- Index]),
    publish(Store#store{position = End, durable = Next - 1, producers = Producers, indexed = Indexed, owned = Owned}).

%% Readers see what is durable in one look.
publish(#store{table = Table, durable = Durable, base = Base, position = Position, salt = Salt, lock = Lock} = Store) ->
    true = ets:insert(Table, {durable, Durable, Base, Position}),
    ok = aldis_log_lock:note(Lock, {Salt, Position, Durable}),
    Store.

%% Messages that were not acknowledged are taken away again as well as may be.
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
begin_segment(#store{folder = Folder, files = Files, durable = Durable, table = Table, base = Old} = Before) ->
    Base = Durable + 1,
    Store = without_silent(Before),
    case aldis_log_segment:create(Files, Folder, Base, Store#store.producers) of
        {ok, File, #{salt := Salt, start := Start, created := Created}} ->
            Older = case Store of
                #store{base = B} when B =:= 0; B =:= Base -> Store#store.older;
                #store{} ->
                    indexed(Store),
                    [#segment{base = Old, created = Store#store.created, size = Store#store.position} | Store#store.older]
            end,
            true = ets:insert(Table, [{{segment, Base}, Salt}, {{index, Base}, Base, Start}]),
            {ok, publish(Store#store{file = File, base = Base, salt = Salt, start = Start, position = Start,
                indexed = Start, older = Older, created = Created})};
        {error, _} = Error -> Error
    end.

%% The index of a segment that has ended. A failure here costs time only, when somebody reads.
indexed(#store{folder = Folder, files = Files, table = Table, base = Base, salt = Salt, durable = Durable} = Store) ->
    Places = ets:select(Table, [{{{index, '$1'}, Base, '$2'}, [], [{{'$1', '$2'}}]}]),
    Index = #{salt => Salt, base => Base, next => Durable + 1, created => Store#store.created,
        size => Store#store.position, places => Places},
    case aldis_log_index:write(Files, Folder, Base, Index) of
        ok -> ok;
        {error, Reason} -> logger:warning("log: no index is written beside ~ts (~0tp)",
            [aldis_log_segment:path(Folder, Base), Reason])
    end.

%% A producer that has not written for long is forgotten; one that never has, in any epoch, sooner: nothing of it could come twice.
without_silent(#store{options = #{producer_ms := infinity, unused_ms := infinity}} = Store) -> Store;
without_silent(#store{producers = Producers, owned = Owned, options = Options} = Store) ->
    #{producer_ms := Silent, unused_ms := Unused} = Options,
    Least = min(Silent, Unused),
    Now = erlang:system_time(millisecond),
    %% Atoms are greater than numbers: nothing is older than infinity.
    Gone = maps:fold(fun
        (Producer, {_, _, Time, Owner, true}, Found) when Now - Time > Silent -> [{Producer, Owner} | Found];
        (Producer, {_, _, Time, Owner, false}, Found) when Now - Time > Least -> [{Producer, Owner} | Found];
        (_, _, Found) -> Found
    end, [], Producers),
    Store#store{
        producers = maps:without([Producer || {Producer, _} <- Gone], Producers),
        owned = lists:foldl(fun({_, Owner}, Sums) -> one_less(Owner, Sums) end, Owned, Gone)
    }.

one_less(?NOBODY, Owned) -> Owned;
one_less(Identity, Owned) ->
    case Owned of
        #{Identity := 1} -> maps:remove(Identity, Owned);
        #{Identity := Count} -> Owned#{Identity := Count - 1}
    end.

%% @doc Removes the oldest segments as the options say. The newest stays, but one that is old and holds something ends.
%% Producers that were silent for long are forgotten.
-spec retain(store()) -> store().
retain(Store) -> retain_newest(without_silent(Store)).

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
    case held(Path, fun() -> Files:delete(Path) end) of
        ok -> aldis_log_index:delete(Files, Folder, Base);
        %% Somebody else has removed it.
        {error, enoent} -> aldis_log_index:delete(Files, Folder, Base);
        {error, Reason} ->
            true = ets:insert(Table, Known),
            logger:warning("log: ~ts cannot be removed (~0tp); it and what came after it stay until it can", [Path, Reason]),
            kept
    end.

%% To free the blocks of a file takes some file systems 50 ms for 256 MiB, in which nothing else is written. So another process
%% holds the file while its name goes, and then cuts it off bit by bit, with writes of the log between. A file that has another name, as
%% in a backup of hard links, stays as it is.
held(Path, Remove) ->
    Holder = spawn(fun hold/0),
    Monitor = monitor(process, Holder),
    Holder ! {hold, Path, self(), Monitor},
    receive
        {Monitor, held} -> ok;
        {'DOWN', Monitor, process, Holder, _} -> ok
    end,
    Result = Remove(),
    Holder ! {removed, Result},
    demonitor(Monitor, [flush]),
    Result.

hold() ->
    receive {hold, Path, From, Tag} ->
        Opened = file:open(Path, [raw, read, write]),
        Info = file:read_file_info(Path, [raw]),
        From ! {Tag, held},
        receive {removed, Result} -> freed(Opened, Info, Result) end
    end.

freed({ok, File}, {ok, #file_info{links = 1, size = Size}}, ok) ->
    cut_off(File, Size),
    file:close(File);
freed({ok, File}, _, _) -> file:close(File);
freed({error, _}, _, _) -> ok.

cut_off(File, Size) when Size > ?FREED ->
    {ok, Rest} = file:position(File, Size - ?FREED),
    _ = file:truncate(File),
    cut_off(File, Rest);
cut_off(_, _) -> ok.

%% @doc Lets go of the file.
-spec close(store()) -> ok.
close(#store{file = none}) -> ok;
close(#store{file = File, files = Files}) ->
    _ = Files:close(File),
    ok.

%% @doc To whom a producer belongs; to nobody: zeros.
-spec identity(aldis_sink:producer(), store()) -> {ok, aldis_sink:identity()} | unknown.
identity(Producer, #store{producers = Producers}) ->
    case Producers of
        #{Producer := {_, _, _, Identity, _}} -> {ok, Identity};
        #{} -> unknown
    end.

%% @doc The handle for readers: see {@link aldis_log_reader:handle()}.
-spec table(store()) -> ets:table().
table(#store{table = Table}) -> Table.

%% @doc The last offset that is on the disk.
-spec durable(store()) -> aldis_sink:sequence().
durable(#store{durable = Durable}) -> Durable.

%% @doc The first and last offset of the log, its size, and its numbers of files and producers.
-spec info(store()) -> aldis_log:info().
info(#store{older = Older, base = Base, position = Position, durable = Durable, producers = Producers}) ->
    #{first => case Older of [] -> Base; _ -> (lists:last(Older))#segment.base end,
        last => Durable,
        bytes => Position + lists:sum([Size || #segment{size = Size} <- Older]),
        segments => length(Older) + 1,
        producers => map_size(Producers)}.
