defmodule RainbowWeb.Layouts do
  @moduledoc false
  use Phoenix.Component

  def root(assigns) do
    ~H"""
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="csrf-token" content={Plug.CSRFProtection.get_csrf_token()} />
        <title>Rainbow</title>
        <link rel="icon" href="data:," />
        <script type="module" src="/assets/app.js">
        </script>
        <style>
          body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
          .rainbow { display: flex; align-items: flex-end; height: 200px; gap: 2px }
          .rainbow div { flex: 1; border-radius: 2px 2px 0 0 }
        </style>
      </head>
      <body>
        {@inner_content}
      </body>
    </html>
    """
  end
end
