
-- The walk over plain bytes ----------------------------------------------------------------------------------------------

local node, slot_value, body, pointer_slot, choice

local function missing_slot(r, tree, slot, fields, at)
  if slot.field then absent(r, tree, fields[slot.field], slot, at) end
end

-- What a number in a head tells the reader.
local function obey(r, slot, value, at)
  local is = slot.is
  if is == "size" then r.frame, r.frame_at, r.frame_check = value, at, slot.check
  elseif is == "root" then r.root = value
  elseif is == "extent" then r.extent = value
  elseif is == "count" then r.count = value
  elseif is == "version" then r.version = value
  elseif is == "id" and value ~= wide(slot.expect) then
    fault(r.at_root and "unknown-message" or "bad-value", at, "%s is %.0f, not %.0f",
      schema.heads[slot.head][1], value, wide(slot.expect))
  end
end

local function register(r, tree, slot, start)
  local at, low, high = start + slot[2], 0, 0
  local value = wide(slot.constant)
  if not value then
    low, high = halves(r, at, slot[3])
    value = join(low, high)
    local item = put(r, tree, schema.heads[slot.head], at, slot[3], UInt64.new(low, high))
    if item and slot.is == "version" then
      local ours = wide(slot.writes)
      local word = value > ours and ", newer: it may have fields that are not shown" or value < ours and ", older" or ""
      item:append_text(format(" (this schema: %.0f%s)", ours, word))
    end
  end
  obey(r, slot, value, at)
end

-- The numbers of a head at the cursor, which stays.
local function registers(r, tree, head)
  local start, left = r.cursor, #r.bytes - r.cursor
  if head.size > left then
    for _, slot in ipairs(head) do
      if slot[2] + slot[3] > left then
        fault("truncated", start + math.min(slot[2], left), "a head of %d bytes, but %d are left", head.size, left)
      end
    end
    fault("truncated", start + left, "a head of %d bytes, but %d are left", head.size, left)
  end
  charge(r, head.size, start)
  for _, slot in ipairs(head) do
    if slot[1] == "register" then register(r, tree, slot, start) end
  end
  return start
end

local function present(r, slot, extent)
  return (slot.since or 0) <= r.version and (slot.needs or slot[2] + slot[3]) <= extent
end

-- Where the first slot is that the bytes end within, though the run should have it.
local function first_cut(r, slots, start, left, extent)
  for _, slot in ipairs(slots) do
    if present(r, slot, extent) and slot[2] + slot[3] > left then
      return slot[1] == "nest" and first_cut(r, slot.slots, start, left, extent) or start + math.min(slot[2], left)
    end
  end
end

