%% @doc Segments: the files of a durable log, each named after the offset of its first message.
%%
%% ```
%% "ALDISLOG" | version u32 | salt u32 | base u64 | created u64 | producers u32 | table u32 | crc u32 |
%% producers: id 16 bytes, identity 16 bytes, epoch u32, last u64, time u48, written u16 | records
%% '''
%%
%% The header says where every producer was when the segment began, and to whom it belongs (to nobody: zeros), so older
%% segments can go without loss of what is known. `written' is 1 where the producer has messages, in this epoch or one before.
%% `table' is CRC-32 of the producers, `crc' of what is before itself. In version 1, which is read and no longer written, there is
%% no `identity', no `written' and no `table', and `crc' is of the producers too.
%% A segment gets its name when its header is on the disk: a segment with a broken header is damage, not a torn write.
-module(aldis_log_segment).

-export([create/4, head/1, known/2, list/1, path/2, recover/4, repair/4, remember/2, sync_folder/1]).
-export_type([head/0, producers/0, recovered/0]).

-type producers() :: #{aldis_sink:producer() =>
    {aldis_sink:epoch(), Last :: aldis_sink:sequence(), Time :: non_neg_integer(), Identity :: <<_:128>>,
        Written :: boolean()}}.
%% `Written': whether it has messages, in this epoch or one before.
-type head() :: #{base := aldis_sink:sequence(), salt := aldis_log_record:salt(), created := non_neg_integer(),
    start := pos_integer(), version := 1 | 2, table := {Count :: non_neg_integer(), Crc :: 0..16#FFFFFFFF}}.
%% `start' is where the records begin, in bytes.
-type recovered() :: #{next := aldis_sink:sequence(), position := pos_integer(), producers := producers(),
    index := [{aldis_sink:sequence(), Position :: pos_integer()}], cut := non_neg_integer()}.
%% The contents of the intact records; `cut' bytes behind them were no records.

-define(MAGIC, "ALDISLOG").
-define(VERSION, 2).
-define(HEAD, 44).
-define(PRODUCER, 52).
-define(NOBODY, <<0:128>>).
%% The same sizes in version 1.
-define(HEAD_1, 40).
-define(PRODUCER_1, 36).
%% How much is read at once, and how far apart the entries of an index are.
-define(CHUNK, 1048576).
%% The words of a heap for each producer while there are many to read.
-define(PRODUCER_WORDS, 80).

%% @doc Makes a segment and opens it for appending. A file of the same name is replaced: it holds no messages.
-spec create(Files :: module(), file:filename_all(), aldis_sink:sequence(), producers()) ->
    {ok, aldis_log_file:handle(), head()} | {error, term()}.
create(Files, Folder, Base, Producers) ->
    Path = path(Folder, Base),
    New = filename:rootname(Path) ++ ".new",
    <<Salt:32>> = crypto:strong_rand_bytes(4),
    Created = erlang:system_time(millisecond),
    Header = header(Base, Salt, Created, Producers),
    case Files:open(New, new) of
        {error, eexist} ->
            case Files:delete(New) of
                ok -> create(Files, Folder, Base, Producers);
                {error, _} = Error -> Error
            end;
        {error, _} = Error -> Error;
        {ok, File} ->
            case named(Files, File, Header, New, Path, Folder) of
                ok ->
                    {ok, File, #{base => Base, salt => Salt, created => Created, start => iolist_size(Header), version => ?VERSION,
                        table => {map_size(Producers), 0}}};
                {error, _} = Error ->
                    _ = Files:close(File),
                    _ = Files:delete(New),
                    Error
            end
    end.

named(Files, File, Header, New, Path, Folder) ->
    maybe_all([
        fun() -> Files:write(File, Header) end,
        fun() -> Files:datasync(File) end,
        fun() -> Files:rename(New, Path) end,
        fun() -> sync_folder(Folder) end
    ]).

maybe_all([]) -> ok;
maybe_all([Step | Steps]) ->
    case Step() of
        ok -> maybe_all(Steps);
        {error, _} = Error -> Error
    end.

%% @doc A new name is durable when its folder is.
-spec sync_folder(file:filename_all()) -> ok | {error, term()}.
sync_folder(Folder) ->
    case file:open(Folder, [raw, read, directory]) of
        {ok, Directory} ->
            Result = file:sync(Directory),
            _ = file:close(Directory),
            Result;
        {error, _} = Error -> Error
    end.

header(Base, Salt, Created, Producers) ->
    Table = maps:fold(fun(Id, {Epoch, Last, Time, Identity, Written}, Bytes) ->
        <<Bytes/binary, Id:16/binary, Identity:16/binary, Epoch:32/little, Last:64/little, Time:48/little,
            (written(Written)):16/little>>
    end, <<>>, Producers),
    Begin = <<?MAGIC, ?VERSION:32/little, Salt:32/little, Base:64/little, Created:64/little,
        (map_size(Producers)):32/little, (erlang:crc32(Table)):32/little>>,
    [Begin, <<(erlang:crc32(Begin)):32/little>>, Table].

