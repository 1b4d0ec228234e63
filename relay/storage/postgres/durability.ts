import type { Connections } from "./connections.ts";
import { statement } from "./statement.ts";

const SETTINGS = statement(
  "durability",
  `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
     current_setting('full_page_writes') AS full_page_writes,
     current_setting('server_encoding') AS server_encoding`,
);

const LOSES = {
  fsync: "a crash of its machine can destroy the database",
  synchronous_commit: "a crash loses what was answered already",
  full_page_writes: "a power cut can destroy the database",
} as const;

/**
 * Judges whether the database keeps what it has confirmed (rule SC1).
 * @throws a sentence with each setting that is off, unless `allowUnsafe`; and if the database can't hold every character
 */
export async function judgeDurability(
  connections: Connections,
  { allowUnsafe = false }: { readonly allowUnsafe?: boolean | undefined },
): Promise<void> {
  const [row = {}] = await connections.read<Readonly<Record<string, string>>>(SETTINGS);
  const encoding = row["server_encoding"];
  if (encoding !== "UTF8") {
    throw new Error(
      `${connections.where} has the encoding ${encoding}. Make one with the encoding UTF8.`,
    );
  }
  if (allowUnsafe) return;
  const off = Object.entries(LOSES).filter(([name]) => row[name] === "off");
  if (off.length === 0) return;
  const reasons = off.map(([name, loses]) => `${name} is off: ${loses}.`);
  throw new Error(
    `${connections.where} isn't safe: ${reasons.join(" ")} Turn ${off.map(([name]) => name).join(" and ")} on, ` +
      "or set SOUNDFERRY_ALLOW_UNSAFE_DATABASE=1.",
  );
}
