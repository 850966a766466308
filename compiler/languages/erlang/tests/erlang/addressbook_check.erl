%% @doc Address books that the reference's command wrote, read and written again.
-module(addressbook_check).

-include("addressbook.hrl").

-export([main/0]).

%% @doc Prints how many books came back as they were, or stops the system with the first that did not.
-spec main() -> no_return().
main() ->
    Results = [Result || People <- [2, 50], Result <- book(People)],
    [halt(1) || false <- Results],
    io:format("~b~n", [length(Results)]),
    halt(0).

book(People) ->
    {ok, Bin} = file:read_file(name(People, "bin")),
    {ok, Packed} = file:read_file(name(People, "packed")),
    {ok, Canonical} = file:read_file(name(People, "canonical")),
    {ok, Book, <<>>} = addressbook:decode_AddressBook(Bin),
    {ok, Ours} = addressbook:encode_AddressBook(Book),
    ok = file:write_file(name(People, "ours"), Ours),
    {ok, Json} = addressbook:to_json_AddressBook(Book),
    [
        length(Book#'AddressBook'.people) =:= People,
        Ours =:= Bin,
        addressbook:encode_AddressBook_packed(Book) =:= {ok, Packed},
        addressbook:encode_AddressBook_canonical(Book) =:= {ok, Canonical},
        addressbook:decode_AddressBook_packed(Packed) =:= {ok, Book, <<>>},
        addressbook:from_json_AddressBook(Json) =:= {ok, Book},
        addressbook:'AddressBook_people'(Bin) =:= {ok, Book#'AddressBook'.people}
    ].

name(People, Kind) -> integer_to_list(People) ++ "." ++ Kind.
