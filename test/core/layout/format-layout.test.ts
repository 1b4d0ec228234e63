import { describe, expect, test } from "vitest";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import { formatLayout } from "../../../core/layout/format-layout.ts";
import { displayWidth } from "../../../core/text/text-table.ts";
import { sampleHeader, samplePackage, sampleSound } from "./sample-package.ts";

describe("a formatted layout", () => {
  test("is a table followed by problems, notes and warnings", () => {
    const items = [
      sampleSound({ kind: "loop", role: "drums", name: "Break", gain_db: -6 }),
      sampleSound({
        id: "2",
        kind: "loop",
        role: "vocal",
        name: "Vox",
        bpm: 93.75,
        length_beats: 4.5,
      }),
      sampleSound({ id: "3", name: "カウベル", color: "#FF3636", gain_db: 1.5 }),
      sampleSound({ id: "4", name: "Lost", file: "lost.wav" }),
    ];
    const sounds = new Map([
      ["1", sampleHeader(384_000)],
      ["2", sampleHeader(48_000 * 3)],
      ["3", sampleHeader(96_000)],
    ]);
    const warnings = [
      { code: "GAIN_CLAMPED", message: "Break: a gain of -80 dB became -70.", sound: "1" },
      { code: "MIDI_IGNORED", message: "MIDI is not imported yet." },
    ];
    const read = { ...samplePackage(items, { tempo: { bpm: 120 } }), sounds, warnings };
    expect(formatLayout(planLayout(read))).toMatchInlineSnapshot(`
      "Night Drive (Looper)
      ════════════════════
      4 sounds: 2 loops, 1 one-shot, 1 not usable

      #  Track              Kind      Warp         Beats  Tempo  Color            Gain
      ─  ─────────────────  ────────  ───────────  ─────  ─────  ────────────  ───────
      1  Break (Looper)     loop      Beats           16    120  #92A7FF (10)    -6 dB
      2  Vox (Looper)       loop      Complex Pro    4.5  93.75  #92A7FF (10)     0 dB
      3  カウベル (Looper)  one-shot  –                –      –  #FF3636 (14)  +1.5 dB
      4  Lost (Looper)      one-shot  not usable

      Not usable
        4  Lost: lost.wav is not there.

      Notes
        2  Vox: A loop of 4.5 beats at 93.75 BPM lasts 2.88 s, but the file lasts 3 s: its last 0.12 s are outside the loop.

      Warnings
        1  Break: a gain of -80 dB became -70.
        –  MIDI is not imported yet.
      "
    `);
  });

  test.each([
    [["loop"], "1 sound: 1 loop"],
    [["oneshot", "oneshot"], "2 sounds: 2 one-shots"],
    [["loop", "loop", "oneshot"], "3 sounds: 2 loops, 1 one-shot"],
  ] as const)("counts the sounds that there are, and no others: %j", (kinds, line) => {
    const items = kinds.map((kind, index) => sampleSound({ id: `${index}`, kind }));
    expect(formatLayout(planLayout(samplePackage(items))).split("\n")[2]).toBe(line);
  });

  test("counts unusable sounds separately, and aligns remarks with ten or more sounds", () => {
    const items = Array.from({ length: 10 }, (_, index) => sampleSound({ id: `${index}` }));
    const text = formatLayout(planLayout({ ...samplePackage(items), sounds: new Map() }));
    expect(text).toContain("\n10 sounds: 10 not usable\n");
    expect(text).toContain("\n   9  Kick: kick.wav is not there.\n  10  Kick: kick.wav");
  });

  test("marks guessed values", () => {
    const text = formatLayout(planLayout(samplePackage([sampleSound({ kind: "loop" })])));
    expect(text).toMatch(/ loop +Complex +guessed +guessed +#92A7FF \(10\) +0 dB$/m);
    expect(text).toMatch(/^ {2}1 {2}Kick: Neither tempo nor length was sent/m);
  });

  test("has no empty sections and no trailing spaces", () => {
    const text = formatLayout(planLayout(samplePackage([sampleSound()])));
    expect(text).not.toMatch(/Notes|Warnings|Not usable| $/m);
    expect(text.endsWith("0 dB\n")).toBe(true);
  });

  test("aligns its columns in every script", () => {
    const names = ["Kick", "低音ドラム", "드럼", "e\u0301te\u0301", "กลองใหญ่", "ж", "ド\u3099"];
    const items = names.map((name, index) => sampleSound({ id: `${index}`, name }));
    const rows = formatLayout(planLayout(samplePackage(items)))
      .split("\n")
      .filter((line) => line.includes("one-shot "));
    const offsets = rows.map((row) => displayWidth(row.slice(0, row.indexOf("one-shot"))));
    expect(rows).toHaveLength(names.length);
    expect(new Set(offsets).size).toBe(1);
  });

  test("lets no name or message control the terminal", () => {
    const sound = sampleSound({ name: "a\u001b[2Jb" });
    const read = {
      ...samplePackage([sound], { title: "x\r\u202egnp" }),
      warnings: [{ code: "X", message: "one\ntwo\u2028three" }],
    };
    const text = formatLayout(planLayout(read));
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(text).toContain("  –  one two three\n");
  });
});
