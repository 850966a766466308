%% @doc The walks and checksums of {@link aldis_scan} in C (`c_src/aldis_scan_nif.c'). Optional: where the library was not built, does not
%% load or is left out by `ALDIS_NATIVE=0', {@link loaded/0} is false and nothing else here may be called.
-module(aldis_scan_nif).

-export([crc32/2, entries/3, legacy/4, loaded/0]).
-nifs([crc32/2, entries/3, legacy/4, loaded/0]).
-on_load(load/0).

%% @doc The CRC-32 of at most 2,000,000 bytes behind those whose CRC-32 is `Before'; false where the processor does not help.
-spec crc32(Before :: 0..16#FFFFFFFF, binary()) -> 0..16#FFFFFFFF | false.
crc32(_Before, _Bin) -> erlang:nif_error(not_loaded).

%% @doc Whether there are exactly `Count' entries, one at least, from `Offset' to the end.
-spec entries(binary(), Offset :: non_neg_integer(), Count :: 0..16#FFFFFFFF) -> boolean().
entries(_Bin, _Offset, _Count) -> erlang:nif_error(not_loaded).

%% @doc How many whole messages there are, where the last one begins and where the next one does; `Max' is the largest size of a payload.
-spec legacy(binary(), Offset :: non_neg_integer(), aldis_scan:endian(), Max :: 0..16#FFFFFFFF) ->
    {Count :: non_neg_integer(), LastAt :: non_neg_integer() | none, Next :: non_neg_integer()}.
legacy(_Bin, _Offset, _Endian, _Max) -> erlang:nif_error(not_loaded).

%% @doc Whether the library is there.
-spec loaded() -> boolean().
loaded() -> aldis_nif:not_loaded().

load() -> aldis_nif:load(?MODULE, fun(File) -> erlang:load_nif(File, 0) end).
