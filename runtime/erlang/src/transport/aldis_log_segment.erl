%% @doc Segments: the files of a durable log, each named after the offset of its first message.
%%
%% ```
%% "ALDISLOG" | version u32 | salt u32 | base u64 | created u64 | producers u32 | crc u32 |
%% producers: id 16 bytes, epoch u32, last u64, time u64 | records
%% '''
%%
%% The header says where every producer was when the segment began, so older segments can go without loss of what is known.
%% `crc' is CRC-32 of the header without itself, and of the producers. A segment gets its name when its header is on the disk:
%% a segment with a broken header is damage, not a torn write.
-module(aldis_log_segment).

-export([create/4, head/1, list/1, path/2, recover/3, remember/2]).
-export_type([head/0, producers/0, recovered/0]).

-type producers() :: #{aldis_sink:producer() =>
    {aldis_sink:epoch(), Last :: aldis_sink:sequence(), Time :: non_neg_integer()}}.
-type head() :: #{base := aldis_sink:sequence(), salt := aldis_log_record:salt(), created := non_neg_integer(),
    start := pos_integer(), producers := producers()}.
%% `start' is where the records begin, in bytes.
-type recovered() :: #{next := aldis_sink:sequence(), position := pos_integer(), producers := producers(),
    index := [{aldis_sink:sequence(), Position :: pos_integer()}], cut := non_neg_integer()}.
%% What the intact records say; `cut' bytes behind them were no records.

-define(MAGIC, "ALDISLOG").
-define(VERSION, 1).
-define(HEAD, 40).
-define(PRODUCER, 36).
%% How much is read at once, and how far apart the entries of an index are.
-define(CHUNK, 1048576).

%% @doc Makes a segment and opens it for appending. What is there of the same name is replaced: it holds no messages.
-spec create(Files :: module(), file:filename_all(), aldis_sink:sequence(), producers()) ->
    {ok, file:fd(), head()} | {error, term()}.
create(Files, Folder, Base, Producers) ->
    Path = path(Folder, Base),
    New = filename:rootname(Path) ++ ".new",
    <<Salt:32>> = crypto:strong_rand_bytes(4),
    Created = erlang:system_time(millisecond),
    Header = header(Base, Salt, Created, Producers),
    case Files:open(New, [raw, binary, read, write, exclusive]) of
        {error, eexist} ->
            case Files:delete(New) of
                ok -> create(Files, Folder, Base, Producers);
                {error, _} = Error -> Error
            end;
        {error, _} = Error -> Error;
        {ok, File} ->
            case named(Files, File, Header, New, Path, Folder) of
                ok ->
                    {ok, File, #{base => Base, salt => Salt, created => Created, start => byte_size(Header),
                        producers => Producers}};
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

%% A new name is durable when its folder is.
sync_folder(Folder) ->
    case file:open(Folder, [raw, read, directory]) of
        {ok, Directory} ->
            Result = file:sync(Directory),
            _ = file:close(Directory),
            Result;
        {error, _} = Error -> Error
    end.

header(Base, Salt, Created, Producers) ->
    Known = <<<<Id:16/binary, Epoch:32/little, Last:64/little, Time:64/little>>
        || {Id, {Epoch, Last, Time}} <- lists:sort(maps:to_list(Producers))>>,
    Begin = <<?MAGIC, ?VERSION:32/little, Salt:32/little, Base:64/little, Created:64/little,
        (map_size(Producers)):32/little>>,
    Crc = erlang:crc32(erlang:crc32(Begin), Known),
    <<Begin/binary, Crc:32/little, Known/binary>>.

%% @doc Reads the header of a segment.
-spec head(file:fd()) -> {ok, head()} | {error, damaged | {version, integer()} | file:posix() | badarg | terminated}.
head(File) ->
    case file:pread(File, 0, ?HEAD) of
        {ok, <<Begin:36/binary, Crc:32/little>>} -> head(File, Begin, Crc);
        {ok, _} -> {error, damaged};
        eof -> {error, damaged};
        {error, _} = Error -> Error
    end.

