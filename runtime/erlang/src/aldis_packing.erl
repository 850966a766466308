%% @doc Packing: a tag byte tells which bytes of a word are not zero; runs of words follow the tags 0 and 255.
%% (Cap'n Proto encoding specification, "Packing".)
-module(aldis_packing).

-export([pack/1, unpack/2, head/1, skip/2]).
-export_type([place/0]).

-type place() :: {tag | zeros | verbatim, Words :: non_neg_integer()} | {bytes, pos_integer(), place()}.
%% The place to which a packed message has been walked: before a tag, before the count of a run of either kind, or before so many bytes
%% that are as they are; and how many words are still to come.

-define(WORD, 8).
-define(LONGEST_RUN, 255).
%% Words of a table of more segments than there may be.
-define(LARGEST_TABLE, 256).

%% @doc The packed form of whole words.
-spec pack(binary()) -> binary().
pack(Words) -> pack(Words, <<>>).

%% A segment of no bits matches as zero and writes nothing.
pack(<<0:64, Rest/binary>>, Acc) ->
    Run = zeros(Rest, 0),
    <<_:Run/binary-unit:64, More/binary>> = Rest,
    pack(More, <<Acc/binary, 0, Run>>);
pack(<<A, B, C, D, E, F, G, H, Rest/binary>>, Acc) ->
    As = bit(A), Bs = bit(B), Cs = bit(C), Ds = bit(D), Es = bit(E), Fs = bit(F), Gs = bit(G), Hs = bit(H),
    case As + Bs + Cs + Ds + Es + Fs + Gs + Hs of
        ?WORD ->
            Run = dense(Rest, 0),
            <<Verbatim:Run/binary-unit:64, More/binary>> = Rest,
            pack(More, <<Acc/binary, 255, A, B, C, D, E, F, G, H, Run, Verbatim/binary>>);
        _ ->
            Tag = <<Hs:1, Gs:1, Fs:1, Es:1, Ds:1, Cs:1, Bs:1, As:1>>,
            pack(Rest, <<Acc/binary, Tag/binary,
                A:As/unit:8, B:Bs/unit:8, C:Cs/unit:8, D:Ds/unit:8,
                E:Es/unit:8, F:Fs/unit:8, G:Gs/unit:8, H:Hs/unit:8>>)
    end;
pack(<<>>, Acc) -> Acc.

bit(0) -> 0;
bit(_) -> 1.

zeros(<<0:64, Rest/binary>>, Run) when Run < ?LONGEST_RUN -> zeros(Rest, Run + 1);
zeros(_, Run) -> Run.

%% The reference goes on while a word has at most one zero byte.
dense(<<A, B, C, D, E, F, G, H, Rest/binary>>, Run) when Run < ?LONGEST_RUN ->
    case bit(A) + bit(B) + bit(C) + bit(D) + bit(E) + bit(F) + bit(G) + bit(H) of
        Bytes when Bytes >= 7 -> dense(Rest, Run + 1);
        _ -> Run
    end;
dense(_, Run) -> Run.

%% @doc The message that begins packed at `Bin', its table in front, and what follows it. More than `Limit' bytes are
%% `too_large'; a run that goes beyond the table or the message is `bad_value'.
-spec unpack(binary(), non_neg_integer()) -> {binary(), Rest :: binary()}.
unpack(Bin, Limit) ->
    Most = Limit div ?WORD,
    {Table, Content, Rest} = whole_table(Bin, Most),
    {Segments, Rest1} = table(Content, Rest, Bin, Most, byte_size(Table) div ?WORD + Content),
    %% A binary of the message's own size, without the room to grow that appending leaves.
    {iolist_to_binary([Table, Segments]), Rest1}.

%% The unpacked table, how many words follow it, and what is packed behind it.
whole_table(Bin, Most) ->
    {<<Number:4/binary, _/binary>> = First, Rest1} = table(1, Bin, Bin, Most, 1),
    Count = aldis_segments:count(Number),
    Words = aldis_segments:words(Count),
    {Others, Rest2} = table(Words - 1, Rest1, Bin, Most, Words),
    Table = <<First/binary, Others/binary>>,
    <<_:4/binary, Sizes:Count/binary-unit:32, _/binary>> = Table,
    {Table, lists:sum([Size || <<Size:32/little>> <= Sizes]), Rest2}.

%% @doc The numbers in the table of a packed message: the bytes of the whole message unpacked, the words that follow the table, and
%% what is packed behind it. `more' where the table is not all there.
-spec head(binary()) ->
    {ok, Size :: pos_integer(), Words :: non_neg_integer(), Rest :: binary()} | more | {error, aldis:code()}.
head(Bin) ->
    try
        {Table, Content, Rest} = whole_table(Bin, ?LARGEST_TABLE),
        {ok, byte_size(Table) + ?WORD * Content, Content, Rest}
    catch
        throw:{aldis_fault, truncated, _, _} -> more;
        throw:{aldis_fault, Code, _, _} -> {error, Code}
    end.

%% @doc Walks over what is packed, without unpacking it, until all words have been or the bytes end: `done' with what follows,
%% `more' with where it goes on.
-spec skip(binary(), place()) -> {done, Rest :: binary()} | {more, place()} | {error, bad_value}.
skip(Bin, {tag, 0}) -> {done, Bin};
skip(<<0, Rest/binary>>, {tag, Words}) -> skip(Rest, {zeros, Words - 1});
skip(<<255, Rest/binary>>, {tag, Words}) -> skip(Rest, {bytes, ?WORD, {verbatim, Words - 1}});
skip(<<Tag, Rest/binary>>, {tag, Words}) -> skip(Rest, {bytes, bits(Tag), {tag, Words - 1}});
skip(<<Run, Rest/binary>>, {zeros, Words}) when Run =< Words -> skip(Rest, {tag, Words - Run});
skip(<<0, Rest/binary>>, {verbatim, Words}) -> skip(Rest, {tag, Words});
skip(<<Run, Rest/binary>>, {verbatim, Words}) when Run =< Words -> skip(Rest, {bytes, Run * ?WORD, {tag, Words - Run}});
skip(Bin, {bytes, Count, Next}) ->
    case Bin of
        <<_:Count/binary, Rest/binary>> -> skip(Rest, Next);
        _ -> {more, {bytes, Count - byte_size(Bin), Next}}
    end;
skip(<<>>, Place) -> {more, Place};
skip(_, _) -> {error, bad_value}.

bits(Tag) ->
    <<A:1, B:1, C:1, D:1, E:1, F:1, G:1, H:1>> = <<Tag>>,
    A + B + C + D + E + F + G + H.

%% The next `Wanted' words, which end a part of the message; with them there are `Total'.
table(_, Rest, Bin, Most, Total) when Total > Most -> refuse(too_large, Rest, Bin);
table(Wanted, Rest, Bin, _, _) -> words(Wanted, Rest, Bin, <<>>).

words(0, Rest, _, Acc) -> {Acc, Rest};
words(Wanted, <<0, Run, Rest/binary>>, Bin, Acc) ->
    within(Run, Wanted, Rest, Bin),
    words(Wanted - 1 - Run, Rest, Bin, <<Acc/binary, 0:(Run + 1)/unit:64>>);
words(Wanted, <<255, Word:8/binary, Run, Rest/binary>>, Bin, Acc) ->
    Given = min(Run, Wanted - 1),
    case Rest of
        <<Words:Given/binary-unit:64, More/binary>> ->
            within(Run, Wanted, More, Bin),
            words(Wanted - 1 - Run, More, Bin, <<Acc/binary, Word/binary, Words/binary>>);
        _ -> refuse(truncated, Rest, Bin)
    end;
words(Wanted, <<H:1, G:1, F:1, E:1, D:1, C:1, B:1, A:1, Rest/binary>>, Bin, Acc)
        when A + B + C + D + E + F + G + H > 0, A + B + C + D + E + F + G + H < ?WORD ->
    %% A segment of no bits is zero.
    case Rest of
        <<Ab:A/unit:8, Bb:B/unit:8, Cb:C/unit:8, Db:D/unit:8, Eb:E/unit:8, Fb:F/unit:8, Gb:G/unit:8, Hb:H/unit:8,
            More/binary>> ->
            words(Wanted - 1, More, Bin, <<Acc/binary, Ab, Bb, Cb, Db, Eb, Fb, Gb, Hb>>);
        _ -> refuse(truncated, Rest, Bin)
    end;
words(_, Rest, Bin, _) -> refuse(truncated, Rest, Bin).

within(Run, Wanted, _, _) when Run < Wanted -> ok;
within(_, _, Rest, Bin) -> refuse(bad_value, Rest, Bin).

-spec refuse(aldis:code(), binary(), binary()) -> no_return().
refuse(Code, Rest, Bin) -> aldis_fault:raise(Code, {at, byte_size(Bin) - byte_size(Rest)}, []).
