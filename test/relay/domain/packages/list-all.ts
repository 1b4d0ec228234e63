import type { ImportablePackage } from "../../../../core/protocol/importer-api.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import { importablePage } from "../../../../relay/domain/packages/list-importable.ts";

/** Reads every page of the importer's list. */
export async function listAll(context: Context, deviceId: string): Promise<ImportablePackage[]> {
  const all: ImportablePackage[] = [];
  for (let after: string | null = ""; after !== null;) {
    const page = importablePage(context, deviceId, after);
    let read = await page.next();
    for (; read.done !== true; read = await page.next()) all.push(JSON.parse(read.value.json));
    after = read.value;
  }
  return all;
}
