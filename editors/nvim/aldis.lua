-- Schemas in Neovim: aldis lsp for FBE, SBE and Cap'n Proto.
vim.cmd([[autocmd BufNewFile,BufRead *.fbe setfiletype fbe]])
vim.cmd([[autocmd BufNewFile,BufRead *.capnp setfiletype capnp]])

-- Servers by the folder that they work in, for versions of Neovim that do not remember them by themselves.
local servers = {}

local function start(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local project = vim.fn.findfile('aldis.toml', vim.fn.fnameescape(folder) .. ';')
  local root = project ~= '' and vim.fn.fnamemodify(project, ':p:h') or folder
  local config = { name = 'aldis', cmd = { 'aldis', 'lsp' }, root_dir = root }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  if not servers[root] or vim.lsp.client_is_stopped(servers[root]) then
    servers[root] = vim.lsp.start_client(config)
  end
  vim.lsp.buf_attach_client(buffer, servers[root])
end

_G.aldis_start = start
vim.cmd([[autocmd FileType fbe,capnp,xml lua aldis_start(tonumber(vim.fn.expand('<abuf>')))]])
