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

/** The page around the viewer, and what makes the viewer fit a narrow window and enough contrast (rule O7). */
export const VIEWER_STYLE = `
:root { color-scheme: light; }
:root.dark-mode { color-scheme: dark; }
body { margin: 0; background: #fff; color: #1c1c1b; font: 1rem/1.5 system-ui, sans-serif; }
.dark-mode body { background: #1c1c1c; color: #ecebe8; }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .625rem 1.25rem; border-bottom: 1px solid #cfcdc8; }
.dark-mode .top { border-color: #3d3d3d; }
.top a, noscript a { color: #0a5fbf; }
.dark-mode .top a, .dark-mode noscript a { color: #86bdff; }
.top strong { margin-inline-end: auto; }
noscript p { padding: 1.25rem; }
.swagger-ui .info { margin: 1.5rem 0 1rem; }
.swagger-ui .scheme-container { padding: .75rem 0; box-shadow: none; }
.swagger-ui .scheme-container .servers-title, .swagger-ui .scheme-container .servers { display: none; }
.swagger-ui .response-col_links, .swagger-ui .responses-table .col_header.response-col_links { display: none; }
.swagger-ui a.nostyle { display: inline-block; min-height: 24px; line-height: 24px; }
.swagger-ui .opblock .opblock-summary-path { overflow-wrap: anywhere; }
.swagger-ui a:focus-visible, .swagger-ui button:focus-visible, .top a:focus-visible { outline: 2px solid #0a5fbf; outline-offset: 2px; }
.dark-mode .swagger-ui a:focus-visible, .dark-mode .swagger-ui button:focus-visible, .dark-mode .top a:focus-visible { outline-color: #86bdff; }
.swagger-ui .opblock-summary-method.opblock-summary-method { color: #1c1c1b; text-shadow: none; }
.swagger-ui .opblock-head .opblock-summary-method.opblock-summary-method { background: #c79bf2; }
.swagger-ui .info .title small pre.version { background: transparent; }
.swagger-ui .info .title small { background: #5a5853; }
.swagger-ui .info .title small.version-stamp { background: #1d6b38; }
.swagger-ui .btn, .swagger-ui .opblock .opblock-summary .view-line-link.view-line-link { transition: none; }
.swagger-ui .opblock .opblock-summary .view-line-link.copy-to-clipboard:focus-within { width: 24px; margin: 0 5px; }
.swagger-ui .btn.execute { background: #0a5fbf; border-color: #0a5fbf; color: #fff; }
.swagger-ui .download-contents { background: #5a6070; }
.swagger-ui .highlight-code span[style*="rgb(211, 99, 99)"] { color: #ff9a9a !important; }
html:not(.dark-mode) .swagger-ui .info a { color: #0a5fbf; }
html:not(.dark-mode) .swagger-ui .btn.authorize, html:not(.dark-mode) .swagger-ui .btn.authorize span { color: #1d6b38; border-color: #1d6b38; }
html:not(.dark-mode) .swagger-ui .parameter__in { color: #5a5853; }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #b3261e; border-color: #b3261e; }
html.dark-mode .swagger-ui .opblock .opblock-section-header.opblock-section-header.opblock-section-header { background: #292929; }
.dark-mode .swagger-ui .opblock.opblock.opblock { background: #242424; }
.dark-mode .swagger-ui .header-col.header-col { color: #ecebe8; }
.dark-mode .swagger-ui .btn.cancel { color: #ff9a9a; border-color: #ff9a9a; }
@media (max-width: 48rem) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; flex-basis: 60%; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: .25rem 0; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td { display: block; width: auto; max-width: 100%; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui textarea { max-width: 100%; width: 100%; }
  .swagger-ui .responses-table, .swagger-ui .responses-table > tbody, .swagger-ui .responses-table > tbody > tr,
  .swagger-ui .responses-table > tbody > tr > td { display: block; width: auto; max-width: 100%; padding-left: 0; }
  .swagger-ui .responses-table > thead { display: none; }
  .swagger-ui .response-col_status { font-weight: bold; }
  .swagger-ui .json-schema-2020-12, .swagger-ui .model-box, .swagger-ui .headers { max-width: 100%; overflow-x: auto; }
  .swagger-ui .response-controls { flex-wrap: wrap; }
}
`;
