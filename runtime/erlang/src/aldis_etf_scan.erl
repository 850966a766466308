%% @doc The check of an untrusted External Term Format frame, before anything of it becomes a term.
%%
%% Allowed is what JSON can say: integers of a bounded size, finite floats, binaries, `nil', `true', `false', proper lists,
%% and maps with binary keys; and `{bytes, Binary}', bytes that are no text. Every other tag is refused, so no frame brings
%% processes, references, functions, ports, atoms, structs, other tuples, bit strings, compressed terms or large integers.
%%
%% The scan takes no memory in the size of the frame: its state is a few integers and a stack of one integer for each
%% open list or map. It costs less than `binary_to_term/1' does, and this rests on three things that a change has to
%% keep: the match context is handed from call to call and never becomes a binary on the good path; a tag selects its
%% case before anything behind it is read; no function but that for long text returns while bytes are left.
-module(aldis_etf_scan).

-export([scan/2]).
-export_type([limits/0]).

-type limits() :: {
    limits,
    Bytes :: non_neg_integer(),
    Depth :: non_neg_integer(),
    Nodes :: non_neg_integer(),
    IntegerBytes :: 0..255,
    Utf8 :: boolean(),
    Native :: boolean()
}.

%% Arguments of the scan's functions, in this order.
%%
%% `Bin' is the rest of the frame. `Left' is what the innermost open container still expects: 0 nothing more, N > 0 the
%% last N - 1 elements of a list and its tail, N < 0 the last -N pairs of a map. `Outer' is the same for the containers
%% around it. `Depth' and `Nodes' are what is left of these limits, `Big' is the limit of an integer's bytes, `Utf8' says
%% whether text is checked.

