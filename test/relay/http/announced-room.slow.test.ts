import { expect, test } from "vitest";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

const GIB = 1024 ** 3;
const STRANGERS = 20;
const LARGEST = {
  schema: "app2host/1",
  items: [{ file: "x.wav", bytes: MAX_PACKAGE_BYTES, sha256: "0".repeat(64) }],
};

test("[U6][U9] 20 devices in 20 networks announce all the room and send nothing: others wait for minutes at most", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8" });
  const honest = await relay.paired();
  const { token } = honest;
  const before = await relay.announce(token, manifestOf(["a.wav"]));
  relay.relay.context.sounds.room = () => Promise.resolve(6 * GIB);

  const codes: string[] = [];
  for (let index = 0; index < STRANGERS; index += 1) {
    const stranger = await relay.paired();
    const headers = { "x-forwarded-for": `2001:db8:${index.toString(16)}::1` };
    for (let times = 0; times < 5; times += 1) {
      const call = { token: stranger.token, body: LARGEST, headers };
      const { status, json } = await relay.call("POST", "/packages", call);
      codes.push(status === 201 ? "taken" : json.code);
    }
  }
  // Each device gets two of its largest packages, and all strangers together three quarters of the room.
  expect(codes.filter((code) => code === "taken").length).toBeLessThan(0.75 * 6 * 5.2);
  expect(new Set(codes)).toEqual(new Set(["taken", "UPLOADS_UNFINISHED"]));

  const announce = () => relay.call("POST", "/packages", { token, body: LARGEST });
  const refused = await announce();
  expect([refused.status, refused.json.code]).toEqual([507, "UPLOADS_UNFINISHED"]);
  // What was announced before goes on.
  const put = await relay.call("PUT", before.upload["a.wav"] ?? "", { token, body: smallWav() });
  expect(put.status).toBe(200);

  // The first reservation that lapses may be too small.
  let waited = 0;
  for (let answer = refused; answer.status !== 201; answer = await announce()) {
    expect(answer.json.code).toBe("UPLOADS_UNFINISHED");
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    waited += seconds;
    expect(waited).toBeLessThanOrEqual(300);
    relay.clock.pass(seconds);
  }
});
