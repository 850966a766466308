%% @doc The terms that a live page's server reads and writes, always the same.
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

%% @doc Payloads of broadcasts, likewise, against the fastest JSON of OTP 27: keys of LiveView's diffs are integers and atoms.
down() ->
    _ = rand:seed(exsss, {1, 2, 3}),
    [
        {"small diff", 1.2, #{0 => <<"42">>, 3 => #{0 => <<"12:34:56">>, 1 => <<"active">>}}},
        {"rainbow", 2.5, rainbow(1234)},
        {"diff with event", none, #{0 => <<"42">>, e => [[<<"flash">>, #{at => now_text(), level => info}]]}},
        {"12 kB rows", none, diff(150)},
        {"100 kB rows", none, diff(1250)},
        {"100 structs", 1.5, #{orders => ['Elixir.EtfBench.Order':new(I) || I <- lists:seq(1, 100)]}},
        {"rows of data", 4, #{rows => rows(100)}},
        {"chats", none, #{chats => chats(50)}},
        {"1000 integers", none, #{data => [rand:uniform(1000000) || _ <- lists:seq(1, 1000)]}},
        {"text, ASCII", none, #{text => text(<<"The quick brown fox jumps over the lazy dog. ">>, 2300)}},
        {"text, mixed", none, #{text => text(<<"Grüße aus München, 東京 жизнь. "/utf8>>, 2300)}}
    ].

%% A frame of examples/liveview_rainbow as LiveView 1.2 sends it: the frame's number, and of sixty bars the one attribute that
%% a template makes of their colour and height.
rainbow(Frame) ->
    Bar = fun(I) ->
        Height = float_to_binary(50 + 45 * math:sin((I + Frame) / 6), [{decimals, 2}, compact]),
        Hue = integer_to_binary((I * 6 + Frame * 3) rem 360),
        #{0 => <<" style=\"background: hsl(", Hue/binary, " 80% 60%); height: ", Height/binary, "%\"">>}
    end,
    Keyed = maps:from_list([{kc, 60} | [{I, Bar(I + 1)} || I <- lists:seq(0, 59)]]),
    #{0 => integer_to_binary(Frame), 3 => #{k => Keyed}}.

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
