import { filesEndAt } from "../../../relay/index.ts";
import type {
  AppTokenRecord,
  ClaimRepeat,
  CodeClaim,
  DeviceChange,
  DeviceFilter,
  DeviceRecord,
  PackageRecord,
  PairingAnswer,
  PairingAsk,
  PairingCode,
  PairingRecord,
  PairingRecords,
  Unpaired,
  Unpairing,
} from "../../../relay/index.ts";
import { deleteWhere, type MemoryDatabase } from "./memory-database.ts";
import { answerRequest, askToPair, findRequest } from "./memory-pairing-requests.ts";

/** Devices, codes, pairings and tokens. */
export class MemoryPairings implements PairingRecords {
  readonly #tables: MemoryDatabase;
  readonly #changed: () => void;

  constructor(tables: MemoryDatabase, changed: () => void) {
    this.#tables = tables;
    this.#changed = changed;
  }

  async insertDevice(device: DeviceRecord, tokenHash: string) {
    const { devices, deviceTokens } = this.#tables;
    if (devices.has(device.deviceId)) throw new Error(`${device.deviceId} is in use.`);
    devices.set(device.deviceId, device);
    deviceTokens.set(tokenHash, device.deviceId);
    this.#changed();
    // Only a store with an operator's records gets a key that could be refused.
    return undefined;
  }

