defmodule Aldis.TestWebSocket do
  @moduledoc false
  # The server's side of RFC 6455 over a connected gen_tcp socket.

  import Bitwise

  @guid "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  @doc "The request's path, query, headers and, if it is a POST, body; the connection is in http mode."
  def request(socket) do
    {:ok, {:http_request, method, {:abs_path, target}, _}} = :gen_tcp.recv(socket, 0, 5000)
    uri = URI.parse(target)
    headers = headers(socket, %{})
    {uri.path, URI.decode_query(uri.query || ""), headers, body(method, socket, headers)}
  end

  defp body(:GET, _, _), do: nil

  defp body(:POST, socket, headers) do
    :inet.setopts(socket, packet: :raw)
    size = String.to_integer(headers["content-length"])
    {:ok, body} = if size == 0, do: {:ok, ""}, else: :gen_tcp.recv(socket, size, 5000)
    body
  end

  defp headers(socket, headers) do
    case :gen_tcp.recv(socket, 0, 5000) do
      {:ok, {:http_header, _, name, _, value}} ->
        headers(socket, Map.put(headers, name |> to_string() |> String.downcase(), value))

      {:ok, :http_eoh} ->
        headers
    end
  end

  def accept(socket, %{"sec-websocket-key" => key}) do
    accept = Base.encode64(:crypto.hash(:sha, key <> @guid))

    :gen_tcp.send(socket, [
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
      ["Sec-WebSocket-Accept: ", accept, "\r\n\r\n"]
    ])
  end

  def respond(socket, status, type, body) do
    # Isolated pages have clocks of 5 µs, others of 100.
    isolation =
      "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n"

    head =
      "HTTP/1.1 #{status}\r\nContent-Type: #{type}\r\nContent-Length: #{byte_size(body)}\r\nConnection: close\r\n#{isolation}\r\n"

    :gen_tcp.send(socket, [head, body])
  end

  def send_frame(socket, kind, data) do
    size = IO.iodata_length(data)

    length =
      cond do
        size < 126 -> <<size>>
        size < 65536 -> <<126, size::16>>
        true -> <<127, size::64>>
      end

    :gen_tcp.send(socket, [<<1::1, 0::3, opcode(kind)::4>>, length, data])
  end

  @doc "One frame of a client, `{:ok, fin, kind, data, rest}`, or `:more`."
  def parse(
        <<fin::1, _::3, opcode::4, 1::1, 127::7, size::64, mask::binary-4,
          data::binary-size(size), rest::binary>>
      ),
      do: {:ok, fin, kind(opcode), unmask(data, mask), rest}

  def parse(
        <<fin::1, _::3, opcode::4, 1::1, 126::7, size::16, mask::binary-4,
          data::binary-size(size), rest::binary>>
      ),
      do: {:ok, fin, kind(opcode), unmask(data, mask), rest}

  def parse(
        <<fin::1, _::3, opcode::4, 1::1, size::7, mask::binary-4, data::binary-size(size),
          rest::binary>>
      )
      when size < 126,
      do: {:ok, fin, kind(opcode), unmask(data, mask), rest}

  def parse(_), do: :more

  defp unmask(data, mask) do
    times = (byte_size(data) >>> 2) + 1
    :crypto.exor(data, binary_part(:binary.copy(mask, times), 0, byte_size(data)))
  end

  defp opcode(kind), do: %{text: 1, binary: 2, close: 8, ping: 9, pong: 10}[kind]

  defp kind(opcode),
    do:
      %{0 => :continuation, 1 => :text, 2 => :binary, 8 => :close, 9 => :ping, 10 => :pong}[
        opcode
      ]
end
