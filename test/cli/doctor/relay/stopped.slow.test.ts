import { expect, test, onTestFinished } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { makeMachine, runOnce } from "../../run-soundferry.ts";
import { examineSite, leftAt, troublesIn, hasProxyAddress, startSite } from "./faulty-site.ts";
import { soon } from "../../../sim/soon.ts";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { someOf } from "../../../whole-forms.ts";
import { freePort } from "../../../engines/free-port.ts";

test("[K15] Ctrl-C while calls stay open removes what was created, and exits 1", async () => {
  await using relay = await RunningRelay.start();
  await using machine = await makeMachine();
  const doctor = machine.start(["doctor", "--json", "--relay", relay.url]);
  await doctor.until(({ stderr }) => stderr.includes("Holding a call and a WebSocket open"));
  expect(await leftAt(relay)).not.toEqual([]);
  doctor.interrupt();
  const { status, stdout, stderr } = await doctor.ended;
  expect([status, JSON.parse(stdout)]).toEqual([1, { error: "Stopped." }]);
  expect(stderr).toContain("Stopped.");
  await soon(() => leftAt(relay)).toEqual([]);
});

test
  .skipIf(!hasProxyAddress)
  .for(["POST /importer/register", "GET /importer/me", "POST /pair/claim", "POST /packages"])(
  "[K15] stopped at %s, it leaves nothing behind (needs a second local address)",
  async (call) => {
    await using relay = await RunningRelay.start();
    const stop = new AbortController();
    await using site = await startSite(relay.url, {}, (called) => {
      if (called === call) stop.abort(new Error("Stopped."));
    });
    await expect(examineSite(site.url, { signal: stop.signal })).rejects.toThrow("Stopped.");
    await soon(() => leftAt(relay)).toEqual([]);
  },
);

test.skipIf(!hasProxyAddress)(
  "[K15] says how to remove what it couldn't remove (needs a second local address)",
  async () => {
    await using relay = await RunningRelay.start();
    await using site = await startSite(relay.url, { refuses: "DELETE /importer/me" });
    const findings = await examineSite(site.url);
    const cleanup = findings.find(({ check }) => check === "cleanup");
    const [device] = await leftAt(relay);
    expect(cleanup?.state).toBe("wrong");
    expect(cleanup?.sentence).toContain(device);
    expect(cleanup?.advice).toContain(`admin erase ${device}`);
  },
);

test.for([
  { words: ["--quick"], says: "--quick is for --relay." },
  { words: ["--relay", "ftp://relay.example"], says: "such as https://relay.example" },
])("[K15][K1] $words is wrong use", async ({ words, says }) => {
  const { status, stdout } = await runOnce(["doctor", "--json", ...words]);
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(says), code: "WRONG_USE" });
});

test("[K15] where no relay answers, it says so and what it didn't check", async () => {
  const findings = await examineSite("http://127.0.0.1:9");
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    "certificate ok",
    "relay wrong",
    "not-checked note",
  ]);
});

/** Debian has it where only an administrator looks. */
const PATH = `${process.env["PATH"]}:/usr/sbin`;
const hasNginx = spawnSync("nginx", ["-v"], { env: { PATH } }).status === 0;

const ADDRESS = "proxy_set_header X-Forwarded-For $remote_addr;";
const UPGRADE =
  "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;";
const BODIES = "client_max_body_size 200m; proxy_request_buffering off;";

interface NginxCase {
  readonly what: string;
  /** Directives of `location /` besides `proxy_pass`. */
  readonly config: string;
  readonly found: readonly string[];
}

const CASES: readonly NginxCase[] = [
  { what: "set up well", config: ADDRESS + UPGRADE + BODIES, found: [] },
  {
    what: "as it comes",
    config: "",
    // As it comes, nginx also passes on whatever address a caller makes up.
    found: ["upload-limit wrong", "forged-address note", "websocket wrong"],
  },
  {
    what: "with a larger limit only",
    config: `${ADDRESS}${UPGRADE}client_max_body_size 200m;`,
    found: ["upload-buffering wrong"],
  },
  {
    what: "with short timeouts",
    config: `${ADDRESS}${UPGRADE}${BODIES}proxy_read_timeout 2s;`,
    found: ["long-poll wrong", "websocket-silence wrong"],
  },
];

test.skipIf(!hasNginx).for(someOf(CASES, 2))(
  "[K15] examines a relay behind nginx $what (needs nginx)",
  async (nginx) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
    const url = await startNginx(relay.url, nginx.config);
    const findings = await examineSite(url, {
      waits: { answerMs: 5000, openSeconds: 5, pings: 0 },
    });
    expect(troublesIn(findings)).toEqual(nginx.found);
    await soon(() => leftAt(relay)).toEqual([]);
  },
);

/** Ends after the test. */
async function startNginx(relayUrl: string, config: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-nginx-"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const text = `daemon off; master_process off; pid ${join(folder, "pid")}; error_log stderr;
events {}
http {
  access_log off; ${temporary.join(" ")}
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${relayUrl}; ${config} } }
}`;
  await writeFile(join(folder, "nginx.conf"), text);
  const words = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"];
  const nginx = spawn("nginx", words, { env: { PATH }, stdio: "ignore", timeout: 60_000 });
  onTestFinished(async () => {
    if (nginx.exitCode === null) {
      nginx.kill();
      await once(nginx, "exit");
    }
    await rm(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await soon(async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status).toBe(200);
  return url;
}
