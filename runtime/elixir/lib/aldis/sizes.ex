defmodule Aldis.Sizes do
  @moduledoc false
  # Generated code imports this for the sizes of its patterns.

  # A variable that has its value before the match. Elixir wants it pinned there since 1.20, and refused that before.
  defmacro bound(variable) do
    if Version.match?(System.version(), ">= 1.20.0-rc.0"),
      do: {:^, [], [variable]},
      else: variable
  end
end
