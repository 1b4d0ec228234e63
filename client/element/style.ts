/**
 * The element's style. It has the colors of Soundferry's pages and follows the page's `color-scheme`; an app sets its
 * own with the variables that begin with `--soundferry-`.
 */
export const STYLE = `
:host {
  --ink: var(--soundferry-ink, #1c1c1b);
  --quiet: var(--soundferry-quiet, #5a5853);
  --ground: var(--soundferry-ground, #f7f6f4);
  --sunk: var(--soundferry-sunk, #eceae7);
  --line: var(--soundferry-line, #cfcdc8);
  --edge: var(--soundferry-edge, #8a8782);
  --accent: var(--soundferry-accent, #ffad56);
  --on-accent: var(--soundferry-on-accent, #1c1c1b);
  --progress: var(--soundferry-progress, #b25f00);
  --good: var(--soundferry-good, #1d6b38);
  --mixed: var(--soundferry-mixed, #7a4d00);
  --bad: var(--soundferry-bad, #a8231b);
  --focus: var(--soundferry-focus, #0a5fbf);
  --corner: var(--soundferry-corner, 8px);
  --gap: var(--soundferry-gap, 0.75rem);
  display: block;
  max-width: 34rem;
  color: var(--ink);
  font: var(--soundferry-font, 0.9375rem/1.45 system-ui, sans-serif);
}
@supports (color: light-dark(red, red)) {
  :host {
    --ink: var(--soundferry-ink, light-dark(#1c1c1b, #ecebe8));
    --quiet: var(--soundferry-quiet, light-dark(#5a5853, #aeaca7));
    --ground: var(--soundferry-ground, light-dark(#f7f6f4, #292929));
    --sunk: var(--soundferry-sunk, light-dark(#eceae7, #212121));
    --line: var(--soundferry-line, light-dark(#cfcdc8, #3d3d3d));
    --edge: var(--soundferry-edge, light-dark(#8a8782, #868481));
    --progress: var(--soundferry-progress, light-dark(#b25f00, #ffad56));
    --good: var(--soundferry-good, light-dark(#1d6b38, #7fd398));
    --mixed: var(--soundferry-mixed, light-dark(#7a4d00, #f0bd6a));
    --bad: var(--soundferry-bad, light-dark(#a8231b, #ff9c8f));
    --focus: var(--soundferry-focus, light-dark(#0a5fbf, #86bdff));
  }
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
p, ul { margin: 0; padding: 0; list-style: none; }
.box {
  container-type: inline-size;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: calc(var(--corner) * 1.5);
  background: var(--ground);
}
.box.dropping { outline: 2px dashed var(--focus); outline-offset: -6px; }
.box, .stack { display: flex; flex-direction: column; gap: var(--gap); }
.box { gap: 1rem; }
.stack.tight { gap: 0.25rem; }
.line { display: flex; align-items: center; gap: 0.5rem; min-width: 0; }
.line.wrap { flex-wrap: wrap; }
.grow { flex: 1; min-width: 0; }
.sunk { padding: var(--gap); border-radius: var(--corner); background: var(--sunk); }
.sunk > button { align-self: start; }
.quiet { color: var(--quiet); font-size: 0.9em; }
a { color: inherit; overflow-wrap: anywhere; }
.name { flex: 1; min-width: 0; overflow-wrap: anywhere; }
label { font-size: 0.9em; color: var(--quiet); }
strong.name { font-weight: 650; }
li label { display: flex; align-items: center; gap: 0.5rem; font-size: 1em; color: inherit; }
button, input, select {
  min-height: 2.25rem;
  padding: 0.25rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: var(--corner);
  color: var(--ink);
  background: transparent;
  font: inherit;
}
button { cursor: pointer; }
button:hover { background: var(--sunk); }
input, select { min-width: 0; padding-inline: 0.5rem; background: var(--sunk); }
option { color: var(--ink); background: var(--ground); }
input[type="radio"] { min-height: 0; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--progress); }
::placeholder { color: var(--quiet); opacity: 1; }
[aria-invalid="true"] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
[aria-disabled="true"] { opacity: 0.6; cursor: progress; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.primary { border-color: transparent; color: var(--on-accent); background: var(--accent); font-weight: 600; }
.primary:hover { background: color-mix(in srgb, var(--accent), var(--ink) 10%); }
.primary.wide { width: 100%; min-height: 2.75rem; overflow-wrap: anywhere; }
.plain { border-color: transparent; padding-inline: 0.5rem; }
.sunk .plain:hover { background: var(--ground); }
.square { width: 2.25rem; padding: 0; display: inline-grid; place-items: center; flex: none; }
[part~="target"] { align-self: start; margin: -0.375rem -0.5rem; font-weight: 600; }
[part~="target"][aria-expanded="true"] svg { rotate: 180deg; }
svg { width: 0.75rem; height: 0.75rem; fill: currentcolor; }
bdi + svg { margin-inline-start: 0.375rem; }
.record svg { margin-inline-end: 0.375rem; color: var(--bad); }
.record[aria-pressed="true"] { border-color: var(--bad); }
.record { font-variant-numeric: tabular-nums; }
.code {
  flex: 1;
  width: 8ch;
  text-transform: uppercase;
  letter-spacing: 0.12em;
  font-variant-numeric: tabular-nums;
  font-size: 1.125em;
}
meter { flex: 1; min-width: 4rem; max-width: 10rem; height: 0.75rem; }
progress { width: 100%; height: 0.5rem; appearance: none; border: 0; border-radius: 1rem; overflow: hidden; background: var(--sunk); accent-color: var(--progress); }
progress::-webkit-progress-bar { background: var(--sunk); }
progress::-webkit-progress-value { background: var(--progress); border-radius: 1rem; transition: inline-size 0.2s; }
progress::-moz-progress-bar { background: var(--progress); }
[part="results"] li + li { border-block-start: 1px solid var(--line); }
[part="results"] li { padding-block: 0.375rem; }
[part="results"] .why { width: 100%; }
.tone { font-size: 0.9em; color: var(--quiet); }
.tone[data-tone="good"] { color: var(--good); }
.tone[data-tone="mixed"] { color: var(--mixed); }
.tone[data-tone="bad"], .errors { color: var(--bad); }
.errors:not(:empty) { padding: 0.5rem var(--gap); border-inline-start: 3px solid var(--bad); background: var(--sunk); border-radius: 0 var(--corner) var(--corner) 0; }
.messages:not(:has(.errors:not(:empty))) { position: absolute; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@container (max-width: 26rem) {
  .drop { width: 100%; }
}
@media (forced-colors: active) {
  progress, .primary { border: 1px solid; }
}
@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; }
}
`;
