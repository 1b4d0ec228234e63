import { expect, test } from "vitest";
import { readRelaySettings } from "../../relay/settings.ts";
import { openWays } from "../../relay/store-tls.ts";

const read = (environment: Record<string, string>) => readRelaySettings({ environment });
const database = (url: string) => read({ SOUNDFERRY_DATABASE_URL: url }).databaseUrl;

test.each([
  "postgres://u:p%40ss@db.example.com/relay",
  "postgresql://u@203.0.113.7:5433/relay?application_name=x",
  "postgres://u@[2001:db8::1]/relay",
  "postgres:///relay?host=db.example.com",
  // Only looks like this computer, or like a private network.
  "postgres://u@localhost.example.com/relay",
  "postgres://u@10.0.0.1.example.com/relay",
  "postgres://u@172.32.0.1/relay",
])("[SEC3] the way to %s is verified TLS", (url) => {
  const end = `${url.includes("?") ? "&" : "?"}sslmode=verify-full`;
  expect(database(url)).toBe(url + end);
});

test.each(["prefer", "require", "verify-ca"])(
  "[SEC3] sslmode=%s is verified in full, also nearby, as no two programs mean the same by it",
  (mode) => {
    for (const host of ["localhost", "db.example.com"]) {
      expect(database(`postgres://${host}/relay?a=b&sslmode=${mode}&c=d`)).toBe(
        `postgres://${host}/relay?a=b&sslmode=verify-full&c=d`,
      );
    }
  },
);

test.each([
  "postgres://u@localhost/relay",
  "postgres://u@127.0.0.1:5432/relay",
  "postgres://u@[::1]/relay",
  "postgres:///relay",
  "postgres:///relay?host=/run/postgresql",
  "postgres://%2Frun%2Fpostgresql/relay",
  "postgres://u@postgres:5432/relay",
  "postgres://u@10.1.2.3/relay",
  "postgres://u@db.internal/relay",
  "postgres://u@DB.Default.SVC.Cluster.Local/relay",
  "postgres://u@db.example.com/relay?sslmode=disable",
  "postgres://u@db.example.com/relay?sslmode=no-verify",
  "postgres://u@db.example.com/relay?sslmode=verify-full",
])("[SEC3] %s stays as it is", (url) => {
  expect(database(url)).toBe(url);
});

test.each([
  "sslmode=allow",
  "sslmode=",
  "sslmode=DISABLE",
  "ssl=true",
  "ssl=no-verify",
  "sslmode=require&uselibpqcompat=true",
])("[SEC3] an address with %s is refused, and not shown", (search) => {
  expect(() => database(`postgres://u:s3cret@db.example.com/relay?${search}`)).toThrow(
    /^SOUNDFERRY_DATABASE_URL must say verify-full, no-verify or disable as its sslmode, and nothing else\.$/,
  );
});

test("[SEC3] a file of a certificate authority that isn't there is noticed at the start", () => {
  expect(() => database("postgres://db.example.com/relay?sslrootcert=/nowhere.pem")).toThrow(
    "has no file /nowhere.pem for sslrootcert.",
  );
});

test("[SEC3] the connection that listens is guarded in the same way", () => {
  const settings = read({
    SOUNDFERRY_DATABASE_URL: "postgres://pooler/relay",
    SOUNDFERRY_DATABASE_LISTEN_URL: "postgres://db.example.com/relay",
  });
  expect(settings.databaseListenUrl).toMatch(/sslmode=verify-full$/);
});

test.each([
  ["http://s3.example.com", "verified", false],
  ["http://s3.example.com", "unverified", false],
  ["http://203.0.113.7:9000", "verified", false],
  ["http://s3.example.com", "off", true],
  ["https://s3.example.com", "verified", true],
  ["https://s3.example.com", "unverified", true],
  ["http://127.0.0.1:9000", "verified", true],
  ["http://minio:9000", "verified", true],
  ["http://192.168.1.5:9000", "verified", true],
] as const)("[SEC3] S3 at %s, %s: taken is %s", (endpoint, tls, isTaken) => {
  const environment = {
    SOUNDFERRY_S3_BUCKET: "sounds",
    SOUNDFERRY_S3_ENDPOINT: endpoint,
    SOUNDFERRY_S3_TLS: tls,
  };
  if (isTaken) expect(read(environment).s3Endpoint).toBe(endpoint);
  else expect(() => read(environment)).toThrow("SOUNDFERRY_S3_ENDPOINT must be https.");
});

test("[SEC3] each start says which way across foreign networks is open", () => {
  const said = (environment: Record<string, string>) => openWays(read(environment));
  const bucket = { SOUNDFERRY_S3_BUCKET: "sounds" };
  expect(said({})).toEqual([]);
  expect(said({ SOUNDFERRY_DATABASE_URL: "postgres://localhost/r?sslmode=disable" })).toEqual([]);
  expect(said({ SOUNDFERRY_DATABASE_URL: "postgres://db.example.com/r" })).toEqual([]);
  for (const mode of ["disable", "no-verify"]) {
    const url = `postgres://db.example.com/r?sslmode=${mode}`;
    expect(said({ SOUNDFERRY_DATABASE_URL: url })).toEqual([
      "SOUNDFERRY_DATABASE_URL lets others read and change records on their way: no certificate is checked.",
    ]);
  }
  expect(said({ ...bucket, SOUNDFERRY_S3_TLS: "off" })).toEqual([]);
  for (const more of [
    { SOUNDFERRY_S3_TLS: "unverified" },
    { SOUNDFERRY_S3_TLS: "off", SOUNDFERRY_S3_ENDPOINT: "http://s3.example.com" },
  ]) {
    expect(said({ ...bucket, ...more })).toEqual([
      "SOUNDFERRY_S3_TLS lets others read and change sounds on their way: no certificate is checked.",
    ]);
  }
});
