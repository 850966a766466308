%% @doc The file `owner' in a log's folder: who has the log, a number that grows while that one lives, and up to where the
%% newest segment was on the disk.
%%
%% All numbers are little-endian.
%%
%% ```
%% "ALDISOWN" | version u32 | id 16 bytes | beat u64 | kind u32 | boot 16 bytes | network 16 bytes |
%% salt u64 | position u64 | offset u64 | who: length u16 + UTF-8 | crc u32
%% '''
%%
%% `id' is random for each owner, zero after one that ended well. `kind' is 1 when the owner holds the kernel's lock of this
%% file too. `boot' and `network' tell the system's run and the network namespace of the owner. The newest segment, which has this
%% `salt', was on the disk up to `position', with the log's messages up to `offset', when that was written here: what is missing
%% before is damage, whatever it looks like. The file is overwritten in place, as locks are of files and not of names.
-module(aldis_log_owner).

-export([read/1, write/2, path/1, decode/1, encode/1]).
-export_type([owner/0, mark/0]).

-type owner() :: #{id := <<_:128>>, beat := non_neg_integer(), kind := lease | kernel, boot := <<_:128>>, network := <<_:128>>,
    mark := mark(), who := binary()}.

-type mark() :: {Salt :: aldis_log_record:salt(), Position :: non_neg_integer(), Offset :: aldis_sink:sequence()}.
%% `{0, 0, 0}': nothing is known.

-define(MAGIC, "ALDISOWN").
-define(VERSION, 1).
-define(MAX_WHO, 400).
%% The length of a record with the longest `who'.
-define(MOST, 8 + 4 + 16 + 8 + 4 + 16 + 16 + 8 + 8 + 8 + 2 + ?MAX_WHO + 4).

%% @doc The path of the file.
-spec path(file:filename_all()) -> file:filename().
path(Folder) -> filename:join(unicode:characters_to_list(Folder), "owner").

%% @doc The present contents of the file. It is opened anew, as network file systems show what others wrote to those alone that open it.
-spec read(file:filename_all()) -> {ok, owner()} | none | {error, file:posix() | badarg | terminated | system_limit}.
read(Folder) ->
    case file:open(path(Folder), [raw, binary, read]) of
        {ok, File} ->
            Read = file:pread(File, 0, ?MOST),
            _ = file:close(File),
            case Read of
                {ok, Bytes} -> decode(Bytes);
                eof -> none;
                {error, _} = Error -> Error
            end;
        {error, enoent} -> none;
        {error, _} = Error -> Error
    end.

%% @doc Writes over what the file says.
-spec write(file:filename_all(), owner()) -> ok | {error, file:posix() | badarg | terminated | system_limit}.
write(Folder, Owner) ->
    case file:open(path(Folder), [raw, binary, read, write]) of
        {ok, File} ->
            Written = file:pwrite(File, 0, encode(Owner)),
            _ = file:close(File),
            Written;
        {error, _} = Error -> Error
    end.

%% @private
-spec encode(owner()) -> binary().
encode(#{id := Id, beat := Beat, kind := Kind, boot := Boot, network := Network, mark := {Salt, Position, Offset}, who := Who}) ->
    Said = short(Who),
    Bytes = <<?MAGIC, ?VERSION:32/little, Id:16/binary, Beat:64/little, (kind(Kind)):32/little, Boot:16/binary,
        Network:16/binary, Salt:64/little, Position:64/little, Offset:64/little, (byte_size(Said)):16/little, Said/binary>>,
    <<Bytes/binary, (erlang:crc32(Bytes)):32/little>>.

kind(lease) -> 0;
kind(kernel) -> 1.

short(Who) when byte_size(Who) =< ?MAX_WHO -> Who;
short(Who) -> binary:part(Who, 0, ?MAX_WHO).

%% @private Bytes that are no owner's record are `none': a file that was just made, or one that is being written.
-spec decode(binary()) -> {ok, owner()} | none.
decode(<<?MAGIC, ?VERSION:32/little, Id:16/binary, Beat:64/little, Kind:32/little, Boot:16/binary, Network:16/binary,
        Salt:64/little, Position:64/little, Offset:64/little, Size:16/little, Who:Size/binary, Crc:32/little, _/binary>> = Bytes)
        when Kind =< 1 ->
    case erlang:crc32(binary:part(Bytes, 0, 98 + Size)) of
        Crc ->
            {ok, #{id => Id, beat => Beat, kind => element(Kind + 1, {lease, kernel}), boot => Boot, network => Network,
                mark => {Salt, Position, Offset}, who => Who}};
        _ -> none
    end;
decode(_) -> none.
