/** The style of the sounds, which comes with their part. */
export const SOUNDS_STYLE = `
.sound {
  display: grid;
  grid-template-columns: auto 1fr auto 6.5rem auto;
  align-items: center;
  gap: 0.25rem 0.5rem;
  padding-block: 0.375rem;
}
.sound:first-child { padding-block-start: 0; }
.sound + .sound { border-block-start: 1px solid var(--line); }
.sound .note { grid-column: 1 / -1; margin: 0; }
.sound .remove { grid-column: 5; }
.sound .play { margin-inline-start: -0.5rem; }
.bpm { display: flex; align-items: center; gap: 0.375rem; }
.bpm input { width: 4rem; font-variant-numeric: tabular-nums; }
.sunk [aria-pressed="true"] { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
@container (max-width: 26rem) {
  .sound { grid-template-columns: auto 1fr auto auto; }
  .sound .remove { grid-column: 4; grid-row: 1; }
  .sound .name { grid-column: 2 / 4; grid-row: 1; }
  .sound select { grid-column: 2; grid-row: 2; }
  .sound .bpm { grid-column: 3 / 5; grid-row: 2; }
}
`;
