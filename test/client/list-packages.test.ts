import { expect, test } from "vitest";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { manifestOf } from "../manifest-of.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { callsOf, pairedClient, type StandInAnswer, startStandIn } from "./stand-in-relay.ts";

test("[W46][S7] lists the app's own packages, those with one status or all", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const client = pairedClient(relay.url, { tokenStore: new MemoryTokenStore(token) });
  const { package_id: first } = await client.announce({ ...manifestOf(["kick.wav"]) });
  const { package_id: second } = await client.announce({ ...manifestOf(["hat.wav"]) });
  const { packages, next } = await client.list();
  expect(packages.map(({ package_id: id, status }) => [id, status])).toEqual([
    [second, "uploading"],
    [first, "uploading"],
  ]);
  expect(next).toBeNull();
  expect((await client.list({ status: ["waiting", "imported"] })).packages).toEqual([]);
  expect((await client.list({ status: "uploading" })).packages).toHaveLength(2);
  expect((await client.list({ status: [] })).packages).toHaveLength(2);
  await expect(client.list({ after: "nonsense" })).rejects.toMatchObject({ code: "CURSOR_WRONG" });
});

test("[W46] listAll asks for the next page when it is needed, and ends with the last", async () => {
  const pages: readonly StandInAnswer[] = [
    { body: { packages: [{ package_id: "pkg_3" }, { package_id: "pkg_2" }], next: "b c" } },
    { body: { packages: [], next: "d" } },
    { body: { packages: [{ package_id: "pkg_1" }], next: null } },
  ];
  await using relay = await startStandIn((_request, count) => pages[count - 1] ?? "hang up");
  const found: string[] = [];
  const all = pairedClient(relay.url).listAll({ status: ["waiting", "expired"] });
  for await (const { package_id: packageId } of all) {
    found.push(`${packageId} after ${relay.seen.length}`);
  }
  expect(found).toEqual(["pkg_3 after 1", "pkg_2 after 1", "pkg_1 after 3"]);
  expect(callsOf(relay.seen)).toEqual([
    "GET /packages?status=waiting%2Cexpired",
    "GET /packages?status=waiting%2Cexpired&after=b+c",
    "GET /packages?status=waiting%2Cexpired&after=d",
  ]);
});

const ME = { device_name: "Studio", app_name: "Looper", paired_at: "2026-01-31T12:00:00.000Z" };

test.each([
  [404, '{"error":"Not found."}'],
  [404, "<h1>Cannot GET /packages</h1>"],
  [405, '{"error":"No."}'],
  [501, "No."],
])(
  "[W46] a relay that knows only the public specification lists nothing: %s %s",
  async (status, body) => {
    await using relay = await startStandIn(({ method, path, headers }) => {
      if (path === "/packages") return { status, body, isForeign: true };
      const isPaired = headers.authorization !== undefined;
      if (path === "/app/me" && isPaired) return { body: ME, isForeign: true };
      return { status: method === "GET" ? 401 : 400, body: { error: "No." }, isForeign: true };
    });
    const client = pairedClient(relay.url);
    const unsupported = { code: "LIST_UNSUPPORTED", message: "This relay can't list packages." };
    await expect(client.list()).rejects.toMatchObject(unsupported);
    await expect(client.listAll().next()).rejects.toMatchObject(unsupported);
  },
);

test("[W41][W46] what answers a list in the relay's place is no old relay", async () => {
  const page = { status: 404, body: "<h1>Sign in</h1>", isForeign: true };
  await using stranger = await startStandIn(() => page);
  await expect(pairedClient(stranger.url).list()).rejects.toMatchObject({ code: "NOT_A_RELAY" });
  await using relay = await startStandIn((_request, count) => (count === 1 ? { body: ME } : page));
  const client = pairedClient(relay.url);
  await client.me();
  await expect(client.list()).rejects.toMatchObject({ code: "FOREIGN_ANSWER" });
});
