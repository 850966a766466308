defmodule Aldis.Phoenix.JSONSerializer do
  @moduledoc """
  `Phoenix.Socket.V2.JSONSerializer` for topics whose payloads may hold `{:bytes, data}`: tabs that still speak JSON get
  base64 text in their place, where Phoenix's own serializer raises in the broadcaster.

      serializer: [
        {Aldis.Phoenix.JSONSerializer, "~> 2.0"},
        {Aldis.Phoenix.Serializer, "~> 3.0"}
      ]
  """
  if Code.ensure_loaded?(Phoenix.Socket.Serializer), do: @behaviour(Phoenix.Socket.Serializer)

  @json Phoenix.Socket.V2.JSONSerializer
  @compile {:no_warn_undefined, @json}

  @doc "A broadcast as one frame for all its subscribers."
  def fastlane!(broadcast), do: broadcast |> textual() |> @json.fastlane!()

  @doc "A message or reply as a frame."
  def encode!(message), do: message |> textual() |> @json.encode!()

  @doc "A client's frame as a message."
  def decode!(frame, options), do: @json.decode!(frame, options)

  defp textual(%{payload: {:binary, _}} = message), do: message
  defp textual(%{payload: payload} = message), do: %{message | payload: text(payload)}

  defp text({:bytes, data}) when is_binary(data), do: Base.encode64(data)
  # The library's encoders say what structs are.
  defp text(%_{} = struct), do: struct
  defp text(%{} = map), do: :maps.map(fn _, value -> text(value) end, map)
  defp text([item | items]), do: [text(item) | text(items)]
  defp text(other), do: other
end
