import { buildRelay, readRelaySettings } from "../../../relay/index.ts";
import { MemoryDatabase, MemoryRecords } from "./memory-records.ts";
import { MemoryDisk, MemorySounds } from "./memory-sounds.ts";

const ports = {
  records: new MemoryRecords(new MemoryDatabase()),
  sounds: new MemorySounds(new MemoryDisk()),
};
const relay = await buildRelay(readRelaySettings({ environment: process.env }), { ports });
const { url } = await relay.listen();
console.log(url);
process.once("SIGTERM", () => void relay[Symbol.asyncDispose]());