-define(IS_NIL(A), A =:= 16#6E696C).
-define(IS_TRUE(A), A =:= 16#74727565).
-define(IS_FALSE(A, E), A =:= 16#66616C73, E =:= $e).
-define(IS_ASCII(Word), Word band 16#80808080 =:= 0).
%% NaN and the infinities have all bits of the exponent set; the VM has no such floats.
-define(IS_FINITE(High), High band 16#7FF0 =/= 16#7FF0).
%% The same of a float with its tag and the first three of its bytes.
-define(IS_FLOAT(Word), Word band 16#FF000000 =:= 16#46000000, Word band 16#7FF000 =/= 16#7FF000).
%% A text of a fixed size, in 32, 16 and 8 bits: the VM reads other widths slowly.
-define(ASCII(Bin, Pattern, Words, Then, Other),
    case Bin of
        Pattern when Words band 16#80808080 =:= 0 -> Then;
        <<Rest/binary>> -> Other
    end
).
%% Text of `Size' bytes: `Then' goes on with the `Rest' behind it. Short ASCII has its case for each size in place, since
%% calls and loops cost as much as the reading; all else is for `Other', whose `Rest' begins with the text.
-define(TEXT(Bin, Size, Utf8, Then, Other),
    case Size of
        _ when not Utf8 ->
            case Bin of
                <<_:Size/binary, Rest/binary>> -> Then;
                <<Rest/binary>> -> Other
            end;
        0 -> case Bin of <<Rest/binary>> -> Then end;
        1 -> ?ASCII(Bin, (<<A, Rest/binary>>), (A), Then, Other);
        2 -> ?ASCII(Bin, (<<A:16, Rest/binary>>), (A), Then, Other);
        3 -> ?ASCII(Bin, (<<A:16, B, Rest/binary>>), (A bor B), Then, Other);
        4 -> ?ASCII(Bin, (<<A:32, Rest/binary>>), (A), Then, Other);
        5 -> ?ASCII(Bin, (<<A:32, B, Rest/binary>>), (A bor B), Then, Other);
        6 -> ?ASCII(Bin, (<<A:32, B:16, Rest/binary>>), (A bor B), Then, Other);
        7 -> ?ASCII(Bin, (<<A:32, B:16, C, Rest/binary>>), (A bor B bor C), Then, Other);
        8 -> ?ASCII(Bin, (<<A:32, B:32, Rest/binary>>), (A bor B), Then, Other);
        9 -> ?ASCII(Bin, (<<A:32, B:32, C, Rest/binary>>), (A bor B bor C), Then, Other);
        10 -> ?ASCII(Bin, (<<A:32, B:32, C:16, Rest/binary>>), (A bor B bor C), Then, Other);
        11 -> ?ASCII(Bin, (<<A:32, B:32, C:16, D, Rest/binary>>), (A bor B bor C bor D), Then, Other);
        12 -> ?ASCII(Bin, (<<A:32, B:32, C:32, Rest/binary>>), (A bor B bor C), Then, Other);
        13 -> ?ASCII(Bin, (<<A:32, B:32, C:32, D, Rest/binary>>), (A bor B bor C bor D), Then, Other);
        14 -> ?ASCII(Bin, (<<A:32, B:32, C:32, D:16, Rest/binary>>), (A bor B bor C bor D), Then, Other);
        15 -> ?ASCII(Bin, (<<A:32, B:32, C:32, D:16, E, Rest/binary>>), (A bor B bor C bor D bor E), Then, Other);
        16 -> ?ASCII(Bin, (<<A:32, B:32, C:32, D:32, Rest/binary>>), (A bor B bor C bor D), Then, Other);
        _ -> case Bin of <<Rest/binary>> -> Other end
    end
).
%% From this size on, the VM's own loop over ASCII is faster than ours in spite of the call.
-define(LONG_TEXT, 64).

%% @doc Whether a frame is one allowed term within the limits. Duplicate keys are not looked for: `binary_to_term/1'
%% refuses them.
-spec scan(binary(), limits()) -> ok | {error, {aldis_etf:code(), non_neg_integer()}}.
scan(Frame, {limits, Max, _, _, _, _, _}) when byte_size(Frame) > Max ->
    {error, {too_large, Max}};
scan(Frame, {limits, _, Depth, Nodes, Big, Utf8, _}) ->
    %% Every node takes a byte at least, so a forged count larger than the frame ends here and not at the frame's end.
    case start(Frame, Depth, min(Nodes, byte_size(Frame)), Big, Utf8) of
        ok -> ok;
        {error, {Code, Ahead}} -> {error, {named(Code, Nodes, Frame), byte_size(Frame) - Ahead}}
    end.

%% A count beyond the frame's own bytes is a matter of the frame, not of the limit.
named(too_many_nodes, Nodes, Frame) when Nodes > byte_size(Frame) -> truncated;
named(Code, _, _) -> Code.

start(<<131, Rest/binary>>, Depth, Nodes, Big, Utf8) -> value(Rest, 0, [], Depth, Nodes, Big, Utf8);
start(<<Rest/binary>>, _, _, _, _) -> {error, {bad_version, byte_size(Rest)}}.

%% The next part of the innermost container.
next(<<Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when Left > 1 ->
    value(Rest, Left - 1, Outer, Depth, Nodes, Big, Utf8);
next(<<Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when Left < 0 ->
    key(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
next(<<Rest/binary>>, 1, [Left | Outer], Depth, Nodes, Big, Utf8) ->
    tail(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
next(<<Rest/binary>>, 0, [Left | Outer], Depth, Nodes, Big, Utf8) ->
    next(Rest, Left, Outer, Depth + 1, Nodes, Big, Utf8);
next(<<>>, 0, [], _, _, _, _) -> ok;
next(<<Rest/binary>>, 0, [], _, _, _, _) -> aldis_etf_fault:part(Rest, 0).

tail(<<Tag, Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when Tag =:= 106 ->
    next(Rest, Left, Outer, Depth + 1, Nodes, Big, Utf8);
tail(<<Rest/binary>>, _, _, _, _, _, _) -> aldis_etf_fault:part(Rest, 1).

key(<<Key, Size:32, Bin/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when Key =:= 109 ->
    ?TEXT(
        Bin, Size, Utf8,
        value(Rest, Left + 1, Outer, Depth, Nodes, Big, Utf8),
        text(Rest, Size, key, Left, Outer, Depth, Nodes, Big, Utf8)
    );
key(<<Rest/binary>>, Left, _, _, _, _, _) -> aldis_etf_fault:part(Rest, Left).

value(<<Tag, Bin/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) ->
    case Tag of
        109 -> binary(Bin, Left, Outer, Depth, Nodes, Big, Utf8);
        97 ->
            case Bin of
                <<_, Rest/binary>> -> next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
                <<Rest/binary>> -> aldis_etf_fault:value(Rest, Tag)
            end;
        98 ->
            case Bin of
                <<_:32, T2, _:32, T3, _:32, T4, _:32, Rest/binary>> when
                    Left > 3, T2 =:= 98, T3 =:= 98, T4 =:= 98
                ->
                    next(Rest, Left - 3, Outer, Depth, Nodes, Big, Utf8);
                <<_:32, Rest/binary>> -> next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
                <<Rest/binary>> -> aldis_etf_fault:value(Rest, Tag)
            end;
        70 ->
            case Bin of
                <<H1:16, _:48, F2:32, _:40, F3:32, _:40, F4:32, _:40, Rest/binary>> when
                    Left > 3, ?IS_FINITE(H1), ?IS_FLOAT(F2), ?IS_FLOAT(F3), ?IS_FLOAT(F4)
                ->
                    next(Rest, Left - 3, Outer, Depth, Nodes, Big, Utf8);
                <<High:16, _:48, Rest/binary>> when ?IS_FINITE(High) ->
                    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
                <<Rest/binary>> -> aldis_etf_fault:value(Rest, Tag)
            end;
        106 ->
            case Bin of <<Rest/binary>> -> next(Rest, Left, Outer, Depth, Nodes, Big, Utf8) end;
        116 -> map(Bin, Left, Outer, Depth, Nodes, Big, Utf8);
        108 -> list(Bin, Left, Outer, Depth, Nodes, Big, Utf8);
        119 -> atom8(Bin, Left, Outer, Depth, Nodes, Big, Utf8);
        100 -> atom16(Bin, Tag, Left, Outer, Depth, Nodes, Big, Utf8);
        _ -> rare(Bin, Tag, Left, Outer, Depth, Nodes, Big, Utf8)
    end;
value(<<>>, _, _, _, _, _, _) -> {error, {truncated, 0}}.

binary(<<Size:32, Bin/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) ->
    ?TEXT(
        Bin, Size, Utf8,
        next(Rest, Left, Outer, Depth, Nodes, Big, Utf8),
        text(Rest, Size, value, Left, Outer, Depth, Nodes, Big, Utf8)
    );
binary(<<Rest/binary>>, _, _, _, _, _, _) -> aldis_etf_fault:value(Rest, 109).

map(<<Count:32, Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when Depth > 0, 2 * Count =< Nodes ->
    next(Rest, -Count, [Left | Outer], Depth - 1, Nodes - 2 * Count, Big, Utf8);
map(<<Rest/binary>>, _, _, Depth, _, _, _) -> aldis_etf_fault:container(Rest, Depth).

list(<<Count:32, Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when Depth > 0, Count =< Nodes ->
    next(Rest, Count + 1, [Left | Outer], Depth - 1, Nodes - Count, Big, Utf8);
list(<<Rest/binary>>, _, _, Depth, _, _, _) -> aldis_etf_fault:container(Rest, Depth).

%% A length of one byte: OTP 26 and later write so.
atom8(<<3, A:24, Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when ?IS_NIL(A) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
atom8(<<4, A:32, Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when ?IS_TRUE(A) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
atom8(<<5, A:32, E, Rest/binary>>, Left, Outer, Depth, Nodes, Big, Utf8) when ?IS_FALSE(A, E) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
atom8(<<Rest/binary>>, _, _, _, _, _, _) -> aldis_etf_fault:value(Rest, 119).

%% A length of two bytes: OTP 25 and earlier write so.
atom16(<<3:16, A:24, Rest/binary>>, _, Left, Outer, Depth, Nodes, Big, Utf8) when ?IS_NIL(A) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
atom16(<<4:16, A:32, Rest/binary>>, _, Left, Outer, Depth, Nodes, Big, Utf8) when ?IS_TRUE(A) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
atom16(<<5:16, A:32, E, Rest/binary>>, _, Left, Outer, Depth, Nodes, Big, Utf8) when ?IS_FALSE(A, E) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
atom16(<<Rest/binary>>, Tag, _, _, _, _, _, _) -> aldis_etf_fault:value(Rest, Tag).

rare(<<Size, _, _:Size/binary, Rest/binary>>, 110, Left, Outer, Depth, Nodes, Big, Utf8) when Size =< Big ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
rare(<<Size:16, _:Size/binary, Rest/binary>>, 107, Left, Outer, Depth, Nodes, Big, Utf8) when Size =< Nodes ->
    next(Rest, Left, Outer, Depth, Nodes - Size, Big, Utf8);
%% `{bytes, Binary}', with its atom in any form. It takes as much memory as two values.
rare(<<2, Form, 5, "bytes", 109, Size:32, _:Size/binary, Rest/binary>>, 104, Left, Outer, Depth, Nodes, Big, Utf8) when
    Nodes > 0, Form =:= 119 orelse Form =:= 115
->
    next(Rest, Left, Outer, Depth, Nodes - 1, Big, Utf8);
rare(<<2, Form, 5:16, "bytes", 109, Size:32, _:Size/binary, Rest/binary>>, 104, Left, Outer, Depth, Nodes, Big, Utf8) when
    Nodes > 0, Form =:= 118 orelse Form =:= 100
->
    next(Rest, Left, Outer, Depth, Nodes - 1, Big, Utf8);
rare(<<Bin/binary>>, 118, Left, Outer, Depth, Nodes, Big, Utf8) ->
    atom16(Bin, 118, Left, Outer, Depth, Nodes, Big, Utf8);
rare(<<Bin/binary>>, 115, Left, Outer, Depth, Nodes, Big, Utf8) ->
    atom8(Bin, Left, Outer, Depth, Nodes, Big, Utf8);
rare(<<Rest/binary>>, Tag, _, _, _, _, _, _) -> aldis_etf_fault:value(Rest, Tag).

%% Text that ?TEXT has no case for: `Size' more bytes of a map's key or of a value.
text(<<Rest/binary>>, Size, _, _, _, _, _, _, false) -> aldis_etf_fault:text(Rest, Size);
text(<<Rest/binary>>, Size, What, Left, Outer, Depth, Nodes, Big, Utf8) when Size >= ?LONG_TEXT ->
    long_text(Rest, Size, What, Left, Outer, Depth, Nodes, Big, Utf8);
text(<<A:32, B:32, C:32, D:32, Rest/binary>>, Size, What, Left, Outer, Depth, Nodes, Big, Utf8) when
    Size > 15, ?IS_ASCII((A bor B bor C bor D))
->
    text(Rest, Size - 16, What, Left, Outer, Depth, Nodes, Big, Utf8);
text(<<Word:32, Rest/binary>>, Size, What, Left, Outer, Depth, Nodes, Big, Utf8) when Size > 3, ?IS_ASCII(Word) ->
    text(Rest, Size - 4, What, Left, Outer, Depth, Nodes, Big, Utf8);
text(<<Rest/binary>>, 0, key, Left, Outer, Depth, Nodes, Big, Utf8) ->
    value(Rest, Left + 1, Outer, Depth, Nodes, Big, Utf8);
text(<<Rest/binary>>, 0, value, Left, Outer, Depth, Nodes, Big, Utf8) ->
    next(Rest, Left, Outer, Depth, Nodes, Big, Utf8);
text(<<Char/utf8, Rest/binary>>, Size, What, Left, Outer, Depth, Nodes, Big, Utf8) ->
    case Size - octets(Char) of
        Less when Less >= 0 -> text(Rest, Less, What, Left, Outer, Depth, Nodes, Big, Utf8);
        %% A character that ends behind its text.
        Less -> aldis_etf_fault:text(Rest, Less)
    end;
text(<<Rest/binary>>, Size, _, _, _, _, _, _, _) -> aldis_etf_fault:text(Rest, Size).

long_text(Bin, Size, What, Left, Outer, Depth, Nodes, Big, Utf8) ->
    case Bin of
        <<Text:Size/binary, Rest/binary>> ->
            case aldis_etf_text:valid(Text) of
                true -> text(Rest, 0, What, Left, Outer, Depth, Nodes, Big, Utf8);
                false -> aldis_etf_fault:text(Bin, Size)
            end;
        _ -> aldis_etf_fault:text(Bin, Size)
    end.

octets(Char) when Char < 16#80 -> 1;
octets(Char) when Char < 16#800 -> 2;
octets(Char) when Char < 16#10000 -> 3;
octets(_) -> 4.
