%% @doc The short way into messages that are as most writers make them: one segment with nothing behind it, every pointer
%% leads forward to where its object lies, every record has the sizes of the schema. (Cap'n Proto encoding specification,
%% "Pointers", "Lists".)
%%
%% Readers of this way are given the whole message with its table, so that the end of the binary is the end of the
%% segment and every match checks the bounds. They say nothing about what is unexpected: any exception, or a budget below
%% zero, and the message is read again by the readers of {@link aldis_pointer}, which take all that may be and name what
%% may not. `At' is the byte behind a pointer. The budget is in words here, and charges are rounded up.
-module(aldis_direct).

-export([decode/3, text/4, bytes/4, texts/5, byte_lists/5, numbers/7]).
-export([texts_words/1, byte_lists_words/1, put_texts/2, put_byte_lists/2, padded/1, joined/4, joined/6]).

-compile({inline, [text_pointer/2, charge/1]}).
-export_type([root/1, budget/0]).

-define(WORD, 8).
%% `aldis_wire:budget/3' in words, which are 8 bytes as the factor there is 8.
-define(FREE_WORDS, 32768).
%% Bytes of input from which on room on the heap is asked for (`aldis_heap').
-define(LARGE, 16#4000).
%% Bytes from which on texts go the long way when they are written: it copies them once, if ever.
-define(LONG, 16#10000).
%% Bytes up to which a text is copied rather than left a piece of its own.
-define(COPIED, 1024).
%% `Limits::LINK' in words: what a pointer in a list is charged beside its own.
-define(LINK_WORDS, 3).
-define(LIST, 1).
-define(LIST_OF_BYTES, 2).
-define(LIST_OF_POINTERS, 6).

-type half() :: non_neg_integer().
-type budget() :: integer().
-type root(Value) :: fun((half(), half(), binary(), At :: non_neg_integer(), budget()) -> {Value, budget()}).

%% @doc As {@link aldis_message:decode/3}: `Direct' reads the root the short way, `Read' any other.
-spec decode(root(Value), aldis_message:reader(Value), binary()) ->
    {ok, Value, Rest :: binary()} | {error, aldis:reason()}.
decode(Direct, Read, <<0:32, Words:32/little, Low:32/little, High:32/little, _/binary>> = Bin)
        when High > 0, byte_size(Bin) =:= ?WORD * Words + ?WORD, byte_size(Bin) < ?LARGE ->
    try Direct(Low, High, Bin, 2 * ?WORD, budget(Bin)) of
        {Value, Left} when Left >= 0 -> {ok, Value, <<>>};
        _ -> aldis_message:decode(framed, Read, Bin)
    catch
        _:_ -> aldis_message:decode(framed, Read, Bin)
    end;
decode(Direct, Read, <<0:32, Words:32/little, _/binary>> = Bin)
        when byte_size(Bin) > ?WORD * Words + ?WORD, Words > 0 ->
    <<_:64, _:Words/binary-unit:64, Rest/binary>> = Bin,
    case decode(Direct, Read, binary_part(Bin, 0, ?WORD * Words + ?WORD)) of
        {ok, Value, <<>>} -> {ok, Value, Rest};
        %% The bytes that follow count towards the budget.
        {error, _} -> aldis_message:decode(framed, Read, Bin)
    end;
decode(Direct, Read, <<0:32, Words:32/little, Low:32/little, High:32/little, _/binary>> = Bin)
        when High > 0, byte_size(Bin) =:= ?WORD * Words + ?WORD ->
    Heap = aldis_heap:enter(Bin),
    try Direct(Low, High, Bin, 2 * ?WORD, budget(Bin)) of
        {Value, Left} when Left >= 0 -> {ok, Value, <<>>};
        _ -> aldis_message:decode(framed, Read, Bin)
    catch
        _:_ -> aldis_message:decode(framed, Read, Bin)
    after
        aldis_heap:leave(Heap)
    end;
decode(_, Read, Bin) -> aldis_message:decode(framed, Read, Bin).

budget(Bin) -> byte_size(Bin) + ?FREE_WORDS.

%% @doc Text, without the zero byte at its end.
-spec text(half(), half(), binary(), non_neg_integer()) -> binary() | undefined.
text(0, 0, _, _) -> undefined;
text(Low, High, Bin, At) when Low band 3 =:= ?LIST, High band 7 =:= ?LIST_OF_BYTES ->
    %% Eight bytes for each of the offset's words.
    Start = At + 2 * Low - 2,
    Length = High bsr 3 - 1,
    <<_:Start/binary, Text:Length/binary, 0, _/binary>> = Bin,
    Text.

%% @doc Bytes.
-spec bytes(half(), half(), binary(), non_neg_integer()) -> binary() | undefined.
bytes(0, 0, _, _) -> undefined;
bytes(Low, High, Bin, At) when Low band 3 =:= ?LIST, High band 7 =:= ?LIST_OF_BYTES ->
    binary_part(Bin, At + 2 * Low - 2, High bsr 3).

%% @doc A list of texts.
-spec texts(half(), half(), binary(), non_neg_integer(), budget()) -> {[binary() | undefined] | undefined, budget()}.
texts(0, 0, _, _, Budget) -> {undefined, Budget};
texts(Low, High, Bin, At, Budget) when Low band 3 =:= ?LIST, High band 7 =:= ?LIST_OF_POINTERS ->
    Start = At + 2 * Low - 2,
    each_text(pointers(Start, High bsr 3, Bin), Bin, Start + ?WORD, Budget - charge(High), []).

each_text(<<Low:32/little, High:32/little, Pointers/binary>>, Bin, At, Budget, Acc) when Budget >= 0 ->
    %% High is eight times the bytes and 2, or 0.
    each_text(Pointers, Bin, At + ?WORD, Budget - ((High + 56) bsr 6), [text(Low, High, Bin, At) | Acc]);
each_text(<<>>, _, _, Budget, Acc) when Budget >= 0 -> {lists:reverse(Acc), Budget}.

%% @doc A list of bytes.
-spec byte_lists(half(), half(), binary(), non_neg_integer(), budget()) ->
    {[binary() | undefined] | undefined, budget()}.
byte_lists(0, 0, _, _, Budget) -> {undefined, Budget};
byte_lists(Low, High, Bin, At, Budget) when Low band 3 =:= ?LIST, High band 7 =:= ?LIST_OF_POINTERS ->
    Start = At + 2 * Low - 2,
    each_bytes(pointers(Start, High bsr 3, Bin), Bin, Start + ?WORD, Budget - charge(High), []).

each_bytes(<<Low:32/little, High:32/little, Pointers/binary>>, Bin, At, Budget, Acc) when Budget >= 0 ->
    each_bytes(Pointers, Bin, At + ?WORD, Budget - ((High + 56) bsr 6), [bytes(Low, High, Bin, At) | Acc]);
each_bytes(<<>>, _, _, Budget, Acc) when Budget >= 0 -> {lists:reverse(Acc), Budget}.

pointers(Start, Count, Bin) ->
    <<_:Start/binary, Pointers:Count/binary-unit:64, _/binary>> = Bin,
    aldis_heap:reserve(byte_size(Pointers), 4 * Count),
    Pointers.

%% The charge for a list of so many pointers.
charge(High) -> (High bsr 3) * (1 + ?LINK_WORDS).

%% @doc The table of a list of numbers of `Width' bytes, whose size has this code, and the budget that is left. What
%% becomes of it is paid for before it is made.
-spec numbers(Width :: 1 | 2 | 4 | 8, Code :: 2..5, half(), half(), binary(), non_neg_integer(), budget()) ->
    {Table :: binary(), budget()}.
numbers(Width, Code, Low, High, Bin, At, Budget)
        when Low band 3 =:= ?LIST, High band 7 =:= Code, Budget > High bsr 3 ->
    Count = High bsr 3,
    Size = Width * Count,
    aldis_heap:reserve(Size, element_words(Width) * Count),
    %% A number is charged a word at least, and the last word is a whole one.
    {binary_part(Bin, At + 2 * Low - 2, Size), Budget - Count - 1}.

%% Two words of a list, and two more of what may be no small integer.
element_words(Width) when Width < 4 -> 2;
element_words(_) -> 4.

%%% Writing: what the short way in generated writers calls. Whatever is no binary or no list raises an exception, and so
%%% does what is long.

%% @doc Words of a list of texts with its pointers; none for null.
-spec texts_words(term()) -> non_neg_integer().
texts_words(undefined) -> 0;
texts_words(Texts) -> blobs_words(Texts, 1, length(Texts)).

%% @doc Words of a list of bytes with its pointers; none for null.
-spec byte_lists_words(term()) -> non_neg_integer().
byte_lists_words(undefined) -> 0;
byte_lists_words(Blobs) -> blobs_words(Blobs, 0, length(Blobs)).

%% `Zero' is the byte behind each text.
blobs_words([undefined | Blobs], Zero, Words) -> blobs_words(Blobs, Zero, Words);
blobs_words([Blob | Blobs], Zero, Words) when byte_size(Blob) < ?LONG ->
    blobs_words(Blobs, Zero, Words + ((byte_size(Blob) + Zero + 7) bsr 3));
blobs_words([], _, Words) -> Words.

%% @doc A message with a list of texts behind it.
-spec put_texts(term(), binary()) -> binary().
put_texts([], Acc) -> Acc;
put_texts([A], Acc) when is_binary(A) ->
    Size = byte_size(A),
    true = Size < ?LONG,
    <<Acc/binary, (text_pointer(Size, 0)):64/little, A/binary, 0:(8 - Size band 7)/unit:8>>;
put_texts([A, B], Acc) when is_binary(A), is_binary(B) ->
    SizeA = byte_size(A),
    SizeB = byte_size(B),
    true = SizeA bor SizeB < ?LONG,
    <<
        Acc/binary,
        (text_pointer(SizeA, 1)):64/little,
        (text_pointer(SizeB, (SizeA bsr 3) + 1)):64/little,
        A/binary, 0:(8 - SizeA band 7)/unit:8,
        B/binary, 0:(8 - SizeB band 7)/unit:8
    >>;
put_texts(undefined, Acc) -> Acc;
put_texts(Texts, Acc) -> put_blobs(Texts, 1, blob_pointers(Texts, 1, length(Texts) - 1, Acc)).

%% `Place' is how many words lie between the pointer and its text, which has a zero byte behind it.
text_pointer(Size, Place) -> ((Size + 1) bsl 35) + (Place bsl 2) + (?LIST_OF_BYTES bsl 32) + ?LIST.

%% @doc A message with a list of bytes behind it.
-spec put_byte_lists(term(), binary()) -> binary().
put_byte_lists(undefined, Acc) -> Acc;
put_byte_lists(Blobs, Acc) -> put_blobs(Blobs, 0, blob_pointers(Blobs, 0, length(Blobs) - 1, Acc)).

%% `Place' is how many words lie between a pointer and what the next object would be.
blob_pointers([undefined | Blobs], Zero, Place, Acc) -> blob_pointers(Blobs, Zero, Place - 1, <<Acc/binary, 0:64>>);
blob_pointers([Blob | Blobs], Zero, Place, Acc) when byte_size(Blob) < ?LONG ->
    Count = byte_size(Blob) + Zero,
    Pointer = (Count bsl 35) + (Place bsl 2) + (?LIST_OF_BYTES bsl 32) + ?LIST,
    blob_pointers(Blobs, Zero, Place - 1 + ((Count + 7) bsr 3), <<Acc/binary, Pointer:64/little>>);
blob_pointers([], _, _, Acc) -> Acc.

put_blobs([undefined | Blobs], Zero, Acc) -> put_blobs(Blobs, Zero, Acc);
put_blobs([Blob | Blobs], Zero, Acc) ->
    Padding = Zero + (-(byte_size(Blob) + Zero) band 7),
    put_blobs(Blobs, Zero, <<Acc/binary, Blob/binary, 0:Padding/unit:8>>);
put_blobs([], _, Acc) -> Acc.

%% @doc A message with zeros behind it up to a whole word.
-spec padded(binary()) -> binary().
padded(Acc) ->
    case -byte_size(Acc) band 7 of
        0 -> Acc;
        Padding -> <<Acc/binary, 0:Padding/unit:8>>
    end.

%% @doc A message of so many words: what is in front of records, their sections, the last one first, and what is behind
%% them. Of few records it is one binary, which takes less time now than later. (It begins with a number: a construction
%% that begins with a binary would be one that grows.)
-spec joined(Words :: pos_integer(), Head :: binary(), Sections :: [binary()], binary()) -> iodata().
joined(Words, Head, [A], Rest) -> <<(Words bsl 32):64/little, Head/binary, A/binary, Rest/binary>>;
joined(Words, Head, [B, A], Rest) -> <<(Words bsl 32):64/little, Head/binary, A/binary, B/binary, Rest/binary>>;
joined(Words, Head, [C, B, A], Rest) ->
    <<(Words bsl 32):64/little, Head/binary, A/binary, B/binary, C/binary, Rest/binary>>;
joined(Words, Head, [D, C, B, A], Rest) ->
    <<(Words bsl 32):64/little, Head/binary, A/binary, B/binary, C/binary, D/binary, Rest/binary>>;
joined(Words, Head, [E, D, C, B, A], Rest) ->
    <<(Words bsl 32):64/little, Head/binary, A/binary, B/binary, C/binary, D/binary, E/binary, Rest/binary>>;
joined(Words, Head, [F, E, D, C, B, A], Rest) ->
    <<(Words bsl 32):64/little, Head/binary, A/binary, B/binary, C/binary, D/binary, E/binary, F/binary, Rest/binary>>;
joined(Words, Head, [G, F, E, D, C, B, A], Rest) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary, E/binary, F/binary, G/binary, Rest/binary
    >>;
joined(Words, Head, [H, G, F, E, D, C, B, A], Rest) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary, E/binary, F/binary, G/binary, H/binary, Rest/binary
    >>;
joined(Words, Head, Sections, Rest) -> [<<(Words bsl 32):64/little>>, Head, lists:reverse(Sections), Rest].

%% @doc As {@link joined/4}, with a text or bytes and their padding behind. Long ones are not copied.
-spec joined(pos_integer(), binary(), [binary()], binary(), Blob :: binary(), Padding :: binary()) -> iodata().
joined(Words, Head, Sections, Rest, Blob, Padding) when byte_size(Blob) > ?COPIED ->
    [joined(Words, Head, Sections, Rest), Blob, Padding];
joined(Words, Head, [A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [C, B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [D, C, B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [E, D, C, B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary, E/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [F, E, D, C, B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary, E/binary, F/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [G, F, E, D, C, B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary, E/binary, F/binary, G/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, [H, G, F, E, D, C, B, A], Rest, Blob, Padding) ->
    <<
        (Words bsl 32):64/little, Head/binary,
        A/binary, B/binary, C/binary, D/binary, E/binary, F/binary, G/binary, H/binary,
        Rest/binary, Blob/binary, Padding/binary
    >>;
joined(Words, Head, Sections, Rest, Blob, Padding) ->
    [joined(Words, Head, Sections, Rest), Blob, Padding].