  async changeDevice(deviceId: string, { deviceName, importDay }: DeviceChange) {
    const device = this.#tables.devices.get(deviceId);
    if (device === undefined) return;
    const imports = importDay === undefined ? device.imports : withDay(device.imports, importDay);
    this.#tables.devices.set(deviceId, {
      ...device,
      deviceName: deviceName ?? device.deviceName,
      ...(imports && { imports }),
    });
    this.#changed();
  }

  async removeDevice(deviceId: string) {
    const { devices, deviceTokens, pairedDevices, codes, requests, pairings, appTokens, packages } =
      this.#tables;
    devices.delete(deviceId);
    pairedDevices.delete(deviceId);
    codes.delete(deviceId);
    requests.delete(deviceId);
    deleteWhere(deviceTokens, (owner) => owner === deviceId);
    deleteWhere(pairings, (pairing) => pairing.deviceId === deviceId);
    deleteWhere(appTokens, (pairingId) => !pairings.has(pairingId));
    const removed = [...packages.values()].filter((record) => record.deviceId === deviceId);
    const doomed = removed.flatMap((record) => this.#tables.removePackage(record));
    this.#changed();
    return { doomed };
  }

  async listDevices({ unseenSince, neverPaired = false }: DeviceFilter) {
    const { devices, pairedDevices } = this.#tables;
    return [...devices.values()]
      .filter(({ lastSeenAt }) => lastSeenAt < unseenSince)
      .map(({ deviceId }) => deviceId)
      .filter((deviceId) => !neverPaired || !pairedDevices.has(deviceId));
  }

  async findDevice(tokenHash: string) {
    return this.#tables.devices.get(this.#tables.deviceTokens.get(tokenHash) ?? "");
  }

  async findApp(tokenHash: string): Promise<AppTokenRecord | undefined> {
    const { appTokens, pairings, devices } = this.#tables;
    const pairing = pairings.get(appTokens.get(tokenHash) ?? "");
    const device = pairing && devices.get(pairing.deviceId);
    if (pairing === undefined || device === undefined) return undefined;
    const { deviceName, imports } = device;
    return { ...pairing, deviceName, ...(imports && { imports }) };
  }

  async listPairings(deviceId: string) {
    const pairings = [...this.#tables.pairings.values()];
    return pairings
      .filter((pairing) => pairing.deviceId === deviceId)
      .map((pairing) => Object.assign({ waitingPackages: this.#waitingOf(pairing) }, pairing));
  }

  #waitingOf({ deviceId, appId }: PairingRecord): number {
    return [...this.#tables.packages.values()]
      .filter((record) => record.deviceId === deviceId && record.appId === appId)
      .filter(({ life, filesDeleted }) => !filesDeleted && isWaiting(life)).length;
  }

  async listUnseen(unseenSince: number, limit: number) {
    const pairings = [...this.#tables.pairings.values()];
    return pairings.filter(({ lastSeenAt }) => lastSeenAt < unseenSince).slice(0, limit);
  }

  async setCode(deviceId: string, code: PairingCode | null) {
    const { codes, devices, requests } = this.#tables;
    if (code === null) codes.delete(deviceId);
    else {
      if (!devices.has(deviceId)) throw new Error(`${deviceId} is gone.`);
      const others = [...codes.values()].filter((other) => other.deviceId !== deviceId);
      if (others.some((other) => other.codeHash === code.codeHash && code.now < other.expiresAt)) {
        return false;
      }
      codes.set(deviceId, { ...code, deviceId });
    }
    requests.delete(deviceId);
    this.#changed();
    return true;
  }

  async claimCode({ codeHash, now, appId, appName, tokenHash, maxTokens, ...claim }: CodeClaim) {
    const { codes, requests, pairings, pairedDevices, appTokens, claims } = this.#tables;
    const isValid = (code: PairingCode) =>
      code.codeHash === codeHash && now < code.expiresAt && code.expiresAt <= claim.latestEnd;
    const code = [...codes.values()].find(isValid);
    if (code === undefined) return undefined;
    const { deviceId } = code;
    codes.delete(deviceId);
    requests.delete(deviceId);
    pairedDevices.add(deviceId);

    const earlier = [...pairings.values()].find(
      (pairing) => pairing.deviceId === deviceId && pairing.appId === appId,
    );
    const pairingId = earlier?.pairingId ?? claim.pairingId;
    pairings.set(pairingId, {
      pairingId,
      deviceId,
      appId,
      appName,
      pairedAt: now,
      lastSeenAt: now,
    });
    appTokens.set(tokenHash, pairingId);
    const tokens = [...appTokens.keys()].filter((hash) => appTokens.get(hash) === pairingId);
    for (const hash of tokens.slice(0, -maxTokens)) appTokens.delete(hash);
    const { repeatable } = claim;
    if (repeatable !== undefined) claims.set(repeatable.repeatHash, { ...repeatable, tokenHash });
    this.#changed();
    return this.findApp(tokenHash);
  }

  async repeatClaim({ repeatHash, arrivedAt, tokenHash, now, latestEnd }: ClaimRepeat) {
    const { claims, appTokens } = this.#tables;
    const earlier = claims.get(repeatHash);
    if (earlier === undefined || !appTokens.has(earlier.tokenHash)) return undefined;
    const { endsAt } = earlier;
    if (endsAt <= now || endsAt > latestEnd || arrivedAt < earlier.arrivedAt) return undefined;
    claims.set(repeatHash, { tokenHash, arrivedAt, endsAt });
    const tokens = [...appTokens];
    appTokens.clear();
    for (const [hash, pairingId] of tokens) {
      appTokens.set(hash === earlier.tokenHash ? tokenHash : hash, pairingId);
    }
    this.#changed();
    return this.findApp(tokenHash);
  }

  async askToPair(ask: PairingAsk) {
    const asked = askToPair(this.#tables, ask);
    this.#changed();
    return asked;
  }

  async findRequest(deviceId: string, now: number) {
    return findRequest(this.#tables, deviceId, now);
  }

  async answerRequest(answer: PairingAnswer) {
    const isAnswered = answerRequest(this.#tables, answer);
    this.#changed();
    return isAnswered;
  }

  async unpair(what: Unpairing, now: number): Promise<Unpaired | undefined> {
    const { appTokens, pairings } = this.#tables;
    const ofToken = "tokenHash" in what;
    const id = ofToken ? appTokens.get(what.tokenHash) : what.pairingId;
    const pairing = pairings.get(id ?? "");
    if (pairing === undefined) return undefined;
    if (ofToken) appTokens.delete(what.tokenHash);
    else if (pairing.deviceId !== what.deviceId) return undefined;
    else if (pairing.lastSeenAt >= (what.unseenSince ?? Infinity)) return undefined;
    const isOver = !ofToken || ![...appTokens.values()].includes(pairing.pairingId);
    const keepsWaiting = ofToken || what.keepsWaiting === true;
    const doomed = isOver ? this.#end(pairing, now, keepsWaiting) : [];
    this.#changed();
    return { ended: isOver ? pairing : undefined, doomed };
  }

  async noteSeen(seen: Parameters<PairingRecords["noteSeen"]>[0]) {
    raiseLastSeen(this.#tables.devices, seen.devices);
    raiseLastSeen(this.#tables.pairings, seen.pairings);
  }

  /** Deletes the pairing, its tokens, and the app's packages that are being sent, or wait and aren't kept (rule A3). */
  #end(
    { pairingId, deviceId, appId }: PairingRecord,
    now: number,
    keepsWaiting: boolean,
  ): string[] {
    const { pairings, appTokens, packages } = this.#tables;
    pairings.delete(pairingId);
    deleteWhere(appTokens, (owner) => owner === pairingId);
    return [...packages.values()]
      .filter((record) => record.deviceId === deviceId && record.appId === appId)
      .filter(({ life, filesDeleted }) => !filesDeleted && now < filesEndAt(life))
      .filter(({ life }) => {
        const isFree = isWaiting(life) && (life.lease?.endsAt ?? 0) <= now;
        return life.committedAt === null || (isFree && !keepsWaiting);
      })
      .flatMap((record) => this.#tables.removePackage(record));
  }
}

function isWaiting({ committedAt, outcome }: PackageRecord["life"]): boolean {
  return committedAt !== null && outcome === null;
}

/** Counts a day on which something was imported, unless it or a later one was counted before. */
function withDay(imports: DeviceRecord["imports"], day: number): DeviceRecord["imports"] {
  const { days, firstDay, lastDay } = imports ?? { days: 0, firstDay: day, lastDay: -1 };
  return day <= lastDay ? imports : { days: days + 1, firstDay, lastDay: day };
}

function raiseLastSeen<Row extends { readonly lastSeenAt: number }>(
  table: Map<string, Row>,
  seen: ReadonlyMap<string, number>,
): void {
  for (const [id, time] of seen) {
    const row = table.get(id);
    if (row !== undefined && row.lastSeenAt < time) table.set(id, { ...row, lastSeenAt: time });
  }
}
