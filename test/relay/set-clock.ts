import type { RelayClock } from "../../relay/domain/ports.ts";

/** A clock that the test sets. It starts at 2026-01-01, UTC. */
export class SetClock implements RelayClock {
  time = Date.UTC(2026, 0, 1);
  now(): number {
    return this.time;
  }
  confirmedNow(): number {
    return this.time;
  }
}
