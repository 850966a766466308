%% @doc Packing: a tag byte tells which bytes of a word are not zero; runs of words follow the tags 0 and 255.
%% (Cap'n Proto encoding specification, "Packing".)
-module(aldis_packing).

-export([pack/1, unpack/2]).

-define(WORD, 8).
-define(LONGEST_RUN, 255).

%% @doc The packed form of whole words.
-spec pack(binary()) -> iodata().
pack(Words) -> lists:reverse(pack(Words, [])).

pack(<<0:64, Rest/binary>>, Acc) ->
    Run = zeros(Rest, 0),
    <<_:Run/binary-unit:64, More/binary>> = Rest,
    pack(More, [<<0, Run>> | Acc]);
pack(<<A, B, C, D, E, F, G, H, Rest/binary>>, Acc) ->
    case <<(bit(H)):1, (bit(G)):1, (bit(F)):1, (bit(E)):1, (bit(D)):1, (bit(C)):1, (bit(B)):1, (bit(A)):1>> of
        <<255>> ->
            Run = dense(Rest, 0),
            <<Verbatim:Run/binary-unit:64, More/binary>> = Rest,
            pack(More, [[<<255, A, B, C, D, E, F, G, H, Run>>, Verbatim] | Acc]);
        Tag ->
            pack(Rest, [[Tag | [Byte || Byte <- [A, B, C, D, E, F, G, H], Byte =/= 0]] | Acc])
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
    {FirstWord, Rest1} = table(1, Bin, Bin, Most, 1),
    <<Number:4/binary, _/binary>> = First = iolist_to_binary(FirstWord),
    Count = aldis_segments:count(Number),
    Words = aldis_segments:words(Count),
    {Others, Rest2} = table(Words - 1, Rest1, Bin, Most, Words),
    Table = iolist_to_binary([First | Others]),
    <<_:4/binary, Sizes:Count/binary-unit:32, _/binary>> = Table,
    Content = lists:sum([Size || <<Size:32/little>> <= Sizes]),
    {Segments, Rest3} = table(Content, Rest2, Bin, Most, Words + Content),
    {iolist_to_binary([Table | Segments]), Rest3}.

%% The next `Wanted' words, which end a part of the message; with them there are `Total'.
table(_, Rest, Bin, Most, Total) when Total > Most -> refuse(too_large, Rest, Bin);
table(Wanted, Rest, Bin, _, _) -> words(Wanted, Rest, Bin, []).

words(0, Rest, _, Acc) -> {lists:reverse(Acc), Rest};
words(Wanted, <<0, Run, Rest/binary>>, Bin, Acc) ->
    within(Run, Wanted, Rest, Bin),
    words(Wanted - 1 - Run, Rest, Bin, [<<0:(Run + 1)/unit:64>> | Acc]);
words(Wanted, <<255, Word:8/binary, Run, Rest/binary>>, Bin, Acc) ->
    Given = min(Run, Wanted - 1),
    case Rest of
        <<Words:Given/binary-unit:64, More/binary>> ->
            within(Run, Wanted, More, Bin),
            words(Wanted - 1 - Run, More, Bin, [Words, Word | Acc]);
        _ -> refuse(truncated, Rest, Bin)
    end;
words(Wanted, <<Tag, Rest/binary>>, Bin, Acc) when Tag =/= 0, Tag =/= 255 ->
    {Word, More} = word(Tag, 8, Rest, Bin, <<>>),
    words(Wanted - 1, More, Bin, [Word | Acc]);
words(_, Rest, Bin, _) -> refuse(truncated, Rest, Bin).

within(Run, Wanted, _, _) when Run < Wanted -> ok;
within(_, _, Rest, Bin) -> refuse(bad_value, Rest, Bin).

word(_, 0, Rest, _, Word) -> {Word, Rest};
word(Tag, Left, <<Byte, Rest/binary>>, Bin, Word) when Tag band 1 =:= 1 ->
    word(Tag bsr 1, Left - 1, Rest, Bin, <<Word/binary, Byte>>);
word(Tag, Left, Rest, Bin, Word) when Tag band 1 =:= 0 ->
    word(Tag bsr 1, Left - 1, Rest, Bin, <<Word/binary, 0>>);
word(_, _, Rest, Bin, _) -> refuse(truncated, Rest, Bin).

-spec refuse(aldis:code(), binary(), binary()) -> no_return().
refuse(Code, Rest, Bin) -> aldis_fault:raise(Code, {at, byte_size(Bin) - byte_size(Rest)}, []).
