import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { VERSION } from "../../../../core/version.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { RunningRelay } from "../../running-relay.ts";
import { openSocket } from "../open-socket.ts";
import { rawCall } from "../raw-call.ts";
import { slowPut } from "../slow-put.ts";
import { scrape } from "./scrape.ts";
import { soon } from "../../../sim/soon.ts";
import { manifestOf } from "../../../manifest-of.ts";

const METERED = { SOUNDFERRY_METRICS_PORT: "0" };
const SIZE = smallWav().byteLength;

test("[K9] metrics follow a package from its announcement to its report", async () => {
  await using relay = await RunningRelay.start(METERED);
  const { importer, token } = await relay.paired();
  const socket = await openSocket(relay, importer.token);
  const { upload } = await relay.announce(token, manifestOf(["a.wav", "b.wav"]));
  const put = slowPut(relay, upload["a.wav"] ?? "", token, { "content-length": SIZE });
  put.write(smallWav().subarray(0, 50));
  await soon(async () => (await scrape(relay)).get("soundferry_uploads")).toBe(1);
  put.write(smallWav().subarray(50));
  put.end();
  await put.answer;
  const told = once(socket, "message");
  const id = await relay.send(token);
  await told;
  relay.clock.pass(90);

  const ofImporter = { token: importer.token };
  const path = `/importer/packages/${id}`;
  await relay.call("POST", `${path}/take`, ofImporter);
  await relay.call("GET", `${path}/files/kick.wav`, ofImporter);
  const report = { ...ofImporter, body: { results: { "1": { status: "imported" } } } };
  await relay.call("POST", `${path}/results`, report);
  await relay.call("POST", `${path}/results`, report);
  await relay.call("GET", "/packages/pkg_none/status", { token });
  await relay.call("GET", "/app/me");

  const seen = await scrape(relay);
  expect(Object.fromEntries(seen)).toMatchObject({
    [`soundferry_build_info{version="${VERSION}",node="${process.versions.node}"}`]: 1,
    soundferry_sockets: 1,
    soundferry_uploads: 0,
    'soundferry_budget_used{budget="uploads"}': 0,
    'soundferry_sound_bytes_total{direction="in"}': 2 * SIZE,
    'soundferry_sound_bytes_total{direction="out"}': SIZE,
    'soundferry_commit_to_import_seconds_count{outcome="imported"}': 1,
    'soundferry_commit_to_import_seconds_bucket{le="60",outcome="imported"}': 0,
    'soundferry_commit_to_import_seconds_bucket{le="300",outcome="imported"}': 1,
    'soundferry_refusals_total{code="PACKAGE_UNKNOWN"}': 1,
    'soundferry_refusals_total{code="TOKEN_MISSING"}': 1,
    'soundferry_notice{topic="full"}': 0,
    soundferry_commit_queue_depth: 0,
    soundferry_min_free_bytes: 0,
  });
  expect(seen.get("soundferry_notification_seconds_count")).toBeGreaterThan(0);
  expect(seen.get("soundferry_commit_seconds_count")).toBeGreaterThan(5);
  expect(seen.get("soundferry_free_bytes")).toBeGreaterThan(0);
  expect(seen.get('soundferry_budget_max{budget="uploads"}')).toBeGreaterThan(1);
  expect(seen.get('soundferry_sweeps_total{outcome="done"}')).toBe(1);
  socket.terminate();
});

test("[K9] packages are counted by status, with the wait of the oldest and the bytes that are held", async () => {
  await using relay = await RunningRelay.start(METERED);
  const { importer, token } = await relay.paired();
  await relay.announce(token, manifestOf(["a.wav"]));
  const first = await relay.send(token);
  await relay.call("POST", `/importer/packages/${first}/results`, {
    token: importer.token,
    body: { results: { "1": { status: "failed" } } },
  });
  await relay.send(token);
  relay.clock.pass(100);
  await relay.send(token);
  const seen = await scrape(relay);
  expect(Object.fromEntries(seen)).toMatchObject({
    'soundferry_packages{status="uploading"}': 1,
    'soundferry_packages{status="waiting"}': 2,
    'soundferry_packages{status="failed"}': 1,
    'soundferry_packages{status="expired"}': 0,
    soundferry_reserved_bytes: SIZE,
  });
  const oldest = seen.get("soundferry_oldest_waiting_seconds") ?? 0;
  expect(oldest).toBeGreaterThanOrEqual(100);
  // The next scrape shares the count: nothing is read.
  relay.relay.context.packages.count = () => Promise.reject(new Error("It counts again."));
  expect((await scrape(relay)).get('soundferry_packages{status="waiting"}')).toBe(2);
});

test("[K9] long-polls don't count as latency, and notices are shown", async () => {
  await using relay = await RunningRelay.start(METERED);
  const { token } = await relay.paired();
  const id = await relay.send(token);
  await relay.call("GET", `/packages/${id}/status?wait=0.2&known=waiting`, { token });
  await relay.status(token, id);
  const { context } = relay.relay;
  context.health.note("clock", "The clock jumped.");
  const path = 'method="GET",path="/packages/:id/status"';
  expect(Object.fromEntries(await scrape(relay))).toMatchObject({
    [`soundferry_call_seconds_count{${path}}`]: 1,
    [`soundferry_calls_total{${path},status="200"}`]: 2,
    soundferry_long_poll_seconds_count: 1,
    'soundferry_long_poll_seconds_bucket{le="0.1"}': 0,
    'soundferry_notice{topic="clock"}': 1,
  });
});

test("[K9] no label says who it was", async () => {
  await using relay = await RunningRelay.start(METERED);
  const { importer, token } = await relay.paired();
  const id = await relay.send(token, ["secret name.wav"]);
  await relay.call("GET", `/nowhere/${id}/${token}`);
  await relay.call("GET", `/packages/${id}/status?wait=${token}`, {
    token,
    headers: { "x-service-client": "somebodys-client" },
  });
  const text = await (await fetch(relay.metricsUrl ?? "")).text();
  for (const secret of [
    id,
    token,
    importer.token,
    importer.deviceId,
    "secret name",
    "somebodys-client",
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toContain("127.0.0.1");
});

test("[K9] a connection gets the metrics once, and no more than a few are served at a time", async () => {
  await using relay = await RunningRelay.start(METERED);
  const { origin, hostname, port } = new URL(relay.metricsUrl ?? "");
  const call = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const asking = connect(Number(port), hostname);
  let answer = "";
  asking.on("data", (piece) => (answer += String(piece)));
  asking.write(call.repeat(50));
  await soon(() => answer.match(/^HTTP\/1.1 503 /gm)).toHaveLength(49);
  expect(answer.match(/soundferry_build_info\{/g)).toHaveLength(1);
  asking.destroy();
  const idle = Array.from({ length: 40 }, () => connect(Number(port), hostname));
  for (const socket of idle) socket.on("error", () => {}).resume();
  await soon(() => idle.filter(({ destroyed }) => destroyed).length).toBe(24);
  for (const socket of idle) socket.destroy();
  await soon(() => rawCall(origin, call)).toContain("soundferry_build_info{");
});
