%% @doc Text and bytes, to and from the wire.
%%
%% Text that is a binary goes to the wire as it is, so that decoding and encoding again changes no byte; other chardata
%% is encoded.
-module(aldis_text).

-export([cut/1, chars/4, encode/3, bytes/2]).
-export_type([encoding/0]).

-type encoding() :: utf8 | latin1.
-type path() :: aldis_fault:path().

%% @doc The text of a field of fixed size: up to the first NUL.
-spec cut(binary()) -> binary().
cut(Bin) ->
    case binary:match(Bin, <<0>>) of
        nomatch -> Bin;
        {At, _} -> binary:part(Bin, 0, At)
    end.

%% @doc Text for a field of `Size' bytes, padded with NUL; longer text is `out_of_range'.
-spec chars(term(), non_neg_integer(), encoding(), path()) -> binary().
chars(Text, Size, Encoding, Path) ->
    Bytes = encode(Text, Encoding, Path),
    case Size - byte_size(Bytes) of
        0 -> Bytes;
        Padding when Padding > 0 -> <<Bytes/binary, 0:Padding/unit:8>>;
        _ -> aldis_fault:raise(out_of_range, none, Path)
    end.

%% @doc Chardata as bytes of its encoding.
-spec encode(term(), encoding(), path()) -> binary().
encode(Text, _, _) when is_binary(Text) -> Text;
encode(Text, Encoding, Path) when is_list(Text) ->
    try unicode:characters_to_binary(Text, utf8, Encoding) of
        Bytes when is_binary(Bytes) -> Bytes;
        {error, _, _} when Encoding =:= latin1 -> aldis_fault:raise(out_of_range, none, Path);
        _ -> aldis_check:wrong(Path)
    catch
        error:badarg -> aldis_check:wrong(Path)
    end;
encode(_, _, Path) ->
    aldis_check:wrong(Path).

%% @doc Iodata as one binary.
-spec bytes(term(), path()) -> binary().
bytes(Bytes, _) when is_binary(Bytes) -> Bytes;
bytes(Io, Path) ->
    try
        iolist_to_binary(Io)
    catch
        error:badarg -> aldis_check:wrong(Path)
    end.