written(true) -> 1;
written(false) -> 0.

%% @doc Reads the header of a segment, but for the producers.
-spec head(file:fd()) -> {ok, head()} | {error, damaged | {version, integer()} | file:posix() | badarg | terminated}.
head(File) ->
    case file:pread(File, 0, ?HEAD) of
        {ok, <<?MAGIC, 1:32/little, Salt:32/little, Base:64/little, Created:64/little, Count:32/little, _:32, _/binary>> = Bytes} ->
            Head = head(Base, Salt, Created, 1, ?HEAD_1 + Count * ?PRODUCER_1, {Count, first_version_crc(Bytes)}),
            %% The one checksum is of all.
            case known(File, Head) of
                {ok, _} -> {ok, Head};
                {error, _} = Error -> Error
            end;
        {ok, <<Begin:40/binary, Crc:32/little>>} -> checked(Begin, erlang:crc32(Begin) =:= Crc);
        {ok, _} -> {error, damaged};
        eof -> {error, damaged};
        {error, _} = Error -> Error
    end.

checked(<<?MAGIC, ?VERSION:32/little, Salt:32/little, Base:64/little, Created:64/little, Count:32/little, Crc:32/little>>, true) ->
    {ok, head(Base, Salt, Created, ?VERSION, ?HEAD + Count * ?PRODUCER, {Count, Crc})};
checked(<<?MAGIC, Version:32/little, _/binary>>, true) -> {error, {version, Version}};
checked(_, _) -> {error, damaged}.

head(Base, Salt, Created, Version, Start, Table) ->
    #{base => Base, salt => Salt, created => Created, version => Version, start => Start, table => Table}.

first_version_crc(<<_:36/binary, Crc:32/little, _/binary>>) -> Crc.

