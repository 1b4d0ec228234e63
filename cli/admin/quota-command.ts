import type { Command } from "commander";
import type { DeviceQuota } from "../../relay/domain/ports.ts";
import { newCommand } from "../command.ts";
import { WrongUse } from "../fail.ts";
import { formatQuota } from "./format-found.ts";
import { administer } from "./on-relay.ts";
import { existing, requireId } from "./remove-commands.ts";

interface QuotaFlags {
  readonly bytes?: string;
  readonly waiting?: string;
  readonly reset?: boolean;
}

/** `soundferry admin quota` (rule AD14). */
export function quotaCommand(): Command {
  const description =
    "Sets limits of one computer, in place of SOUNDFERRY_BYTES_PER_DEVICE and SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE. " +
    "Without a flag, shows them.";
  return newCommand("admin quota", description)
    .argument("<device>", "as admin devices lists it")
    .option("--bytes <size>", "how much its packages may take, such as 4GiB")
    .option("--waiting <number>", "how many packages may wait")
    .option("--reset", "back to the relay's limits")
    .action(async (deviceId: string, flags: QuotaFlags, command: Command) => {
      requireId(deviceId, ["dev"]);
      const wanted = quotaOf(flags);
      await administer(command, async (actions, output) => {
        const set = existing(await actions.setQuota({ deviceId, ...wanted }), deviceId);
        const { quota, changed } = set;
        const json = { device_id: deviceId, ...quota, changed };
        output.give(json, `${deviceId}: ${formatQuota(quota)}.`);
      });
    });
}

/** @throws {WrongUse} */
function quotaOf({ bytes, waiting, reset = false }: QuotaFlags): Partial<DeviceQuota> {
  if (!reset) {
    return {
      ...(bytes !== undefined && { bytes: parseSize(bytes) }),
      ...(waiting !== undefined && { waiting: parseCount(waiting) }),
    };
  }
  if (bytes !== undefined || waiting !== undefined) {
    throw new WrongUse("--reset takes neither --bytes nor --waiting.");
  }
  return { bytes: null, waiting: null };
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  B: 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  TB: 1000 ** 4,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};
/** A thousand times as much as any disk of a relay. */
const MAX_BYTES = 1000 ** 5;
const MAX_WAITING = 1_000_000;

function parseSize(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([KMGT]?i?B)?$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(digits) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (digits === "" || !(bytes <= MAX_BYTES)) {
    throw new WrongUse(`--bytes takes a size, such as 500MB or 4GiB, not "${text}".`);
  }
  return bytes;
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > MAX_WAITING) {
    throw new WrongUse(`--waiting takes a number from 0 to ${MAX_WAITING}.`);
  }
  return Number(text);
}
