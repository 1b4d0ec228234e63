import { expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import type { SendOptions } from "../../client/send/send-options.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { type CallFault, HttpCutter, type PassingCall } from "../sim/http-cutter.ts";
import { smallWav } from "../wav-bytes.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";

const MIB = 1024 ** 2;
/** A sound of 6 MB. */
const LONG = smallWav({ frames: 3_000_000 });
/** One that goes in parts, but in few. */
const SHORT = smallWav({ frames: 540_000 });
const page = (status: number): CallFault => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<h1>No</h1>",
});
const lengthOf = ({ headers }: PassingCall) => Number(headers["content-length"] ?? 0);

/** A client whose uploads pass a middlebox on the way to a relay. */
async function throughBox(fault: HttpCutter["fault"]) {
  const relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const line = await HttpCutter.to(relay.url, { fault });
  const tokenStore = new MemoryTokenStore(token);
  const pace = instantPace();
  const client = pairedClient(line.url, { ...IN_NODE, tokenStore, pace });
  return {
    line,
    pace,
    send: (sound = LONG, options: SendOptions = {}) =>
      client.send({ sounds: [{ source: sound }] }, options),
    statusOf: async (id: string) => (await relay.status(token, id)).status,
    uploads: () =>
      line.calls
        .filter(({ method }) => method === "PATCH" || method === "PUT")
        .map((call) => `${call.method} ${lengthOf(call)}`),
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

test("[W42] what a middlebox finds too large goes in parts, without a wait, and later files too", async () => {
  await using box = await throughBox((call) => (lengthOf(call) > 2 * MIB ? page(413) : undefined));
  const { packageId } = await box.send();
  expect(await box.statusOf(packageId)).toBe("waiting");
  const size = LONG.length;
  const [half, quarter] = [Math.ceil(size / 2), Math.ceil(size / 4)];
  const parts = Array.from({ length: 3 }, () => `PATCH ${quarter}`);
  const rest = `PATCH ${size - 3 * quarter}`;
  expect(box.uploads()).toEqual([`PATCH ${size}`, `PATCH ${half}`, ...parts, rest]);
  expect(box.pace.waits).toEqual([]);
  await box.send();
  expect(box.uploads().slice(6)).toEqual([...parts, rest]);
});

test("[W42] parts of 1 MiB pass where a server allows no more", async () => {
  await using box = await throughBox((call) => (lengthOf(call) > MIB ? page(413) : undefined));
  const { packageId } = await box.send();
  expect(await box.statusOf(packageId)).toBe("waiting");
  expect(box.uploads().at(-2)).toBe(`PATCH ${MIB}`);
});

test("[W42] where long bodies are cut each time, the parts become shorter", async () => {
  await using box = await throughBox((call) =>
    lengthOf(call) > 2.5 * MIB ? { cutBodyAfter: 2.5 * MIB } : undefined,
  );
  const { packageId } = await box.send();
  expect(await box.statusOf(packageId)).toBe("waiting");
  const bodies = box.uploads();
  expect(bodies.slice(0, 2)).toEqual([`PATCH ${LONG.length}`, `PATCH ${LONG.length}`]);
  expect(Number(bodies[2]?.slice(6))).toBeLessThan(LONG.length);
});

test.each([403, 405, 501])(
  "[W42] where a middlebox refuses PATCH with %s, files are sent whole",
  async (status) => {
    await using box = await throughBox(({ method }) =>
      method === "PATCH" ? page(status) : undefined,
    );
    const { packageId } = await box.send(SHORT);
    expect(await box.statusOf(packageId)).toBe("waiting");
    expect(box.uploads()).toEqual([`PATCH ${SHORT.length}`, `PUT ${SHORT.length}`]);
  },
);

test.each([
  [403, "PUT", SHORT],
  [405, "PUT", smallWav()],
  [501, "PUT", SHORT],
  [413, "PATCH", SHORT],
  [413, "PUT", smallWav()],
])(
  "[W42] a middlebox that refuses every upload with %s is named: %s",
  async (status, method, sound) => {
    await using box = await throughBox((call) =>
      call.method === "PATCH" || call.method === "PUT" ? page(status) : undefined,
    );
    const error: unknown = await box.send(sound).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "UPLOAD_BLOCKED",
      status: undefined,
      foreignStatus: status,
      message: `Something between this computer and the relay refuses uploads (${method}, ${status}).`,
      packageId: expect.stringMatching(/^pkg_/),
    });
    expect(box.pace.waits).toHaveLength(7);
    const { packageId } = error as { packageId: string };
    expect(await box.statusOf(packageId)).toBe("uploading");
  },
);

test("[W42] a sign-in page that answers every call with 403 is no middlebox that refuses uploads", async () => {
  let left = 20;
  let isUploading = false;
  await using box = await throughBox(({ method }) => {
    isUploading ||= method === "PUT";
    if (isUploading) left -= 1;
    return isUploading && left >= 0 ? page(403) : undefined;
  });
  const codes = new Set<string | undefined>();
  const { packageId } = await box.send(smallWav(), { onRetry: ({ code }) => codes.add(code) });
  expect(await box.statusOf(packageId)).toBe("waiting");
  expect([...codes]).toEqual(["FOREIGN_ANSWER"]);
});
