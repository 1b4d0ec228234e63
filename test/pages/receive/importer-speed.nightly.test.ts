import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import { receivingAt, relayWithImporter, sendSounds, tabs } from "./importer-page.ts";

/** Frames of all sounds together: 200 MB of 16-bit stereo. */
const FRAMES = 50_000_000;
const ROUNDS = 5;

function soundsOf(count: number): Record<string, Buffer> {
  const frames = Math.floor(FRAMES / count);
  const named = (_: unknown, at: number) =>
    [`${at}.wav`, smallWav({ frames, channels: 2, fill: at + 1 })] as const;
  return Object.fromEntries(Array.from({ length: count }, named));
}

/** A script that downloads paths with a call's headers into private files, four at a time, and resolves with the time. */
const plainDownload = (paths: readonly string[], authorization: string) => `(async () => {
  const root = await navigator.storage.getDirectory();
  const rest = ${JSON.stringify(paths)};
  const startedAt = performance.now();
  const next = async () => {
    for (let path = rest.shift(); path !== undefined; path = rest.shift()) {
      const file = await root.getFileHandle(path.replaceAll("/", "_"), { create: true });
      const headers = { authorization: ${JSON.stringify(authorization)} };
      const answer = await fetch(path, { headers, cache: "no-store" });
      await answer.body.pipeTo(await file.createWritable());
    }
  };
  await Promise.all([next(), next(), next(), next()]);
  return performance.now() - startedAt;
})()`;

const medianOf = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

describeInBrowser("the speed of an importer in a browser (needs Chromium)", () => {
  test.for([
    { count: 1, place: "zip", least: 0.4 },
    { count: 32, place: "zip", least: 0.5 },
    // Each sound is written twice: only the page's private files can be resumed.
    { count: 1, place: "folder", least: 0.25 },
    { count: 32, place: "folder", least: 0.3 },
  ] as const)(
    "[RC5] 200 MB in $count sounds go into a $place at $least of the speed of a download to disk",
    async ({ count, place, least }) => {
      const relay = await relayWithImporter();
      const page = await (await tabs())(`${relay.url}/receive`);
      const { importer, token } = await receivingAt(page, relay, place);
      const asked: { readonly path: string; readonly authorization: string }[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        const { authorization = "" } = request.headers();
        if (pathname.includes("/files/")) asked.push({ path: pathname, authorization });
      });
      const packageId = await sendSounds(relay, token, soundsOf(count));
      await importer.stateIs("(state) => state.packages.length === 1");
      const times: { readonly own: number; readonly plain: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        asked.length = 0;
        const own = await importer.run<number>(`(async () => {
          const startedAt = performance.now();
          const until = (isTrue) => new Promise((resolve) => {
            const look = () => (isTrue() ? resolve() : setTimeout(look, 2));
            look();
          });
          await importer.send("beginRun", { packageId: ${JSON.stringify(packageId)}, again: true });
          await until(() => state.runs.length > 0);
          await until(() => state.runs.length === 0);
          return performance.now() - startedAt;
        })()`);
        const [{ authorization } = { authorization: "" }] = asked;
        const paths = [...new Set(asked.map(({ path }) => path))];
        if (paths.length === 0) continue;
        times.push({ own, plain: await importer.run(plainDownload(paths, authorization)) });
      }
      expect(times.length).toBeGreaterThan(0);
      const ratio = medianOf(times.map(({ own, plain }) => plain / own));
      process.stdout.write(`${count} in a ${place}: ${ratio.toFixed(2)} of ${times.length}\n`);
      expect(ratio).toBeGreaterThan(least);
    },
  );
});
