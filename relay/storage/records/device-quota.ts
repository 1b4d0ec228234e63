import type { DeviceQuota } from "../../domain/ports.ts";
import { change } from "./change.ts";
import { lockDevice } from "./locks.ts";
import { type ByWhom, logOperation } from "./operator-log.ts";
import type { RowOf } from "./rows.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

const READ = statement<RowOf<"devices", "bytes_quota" | "waiting_quota">>(
  "read_quota",
  "SELECT bytes_quota, waiting_quota FROM devices WHERE device_id = :deviceId",
);
const SET = statement(
  "set_quota",
  `UPDATE devices SET bytes_quota = :bytes, waiting_quota = :waiting WHERE device_id = :deviceId`,
);

/** New limits of a device. A missing one stays as it is, and null is the relay's. */
export interface QuotaChange extends Partial<DeviceQuota> {
  readonly deviceId: string;
}

export interface QuotaChanged {
  readonly quota: DeviceQuota;
  /** False if it was so before. */
  readonly changed: boolean;
}

/** Sets an operator's limits of a device (rule AD14). Returns undefined if there is no such device. */
export const QUOTA_CHANGES = {
  setQuota: change(function* (asked: QuotaChange & ByWhom): Work<QuotaChanged | undefined> {
    const { deviceId } = asked;
    if (!(yield* lockDevice(deviceId))) return undefined;
    const [row] = yield* ask(READ({ deviceId }));
    if (row === undefined) return undefined;
    const { bytes_quota: bytes, waiting_quota: waiting } = row;
    const quota = {
      bytes: asked.bytes === undefined ? bytes : asked.bytes,
      waiting: asked.waiting === undefined ? waiting : asked.waiting,
    };
    if (quota.bytes === bytes && quota.waiting === waiting) return { quota, changed: false };
    yield* tell(SET({ deviceId, ...quota }));
    const detail = JSON.stringify(quota);
    yield* logOperation(asked, { action: "quota", subject: deviceId, detail });
    return { quota, changed: true };
  }),
};
