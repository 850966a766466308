%% @doc What a live page's server reads and writes, always the same.
-module(etf_loads).

-export([up/0, down/0]).

%% @doc Messages of clients, each with how many times faster than JSON it is asked to be.
up() ->
    _ = rand:seed(exsss, {1, 2, 3}),
    [
        {"click", 1.3, message(#{<<"type">> => <<"click">>, <<"event">> => <<"increment">>, <<"value">> => #{<<"value">> => <<>>, <<"id">> => 17}})},
        {"form", 1.3, message(#{<<"type">> => <<"form">>, <<"event">> => <<"validate">>, <<"cid">> => 3, <<"uploads">> => #{}, <<"value">> => form()})},
        {"10 rows", 1.3, message(#{<<"rows">> => rows(10)})},
        {"100 rows", 1.3, message(#{<<"rows">> => rows(100)})},
        {"table of text", 1.3, message(#{<<"table">> => table(100)})},
        {"chats", 1.3, message(#{<<"chats">> => chats(50)})},
        {"1000 integers", none, message(#{<<"data">> => [rand:uniform(1000000) || _ <- lists:seq(1, 1000)]})},
        {"500 floats", none, message(#{<<"data">> => [rand:uniform() || _ <- lists:seq(1, 500)]})},
        {"text, ASCII", 5, message(#{<<"text">> => text(<<"The quick brown fox jumps over the lazy dog. ">>, 2300)})},
        {"text, mixed", 5, message(#{<<"text">> => text(<<"Grüße aus München, 東京 жизнь. "/utf8>>, 2300)})}
    ].

%% @doc Payloads of broadcasts, likewise: keys of LiveView's diffs are integers and atoms.
down() ->
    _ = rand:seed(exsss, {1, 2, 3}),
    [
        {"small diff", 1.5, #{0 => <<"42">>, 3 => #{0 => <<"12:34:56">>, 1 => <<"active">>}}},
        {"diff with event", 1.5, #{0 => <<"42">>, e => [[<<"flash">>, #{at => now_text(), level => info}]]}},
        {"12 kB rows", 2, diff(150)},
        {"100 kB rows", 2, diff(1250)},
        {"rows of data", none, #{rows => rows(100)}},
        {"chats", none, #{chats => chats(50)}},
        {"1000 integers", none, #{data => [rand:uniform(1000000) || _ <- lists:seq(1, 1000)]}},
        {"text, ASCII", 20, #{text => text(<<"The quick brown fox jumps over the lazy dog. ">>, 2300)}},
        {"text, mixed", 20, #{text => text(<<"Grüße aus München, 東京 жизнь. "/utf8>>, 2300)}}
    ].

message(Payload) -> [<<"4">>, <<"12">>, <<"lv:phx-F9a8b7c6d5">>, <<"event">>, Payload].

now_text() -> <<"2024-02-29T12:00:00Z">>.

form() ->
    <<"_csrf_token=abcDEF&user%5Bname%5D=Alice+Wonder&user%5Bemail%5D=alice%40example.org&_target=user%5Bname%5D">>.

diff(Rows) ->
    Row = fun(I) -> #{0 => integer_to_binary(I), 1 => [<<"Customer ">>, integer_to_binary(I)], 2 => price(), 3 => <<"delivered">>} end,
    Keyed = maps:from_list([{kc, Rows} | [{I, Row(I)} || I <- lists:seq(0, Rows - 1)]]),
    #{0 => #{k => Keyed}, s => [<<"<table>">>, <<"</table>">>]}.

rows(N) ->
    [
        #{
            <<"id">> => I, <<"name">> => <<"Customer ", (integer_to_binary(I))/binary>>, <<"price">> => rand:uniform() * 100,
            <<"qty">> => rand:uniform(5000), <<"active">> => I rem 2 =:= 0, <<"note">> => nil
        }
     || I <- lists:seq(1, N)
    ].

table(N) -> [[integer_to_binary(I), <<"Item ", (integer_to_binary(I))/binary>>, price(), <<"yes">>] || I <- lists:seq(1, N)].

chats(N) ->
    Body = text(<<"hello there, how are you today? ">>, 8),
    [
        #{
            <<"user">> => <<"user", (integer_to_binary(I))/binary>>, <<"body">> => binary:part(Body, 0, 20 + rand:uniform(180)),
            <<"at">> => 1700000000000 + I, <<"likes">> => I
        }
     || I <- lists:seq(1, N)
    ].

price() -> float_to_binary(rand:uniform() * 100, [{decimals, 2}]).

text(Sentence, Times) -> binary:copy(Sentence, Times).
