import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { engineUserName, makeFolder, writeEngineFile } from "./engine-folder.ts";

export const SWIFT_SERVERS = ["account", "container", "object"] as const;

export type SwiftServer = (typeof SWIFT_SERVERS)[number];

/** The ports of a Swift server of one machine. */
export type SwiftPorts = Readonly<Record<SwiftServer | "proxy" | "memcached", number>>;

export const SWIFT_REGION = "us-east-1";
export const SWIFT_SECRET = "soundferry";

/** Writes rings with one device each, and a file for each of the four servers, into `folder`. */
export async function writeSwiftFiles(folder: string, ports: SwiftPorts): Promise<void> {
  await writeEngineFile(
    join(folder, "swift.conf"),
    ini({
      "swift-hash": { swift_hash_path_suffix: "soundferry", swift_hash_path_prefix: "soundferry" },
      "storage-policy:0": { name: "only", default: "yes" },
    }),
  );
  await makeFolder(join(folder, "devices"));
  await makeFolder(join(folder, "devices", "only"));
  for (const server of SWIFT_SERVERS) {
    await writeEngineFile(join(folder, `${server}.ring.gz`), makeRing(ports[server], "only"));
    await writeEngineFile(join(folder, `${server}.conf`), storage(folder, server, ports[server]));
  }
  await writeEngineFile(join(folder, "proxy.conf"), proxy(folder, ports));
}

/** Builds the settings that all four servers have. No worker: the process that is started is the one that serves. */
function common(folder: string, port: number): Readonly<Record<string, string>> {
  return {
    bind_ip: "127.0.0.1",
    bind_port: String(port),
    user: engineUserName(),
    swift_dir: folder,
    workers: "0",
    eventlet_debug: "false",
  };
}

function storage(folder: string, server: SwiftServer, port: number): string {
  return ini({
    DEFAULT: {
      ...common(folder, port),
      devices: join(folder, "devices"),
      mount_check: "false",
      disable_fallocate: "true",
      fallocate_reserve: "0",
    },
    "pipeline:main": { pipeline: `healthcheck ${server}-server` },
    [`app:${server}-server`]: {
      use: `egg:swift#${server}`,
      // Later, an updater would tell the container, and there is none here: the listing would lack the object.
      ...(server === "object"
        ? { container_update_timeout: "60", conn_timeout: "10", node_timeout: "60" }
        : {}),
    },
    "filter:healthcheck": { use: "egg:swift#healthcheck" },
  });
}

function proxy(folder: string, ports: SwiftPorts): string {
  const filters =
    "catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink".split(
      " ",
    );
  const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    cache: { use: "egg:swift#memcache", memcache_servers: `127.0.0.1:${ports.memcached}` },
    s3api: {
      use: "egg:swift#s3api",
      location: SWIFT_REGION,
      allow_multipart_uploads: "true",
      // A part may be as small as S3 allows, and so the last one.
      min_segment_size: String(5 * 1024 ** 2),
    },
    tempauth: { use: "egg:swift#tempauth", user_soundferry_relay: `${SWIFT_SECRET} .admin` },
  };
  return ini({
    DEFAULT: common(folder, ports.proxy),
    "pipeline:main": { pipeline: [...filters, "proxy-server"].join(" ") },
    "app:proxy-server": {
      use: "egg:swift#proxy",
      account_autocreate: "true",
      // With one device there is no other to ask: a slow answer is better than none.
      conn_timeout: "10",
      node_timeout: "60",
      recoverable_node_timeout: "60",
      error_suppression_limit: "1000000",
    },
    ...Object.fromEntries(
      filters.map((name) => [`filter:${name}`, settings[name] ?? { use: `egg:swift#${name}` }]),
    ),
  });
}

function ini(sections: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  return Object.entries(sections)
    .map(([name, settings]) => {
      const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
      return [`[${name}]`, ...lines, ""].join("\n");
    })
    .join("\n");
}

/** 2^4 partitions, as few as are useful. */
const PART_POWER = 4;

/**
 * Swift's ring file (version 1) with one device that has everything, as `swift-ring-builder` would write it. It would
 * be nine starts of Python.
 * @param port where the device's server listens
 */
function makeRing(port: number, device: string): Buffer {
  const at = { ip: "127.0.0.1", port, replication_ip: "127.0.0.1", replication_port: port };
  const ring = {
    byteorder: "little",
    devs: [{ id: 0, region: 1, zone: 1, ...at, device, weight: 1, meta: "" }],
    part_shift: 32 - PART_POWER,
    replica_count: 1,
    version: 1,
  };
  const json = Buffer.from(JSON.stringify(ring));
  const head = Buffer.alloc(10);
  head.write("R1NG", "latin1");
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(json.length, 6);
  // The number of the device for each partition, of 16 bits.
  const devices = Buffer.alloc(2 * 2 ** PART_POWER);
  return gzipSync(Buffer.concat([head, json, devices]));
}
