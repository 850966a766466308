%% @doc The index beside a segment that is no longer written: where some of its records begin, and what its header says, so
%% that neither finding an offset nor a damaged header takes more than it has to.
%%
%% All numbers are little-endian.
%%
%% ```
%% "ALDISIDX" | version u32 | salt u32 | base u64 | next u64 | created u64 | size u64 | count u32 |
%% count places: offset u64, position u64 | crc u32
%% '''
%%
%% `next' is the offset behind the segment's last message, `size' the segment's bytes. The file can be made again from the
%% segment, so nothing waits for its being on the disk, and one that is damaged is as none.
-module(aldis_log_index).

-export([write/4, read/2, delete/3, encode/1, decode/1]).
-export_type([index/0]).

-type index() :: #{salt := aldis_log_record:salt(), base := aldis_sink:sequence(), next := aldis_sink:sequence(),
    created := non_neg_integer(), size := non_neg_integer(),
    places := [{aldis_sink:sequence(), Position :: non_neg_integer()}]}.

-define(MAGIC, "ALDISIDX").
-define(VERSION, 1).
%% A place for each megabyte of a segment; more than this is none of ours.
-define(MOST, 16777216).

path(Folder, Base) -> filename:rootname(aldis_log_segment:path(Folder, Base)) ++ ".index".

%% @doc Puts an index beside its segment.
-spec write(Files :: module(), file:filename_all(), aldis_sink:sequence(), index()) -> ok | {error, term()}.
write(Files, Folder, Base, Index) ->
    Path = path(Folder, Base),
    New = Path ++ ".new",
    case file:write_file(New, encode(Index), [raw]) of
        ok -> Files:rename(New, Path);
        {error, _} = Error -> Error
    end.

%% @doc The index of a segment, if there is a good one.
-spec read(file:filename_all(), aldis_sink:sequence()) -> {ok, index()} | none.
read(Folder, Base) ->
    Path = path(Folder, Base),
    case filelib:file_size(Path) =< ?MOST andalso file:read_file(Path) of
        {ok, Bytes} ->
            case decode(Bytes) of
                {ok, #{base := Base}} = Index -> Index;
                _ -> none
            end;
        _ -> none
    end.

%% @doc Removes the index of a segment.
-spec delete(Files :: module(), file:filename_all(), aldis_sink:sequence()) -> ok.
delete(Files, Folder, Base) ->
    _ = Files:delete(path(Folder, Base)),
    ok.

%% @private
-spec encode(index()) -> binary().
encode(#{salt := Salt, base := Base, next := Next, created := Created, size := Size, places := Places}) ->
    Bytes = <<?MAGIC, ?VERSION:32/little, Salt:32/little, Base:64/little, Next:64/little, Created:64/little, Size:64/little,
        (length(Places)):32/little,
        (<< <<Offset:64/little, Position:64/little>> || {Offset, Position} <- Places >>)/binary>>,
    <<Bytes/binary, (erlang:crc32(Bytes)):32/little>>.

%% @private
-spec decode(binary()) -> {ok, index()} | none.
decode(<<?MAGIC, ?VERSION:32/little, Salt:32/little, Base:64/little, Next:64/little, Created:64/little, Size:64/little,
        Count:32/little, Places:(Count * 16)/binary, Crc:32/little>> = Bytes) ->
    case erlang:crc32(binary:part(Bytes, 0, byte_size(Bytes) - 4)) of
        Crc ->
            {ok, #{salt => Salt, base => Base, next => Next, created => Created, size => Size,
                places => [{Offset, Position} || <<Offset:64/little, Position:64/little>> <= Places]}};
        _ -> none
    end;
decode(_) -> none.