head(File, <<?MAGIC, ?VERSION:32/little, Salt:32/little, Base:64/little, Created:64/little, Count:32/little>> = Begin, Crc) ->
    case Count =:= 0 orelse file:pread(File, ?HEAD, Count * ?PRODUCER) of
        true -> checked(Begin, <<>>, Crc, Salt, Base, Created);
        {ok, Known} when byte_size(Known) =:= Count * ?PRODUCER -> checked(Begin, Known, Crc, Salt, Base, Created);
        {error, _} = Error -> Error;
        _ -> {error, damaged}
    end;
head(_, <<?MAGIC, Version:32/little, _/binary>>, _) -> {error, {version, Version}};
head(_, _, _) -> {error, damaged}.

checked(Begin, Known, Crc, Salt, Base, Created) ->
    case erlang:crc32(erlang:crc32(Begin), Known) of
        Crc ->
            Producers = maps:from_list([{Id, {Epoch, Last, Time}}
                || <<Id:16/binary, Epoch:32/little, Last:64/little, Time:64/little>> <= Known]),
            {ok, #{base => Base, salt => Salt, created => Created, start => ?HEAD + byte_size(Known),
                producers => Producers}};
        _ -> {error, damaged}
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

%% @doc Walks the records of a segment up to the first that is not whole. `{error, {damaged, Position}}': what is there was
%% on the disk once, as a later record says, so it must not be taken for a torn write.
-spec recover(file:fd(), head(), Size :: non_neg_integer()) ->
    {ok, recovered()} | {error, {damaged, Position :: pos_integer(), recovered()} | term()}.
recover(File, #{base := Base, start := Start, producers := Producers, salt := Salt}, Size) ->
    walk(File, Salt, Size, Start, <<>>, 0,
        #{next => Base, position => Start, producers => Producers, index => [{Base, Start}], cut => 0}).

%% `At' in `Bytes' is the record at the position of what is recovered so far.
walk(File, Salt, Size, Start, Bytes, At, #{next := Next, position := Position} = Got) ->
    case aldis_log_record:decode(Bytes, At, Salt) of
        {ok, #{offset := Next} = Batch, After} ->
            walk(File, Salt, Size, Start, Bytes, After, taken(Batch, Position, Position + After - At, Got));
        {more, Need} when Position + Need =< Size ->
            case file:pread(File, Position, max(Need, ?CHUNK)) of
                {ok, More} when byte_size(More) >= Need -> walk(File, Salt, Size, Start, More, 0, Got);
                {error, _} = Error -> Error;
                _ -> {error, {file_changed, Position}}
            end;
        _ when Position =:= Size -> {ok, Got};
        _ -> torn(File, Salt, Size, Got)
    end.

taken(#{count := Count} = Batch, At, After, #{next := Next, producers := Producers, index := Index} = Got) ->
    [{_, Indexed} | _] = Index,
    Got#{
        next := Next + Count,
        position := After,
        producers := remember(Batch, Producers),
        index := case At - Indexed >= ?CHUNK of
            true -> [{Next, At} | Index];
            false -> Index
        end
    }.

%% @doc What is known of the producers after a batch. Their names are copies: as parts they would keep alive what was read.
-spec remember(aldis_log_record:batch(), producers()) -> producers().
remember(#{producer := Producer, epoch := Epoch, first := First, count := Count, time := Time}, Producers) ->
    Producers#{binary:copy(Producer) => {Epoch, First + Count - 1, Time}}.

torn(File, Salt, Size, #{position := Position} = Got) ->
    Cut = Got#{cut := Size - Position},
    case file:pread(File, Position, Size - Position) of
        {ok, Tail} ->
            case aldis_log_record:find_synced(Tail, Position, Salt) of
                true -> {error, {damaged, Position, Cut}};
                false -> {ok, Cut}
            end;
        {error, _} = Error -> Error;
        eof -> {ok, Cut}
    end.
