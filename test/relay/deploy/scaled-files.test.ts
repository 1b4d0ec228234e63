import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  MAX_HEADERS_SECONDS,
  MAX_WAIT_SECONDS,
  PING_SECONDS,
  RELAY_DEFAULTS,
} from "../../../core/limits.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { readShipped } from "../../engines/shipped-file.ts";
import { secondsOf } from "./shipped-file.ts";
import { STOPPING_ANSWER } from "./stopping-answer.ts";

const COMPOSE = readShipped("container/scaled/compose.yaml");
const HAPROXY = readShipped("container/scaled/haproxy.cfg");
const POOLER = readShipped("container/scaled/pgbouncer.ini");

/** The values that an operator puts into `.env`. */
const VALUES: Readonly<Record<string, string>> = {
  SOUNDFERRY_BASE_URL: "https://relay.example.com",
  SOUNDFERRY_DATABASE_PASSWORD: "secret",
  SOUNDFERRY_S3_ENDPOINT: "https://s3.example.com",
  SOUNDFERRY_S3_BUCKET: "soundferry",
  SOUNDFERRY_S3_REGION: "us-east-1",
  SOUNDFERRY_S3_ACCESS_KEY_ID: "key",
  SOUNDFERRY_S3_SECRET_ACCESS_KEY: "secret",
};

const { services, networks } = parse(
  COMPOSE.replaceAll(/\$\{(\w+):\?\}/g, (whole, name: string) => VALUES[name] ?? whole),
  { merge: true },
);
const relays = [services.relay1, services.relay2, services.relay3];

test("[SC19] the compose file says that it is untested, and which values it needs", () => {
  expect(COMPOSE).toContain("Untested: no container engine was at hand");
  const needed = new Set([...COMPOSE.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name));
  expect(needed).toEqual(new Set(Object.keys(VALUES)));
  for (const name of needed) expect(COMPOSE).toContain(`#   ${name}=`);
});

test("[SC19] each of its relays takes its settings, and finds what the file starts under those names", () => {
  for (const relay of relays) {
    const settings = readRelaySettings({ environment: relay.environment });
    const named = [settings.databaseUrl, settings.databaseListenUrl];
    expect(named.map((url) => new URL(url ?? "").hostname)).toEqual(["pgbouncer", "postgres"]);
    expect(relay.environment.SOUNDFERRY_TRUST_PROXY).toBe(networks.relay.ipam.config[0].subnet);
    const graceSeconds = Number(/^(\d+)s$/.exec(relay.stop_grace_period)?.[1]);
    const { stopDelaySeconds, stopGraceSeconds } = settings;
    expect(graceSeconds).toBeGreaterThanOrEqual(stopDelaySeconds + stopGraceSeconds + 30);
    expect(relay.ulimits.nofile).toBeGreaterThan(
      RELAY_DEFAULTS.connections + RELAY_DEFAULTS.uploads,
    );
  }
  expect(POOLER).toMatch(/^soundferry = host=postgres port=5432 dbname=soundferry$/m);
  expect(POOLER).toMatch(/^listen_port = 6432$/m);
  expect(POOLER).toMatch(/^pool_mode = transaction$/m);
});

test("[SC19] its haproxy knows the relays by their names, and has the times and answers of the other proxies", () => {
  const names = Object.keys(services).filter((name) => name.startsWith("relay"));
  const { port } = readRelaySettings({ environment: {} });
  expect([...HAPROXY.matchAll(/^ {4}server (\w+) (\S+)$/gm)].map(([, , to]) => to)).toEqual(
    names.map((name) => `${name}:${port}`),
  );
  expect(services.haproxy.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(secondsOf(HAPROXY, "timeout http-request")).toBe(MAX_HEADERS_SECONDS);
  for (const name of ["timeout server", "timeout tunnel"]) {
    expect(secondsOf(HAPROXY, name)).toBeGreaterThan(2 * Math.max(MAX_WAIT_SECONDS, PING_SECONDS));
  }
  expect(secondsOf(HAPROXY, "timeout client")).toBeGreaterThan(RELAY_DEFAULTS.uploadIdleSeconds);
  expect(HAPROXY.split(JSON.stringify(STOPPING_ANSWER))).toHaveLength(4);
});
