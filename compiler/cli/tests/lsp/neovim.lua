-- What the test does in Neovim: a mistake, its diagnostic, hover, definition, rename, formatting. Writes what it saw.
local out = assert(io.open(os.getenv('ALDIS_TEST_OUT'), 'w'))
local function say(name, value) out:write(name, '=', value, '\n') end
local function wait(what, done)
  if not vim.wait(30000, done, 20) then
    say('timeout', what)
    out:close()
    vim.cmd('qa!')
  end
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/' .. method, params, 30000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local function at(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end

vim.cmd('edit ' .. os.getenv('ALDIS_TEST_FILE'))
wait('diagnostic', function() return #vim.diagnostic.get(0) > 0 end)
local problem = vim.diagnostic.get(0)[1]
say('diagnostic', problem.lnum .. ':' .. problem.col .. ' ' .. vim.split(problem.message, '\n')[1])
vim.api.nvim_buf_set_text(0, problem.lnum, problem.col, problem.end_lnum, problem.end_col, { 'int64' })
wait('mended', function() return #vim.diagnostic.get(0) == 0 end)
say('mended', 'yes')
local hover = ask('hover', at(5, 12))
say('hover', vim.split(hover.contents.value, '\n')[1])
local definition = ask('definition', at(10, 5))
say('definition', tostring(definition.range.start.line))
local client = vim.lsp.get_active_clients and vim.lsp.get_active_clients()[1] or vim.lsp.get_clients()[1]
local rename = at(10, 5)
rename.newName = 'Request'
vim.lsp.util.apply_workspace_edit(ask('rename', rename), client.offset_encoding)
say('renamed', vim.api.nvim_buf_get_lines(0, 9, 10, true)[1])
local edits = ask('formatting', { textDocument = vim.lsp.util.make_text_document_params(), options = { tabSize = 4, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, 0, client.offset_encoding)
say('formatted', vim.api.nvim_buf_get_lines(0, 9, 10, true)[1])
out:close()
vim.cmd('qa!')
