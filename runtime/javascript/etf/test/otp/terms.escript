#!/usr/bin/env escript
%% The bytes that OTP itself makes of terms, for the tests of the JavaScript codec.
%%   terms.escript generate SEED COUNT   random terms: a line each, base64 of term_to_binary, a space, the equal JSON
%%   terms.escript json                  reads base64 of terms from standard input, prints the equal JSON
%%   terms.escript any SEED COUNT        random terms of all kinds: a line each, base64 of term_to_binary
%%   terms.escript same                  reads lines of two terms in base64, prints "same" for each line whose terms are equal
%% In JSON, text is escaped to ASCII, and integers and floats are exact.

-mode(compile).

main(["generate", Seed, Count]) ->
    _ = rand:seed(exsss, list_to_integer(Seed)),
    lists:foreach(fun(_) -> print_term(term(3)) end, lists:seq(1, list_to_integer(Count)));
main(["json"]) ->
    print_lines(io:get_line(""));
main(["any", Seed, Count]) ->
    _ = rand:seed(exsss, list_to_integer(Seed)),
    lists:foreach(fun(_) -> io:put_chars([base64:encode(term_to_binary(any(2))), $\n]) end, lists:seq(1, list_to_integer(Count)));
main(["same"]) ->
    compare(io:get_line("")).

compare(eof) ->
    ok;
compare(Line) ->
    [One, Other] = [binary_to_term(base64:decode(Part)) || Part <- string:lexemes(string:trim(Line), " ")],
    io:put_chars(case One =:= Other of true -> "same\n"; false -> io_lib:format("~0tp ~0tp~n", [One, Other]) end),
    compare(io:get_line("")).

%% Floats that are whole are left out: to JavaScript they are integers.
any(0) ->
    case rand:uniform(10) of
        1 -> self();
        2 -> make_ref();
        3 -> hd(erlang:ports());
        4 -> crypto:strong_rand_bytes(rand:uniform(20));
        5 -> 0.5 + rand:uniform(1000000);
        6 -> {bytes, <<255, 0>>};
        7 -> integer(rand:uniform(3000));
        _ -> one_of([nil, true, ok, 'caf\x{e9}', undefined, text(), rand:uniform(1000), [], {}])
    end;
any(Depth) ->
    Inner = fun() -> any(Depth - 1) end,
    case rand:uniform(6) of
        1 -> any(0);
        2 -> [Inner() || _ <- lists:seq(1, rand:uniform(6))];
        3 -> list_to_tuple([Inner() || _ <- lists:seq(1, rand:uniform(5))]);
        4 -> [Inner() | text()];
        5 -> [rand:uniform(255) || _ <- lists:seq(1, rand:uniform(300))];
        _ -> maps:from_list([{any_key(), Inner()} || _ <- lists:seq(1, rand:uniform(one_of([3, 5, 34])))])
    end.

any_key() -> one_of([rand:uniform(1000), text(), list_to_atom("k" ++ integer_to_list(rand:uniform(100))), {a, rand:uniform(9)}, [text()], rand:uniform()]).

print_term(Term) ->
    Options = one_of([[], [deterministic]]) ++ [{minor_version, one_of([0, 1, 2])}],
    Bytes = term_to_binary(Term, Options),
    io:put_chars([base64:encode(Bytes), $\s, json(Term), $\n]).

print_lines(eof) ->
    ok;
print_lines(Line) ->
    Term = binary_to_term(base64:decode(string:trim(Line)), [safe]),
    io:put_chars([json(Term), $\n]),
    print_lines(io:get_line("")).

term(0) ->
    scalar();
term(Depth) ->
    case rand:uniform(10) of
        N when N =< 5 -> scalar();
        N when N =< 7 -> [term(Depth - 1) || _ <- lists:seq(1, rand:uniform(6))];
        8 -> [rand:uniform(256) - 1 || _ <- lists:seq(1, rand:uniform(300))];
        _ -> maps:from_list(unique([{key(), term(Depth - 1)} || _ <- lists:seq(1, rand:uniform(one_of([3, 6, 40])) - 1)]))
    end.

scalar() ->
    case rand:uniform(8) of
        1 -> rand:uniform(256) - 1;
        2 -> rand:uniform(1 bsl 32) - (1 bsl 31);
        3 -> integer(rand:uniform(1000));
        4 -> float();
        5 -> one_of([nil, true, false, undefined, ok, '', 'caf\x{e9}', '\x{3bb}', list_to_atom(lists:duplicate(255, $a))]);
        6 -> [];
        _ -> text()
    end.

integer(Bits) ->
    Magnitude = rand:uniform(1 bsl Bits),
    one_of([Magnitude, -Magnitude, 1 bsl Bits, -(1 bsl Bits), (1 bsl Bits) - 1]).

float() ->
    <<Bits:64>> = <<(rand:uniform(1 bsl 64) - 1):64>>,
    case <<Bits:64>> of
        <<Value:64/float>> -> one_of([Value, rand:uniform() * 1.0e6, 0.1, -1.5, 1.0e22, 5.0e-324, 0.0]);
        _NotFinite -> rand:normal()
    end.

text() ->
    Alphabet = one_of(["abcxyz 019", "a\x{e9}\x{df}", "\x{20ac}\x{feff}\"\\\n", "z\x{1f600}"]),
    unicode:characters_to_binary([one_of(Alphabet) || _ <- lists:seq(1, rand:uniform(one_of([8, 30, 400])) - 1)]).

key() ->
    case rand:uniform(4) of
        1 -> rand:uniform(500) - 250;
        2 -> one_of([id, name, nil, true, s, k, kc, '__proto__', 'caf\x{e9}']);
        3 -> one_of([1 bsl 40, -(1 bsl 70), <<"__proto__">>, <<"constructor">>, <<>>]);
        _ -> text()
    end.

%% One of the keys that JSON cannot tell apart.
unique(Pairs) ->
    maps:values(maps:from_list([{name(Key), {Key, Value}} || {Key, Value} <- Pairs])).

one_of(List) ->
    lists:nth(rand:uniform(length(List)), List).

json(nil) -> <<"null">>;
json(Atom) when is_boolean(Atom) -> atom_to_binary(Atom);
json(Atom) when is_atom(Atom) -> quoted(atom_to_binary(Atom));
json(Integer) when is_integer(Integer) -> integer_to_binary(Integer);
json(Float) when is_float(Float) -> float_to_binary(Float, [short]);
json(Binary) when is_binary(Binary) -> quoted(Binary);
json(List) when is_list(List) -> [$[, lists:join($,, [json(Item) || Item <- List]), $]];
json(Map) when is_map(Map) -> [${, lists:join($,, [[quoted(name(K)), $:, json(V)] || {K, V} <- maps:to_list(Map)]), $}].

name(Key) when is_atom(Key) -> atom_to_binary(Key);
name(Key) when is_integer(Key) -> integer_to_binary(Key);
name(Key) -> Key.

quoted(Text) ->
    [$", [escaped(Char) || Char <- unicode:characters_to_list(Text)], $"].

escaped(Char) when Char =:= $"; Char =:= $\\ -> [$\\, Char];
escaped(Char) when Char >= 32, Char < 127 -> Char;
escaped(Char) ->
    <<Units/binary>> = unicode:characters_to_binary([Char], unicode, utf16),
    [io_lib:format("\\u~4.16.0b", [Unit]) || <<Unit:16>> <= Units].
