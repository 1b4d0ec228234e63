import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  MAX_HEADER_BYTES,
  MAX_HEADERS_SECONDS,
  MAX_WAIT_SECONDS,
  PING_SECONDS,
  RELAY_DEFAULTS,
} from "../../../core/limits.ts";
import { CONNECTIONS_PER_ADDRESS } from "../../../core/quotas/budgets.ts";
import { STRICT_TRANSPORT, STRONG_TLS } from "../../../relay/http/own-tls.ts";
import { logLines, openLog } from "../../../relay/node.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { changed, readShipped } from "../../engines/shipped-file.ts";
import { secondsOf } from "./shipped-file.ts";
import { STOPPING_ANSWER } from "./stopping-answer.ts";

const { port } = readRelaySettings({ environment: {} });

interface Times {
  /** Until a request's headers have arrived. */
  readonly headers: string;
  /** Until a silent client is cut off, which the relay does sooner; Caddy leaves it to the relay. */
  readonly silentClient?: string;
  /** Until an answer begins, and between two pieces of it. */
  readonly answer: readonly string[];
}

const PROXY_FILES: readonly (readonly [file: string, times: Times])[] = [
  [
    "nginx/soundferry.conf",
    {
      headers: "client_header_timeout",
      silentClient: "client_body_timeout",
      answer: ["proxy_read_timeout", "proxy_send_timeout"],
    },
  ],
  ["caddy/Caddyfile", { headers: "read_header", answer: ["response_header_timeout"] }],
  [
    "haproxy/haproxy.cfg",
    {
      headers: "timeout http-request",
      silentClient: "timeout client",
      answer: ["timeout server", "timeout tunnel"],
    },
  ],
];

describe.for(PROXY_FILES)("%s", ([file, times]) => {
  const text = readShipped(file);

  test("[K14] its time limits fit those of the relay", () => {
    expect(secondsOf(text, times.headers)).toBe(MAX_HEADERS_SECONDS);
    for (const name of times.answer) {
      expect(secondsOf(text, name)).toBeGreaterThan(2 * Math.max(MAX_WAIT_SECONDS, PING_SECONDS));
    }
    const { silentClient } = times;
    if (silentClient === undefined) expect(text).not.toMatch(/^\s*read_body/m);
    else expect(secondsOf(text, silentClient)).toBeGreaterThan(RELAY_DEFAULTS.uploadIdleSeconds);
  });

  test("[K14] it asks the relay at its own port, and answers as the relay does while none listens", () => {
    expect(text).toContain(`127.0.0.1:${port}`);
    expect(text).toContain(JSON.stringify(STOPPING_ANSWER));
    expect(text).toContain("SOUNDFERRY_TRUST_PROXY=127.0.0.1,::1");
    expect(text).toMatch(/To change: /);
  });
});

test("[K14] a proxy that counts connections allows an address as many as the relay does", () => {
  expect(readShipped("nginx/soundferry.conf")).toContain(
    `limit_conn soundferry_calls ${CONNECTIONS_PER_ADDRESS};`,
  );
  expect(readShipped("haproxy/haproxy.cfg")).toContain(
    `sc0_conn_cur gt ${CONNECTIONS_PER_ADDRESS} }`,
  );
});

test("[K14] a proxy accepts headers as large as the relay does", () => {
  const kib = MAX_HEADER_BYTES / 1024;
  expect(readShipped("nginx/soundferry.conf")).toContain(`large_client_header_buffers 4 ${kib}k;`);
  for (const file of ["haproxy/haproxy.cfg", "container/scaled/haproxy.cfg"]) {
    const [, bytes] = /^ {4}tune\.bufsize (\d+)$/m.exec(readShipped(file)) ?? [];
    // haproxy keeps 1 KiB of a buffer for what it adds.
    expect(Number(bytes), file).toBeGreaterThan(MAX_HEADER_BYTES + 1024);
  }
});

test("[K14] haproxy keeps calls in its queue before the relay would refuse their connections", () => {
  const text = readShipped("haproxy/haproxy.cfg");
  const [, most] = /^ {4}server relay1 .* maxconn (\d+)$/m.exec(text) ?? [];
  expect(Number(most)).toBeLessThan(RELAY_DEFAULTS.connections);
  expect(Number(most)).toBeGreaterThan(RELAY_DEFAULTS.sockets);
});

