/** The page `/docs`: the viewer, and what to open without script. Its addresses are relative, for relays below a path. */
export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Soundferry relay: reference</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/viewer.css" />
    <link rel="stylesheet" href="docs/page.css" />
    <script src="docs/viewer.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <header class="top">
      <strong>Soundferry relay</strong>
      <a href="docs/plain">As one page without script</a>
      <a href="openapi.json">openapi.json</a>
      <a href="manifest.schema.json">Schema of the manifest</a>
      <a href="llms.txt">llms.txt</a>
    </header>
    <noscript>
      <p>This viewer needs JavaScript. <a href="docs/plain">The same reference without script</a></p>
    </noscript>
    <main id="viewer"></main>
  </body>
</html>
`;

/**
 * Starts the viewer on this relay's own contract. Whatever is typed stays in the page until it is closed. The viewer
 * warns of the schemas' dialect, which it reads well, and names neither its lists nor the buttons of its models.
 */
export const START_SCRIPT = `"use strict";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
prefersDark.addEventListener("change", follow);
follow();
const viewer = document.querySelector("#viewer");
const name = () => {
  for (const list of viewer.querySelectorAll("select:not([aria-label])")) {
    list.setAttribute("aria-label", list.closest("[class$=examples], .examples-select") ? "Example" : "Media type");
  }
  for (const button of viewer.querySelectorAll("button:not([aria-label])")) {
    if (button.textContent.trim() === "") button.setAttribute("aria-label", button.title || "Expand");
  }
  for (const box of viewer.querySelectorAll("pre:not([tabindex]), .curl:not([tabindex])")) box.tabIndex = 0;
  for (const copy of viewer.querySelectorAll("div.copy-to-clipboard:not([role])")) {
    copy.setAttribute("role", "button");
    copy.tabIndex = 0;
    copy.addEventListener("keydown", ({ key }) => key === "Enter" && copy.click());
  }
};
new MutationObserver(name).observe(viewer, { childList: true, subtree: true });
fetch("openapi.json")
  .then((answer) => answer.json())
  .then(({ jsonSchemaDialect: _, ...spec }) =>
    SwaggerUIBundle({
      spec,
      domNode: viewer,
      deepLinking: true,
      docExpansion: "list",
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      persistAuthorization: false,
      validatorUrl: null,
    }),
  )
  .catch(() => viewer.append("The relay doesn't answer. Reload the page."));
`;

/** Everything comes from this relay, and calls go only to it (rule O7). The viewer sets styles on its elements. */
export const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
