import type { Notification, Topic } from "../../domain/ports.ts";
import type { RowOf } from "./rows.ts";

/**
 * A notice to other processes. `store` is for changes that each of them must see at once: a removed token or device,
 * or a decision of the operator. `turns` is for the process that holds the turn of a partial. `missed` says that more
 * happened.
 */
export interface Notice {
  readonly topic: Topic | "store" | "turns" | "missed";
  readonly notification?: Notification;
}

/** Every process drops what it remembers of devices, tokens and decisions. */
export const STORE_CHANGED: Notice = { topic: "store" };

/** Returns the notices that use cases send after a package changed. */
export function packageNotices(
  row: RowOf<"packages", "package_id" | "device_id">,
): readonly Notice[] {
  const notification = { type: "packages.changed" } as const;
  return [
    { topic: `package:${row.package_id}`, notification },
    { topic: `device:${row.device_id}`, notification },
  ];
}

/** Returns the notice that the apps of a device changed. */
export function appsChanged(topic: Topic): Notice {
  return { topic, notification: { type: "apps.changed" } };
}
