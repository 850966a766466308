defmodule Aldis.LogTest do
  use ExUnit.Case

  setup %{tmp_dir: folder} do
    start_supervised!({Aldis.Log, name: :orders_log, folder: folder})
    entries = for m <- ["first", "second"], into: <<>>, do: <<byte_size(m)::32-little, m::binary>>
    :aldis_log.append(:orders_log, <<1::128>>, 0, 1, 2, :none, entries, :tag)
    :aldis_log.append(:orders_log, <<2::128>>, 0, 1, 1, {7, 1}, <<5::32-little, "third">>, :tag)
    for last <- [2, 1], do: assert_receive({:aldis_sink, :tag, {:durable, ^last}}, 5_000)
    :ok
  end

  @moduletag :tmp_dir
  doctest Aldis.Log
end
