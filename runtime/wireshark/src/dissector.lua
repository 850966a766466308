
-- What Wireshark is told -------------------------------------------------------------------------------------------------

-- Items in the tree of one packet; Wireshark itself gives up at a million.
local MOST_ITEMS = 50000

local FAULTS = { "truncated", "bad-pointer", "bad-count", "bad-value", "too-deep", "too-large", "unknown-message" }
local FRAMINGS = {
  "none", "u16le", "u16be", "u32le", "u32be", "u16le-whole", "u16be-whole", "sofh", "fbe", "header", "capnp",
}
local KIND_OF = {
  boolean = "BOOLEAN", int8 = "INT8", int16 = "INT16", int32 = "INT32", int64 = "INT64", uint8 = "UINT8", uint16 = "UINT16",
  uint32 = "UINT32", uint64 = "UINT64", float = "FLOAT", double = "DOUBLE", char = "STRING", string = "STRING",
  decimal = "STRING", time = "ABSOLUTE_TIME", guid = "GUID", bytes = "BYTES", none = "NONE",
}

local protos, all_fields, experts = {}, {}, {}

-- Wireshark takes names of values of up to 32 bits itself.
local function names_of(field)
  if not field.names then return nil end
  local names = {}
  if field[3] == "int64" or field[3] == "uint64" then
    for _, pair in ipairs(schema.types[field.names].names) do names[format(type(pair[1]) == "string" and "%s" or "%.0f", pair[1])] = pair[2] end
    field.wide = names
    return nil
  end
  for _, pair in ipairs(schema.types[field.names].names) do names[pair[1]] = pair[2] end
  return next(names) and names
end

