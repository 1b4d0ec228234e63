import { servePage } from "../../serve-page.ts";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODE, useSoundferry, readLoop } from "./soundferry-at-work.ts";
import { describeInBrowser, useBrowser } from "../../pages/panel/panel-browser.ts";
import { soon } from "../../sim/soon.ts";

const soundferry = useSoundferry();
const KIT = "fixtures/packages/one-shot-kit";
const HALVES = "fixtures/packages/half-beat-lengths";
const WAITS = "The package waits. Click Import.\n";

/** Runs the example with these arguments after the relay's address. */
const send = async (words: string, variables = "") =>
  soundferry.type(`${variables} bash docs/examples/shell/send.sh ${soundferry.relayUrl} ${words}`);

test("the shell example pairs, sends one-shots, then loops without the code, and prints their results", async () => {
  const first = await send(`--code "${CODE}" ${KIT}/rim.wav ${KIT}/kick-deep.wav`);
  expect(first).toMatchObject({ status: 0, stderr: `Paired with Test machine.\n${WAITS}` });
  expect(JSON.parse(first.stdout)).toMatchObject({
    status: "imported",
    results: { 1: { track: "rim (curl)" }, 2: { track: "kick-deep (curl)" } },
  });

  expect(await send(`${HALVES}/two-and-a-half.wav`, "BPM=100")).toMatchObject({
    status: 0,
    stderr: WAITS,
  });
  expect(await soundferry.clipsOf("From the shell (curl)")).toMatchObject([
    { track: "rim (curl)", looping: false, warping: false },
    { track: "kick-deep (curl)", looping: false },
    { track: "two-and-a-half (curl)", looping: true, tempo_bpm: 100, loop_beats: 2.5 },
  ]);
});

test("the shell example takes files with spaces, quotes and brackets in their names", async () => {
  const name = String.raw`a [1] {x} "q" \ é.wav`;
  await soundferry.type(`cp ${KIT}/rim.wav ~/'${name}'`);
  const { stdout } = await send(`--code "${CODE}" ~/*.wav`);
  expect(JSON.parse(stdout)).toMatchObject({ results: { 1: { track: "a 1 x q é (curl)" } } });
});

test("the shell example stores its token for its user only, and forgets it once it is unpaired", async () => {
  expect(await send(`--code "${CODE}" ${KIT}/rim.wav`)).toMatchObject({ status: 0 });
  const folder = join(soundferry.home, ".soundferry-shell");
  const [name = ""] = await readdir(folder);
  const header = join(folder, name);
  expect((await stat(header)).mode & 0o777).toBe(0o600);
  expect(await readFile(header, "utf8")).toMatch(/^Authorization: Bearer sfa_\S+\n$/);

  await soundferry.type(`curl -sf -X POST ${soundferry.relayUrl}/app/unpair -H @${header}`);
  const stderr = "No longer paired. Enter a new pairing code.\n";
  expect(await send(`${KIT}/rim.wav`)).toEqual({ status: 1, stdout: "", stderr });
  expect(await readdir(folder)).toEqual([]);
  const again = await send(`${KIT}/rim.wav`);
  expect(again).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Not paired yet\./) });
});

test.each([
  ["a wrong code", `--code "222 222" ${KIT}/rim.wav`, "This code is wrong, used or expired."],
  ["a file that is no WAV", `--code "${CODE}" package.json`, "0.wav: "],
  ["no files", `--code "${CODE}"`, "items must be a list of 1 to 32 sounds."],
])("the shell example ends with the relay's sentence for %s", async (_, words, sentence) => {
  const { status, stdout, stderr } = await send(words);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(sentence);
});

/** Runs the example with these arguments after the relay's address. */
const sendFromNode = async (words: string) =>
  soundferry.type(
    `node scripts/node.cjs docs/examples/node/send-loop.mjs ${soundferry.relayUrl} ${words}`,
  );

test("the Node example pairs, sends an exact loop and prints its result, and then needs no code", async () => {
  const first = await sendFromNode(`"${CODE}"`);
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toMatch(/^Paired with Test machine\.\n[^]*The package is imported\. \{/);
  expect(first.stdout).toContain("track: 'Kick & Bass (Node example)'");
  expect(await sendFromNode("")).toMatchObject({ status: 0 });

  const [clip, ...more] = await soundferry.clipsOf("From Node (Node example)");
  expect(more).toHaveLength(1);
  expect(clip).toMatchObject({
    track: "Kick & Bass (Node example)",
    looping: true,
    loop_beats: 4,
    tempo_bpm: 120,
    warp_mode: "beats",
  });
  const { loudest, ...length } = await readLoop(clip?.file ?? "");
  expect(length).toEqual({ frames: 96_000, sampleRateHz: 48_000 });
  expect(loudest).toSatisfy((level: number) => level > 0.4 && level < 1);
});

test("the Node example ends with the relay's sentence for a wrong code", async () => {
  const { status, stderr } = await sendFromNode("222222");
  expect(status).toBe(1);
  expect(stderr).toBe("This code is wrong, used or expired. Ask Live for a new one.\n");
});

const PAGE = join(import.meta.dirname, "../../../docs/examples/web/index.html");

describeInBrowser("the web example (needs Chromium)", () => {
  const { open } = useBrowser();
  /** The page, on another origin than the relay's. */
  const openExample = async () => {
    const page = await open(await servePage(await readFile(PAGE, "utf8")));
    const said = async () => page.getByRole("status").innerText();
    const send = async (code: string) => {
      await page.getByLabel("Relay").fill(soundferry.relayUrl);
      await page.getByLabel("Pairing code").fill(code);
      await page.getByRole("button", { name: "Send" }).click();
    };
    return { said, send, reload: async () => page.reload() };
  };

  test("pairs, sends an exact loop and follows it until it is imported, and then needs no code", async () => {
    const { said, send, reload } = await openExample();
    await send(CODE);
    await soon(said).toBe("The package is imported.");
    await reload();
    expect(await said()).toBe("");
    await send("");
    await soon(said).toBe("The package is imported.");

    const [clip, ...more] = await soundferry.clipsOf("From a web page (Web example)");
    expect(more).toHaveLength(1);
    expect(clip).toMatchObject({
      track: "Four Notes (Web example)",
      looping: true,
      loop_beats: 4,
      tempo_bpm: 120,
      warp_mode: "complex_pro",
    });
    const { loudest, ...length } = await readLoop(clip?.file ?? "");
    expect(length).toEqual({ frames: 88_200, sampleRateHz: 44_100 });
    expect(loudest).toSatisfy((level: number) => level > 0.4 && level < 1);
  });

  test("shows the relay's sentence for a wrong code", async () => {
    const { said, send } = await openExample();
    await send("222222");
    await soon(said).toBe("This code is wrong, used or expired. Ask Live for a new one.");
  });
});
