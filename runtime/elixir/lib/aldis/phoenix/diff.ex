defmodule Aldis.Phoenix.Diff do
  @moduledoc """
  A rendered diff of LiveView is plain already: templates turn everything into text. Only what an application adds to a
  diff by itself can hold structs, such as events (`:e`), replies (`:r`) and the title (`:t`).
  """

  # Parts that templates make: statics, templates, comprehensions. Dynamic parts have integer keys.
  @rendered [:s, :p, :k]
  # Diffs of components by their number.
  @components :c

  @doc """
  Whether a diff may be encoded as it is. The word of no one but LiveView is taken for what it has rendered: diffs that
  other processes make, whatever their channels and events are called, are not said to be plain.
  """
  @spec plain?(term()) :: boolean()
  def plain?(%{} = diff) when not is_struct(diff), do: live_view?() and parts_plain?(diff)
  def plain?(_), do: false

  # OTP notes in every process what it was started with.
  defp live_view?, do: match?({Phoenix.LiveView.Channel, _, _}, Process.get(:"$initial_call"))

  defp parts_plain?(diff), do: all_plain?(:maps.to_list(diff))

  # Small diffs come often, so this is as plain as the check itself.
  defp all_plain?([{key, _} | parts]) when is_integer(key) or key in @rendered,
    do: all_plain?(parts)

  defp all_plain?([{@components, %{} = components} | parts]) when not is_struct(components),
    do: components_plain?(:maps.to_list(components)) and all_plain?(parts)

  defp all_plain?([{key, part} | parts]) when is_atom(key) or is_binary(key),
    do: :aldis_etf.is_plain(part) and all_plain?(parts)

  defp all_plain?([]), do: true
  defp all_plain?(_), do: false

  defp components_plain?([{number, %{} = diff} | components])
       when is_integer(number) and not is_struct(diff),
       do: parts_plain?(diff) and components_plain?(components)

  defp components_plain?([]), do: true
  defp components_plain?(_), do: false
end
