import type { RoomCounts } from "./judge-room.ts";

/** What an app, its device and its address have used of what an announcement is judged by. */
export interface Usage extends RoomCounts {
  /** The device's packages that are committed, not reported, and not expired. */
  readonly waitingPackages: number;
  /** Of the app, in the last hour (rule L1). */
  readonly announcements: number;
  /** The earliest of them; null without one. */
  readonly firstAnnouncedAt: number | null;
}
