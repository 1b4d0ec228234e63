import type { Table } from "./table.ts";

/** The tables of an operator's decisions (rules AD1 to AD13). */
export const OPERATOR_TABLES = {
  blocks: {
    columns: {
      // A network or address in one spelling, or a device's id.
      subject: "text PRIMARY KEY",
      kind: "text NOT NULL CHECK (kind IN ('address', 'device'))",
      blocked_at: "number NOT NULL",
    },
    inKey: true,
  },
  denied_sounds: {
    columns: { sha256: "text PRIMARY KEY", denied_at: "number NOT NULL" },
    inKey: true,
  },
  // What is switched off.
  switches: {
    columns: { name: "text PRIMARY KEY", sentence: "text", switched_at: "number NOT NULL" },
    inKey: true,
  },
  // Keys for registrations. A removed one stays for a year, so that its use is refused with that reason (rule AD13).
  registration_keys: {
    columns: {
      key_hash: "text PRIMARY KEY",
      name: "text NOT NULL",
      added_at: "number NOT NULL",
      ends_at: "number",
      max_uses: "number",
      uses: "number NOT NULL DEFAULT 0",
      removed_at: "number",
    },
    inKey: true,
  },
  operator_log: {
    columns: {
      seq: "numbered once",
      at: "number NOT NULL",
      who: "text NOT NULL",
      action: "text NOT NULL",
      subject: "text NOT NULL",
      detail: "text",
    },
    indexes: { operator_log_by_time: "(at)" },
  },
} as const satisfies Readonly<Record<string, Table>>;