%% @doc The producers that a header knows.
-spec known(file:fd(), head()) -> {ok, producers()} | {error, damaged | file:posix() | badarg | terminated}.
known(File, #{version := 1, table := {Count, Crc}}) ->
    case {file:pread(File, 0, 36), table(File, ?HEAD_1, Count * ?PRODUCER_1)} of
        {{ok, Begin}, {ok, Table}} ->
            case erlang:crc32(erlang:crc32(Begin), Table) of
                Crc -> {ok, maps:from_list([{Id, {Epoch, Last, Time, ?NOBODY, Last > 0}}
                    || <<Id:16/binary, Epoch:32/little, Last:64/little, Time:64/little>> <= Table])};
                _ -> {error, damaged}
            end;
        {_, {error, _} = Error} -> Error;
        _ -> {error, damaged}
    end;
known(File, #{table := {Count, Crc}}) ->
    case table(File, ?HEAD, Count * ?PRODUCER) of
        {ok, Table} ->
            case erlang:crc32(Table) of
                Crc -> {ok, maps:from_list([{Id, {Epoch, Last, Time, Identity, Last > 0 orelse Written =:= 1}}
                    || <<Id:16/binary, Identity:16/binary, Epoch:32/little, Last:64/little, Time:48/little,
                        Written:16/little>> <= Table])};
                _ -> {error, damaged}
            end;
        {error, _} = Error -> Error
    end.

%% A count may be damage too: no more is asked for than there is.
table(_, _, 0) -> {ok, <<>>};
table(File, At, Size) ->
    case file:position(File, eof) of
        {ok, End} when End < At + Size -> {error, damaged};
        {ok, _} ->
            case file:pread(File, At, Size) of
                {ok, Table} when byte_size(Table) =:= Size -> {ok, Table};
                {error, _} = Error -> Error;
                _ -> {error, damaged}
            end;
        {error, _} = Error -> Error
    end.

%% @doc The bases of all segments in a folder, oldest first.
-spec list(file:filename_all()) -> {ok, [aldis_sink:sequence()]} | {error, file:posix() | badarg}.
list(Folder) ->
    case file:list_dir(Folder) of
        {ok, Names} -> {ok, lists:sort(lists:filtermap(fun base/1, Names))};
        {error, no_translation} -> {error, badarg};
        {error, _} = Error -> Error
    end.

base(Name) ->
    try {filename:extension(Name), list_to_integer(filename:rootname(Name))} of
        {".log", Base} when length(Name) =:= 24 -> {true, Base};
        _ -> false
    catch
        error:badarg -> false
    end.

%% @doc The file of the segment that begins at an offset.
-spec path(file:filename_all(), aldis_sink:sequence()) -> file:filename().
path(Folder, Base) -> filename:join(unicode:characters_to_list(Folder), io_lib:format("~20..0b.log", [Base])).

%% @doc Walks the records of a segment up to the first that is not whole. `{error, {damaged, Position, _}}': what is there was
%% on the disk once, as a later record or `Synced' says, so it must not be taken for a torn write.
-spec recover(file:fd(), head(), Size :: non_neg_integer(), Synced :: non_neg_integer()) ->
    {ok, recovered()} | {error, {damaged, Position :: pos_integer(), recovered()} | term()}.
recover(File, #{base := Base, start := Start, salt := Salt} = Head, Size, Synced) ->
    case known(File, Head) of
        {ok, Producers} ->
            {min_heap_size, Heap} = process_info(self(), min_heap_size),
            Walked = walk(File, Salt, {Size, Synced}, <<>>, 0,
                #{next => Base, position => Start, producers => Producers, index => [{Base, Start}], cut => 0}),
            _ = process_flag(min_heap_size, Heap),
            Walked;
        {error, _} = Error -> Error
    end.

%% A table of many producers is copied by each collection of garbage, of which there are fewer where the heap has room for several.
roomy(Producers) when map_size(Producers) < 10000 -> ok;
roomy(Producers) ->
    _ = process_flag(min_heap_size, ?PRODUCER_WORDS * map_size(Producers)),
    ok.

%% `At' in `Bytes' is the record at the position of what is recovered so far.
walk(File, Salt, {Size, _} = Ends, Bytes, At, #{next := Next, position := Position} = Got) ->
    case aldis_log_record:decode(Bytes, At, Salt) of
        {ok, #{offset := Next} = Batch, After} ->
            walk(File, Salt, Ends, Bytes, After, taken(Batch, Position, Position + After - At, Got));
        {more, Need} when Position + Need =< Size ->
            case file:pread(File, Position, min(Size - Position, max(Need, ?CHUNK))) of
                {ok, More} when byte_size(More) >= Need ->
                    ok = roomy(map_get(producers, Got)),
                    walk(File, Salt, Ends, More, 0, Got);
                {error, _} = Error -> Error;
                _ -> {error, {file_changed, Position}}
            end;
        _ -> torn(File, Salt, Ends, Got)
    end.

taken(#{count := Count} = Batch, At, After, #{next := Next, producers := Producers, index := Index} = Got) ->
    [{_, Indexed} | _] = Index,
    Got#{
        next := Next + Count + maps:get(lost, Batch, 0),
        position := After,
        producers := remember(Batch, Producers),
        index := case At - Indexed >= ?CHUNK of
            true -> [{Next, At} | Index];
            false -> Index
        end
    }.

%% @doc The state of the producers after a batch. Their names are copies: as parts they would keep alive what was read.
-spec remember(aldis_log_record:batch(), producers()) -> producers().
remember(#{lost := _}, Producers) -> Producers;
remember(#{producer := Producer, epoch := Epoch, first := First, count := Count, time := Time} = Batch, Producers) ->
    Last = First + Count - 1,
    case Producers of
        #{Producer := {_, _, _, Known, Written}} ->
            Producers#{Producer := {Epoch, Last, Time, owner(Known, Batch), Written orelse Last > 0}};
        #{} -> Producers#{binary:copy(Producer) => {Epoch, Last, Time, owner(?NOBODY, Batch), Last > 0}}
    end.

%% An owner keeps its producer.
owner(?NOBODY, #{identity := Identity}) -> Identity;
owner(Known, _) -> Known.

torn(File, Salt, {Size, Synced}, #{position := Position} = Got) ->
    Cut = Got#{cut := Size - Position},
    case Position < Synced orelse aldis_log_scan:find(File, Salt, Position, Size, fun(#{synced := S}) -> S > Position end) of
        true -> {error, {damaged, Position, Cut}};
        {ok, _, _} -> {error, {damaged, Position, Cut}};
        none -> {ok, Cut};
        {error, _} = Error -> Error
    end.

%% @doc Fills the damage that {@link recover/4} has found with a record that says what is lost, up to the next whole record, or,
%% where there is none, to the end; `Last' is the last message that the segment is known to have had. Gives the damaged bytes
%% and that record, to be written in their place.
-spec repair(file:fd(), head(), recovered(), Last :: aldis_sink:sequence()) ->
    {ok, Damaged :: binary(), Lost :: iodata()} | {error, term()}.
repair(File, #{salt := Salt}, #{position := Position, next := Next, cut := Cut}, Last) ->
    case aldis_log_scan:find(File, Salt, Position, Position + Cut, fun(#{offset := Offset}) -> Offset >= Next end) of
        {ok, To, #{offset := Offset}} -> filled(File, Salt, Position, To - Position, Next, Offset - Next);
        none -> filled(File, Salt, Position, Cut, Next, max(0, Last + 1 - Next));
        {error, _} = Error -> Error
    end.

filled(File, Salt, Position, Size, Offset, Count) ->
    Lost = aldis_log_record:lost(Offset, Count, Position, max(Size, aldis_log_record:header_size()), Salt),
    case Size =:= 0 orelse file:pread(File, Position, Size) of
        true -> {ok, <<>>, Lost};
        {ok, Damaged} -> {ok, Damaged, Lost};
        eof -> {error, {file_changed, Position}};
        {error, _} = Error -> Error
    end.
