%% @doc The code that a careful person would write by hand for the shapes of Cap'n Proto that are measured: straight-line code for
%% one schema, one segment, and records of exactly the schema's size. Encoders check nothing. Decoders rely on their
%% matches and crash on anything else.
%%
%% These peers were written before the generator was tuned and stay as they are.
-module(capnp_peer).

-include("ints.hrl").
-include("texts.hrl").
-include("nested.hrl").
-include("addressbook.hrl").

-export([ints/0, encode_ints/1, decode_ints/1, texts/0, encode_texts/1, decode_texts/1]).
-export([outer/0, encode_outer/1, decode_outer/1, book_of_2/0, book_of_50/0, encode_book/1, decode_book/1]).
-export([c/1, first/1, inner/1]).

-compile({inline, [words/1, pointer/2, pointer_to_text/2, padded/2, employment_tag/1, phone_type/1]}).

%%% Seven ints

encode_ints(#'Ints'{a = A, b = B, c = C, d = D, e = E, f = F, g = G}) ->
    <<
        0:32, 5:32/little,
        0:32, 4:16/little, 0:16,
        A:64/little, B:64/little, C:32/little, D:32/little, E:16/little, F:16/little, G:8, 0:24
    >>.

decode_ints(<<
        0:32, 5:32/little,
        0:32, 4:16/little, 0:16,
        A:64/little, B:64/little-signed, C:32/little, D:32/little-signed, E:16/little, F:16/little-signed, G:8, _:24,
        _/binary
    >>) ->
    #'Ints'{a = A, b = B, c = C, d = D, e = E, f = F, g = G}.

%%% Two texts

encode_texts(#'Texts'{first = First, second = Second}) ->
    FirstSize = byte_size(First),
    SecondSize = byte_size(Second),
    FirstWords = FirstSize bsr 3 + 1,
    SecondWords = SecondSize bsr 3 + 1,
    FirstPadding = FirstWords * 8 - FirstSize,
    SecondPadding = SecondWords * 8 - SecondSize,
    <<
        0:32, (3 + FirstWords + SecondWords):32/little,
        0:32, 0:16, 2:16/little,
        (pointer_to_text(1, FirstSize)):64/little,
        (pointer_to_text(FirstWords, SecondSize)):64/little,
        First/binary, 0:FirstPadding/unit:8,
        Second/binary, 0:SecondPadding/unit:8
    >>.

%% The pointer's word: offset in words, kind 1, elements of a byte, the count with the zero byte.
pointer_to_text(Offset, Size) -> ((Size + 1) bsl 35) + (Offset bsl 2) + 16#200000001.

decode_texts(<<
        0:32, _:32,
        0:32, 0:16, 2:16/little,
        FirstLow:32/little, FirstHigh:32/little,
        SecondLow:32/little, SecondHigh:32/little,
        _/binary
    >> = Bin) ->
    First = text(Bin, 24, FirstLow, FirstHigh),
    Second = text(Bin, 32, SecondLow, SecondHigh),
    #'Texts'{first = First, second = Second}.

%% The text behind a pointer that ends at `At'.
text(Bin, At, Low, High) when Low band 3 =:= 1, High band 7 =:= 2 ->
    Start = At + (Low bsr 2) * 8,
    Length = High bsr 3 - 1,
    <<_:Start/binary, Text:Length/binary, 0, _/binary>> = Bin,
    Text;
text(_, _, 0, 0) -> undefined.

%%% The address book: objects in pre-order, the sections of a list's records first. One binary grows; how long what follows
%%% will be is reckoned before.

encode_book(#'AddressBook'{people = People}) ->
    Count = length(People),
    %% The root's pointer, its record, the list's tag.
    First = 3 + 5 * Count,
    End = people_end(People, First),
    Head = <<
        0:32, End:32/little,
        0:32, 0:16, 1:16/little,
        1:32/little, ((Count * 5 bsl 3) + 7):32/little,
        (Count bsl 2):32/little, 1:16/little, 4:16/little
    >>,
    people_objects(People, people_sections(People, 3, First, Head)).

people_end([Person | People], Next) -> people_end(People, Next + person_words(Person));
people_end([], Next) -> Next.

person_words(#'Person'{name = Name, email = Email, phones = Phones, employment = {_, Text}}) ->
    phones_words(Phones, words(Name) + words(Email) + words(Text) + 1).

phones_words([#'Person_PhoneNumber'{number = Number} | Phones], Words) ->
    phones_words(Phones, Words + 2 + words(Number));
phones_words([], Words) -> Words.

people_sections([Person | People], At, Next, Acc) ->
    #'Person'{id = Id, name = Name, email = Email, phones = Phones, employment = {Arm, Text}} = Person,
    NameEnd = Next + words(Name),
    PhonesAt = NameEnd + words(Email),
    TextAt = phones_words(Phones, PhonesAt + 1),
    people_sections(People, At + 5, TextAt + words(Text), <<
        Acc/binary,
        Id:32/little, (employment_tag(Arm)):16/little, 0:16,
        (pointer(Next - At - 2, Name)):64/little,
        (pointer(NameEnd - At - 3, Email)):64/little,
        ((length(Phones) * 2 bsl 35) + ((PhonesAt - At - 4) bsl 2) + 16#700000001):64/little,
        (pointer(TextAt - At - 5, Text)):64/little
    >>);
people_sections([], _, _, Acc) -> Acc.

people_objects([Person | People], Acc) ->
    #'Person'{name = Name, email = Email, phones = Phones, employment = {_, Text}} = Person,
    Count = length(Phones),
    NameSize = byte_size(Name),
    EmailSize = byte_size(Email),
    Acc1 = <<
        Acc/binary,
        Name/binary, 0:(8 - NameSize band 7)/unit:8,
        Email/binary, 0:(8 - EmailSize band 7)/unit:8,
        ((Count bsl 2) + 16#1000100000000):64/little
    >>,
    Acc2 = phone_objects(Phones, phone_sections(Phones, 2 * Count, Acc1)),
    people_objects(People, padded(Text, Acc2));
people_objects([], Acc) -> Acc.

%% Each section lies two words further than the one before it, and its object so many words further.
phone_sections([#'Person_PhoneNumber'{number = Number, type = Type} | Phones], Distance, Acc) ->
    phone_sections(Phones, Distance - 2 + words(Number),
        <<Acc/binary, (phone_type(Type)):16/little, 0:48, (pointer(Distance - 2, Number)):64/little>>);
phone_sections([], _, Acc) -> Acc.

phone_objects([#'Person_PhoneNumber'{number = Number} | Phones], Acc) -> phone_objects(Phones, padded(Number, Acc));
phone_objects([], Acc) -> Acc.

phone_type(mobile) -> 0;
phone_type(home) -> 1;
phone_type(work) -> 2.

employment_tag(unemployed) -> 0;
employment_tag(employer) -> 1;
employment_tag(school) -> 2;
employment_tag(selfEmployed) -> 3.

words(undefined) -> 0;
words(Text) -> byte_size(Text) bsr 3 + 1.

pointer(_, undefined) -> 0;
pointer(Offset, Text) -> pointer_to_text(Offset, byte_size(Text)).

padded(undefined, Acc) -> Acc;
padded(Text, Acc) -> <<Acc/binary, Text/binary, 0:(8 - byte_size(Text) band 7)/unit:8>>.

decode_book(<<
        0:32, _:32,
        0:32, 0:16, 1:16/little,
        Low:32/little, High:32/little,
        _/binary
    >> = Bin) when Low band 3 =:= 1, High band 7 =:= 7 ->
    Start = 24 + (Low bsr 2) * 8,
    <<_:Start/binary, Tag:32/little, 1:16/little, 4:16/little, People/binary>> = Bin,
    #'AddressBook'{people = read_people(Tag bsr 2, People, Bin, Start + 8)}.

read_people(0, _, _, _) -> [];
read_people(Left, <<
        Id:32/little, Tag:16/little, _:16,
        NameLow:32/little, NameHigh:32/little,
        EmailLow:32/little, EmailHigh:32/little,
        PhonesLow:32/little, PhonesHigh:32/little,
        TextLow:32/little, TextHigh:32/little,
        People/binary
    >>, Bin, At) ->
    Name = text(Bin, At + 16, NameLow, NameHigh),
    Email = text(Bin, At + 24, EmailLow, EmailHigh),
    Phones = phones(Bin, At + 32, PhonesLow, PhonesHigh),
    Employment = case Tag of
        0 -> {unemployed, undefined};
        1 -> {employer, text(Bin, At + 40, TextLow, TextHigh)};
        2 -> {school, text(Bin, At + 40, TextLow, TextHigh)};
        3 -> {selfEmployed, undefined}
    end,
    Person = #'Person'{id = Id, name = Name, email = Email, phones = Phones, employment = Employment},
    [Person | read_people(Left - 1, People, Bin, At + 40)].

phones(Bin, At, Low, High) when Low band 3 =:= 1, High band 7 =:= 7 ->
    Start = At + (Low bsr 2) * 8,
    <<_:Start/binary, Tag:32/little, 1:16/little, 1:16/little, Phones/binary>> = Bin,
    read_phones(Tag bsr 2, Phones, Bin, Start + 8).

read_phones(0, _, _, _) -> [];
read_phones(Left, <<Type:16/little, _:48, Low:32/little, High:32/little, Phones/binary>>, Bin, At) ->
    Number = text(Bin, At + 16, Low, High),
    Phone = #'Person_PhoneNumber'{number = Number, type = phone_type_of(Type)},
    [Phone | read_phones(Left - 1, Phones, Bin, At + 16)].

phone_type_of(0) -> mobile;
phone_type_of(1) -> home;
phone_type_of(2) -> work.

%%% One field in place

c(<<0:32, _:32, 0:32, 4:16/little, 0:16, _:16/binary, C:32/little, _/binary>>) -> C.

first(<<0:32, _:32, 0:32, 0:16, 2:16/little, Low:32/little, High:32/little, _/binary>> = Bin) -> text(Bin, 24, Low, High).

%% Two pointers on the way: to the record, and to its text.
inner(<<0:32, _:32, 0:32, 0:16, 1:16/little, Low:32/little, 1:16/little, 1:16/little, _/binary>> = Bin)
        when Low band 3 =:= 0 ->
    At = 24 + (Low bsr 2) * 8,
    <<_:At/binary, Number:32/little, _:32, NoteLow:32/little, NoteHigh:32/little, _/binary>> = Bin,
    #'Inner'{number = Number, note = text(Bin, At + 16, NoteLow, NoteHigh)}.

%%% The functions that are measured

ints() -> #'Ints'{a = 123456789, b = -5, c = 77777, d = -3, e = 1000, f = -20, g = 9}.

texts() -> #'Texts'{first = <<"Alexandria">>, second = <<"a second text of some size">>}.

outer() -> #'Outer'{inner = #'Inner'{number = 5, note = <<"take care of it">>}}.

encode_outer(#'Outer'{inner = #'Inner'{number = Number, note = Note}}) ->
    Size = byte_size(Note),
    <<
        0:32, (4 + words(Note)):32/little,
        0:32, 0:16, 1:16/little,
        0:32, 1:16/little, 1:16/little,
        Number:32/little, 0:32,
        (pointer_to_text(0, Size)):64/little,
        Note/binary, 0:(8 - Size band 7)/unit:8
    >>.

decode_outer(Bin) -> #'Outer'{inner = inner(Bin)}.

%% The address book that the reference's documentation shows.
book_of_2() ->
    #'AddressBook'{people = [
        #'Person'{
            id = 123, name = <<"Alice">>, email = <<"alice@example.com">>,
            phones = [#'Person_PhoneNumber'{number = <<"555-1212">>, type = mobile}],
            employment = {school, <<"MIT">>}
        },
        #'Person'{
            id = 456, name = <<"Bob">>, email = <<"bob@example.com">>,
            phones = [
                #'Person_PhoneNumber'{number = <<"555-4567">>, type = home},
                #'Person_PhoneNumber'{number = <<"555-7654">>, type = work}
            ],
            employment = {unemployed, undefined}
        }
    ]}.

%% People of all four employments, with up to three telephones.
book_of_50() -> #'AddressBook'{people = [person(Index) || Index <- lists:seq(0, 49)]}.

person(Index) ->
    Number = integer_to_binary(Index),
    #'Person'{
        id = 123 + Index * 7919,
        name = <<"Person ", Number/binary>>,
        email = <<"p", Number/binary, "@example.com">>,
        phones = [
            #'Person_PhoneNumber'{
                number = iolist_to_binary(io_lib:format("555-~4..0b-~b", [Index, Nth])),
                type = phone_type_of((Index + Nth) rem 3)
            }
            || Nth <- lists:seq(1, Index rem 4)
        ],
        employment = case Index rem 4 of
            0 -> {unemployed, undefined};
            1 -> {employer, <<"Works No. ", Number/binary>>};
            2 -> {school, <<"MIT">>};
            3 -> {selfEmployed, undefined}
        end
    }.
