import { expect, test } from "vitest";
import { readLoop } from "./read-loop.ts";
import { CODE, useSoundferry } from "./soundferry-at-work.ts";

const soundferry = useSoundferry();

/** Runs the example with these arguments after the relay's address. */
const send = async (words: string) =>
  soundferry.type(
    `node scripts/node.cjs docs/examples/node/send-loop.mjs ${soundferry.relayUrl} ${words}`,
  );

test("the Node example pairs, sends an exact loop and prints its result, and then needs no code", async () => {
  const first = await send(`"${CODE}"`);
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toMatch(/^Paired with Test machine\.\n[^]*The package is imported\. \{/);
  expect(first.stdout).toContain("track: 'Kick & Bass (Node example)'");
  expect(await send("")).toMatchObject({ status: 0 });

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
  const { status, stderr } = await send("222222");
  expect(status).toBe(1);
  expect(stderr).toBe("This code is wrong, used or expired. Ask Live for a new one.\n");
});
