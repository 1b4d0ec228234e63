import { RETRY_SWITCHED_OFF_SECONDS } from "../../../core/limits.ts";
import type { AnnouncedManifest, AnnouncedSound } from "../../../core/manifest/manifest.ts";
import { soundLabel } from "../../../core/manifest/read-sounds.ts";
import {
  type Refusal,
  refusal,
  Refusal as RefusalError,
  refuseAll,
} from "../../../core/protocol/refusal.ts";
import type { RefusalCode } from "../../../core/protocol/refusals.ts";
import { AddressRanges, parseAddressRange } from "../../../core/quotas/address-tiers.ts";
import type { OperatorDecisions, OperatorRecords, SwitchName } from "../ports.ts";

const OFF_CODES = {
  registrations: "REGISTRATIONS_OFF",
  announcements: "ANNOUNCEMENTS_OFF",
  claims: "CLAIMS_OFF",
} as const satisfies Record<SwitchName, RefusalCode>;

/** An operator's decisions in force (rules AD3 to AD6). Without records there are none. */
export class Operator {
  readonly #records: OperatorRecords | undefined;
  #addresses = new AddressRanges([]);
  #devices: ReadonlySet<string> = new Set();
  #off: OperatorDecisions["off"] = new Map();
  #deniesSounds = true;
  #hasKeys: boolean;

  constructor(records?: OperatorRecords) {
    this.#records = records;
    this.#hasKeys = records !== undefined;
  }

  /** Reads the decisions in force. If that fails, the earlier ones stay in force. */
  async refresh(): Promise<void> {
    const decisions = await this.#records?.readDecisions();
    if (decisions === undefined) return;
    const ranges = decisions.addresses.map((text) => parseAddressRange(text));
    this.#addresses = new AddressRanges(ranges.filter((range) => range !== undefined));
    this.#devices = new Set(decisions.devices);
    this.#off = decisions.off;
    this.#deniesSounds = decisions.deniesSounds;
    this.#hasKeys = decisions.hasKeys;
  }

  /** True if the operator has added a registration key and not removed it. */
  get hasKeys(): boolean {
    return this.#hasKeys;
  }

  /** True if any address is blocked. */
  get blocksAddresses(): boolean {
    return !this.#addresses.isEmpty;
  }

  /** @param address an IP address, or one as `tiersOf` gives it @throws {Refusal} 403 ADDRESS_BLOCKED */
  admitAddress(address: string): void {
    if (this.#addresses.has(address)) throw refusal("ADDRESS_BLOCKED");
  }

  /** @throws {Refusal} 403 DEVICE_BLOCKED */
  admitDevice(deviceId: string): void {
    if (this.#devices.has(deviceId)) throw refusal("DEVICE_BLOCKED");
  }

  /** @throws {Refusal} 503, with the operator's own sentence if there is one */
  requireOn(name: SwitchName): void {
    if (!this.#off.has(name)) return;
    const code = OFF_CODES[name];
    const wait = { retryAfterSeconds: RETRY_SWITCHED_OFF_SECONDS };
    const sentence = this.#off.get(name);
    throw sentence === undefined ? refusal(code, {}, wait) : new RefusalError(code, sentence, wait);
  }

  /** @throws {Refusal} 422 SOUND_DENIED for the first denied sound of the manifest, with all of them as its `problems` */
  async admitSounds(manifest: Pick<AnnouncedManifest, "items">): Promise<void> {
    const denied = await this.#findDenied(manifest.items);
    const [first, ...more] = manifest.items.flatMap((sound) =>
      denied.has(sound.sha256) ? [soundDenied(manifest, sound)] : [],
    );
    if (first !== undefined) throw refuseAll([first, ...more]);
  }

  /** @throws {Refusal} 422 SOUND_DENIED */
  async admitSound(manifest: Pick<AnnouncedManifest, "items">, file: string): Promise<void> {
    const sound = manifest.items.find((item) => item.file === file);
    if (sound === undefined) return;
    const denied = await this.#findDenied([sound]);
    if (denied.size > 0) throw soundDenied(manifest, sound);
  }

  async #findDenied(sounds: readonly AnnouncedSound[]): Promise<ReadonlySet<string>> {
    if (!this.#deniesSounds) return new Set();
    const sums = sounds.map(({ sha256 }) => sha256);
    return (await this.#records?.findDenied(sums)) ?? new Set();
  }
}

/** The refusal of a sound of a manifest that the operator denies. */
export function soundDenied(
  { items }: Pick<AnnouncedManifest, "items">,
  denied: AnnouncedSound,
): Refusal {
  const { name, file, id } = denied;
  const position = items.indexOf(denied) + 1;
  const sound = soundLabel(position, name);
  return refusal("SOUND_DENIED", { sound }, { about: { sound: id, file, position } });
}
