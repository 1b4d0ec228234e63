import type {
  AppTokenRecord,
  ClaimRepeat,
  CodeClaim,
  DeviceRecord,
  PairingCode,
  PairingRecord,
  PairingRecords,
} from "../../../relay/index.ts";
import { deleteWhere, type MemoryDatabase } from "./memory-database.ts";
import { MemoryPairingRequests } from "./memory-pairing-requests.ts";

/** Devices, codes, pairings and tokens. */
export class MemoryPairings implements PairingRecords {
  readonly requests: MemoryPairingRequests;
  readonly #tables: MemoryDatabase;
  readonly #changed: () => void;

  constructor(tables: MemoryDatabase, changed: () => void) {
    this.requests = new MemoryPairingRequests(tables, changed);
    this.#tables = tables;
    this.#changed = changed;
  }

  async insertDevice(device: DeviceRecord, tokenHash: string) {
    const { devices, deviceTokens } = this.#tables;
    if (devices.has(device.deviceId)) throw new Error(`${device.deviceId} is in use.`);
    devices.set(device.deviceId, device);
    deviceTokens.set(tokenHash, device.deviceId);
    this.#changed();
  }

  async findDeviceByToken(tokenHash: string) {
    return this.#tables.devices.get(this.#tables.deviceTokens.get(tokenHash) ?? "");
  }

  async renameDevice(deviceId: string, deviceName: string) {
    const device = this.#tables.devices.get(deviceId);
    if (device !== undefined) this.#tables.devices.set(deviceId, { ...device, deviceName });
    this.#changed();
  }

  async noteImport(deviceId: string, day: number) {
    const device = this.#tables.devices.get(deviceId);
    const { days, firstDay, lastDay } = device?.imports ?? { days: 0, firstDay: day, lastDay: -1 };
    if (device === undefined || day <= lastDay) return;
    const imports = { days: days + 1, firstDay, lastDay: day };
    this.#tables.devices.set(deviceId, { ...device, imports });
    this.#changed();
  }

  async removeDevice(deviceId: string) {
    const { devices, deviceTokens, codes, requests, pairings, appTokens, packages } = this.#tables;
    devices.delete(deviceId);
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

  async listDevicesUnseenSince(time: number) {
    const devices = [...this.#tables.devices.values()];
    return devices.filter(({ lastSeenAt }) => lastSeenAt < time).map(({ deviceId }) => deviceId);
  }

  async putCode(code: PairingCode) {
    const { codes, devices, requests } = this.#tables;
    if (!devices.has(code.deviceId)) throw new Error(`${code.deviceId} is gone.`);
    const same = [...codes.values()].filter(({ codeHash }) => codeHash === code.codeHash);
    const isTaken = ({ deviceId, expiresAt }: PairingCode) =>
      deviceId !== code.deviceId && code.now < expiresAt;
    if (same.some(isTaken)) return false;
    codes.set(code.deviceId, code);
    requests.delete(code.deviceId);
    this.#changed();
    return true;
  }

  async removeCode(deviceId: string) {
    this.#tables.codes.delete(deviceId);
    this.#tables.requests.delete(deviceId);
    this.#changed();
  }

  async claimCode({ codeHash, now, appId, appName, tokenHash, maxTokens, ...claim }: CodeClaim) {
    const { codes, requests, pairings, appTokens, claims } = this.#tables;
    const isValid = (code: PairingCode) =>
      code.codeHash === codeHash && now < code.expiresAt && code.expiresAt <= claim.latestEnd;
    const code = [...codes.values()].find(isValid);
    if (code === undefined) return undefined;
    const { deviceId } = code;
    codes.delete(deviceId);
    requests.delete(deviceId);

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
    return this.findAppByToken(tokenHash);
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
    return this.findAppByToken(tokenHash);
  }

  async findAppByToken(tokenHash: string): Promise<AppTokenRecord | undefined> {
    const { appTokens, pairings, devices } = this.#tables;
    const pairing = pairings.get(appTokens.get(tokenHash) ?? "");
    const device = pairing && devices.get(pairing.deviceId);
    if (pairing === undefined || device === undefined) return undefined;
    const { deviceName, imports } = device;
    return { ...pairing, deviceName, ...(imports && { imports }) };
  }

  async listPairings(deviceId: string) {
    const pairings = [...this.#tables.pairings.values()];
    return pairings.filter((pairing) => pairing.deviceId === deviceId);
  }

  async removeAppToken(tokenHash: string, now: number) {
    const { appTokens, pairings } = this.#tables;
    const pairing = pairings.get(appTokens.get(tokenHash) ?? "");
    appTokens.delete(tokenHash);
    const wasLast = pairing !== undefined && ![...appTokens.values()].includes(pairing.pairingId);
    const doomed = wasLast ? this.#unpair(pairing, now) : [];
    this.#changed();
    return { wasLast, doomed };
  }

  async removePairing(deviceId: string, pairingId: string, now: number) {
    const pairing = this.#tables.pairings.get(pairingId);
    if (pairing?.deviceId !== deviceId) return undefined;
    const doomed = this.#unpair(pairing, now);
    this.#changed();
    return { pairing, doomed };
  }

  async noteSeen(seen: Parameters<PairingRecords["noteSeen"]>[0]) {
    raiseLastSeen(this.#tables.devices, seen.devices);
    raiseLastSeen(this.#tables.pairings, seen.pairings);
  }

  /** Deletes the pairing, its tokens, and the app's packages that are neither committed nor expired. */
  #unpair({ pairingId, deviceId, appId }: PairingRecord, now: number): string[] {
    const { pairings, appTokens, packages } = this.#tables;
    pairings.delete(pairingId);
    deleteWhere(appTokens, (owner) => owner === pairingId);
    return [...packages.values()]
      .filter((record) => record.deviceId === deviceId && record.appId === appId)
      .filter(
        ({ life, filesDeleted }) =>
          life.committedAt === null && !filesDeleted && now < life.uploadEndsAt,
      )
      .flatMap((record) => this.#tables.removePackage(record));
  }
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
