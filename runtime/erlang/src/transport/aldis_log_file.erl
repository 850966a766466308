%% @doc The files that a durable log writes: as `file' has them, or by {@link aldis_file_nif} where its library is. Another module may take
%% the place of this one, for tests of disks that fail.
-module(aldis_log_file).

-export([open/2, close/1, write/2, write/3, datasync/1, position/2, truncate/1, rename/2, delete/1]).
-export_type([handle/0, way/0]).

-opaque handle() :: {file, file:fd()} | {native, aldis_file_nif:file()}.
%% `past': past the system's cache, where that can be. What is read soon should be in the cache.
-type way() :: cached | past.

-type result() :: ok | {error, term()}.

%% @doc Opens a file to write it: one that is `new' must not be there yet, an `old' one must.
-spec open(file:filename_all(), new | old) -> {ok, handle()} | {error, term()}.
open(Path, Age) ->
    case aldis_file_nif:loaded() of
        true -> named(native, aldis_file_nif:open(<<(native(Path))/binary, 0>>, Age =:= new));
        false -> named(file, file:open(Path, [raw, binary, read, write | [exclusive || Age =:= new]]))
    end.

named(Kind, {ok, File}) -> {ok, {Kind, File}};
named(_, {error, _} = Error) -> Error.

%% The bytes of a path as the system has it.
native(Path) when is_binary(Path) -> Path;
native(Path) -> unicode:characters_to_binary(Path, unicode, file:native_name_encoding()).

%% @doc Closes a file.
-spec close(handle()) -> result().
close({native, File}) -> aldis_file_nif:close(File);
close({file, File}) -> file:close(File).

%% @doc Writes through the system's cache.
-spec write(handle(), iodata()) -> result().
write(File, Bytes) -> write(File, Bytes, cached).

%% @doc Writes behind what was written before. After an error nobody knows what is there.
-spec write(handle(), iodata(), way()) -> result().
write({native, File}, Bytes, Way) -> aldis_file_nif:write(File, erlang:iolist_to_iovec(Bytes), Way =:= past);
write({file, File}, Bytes, _) -> file:write(File, Bytes).

%% @doc Waits until the disk has all that was written.
-spec datasync(handle()) -> result().
datasync({native, File}) -> aldis_file_nif:datasync(File);
datasync({file, File}) -> file:datasync(File).

%% @doc What is written next begins there.
-spec position(handle(), non_neg_integer()) -> result().
position({native, File}, At) -> aldis_file_nif:position(File, At);
position({file, File}, At) ->
    case file:position(File, At) of
        {ok, At} -> ok;
        {error, _} = Error -> Error
    end.

%% @doc Ends the file where the next write begins.
-spec truncate(handle()) -> result().
truncate({native, File}) -> aldis_file_nif:truncate(File);
truncate({file, File}) -> file:truncate(File).

%% @doc Gives a file another name.
-spec rename(file:filename_all(), file:filename_all()) -> result().
rename(From, To) -> file:rename(From, To).

%% @doc Removes a file.
-spec delete(file:filename_all()) -> result().
delete(Path) -> file:delete(Path).