local function declare(field)
  local shown = base.NONE
  if string.find(field[3], "int", 1, true) then shown = field.bits and base.HEX or base.DEC end
  if field[3] == "time" then shown = base.UTC end
  field.proto = ProtoField.new(field[1], field[2], ftypes[KIND_OF[field[3]]], names_of(field), shown, nil, field.doc)
  all_fields[#all_fields + 1] = field.proto
  for _, part in ipairs({ "item", "key", "value" }) do
    if field[part] then declare(field[part]) end
  end
end

local function declare_all()
  for _, definition in ipairs(schema.types) do
    declare(definition.own)
    for _, field in ipairs(definition.fields or {}) do declare(field) end
    for _, flag in ipairs(definition.bits or {}) do declare(flag[2]) end
  end
  for _, field in ipairs(schema.heads) do declare(field) end
  for _, code in ipairs(FAULTS) do
    local name = format("%s.fault.%s", schema.name, string.gsub(code, "-", "_"))
    experts[code] = ProtoExpert.new(name, code, expert.group.MALFORMED, expert.severity.ERROR)
  end
end

local function index_messages(form)
  form.by_id, form.by_name = {}, {}
  for _, message in ipairs(form.messages) do form.by_name[message[1]] = message end
  for _, pair in ipairs(form.ids) do form.by_id[wide(pair[1])] = pair[2] and form.messages[pair[2]] or nil end
end

-- A fault, in the tree and for those who look for it. Anything else that `pcall` gives is a mistake of this engine.
local function tell_fault(r, tree, found)
  if type(found) ~= "table" then error(found, 0) end
  local at = math.min(found.at, #r.whole)
  local item = tree:add(r.tvb(r.origin + at, 0), format("%s at byte %d: %s", found.code, found.at, found.text))
  item:add_proto_expert_info(experts[found.code], format("%s at byte %d: %s", found.code, found.at, found.text))
end

-- Shows one message, and gives how many of its bytes were taken; nothing where it is damaged.
local function show(state, tree, bytes, tvb, origin)
  local form, taken = state.form, nil
  local branch = tree:add(state.proto, tvb(origin, #bytes))
  local r = { whole = bytes, tvb = tvb, origin = origin }
  local good, found = pcall(function()
    if form.segments and form.segments.packed then
      bytes, taken = unpacked(bytes, 0)
      tvb, origin = ByteArray.new(bytes, true):tvb("Unpacked " .. schema.name), 0
      r.whole, r.tvb, r.origin = bytes, tvb, origin
    end
    r = reader(form, bytes, tvb, origin, state.items)
    r.whole = bytes
    local message = find(r, state.message)
    state.names[#state.names + 1] = schema.types[message[2]].own[1]
    branch:append_text(", " .. message[1])
    local size = walk(r, branch, message)
    branch:set_len(taken or size)
    return taken or size
  end)
  state.items = r.items or state.items
  if good then return found end
  tell_fault(r, branch, found)
  state.damaged = true
end

-- Walks one message without showing it, and gives how many bytes it takes.
local function try(state, bytes)
  local form = state.form
  if form.segments and form.segments.packed then bytes = unpacked(bytes, 0) end
  local r = reader(form, bytes, nil, 0, MOST_ITEMS)
  local message = find(r, state.message)
  if form.segments then
    local first = segment_ranges(bytes, form.segments)[0][1]
    local low, high = halves(r, first, 8)
    -- A root without a word says nothing.
    if low % 4 == 0 and high == 0 then fault("unknown-message", first, "an empty root") end
  end
  return walk(r, nil, message)
end

-- Whether a message in a stream without frames has an end that is still to come.
local function is_cut(state, bytes, at)
  local sound, found = pcall(try, state, sub(bytes, at + 1))
  if sound or type(found) ~= "table" then return false end
  return #bytes - at < 65536 and (found.code == "truncated" or found.code == "bad-count")
end

-- Shows the messages of a packet from byte `at` on.
local function show_all(state, tvb, pinfo, tree, at)
  local bytes = tvb:raw(0, tvb:len())
  while at < #bytes do
    local good, head, total, unframed = pcall(next_frame, state.form, state.framing, bytes, at)
    if not good then
      tell_fault({ whole = bytes, tvb = tvb, origin = 0 }, tree:add(state.proto, tvb(at)), head)
      state.damaged = true
      return
    end
    if not head then
      if pinfo.can_desegment > 0 then
        pinfo.desegment_offset = at
        pinfo.desegment_len = total and total - (#bytes - at) or DESEGMENT_ONE_MORE_SEGMENT
        return
      end
      head, total, unframed = 0, #bytes - at, true
    end
    if unframed and pinfo.can_desegment > 0 and is_cut(state, bytes, at) then
      pinfo.desegment_offset, pinfo.desegment_len = at, DESEGMENT_ONE_MORE_SEGMENT
      return
    end
    local taken = show(state, tree, sub(bytes, at + head + 1, at + total), tvb, at + head)
    if unframed and not taken then return end
    at = at + (unframed and math.max(taken, 1) or total)
  end
end

local function dissect(state, tvb, pinfo, tree)
  state.items, state.names, state.damaged = MOST_ITEMS, {}, false
  show_all(state, tvb, pinfo, tree, pinfo.port_type == 2 and 0 or math.min(state.skip, tvb:len()))
  pinfo.cols.protocol = schema.name
  local names = table.concat(state.names, ", ")
  pinfo.cols.info = state.damaged and names .. " [damaged]" or names
  return tvb:len()
end

-- Whether a packet's first messages are of a form; of a stream's first segment, whether its frames are
-- until the last, which may be cut.
local function looks_right(state, bytes, is_stream)
  local at, count = is_stream and 0 or state.skip, 0
  while at < #bytes and count < 8 do
    local good, head, total, unframed = pcall(next_frame, state.form, state.framing, bytes, at)
    if not good or (not head and (count == 0 or not is_stream)) then return false end
    if not head then return true end
    local sound, size = pcall(try, state, sub(bytes, at + head + 1, at + total))
    if not sound then return type(size) == "table" and false or error(size, 0) end
    if not unframed and not state.form.segments and size ~= total - head then return false end
    at, count = at + (unframed and size or total), count + 1
    if size == 0 then return false end
  end
  return count > 0
end

-- Preferences ------------------------------------------------------------------------------------------------------------

local function position(list, wanted)
  for index, name in ipairs(list) do
    if name == wanted then return index end
  end
  return 1
end

local function declare_preferences(proto, form, is_main)
  local options = schema.options
  local framings = {}
  for index, name in ipairs(FRAMINGS) do framings[index] = { index, name, index } end
  local usual = usual_framing(form)
  local framing = (is_main or usual == "none") and options.framing or usual
  local ports = is_main and options or {}
  proto.prefs.udp = Pref.range("UDP ports", ports.udp or "", "Ports whose datagrams hold these messages", 65535)
  proto.prefs.tcp = Pref.range("TCP ports", ports.tcp or "", "Ports whose streams hold these messages", 65535)
  proto.prefs.framing = Pref.enum("Framing", position(FRAMINGS, framing or usual), "What stands between messages", framings, false)
  proto.prefs.skip = Pref.uint("Bytes of packet header", tonumber(options.skip or 0), "Bytes before the first message of each datagram")
  local first = form.messages[1] and form.messages[1][1] or ""
  if not form.dispatch then
    proto.prefs.message = Pref.string("Message", options.message or first, "The message that the bytes are, as they do not say it")
  end
  proto.prefs.guess = Pref.bool("Recognise messages on all ports", true, "Take packets that begin with these messages")
end

local function obey_preferences(state)
  local prefs = state.proto.prefs
  for _, transport in ipairs({ "udp", "tcp" }) do
    local ports, ports_table = tostring(prefs[transport]), DissectorTable.get(transport .. ".port")
    if state[transport] ~= ports then
      if state[transport] then ports_table:remove(state[transport], state.proto) end
      if ports ~= "" then ports_table:add(ports, state.proto) end
      state[transport] = ports ~= "" and ports or nil
    end
  end
  state.framing, state.skip, state.guess = FRAMINGS[prefs.framing], prefs.skip, prefs.guess
  if not state.form.dispatch then state.message = prefs.message end
end

local function protocol(form, is_main)
  local name = schema.name .. (form.suffix ~= "" and "_" .. form.suffix or "")
  local good, proto = pcall(Proto.new, name, format("%s (%s)", schema.name, form[1]))
  if not good then
    error(format("%s: Wireshark has a protocol of that name; generate the dissector again with --name OTHER", name), 0)
  end
  local state = { form = form, proto = proto, items = MOST_ITEMS, names = {} }
  index_messages(form)
  declare_preferences(proto, form, is_main)
  if is_main then
    declare_all()
    proto.fields, proto.experts = all_fields, experts
  end
  function proto.dissector(tvb, pinfo, tree)
    return dissect(state, tvb, pinfo, tree)
  end
  function proto.prefs_changed()
    obey_preferences(state)
  end
  obey_preferences(state)
  for _, transport in ipairs({ "udp", "tcp" }) do
    DissectorTable.get(transport .. ".port"):add_for_decode_as(proto)
    if form.dispatch or usual_framing(form) ~= "none" then
      proto:register_heuristic(transport, function(tvb, pinfo, tree)
        if not state.guess or not looks_right(state, tvb:raw(0, tvb:len()), transport == "tcp") then return false end
        pinfo.conversation = proto
        dissect(state, tvb, pinfo, tree)
        return true
      end)
    end
  end
end

for index, form in ipairs(schema.forms) do
  protocol(form, index == 1)
end
