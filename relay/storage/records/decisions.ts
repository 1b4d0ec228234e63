import type { SwitchName } from "../../domain/ports.ts";
import { END_CODE } from "./codes.ts";
import { DENIAL_CHANGES } from "./denials.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { type ByWhom, decision, LOG_CHANGES } from "./operator-log.ts";
import { ask, noteRemoval, statement, tell, type Work } from "./statement.ts";

const BLOCK = statement(
  "block",
  `INSERT INTO blocks (subject, kind, blocked_at) VALUES (:subject, :kind, :at)
   ON CONFLICT DO NOTHING RETURNING subject`,
);
/** Ends a block. */
export const UNBLOCK = statement(
  "unblock",
  "DELETE FROM blocks WHERE subject = :subject RETURNING subject",
);
const OFF = statement(
  "switch_off",
  `INSERT INTO switches AS one (name, sentence, switched_at) VALUES (:name, :sentence, :at)
   ON CONFLICT (name) DO UPDATE SET sentence = excluded.sentence, switched_at = excluded.switched_at
   WHERE one.sentence IS DISTINCT FROM excluded.sentence RETURNING name`,
);
const ON = statement("switch_on", "DELETE FROM switches WHERE name = :name RETURNING name");

/** The subject of a block: an address range in the spelling of `parseAddressRange`, or a device. */
export interface BlockSubject {
  readonly subject: string;
  readonly kind: "address" | "device";
}

export interface SwitchTurn {
  readonly name: SwitchName;
  readonly isOff: boolean;
  readonly sentence?: string | undefined;
}

/** An operator's decisions (rules AD3 to AD6). */
export const DECISION_CHANGES = {
  block: decision(block, ({ subject }: BlockSubject) => ({ action: "block", subject })),
  unblock: decision(unblock, ({ subject }: BlockSubject) => ({ action: "unblock", subject })),
  turnSwitch: decision(turnSwitch, ({ name, isOff, sentence }: SwitchTurn) => {
    return { action: `switch ${isOff ? "off" : "on"}`, subject: name, detail: sentence };
  }),
  ...DENIAL_CHANGES,
  ...LOG_CHANGES,
};

/** Blocks an address range or a device. Returns false if it was blocked before. */
export function* block({ subject, kind, at }: BlockSubject & Pick<ByWhom, "at">): Work<boolean> {
  const device_id = subject;
  yield* tell(LOCK_DEVICE({ device_id }));
  if ((yield* ask(BLOCK({ subject, kind, at }))).length === 0) return false;
  // Nobody may pair with a blocked device.
  yield* tell(END_CODE({ device_id }));
  yield* noteRemoval("blocked", subject);
  return true;
}

/** Returns false if it wasn't blocked. */
export function* unblock({ subject }: Pick<BlockSubject, "subject">): Work<boolean> {
  if ((yield* ask(UNBLOCK({ subject }))).length === 0) return false;
  yield* noteRemoval("unblocked", subject);
  return true;
}

function* turnSwitch({ name, isOff, sentence, at }: SwitchTurn & ByWhom): Work<boolean> {
  const turn = isOff ? OFF({ name, sentence: sentence ?? null, at }) : ON({ name });
  return (yield* ask(turn)).length > 0;
}
