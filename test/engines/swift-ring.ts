import { gzipSync } from "node:zlib";

/** 2^4 partitions, as few as are useful. */
const PART_POWER = 4;

/**
 * Swift's ring file (version 1) with one device that has everything, as `swift-ring-builder` would write it. It would
 * be nine starts of Python.
 * @param port where the device's server listens
 */
export function makeRing(port: number, device: string): Buffer {
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
