%% @doc Text and bytes, to and from the wire.
%%
%% Text that is a binary is in the field's encoding and goes to the wire as it is, so that decoding and encoding again changes
%% no byte; a list of characters is encoded.
-module(aldis_text).

-export([cut/1, cut_utf8/4, utf8/4, is_utf8/1, chars/4, encode/3, bytes/2]).
-export_type([encoding/0]).

-type encoding() :: utf8 | latin1.
-type path() :: aldis_fault:path().

%% Whether a word of up to seven bytes (a small integer) has a byte that is 0: only for such a byte does subtracting 1 from
%% every byte set a top bit that was not set.
-define(HAS_NUL(Word, Ones), ((Word - Ones) band bnot Word band (Ones bsl 7)) =/= 0).

%% @doc The text of a field of fixed size: up to the first NUL.
-spec cut(binary()) -> binary().
cut(Bin) ->
    case has_nul(Bin) of
        false ->
            Bin;
        true ->
            Size = before_nul(Bin, 0),
            <<Text:Size/binary, _/binary>> = Bin,
            Text
    end.

has_nul(<<Word:56, Rest/binary>>) -> ?HAS_NUL(Word, 16#01010101010101) orelse has_nul(Rest);
has_nul(<<Word:32, Rest/binary>>) -> ?HAS_NUL(Word, 16#01010101) orelse has_nul(Rest);
has_nul(<<0, _/binary>>) -> true;
has_nul(<<_, Rest/binary>>) -> has_nul(Rest);
has_nul(<<>>) -> false.

before_nul(<<0, _/binary>>, Size) -> Size;
before_nul(<<_, Rest/binary>>, Size) -> before_nul(Rest, Size + 1).

%% @doc The text of a field of fixed size, which begins `At' bytes behind the start of `Bin': `bad_text' where it is not UTF-8.
-spec cut_utf8(binary(), binary(), non_neg_integer(), path()) -> binary().
cut_utf8(Field, Bin, At, Path) -> utf8(cut(Field), Bin, At, Path).

%% @doc Text that begins `At' bytes behind the start of `Bin': `bad_text' where it is not UTF-8.
-spec utf8(binary(), binary(), non_neg_integer(), path()) -> binary().
utf8(Text, Bin, At, Path) ->
    case is_utf8(Text) of
        true -> Text;
        false -> aldis_fault:raise(bad_text, byte_size(Bin) - At, Path)
    end.

%% @doc Whether bytes are UTF-8.
-spec is_utf8(binary()) -> boolean().
is_utf8(<<Word:56, Rest/binary>>) when Word band 16#80808080808080 =:= 0 -> is_utf8(Rest);
is_utf8(<<_/utf8, Rest/binary>>) -> is_utf8(Rest);
is_utf8(Rest) -> Rest =:= <<>>.

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
