import { expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { type CallFault, HttpCutter, type PassingCall } from "../sim/http-cutter.ts";
import { smallWav } from "../wav-bytes.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";

const MIB = 1024 ** 2;
/** A sound of 12 MB. */
const LONG = smallWav({ frames: 6_000_000 });
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
    send: (sound = LONG) => client.send({ sounds: [{ source: sound }] }),
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
  await using box = await throughBox((call) => (lengthOf(call) > 4 * MIB ? page(413) : undefined));
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
    lengthOf(call) > 5 * MIB ? { cutBodyAfter: 5 * MIB } : undefined,
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
    const { packageId } = await box.send();
    expect(await box.statusOf(packageId)).toBe("waiting");
    expect(box.uploads()).toEqual([`PATCH ${LONG.length}`, `PUT ${LONG.length}`]);
  },
);

test.each([
  [403, "PUT", LONG],
  [405, "PUT", smallWav()],
  [501, "PUT", LONG],
  [413, "PATCH", LONG],
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

test("[W42] a sign-in page that refuses uploads like everything else is not named as a middlebox", async () => {
  let left = 20;
  await using box = await throughBox(({ method, path }) => {
    const isTaken = path === "/app/me" ? left < 20 : method === "PUT";
    return isTaken && (left -= 1) >= 0 ? page(403) : undefined;
  });
  const { packageId } = await box.send(smallWav());
  expect(await box.statusOf(packageId)).toBe("waiting");
});