local function field_slot(r, tree, slot, fields, start, extent)
  if slot[1] == "register" then return register(r, tree, slot, start) end
  if not slot.field then return end
  if not present(r, slot, extent) then return missing_slot(r, tree, slot, fields, math.min(start + extent, #r.bytes)) end
  local field = fields[slot.field]
  if slot[1] ~= "nest" then return slot_value(r, tree, slot, field, start) end
  local branch = open(r, tree, field, start + slot[2])
  for _, member in ipairs(slot.slots) do
    field_slot(r, branch, member, schema.types[slot.type].fields, start, extent)
  end
  close(branch, start + slot[2], start + math.min(slot[2] + slot[3], extent))
end

local function extent_of(r, run, start)
  if run.acting then return r.extent end
  if not run.stated then return run.size end
  if #r.bytes - start < run.stated then
    fault("truncated", start, "a record's head of %d bytes would lie here, but %d are left", run.stated, #r.bytes - start)
  end
  for _, slot in ipairs(run) do
    if slot.is == "extent" then
      local extent = load(r, start + slot[2], slot[3])
      if extent < run.stated then
        fault("bad-value", start + slot[2], "a record size of %.0f is less than its head takes", extent)
      end
      return extent
    end
  end
  return run.size
end

local function cut_run(r, tree, run, fields, start, extent)
  local left = #r.bytes - start
  local cut = first_cut(r, run, start, left, extent)
  local state = { r.cursor, r.base, r.depth, r.at_root }
  for _, slot in ipairs(run) do
    if slot[2] + slot[3] > left then break end
    -- The end of the bytes is what is wrong, whatever is wrong before it.
    local good, found = pcall(field_slot, r, tree, slot, fields, start, extent)
    if not good and type(found) ~= "table" then error(found, 0) end
    if not good then break end
  end
  r.cursor, r.base, r.depth, r.at_root = state[1], state[2], state[3], state[4]
  fault("truncated", cut or start + left, "%.0f bytes would lie from byte %d on, but %d are left", extent, start, left)
end

local function run_at_cursor(r, tree, run, fields)
  local start = r.cursor
  local extent = extent_of(r, run, start)
  if extent > #r.bytes - start then return cut_run(r, tree, run, fields, start, extent) end
  charge(r, extent, start)
  local stop = start + extent
  for _, slot in ipairs(run) do
    if present(r, slot, extent) or not slot.field then
      field_slot(r, tree, slot, fields, start, extent)
    else
      missing_slot(r, tree, slot, fields, stop)
    end
  end
  if extent > run.size then
    note(r, tree, start + run.size, extent - run.size, "%d bytes of a newer schema", extent - run.size)
  end
  r.cursor = stop
end

-- A record at the cursor.
local function record(r, tree, id, field)
  local start = r.cursor
  enter(r, start)
  local layout, outer = r.form.layouts[id], r.base
  if layout.rebase then r.base = start end
  local branch = open(r, tree, field, start)
  local fields = schema.types[id].fields
  for _, step in ipairs(layout) do
    if step.run then
      run_at_cursor(r, branch, step.run, fields)
    elseif (step.since or 0) > r.version then
      absent(r, branch, fields[step.field], step, r.cursor)
    else
      node(r, branch, step.node, fields[step.field])
    end
    r.at_root = false
  end
  close(branch, start, r.cursor)
  r.base = outer
  r.depth = r.depth + 1
end

-- Slots ------------------------------------------------------------------------------------------------------------------

local function is_null(null, kind, low, high)
  if null == "nan" then return is_nan(kind, low, high) end
  return null and null[1] == low and null[2] == high
end

local function scalar(r, tree, slot, field, at)
  local kind, width = field[3], slot[3]
  if kind == "decimal" then
    check_decimal(r, at)
    return put(r, tree, field, at, width, decimal_text(r, at))
  end
  if kind == "guid" then return put(r, tree, field, at, width) end
  local low, high = halves(r, at, width)
  if slot.xor then low, high = xor(low, slot.xor[1]), xor(high, slot.xor[2]) end
  if slot.bit then return number(r, tree, field, bit_of(low, 0, slot.bit) and 1 or 0, 0, at, width) end
  if is_null(slot.null, kind, low, high) then return null(r, tree, field, at, width) end
  number(r, tree, field, low, high, at, width)
end

local function list(r, tree, field, at, count)
  local branch = open(r, tree, field, at)
  if branch then branch:append_text(format(": %.0f", count)) end
  return branch
end

local function element(r, index)
  if r.tvb then r.label = format("[%d] ", index) end
end

local function array(r, tree, slot, field, at)
  local branch = list(r, tree, field, at, slot.count)
  for index = 0, slot.count - 1 do
    element(r, index)
    slot_value(r, branch, slot.item, field.item, at + index * slot.item[3])
  end
  close(branch, at, at + slot[3])
end

local function chars(r, tree, slot, field, at)
  local stop = string.find(r.bytes, "\0", at + 1, true)
  local width = stop and math.min(stop - 1 - at, slot[3]) or slot[3]
  text(r, tree, field, at, width)
end

-- Follows the offset at `at`, and comes back.
local function link(r, tree, slot, field, at)
  local offset = load(r, at, 4)
  if offset == 0 then
    if not slot.empty then fault("bad-pointer", at, "the offset is zero, but there must be a value") end
    return note(r, tree, at, 4, "%s: empty", field[1])
  end
  local target = r.base + offset
  if target > #r.bytes then
    fault("bad-pointer", at, "an offset of %.0f leads to byte %.0f, beyond the message", offset, target)
  end
  local label = r.label
  note(r, tree, at, 4, "%s lies at byte %d", field[1], target)
  r.label = label
  local cursor, at_root = r.cursor, r.at_root
  r.cursor, r.at_root = target, false
  node(r, tree, slot.target, field)
  r.cursor, r.at_root = cursor, at_root
end

function slot_value(r, tree, slot, field, start)
  local kind, at = slot[1], start + slot[2]
  if kind == "scalar" then return scalar(r, tree, slot, field, at) end
  if kind == "chars" then return chars(r, tree, slot, field, at) end
  if kind == "array" then return array(r, tree, slot, field, at) end
  if kind == "constant" then return absent(r, tree, field, slot, at) end
  if kind == "link" then return link(r, tree, slot, field, at) end
  if kind == "presence" then
    if byte(r.bytes, at + 1) ~= 0 then return link(r, tree, slot, field, at + 1) end
    return null(r, tree, field, at, slot[3])
  end
  if kind == "nest" then
    local branch = open(r, tree, field, at)
    for _, member in ipairs(slot.slots) do
      field_slot(r, branch, member, schema.types[slot.type].fields, start, huge)
    end
    return close(branch, at, at + slot[3])
  end
  fault("bad-value", at, "pointers and unions lie in sections")
end

-- Parts ------------------------------------------------------------------------------------------------------------------

local function head(r, tree, run)
  local start = registers(r, tree, run)
  r.cursor = start + run.size
  return start
end

local function blob(r, tree, n, field)
  -- The count is shown with the value.
  local start = head(r, nil, n.head)
  local length, from = r.count, r.cursor
  if length > #r.bytes - from then
    fault("bad-count", start, "a length of %.0f bytes, but %d are left", length, #r.bytes - from)
  end
  charge(r, length, from)
  r.cursor = from + length
  if n.text then return text(r, tree, field, from, length) end
  put(r, tree, field, from, length)
end

local function pair(r, tree, n, field)
  node(r, tree, n.key, field.key)
  if not n.side_by_side then return node(r, tree, n.value, field.value) end
  local slot = n.value.slot
  local start = r.cursor - n.key.slot[3]
  need(r, slot[3], r.cursor)
  charge(r, slot[3], r.cursor)
  r.cursor = r.cursor + slot[3]
  slot_value(r, tree, slot, field.value, start)
end

local function elements(r, tree, n, field, count)
  local extent = r.extent
  for index = 0, count - 1 do
    r.extent = extent
    local from = r.cursor
    element(r, index)
    if n.key then
      local entry = note(r, tree, from, 0, "%s", field[1])
      pair(r, entry, n, field)
      close(entry, from, r.cursor)
    else
      node(r, tree, n.item, field.item)
    end
    if r.cursor == from then charge(r, 8, from) end
  end
end

local function repeated(r, tree, n, field)
  local branch = list(r, tree, field, r.cursor, 0)
  local start = head(r, branch, n.head)
  local count, left = r.count, #r.bytes - r.cursor
  local least = n.stated and r.extent or n.least
  if count * least > left then
    fault("bad-count", start, "%.0f elements of at least %.0f bytes, but %d bytes are left", count, least, left)
  end
  -- Elements without bytes are bounded by what they cost.
  if least == 0 and count * 8 > r.budget then charge(r, huge, r.cursor) end
  if branch then branch:set_text(format("%s: %.0f", field[1], count)) end
  elements(r, branch, n, field, count)
  close(branch, start, r.cursor)
end

function node(r, tree, n, field)
  local kind = n[1]
  if kind == "cell" then
    local start = r.cursor
    need(r, n.slot[3], start)
    charge(r, n.slot[3], start)
    r.cursor = start + n.slot[3]
    return slot_value(r, tree, n.slot, field, start)
  end
  if kind == "call" then return record(r, tree, n.type, field) end
  if kind == "blob" then return blob(r, tree, n, field) end
  if kind == "repeat" then return repeated(r, tree, n, field) end
  if kind == "series" then
    local start = r.cursor
    local branch = list(r, tree, field, start, n.count)
    elements(r, branch, n, field, n.count)
    return close(branch, start, r.cursor)
  end
  if kind == "maybe" then
    local at = r.cursor
    need(r, 1, at)
    charge(r, 1, at)
    r.cursor = at + 1
    if byte(r.bytes, at + 1) == 0 then return null(r, tree, field, at, 1) end
    return node(r, tree, n.item, field)
  end
  if kind == "rebase" then
    local outer = r.base
    r.base = r.cursor
    node(r, tree, n.item, field)
    r.base = outer
    return
  end
  fault("bad-value", r.cursor, "an open value lies behind a pointer")
end
