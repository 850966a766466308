%% @doc The fault of a frame that {@link aldis_etf_scan} refused: off the fast path, so that the scan stays small.
%% Results name the fault and how many bytes lie between it and the frame's end.
-module(aldis_etf_fault).

-export([value/2, container/2, part/2, text/2, duplicate/1]).

-type fault() :: {error, {aldis_etf:code(), Ahead :: non_neg_integer()}}.

%% @doc A value that was refused; `Rest' begins behind its tag.
-spec value(binary(), byte()) -> fault().
value(Rest, Tag) -> {error, {value_code(Tag, Rest), byte_size(Rest) + 1}}.

value_code(70, Rest) when byte_size(Rest) >= 8 -> bad_float;
value_code(80, _) -> compressed;
value_code(104, <<2, Form, 5, "bytes", 109, Rest/binary>>) when Form =:= 119; Form =:= 115 -> bytes_code(Rest);
value_code(104, <<2, Form, 5:16, "bytes", 109, Rest/binary>>) when Form =:= 118; Form =:= 100 -> bytes_code(Rest);
value_code(107, <<Size:16, Rest/binary>>) when Size =< byte_size(Rest) -> too_many_nodes;
value_code(110, <<Size, _, Rest/binary>>) when Size =< byte_size(Rest) -> big_integer;
value_code(110, <<Size, _/binary>>) when Size > 8 -> big_integer;
value_code(111, _) -> big_integer;
value_code(Tag, <<Size, Rest/binary>>) when Tag =:= 115 orelse Tag =:= 119, Size =< byte_size(Rest) -> bad_atom;
value_code(Tag, <<Size:16, Rest/binary>>) when Tag =:= 100 orelse Tag =:= 118, Size =< byte_size(Rest) -> bad_atom;
value_code(Tag, _) ->
    case lists:member(Tag, [70, 97, 98, 100, 107, 109, 110, 115, 118, 119]) of
        true -> truncated;
        false -> bad_tag
    end.

bytes_code(<<Size:32, Rest/binary>>) when Size =< byte_size(Rest) -> too_many_nodes;
bytes_code(_) -> truncated.

%% @doc A list or map that was refused; `Rest' begins behind its tag.
-spec container(binary(), non_neg_integer()) -> fault().
container(Rest, 0) -> {error, {too_deep, byte_size(Rest) + 1}};
container(<<Count:32, Rest/binary>>, _) when Count =< byte_size(Rest) -> {error, {too_many_nodes, byte_size(Rest) + 5}};
container(Rest, _) -> {error, {truncated, byte_size(Rest) + 1}}.

%% @doc The part of a container that was refused, with {@link aldis_etf_scan}'s count of what was expected.
-spec part(binary(), integer()) -> fault().
part(Rest, Left) -> {error, {part_code(Rest, Left), byte_size(Rest)}}.

part_code(<<>>, _) -> truncated;
part_code(_, 0) -> trailing_bytes;
part_code(_, 1) -> improper_list;
part_code(<<109, _/binary>>, _) -> truncated;
part_code(_, Left) when Left < 0 -> bad_key.

%% @doc Text that was refused `Size' bytes before its end.
-spec text(binary(), integer()) -> fault().
text(Rest, Size) when Size > byte_size(Rest) -> {error, {truncated, byte_size(Rest)}};
text(Rest, _) -> {error, {bad_utf8, byte_size(Rest)}}.

%% @doc The place of a key that stands for the second time in its map, in a frame that passed the scan and that
%% `binary_to_term/1' refused.
-spec duplicate(binary()) -> {error, {aldis_etf:code(), Offset :: non_neg_integer()}}.
duplicate(<<131, Term/binary>> = Frame) ->
    try skip(Term) of
        %% Nothing but a key is left as a reason.
        _ -> {error, {duplicate_key, 1}}
    catch
        throw:{duplicate, Ahead} -> {error, {duplicate_key, byte_size(Frame) - Ahead}}
    end.

%% The bytes that follow a term. The depth of the frame is within its limit, so recursion is too.
skip(<<97, _, Rest/binary>>) -> Rest;
skip(<<98, _:32, Rest/binary>>) -> Rest;
skip(<<70, _:64, Rest/binary>>) -> Rest;
skip(<<106, Rest/binary>>) -> Rest;
skip(<<109, Size:32, _:Size/binary, Rest/binary>>) -> Rest;
skip(<<107, Size:16, _:Size/binary, Rest/binary>>) -> Rest;
skip(<<110, Size, _, _:Size/binary, Rest/binary>>) -> Rest;
skip(<<Tag, Size, _:Size/binary, Rest/binary>>) when Tag =:= 115; Tag =:= 119 -> Rest;
skip(<<Tag, Size:16, _:Size/binary, Rest/binary>>) when Tag =:= 100; Tag =:= 118 -> Rest;
skip(<<104, 2, Form, 5, "bytes", 109, Size:32, _:Size/binary, Rest/binary>>) when Form =:= 119; Form =:= 115 -> Rest;
skip(<<104, 2, _, 5:16, "bytes", 109, Size:32, _:Size/binary, Rest/binary>>) -> Rest;
skip(<<108, Count:32, Rest/binary>>) -> skip_list(Rest, Count + 1);
skip(<<116, Count:32, Rest/binary>>) -> skip_map(Rest, Count, #{}).

skip_list(Rest, 0) -> Rest;
skip_list(Bin, Count) -> skip_list(skip(Bin), Count - 1).

skip_map(Rest, 0, _) -> Rest;
skip_map(<<109, Size:32, Key:Size/binary, _/binary>> = Bin, _, Keys) when is_map_key(Key, Keys) ->
    throw({duplicate, byte_size(Bin)});
skip_map(<<109, Size:32, Key:Size/binary, Value/binary>>, Count, Keys) ->
    skip_map(skip(Value), Count - 1, Keys#{Key => true}).