test("[K14] the container's files agree with the relay and say that they are untested", () => {
  const containerfile = readShipped("container/Containerfile");
  const compose = readShipped("container/compose.yaml");
  for (const text of [containerfile, compose]) {
    expect(text).toContain("Untested: no container engine was at hand");
  }
  const { relay } = parse(compose).services;
  const graceSeconds = Number(/^(\d+)s$/.exec(relay.stop_grace_period)?.[1]);
  expect(graceSeconds).toBeGreaterThanOrEqual(RELAY_DEFAULTS.stopGraceSeconds + 30);
  expect(containerfile).toContain(`podman stop --time ${graceSeconds}`);
  const [, lockSeconds] = /^CMD \["--wait-for-lock-s", "(\d+)"\]$/m.exec(containerfile) ?? [];
  expect(Number(lockSeconds)).toBeGreaterThanOrEqual(graceSeconds);
  expect(relay.ulimits.nofile).toBeGreaterThan(RELAY_DEFAULTS.connections + RELAY_DEFAULTS.uploads);
  expect(relay.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(containerfile).toContain(`EXPOSE ${port}\n`);
  expect(containerfile).toMatch(/^USER 10001:10001$/m);

  const [, dataFolder = ""] = /SOUNDFERRY_DATA=(\S+)$/m.exec(containerfile) ?? [];
  expect(containerfile).toContain(`VOLUME ${dataFolder}\n`);
  expect(relay.volumes).toEqual([`data:${dataFolder}`]);
  const inImage = Object.fromEntries(
    [...containerfile.matchAll(/(SOUNDFERRY_\w+)=([^\s\\]+)/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  const settings = readRelaySettings({ environment: { ...inImage, ...relay.environment } });
  expect([settings.host, settings.port, settings.dataFolder]).toEqual([
    "0.0.0.0",
    port,
    dataFolder,
  ]);
  expect(containerfile).toContain(relay.healthcheck.test.at(-1));
});

test("[K14] the files for containers and the nginx file bound what a log takes", () => {
  for (const file of ["container/compose.yaml", "container/scaled/compose.yaml"]) {
    const { services } = parse(readShipped(file), { merge: true });
    for (const [name, { logging }] of Object.entries<Record<string, unknown>>(services)) {
      expect(logging, `${file}: ${name}`).toEqual({
        driver: "json-file",
        options: { "max-size": "20m", "max-file": "5" },
      });
    }
  }
  expect(readShipped("container/Containerfile")).toContain("--log-opt max-size=");
  expect(readShipped("nginx/soundferry.conf")).toMatch(/^ {4}limit_conn_log_level info;$/m);
});

const hasLogrotate = spawnSync("logrotate", ["--version"]).error === undefined;

test.skipIf(!hasLogrotate)(
  "[K14] logrotate empties the log that a relay writes, and the relay writes on (needs logrotate)",
  async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "relay.log");
    const shipped = readShipped("logrotate/soundferry-relay");
    const settings = changed(shipped, [
      ["/var/log/soundferry-relay.log {", `"${path}" {`],
      ["size 100M", "size 1k"],
    ]);
    const file = join(folder, "rotate");
    await writeFile(file, settings, { mode: 0o644 });
    const descriptor = openSync(path, "a");
    const log = openLog("info", logLines(descriptor));
    for (let count = 0; count < 20; count += 1) log.info({ count }, "before it is rotated");
    const { status, stderr } = spawnSync("logrotate", ["--state", join(folder, "state"), file], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    log.info("after it was rotated");
    closeSync(descriptor);
    const kept = gunzipSync(await readFile(`${path}.1.gz`)).toString();
    expect(kept.split("\n")).toHaveLength(21);
    expect(await readFile(path, "utf8")).toMatch(/^\{.*"msg":"after it was rotated"\}\n$/);
  },
);

test("what a test changes in a shipped file must be there once", () => {
  expect(changed("a b", [["b", "c"]])).toBe("a c");
  expect(() => changed("a b", [["c", "d"]])).toThrow("0 times: c");
  expect(() => changed("b b", [["b", "c"]])).toThrow("2 times: b");
});

test.each([
  ["nginx/soundferry.conf", /^ +ssl_ciphers (\S+);$/m],
  ["haproxy/haproxy.cfg", /^ +ssl-default-bind-ciphers (\S+)$/m],
])("[SEC4] %s has the relay's own suites", (file, named) => {
  const [, suites] = named.exec(readShipped(file)) ?? [];
  const ofTls12 = String(STRONG_TLS.ciphers)
    .split(":")
    .filter((suite) => suite.startsWith("ECDHE"));
  expect(suites?.split(":")).toEqual(ofTls12);
});

test.each(PROXY_FILES)("[SEC5] %s asks for https for a year, and for no other name", (file) => {
  const text = readShipped(file);
  expect(text).toContain(`Strict-Transport-Security ${Object.values(STRICT_TRANSPORT).join("")}`);
  expect(text).not.toMatch(/includeSubDomains|preload/i);
});
