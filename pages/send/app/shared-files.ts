import { ObjectDatabase } from "../../../client/keeping/object-database.ts";
import { randomId } from "../../../client/wire/random-id.ts";

interface SharedFiles {
  readonly id: string;
  readonly files: readonly File[];
}

const LOCK = "soundferry.shared";

function database(): ObjectDatabase<{ shared: SharedFiles }> {
  return new ObjectDatabase("soundferry-shared", ["shared"]);
}

/** Keeps what another app shared until a page takes it. @throws the browser's error if it has no room */
export async function keepShared(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const shared = { id: randomId(), files };
  await database().transact("readwrite", (storeOf) => storeOf("shared").put(shared));
}

/**
 * Takes what other apps shared, in one tab only. It is deleted once `add` has resolved, so a page that ends meanwhile
 * loses nothing.
 */
export async function takeShared(add: (files: readonly File[]) => Promise<void>): Promise<void> {
  await navigator.locks.request(LOCK, async () => {
    const found = await database().transact("readonly", (storeOf) => storeOf("shared").getAll());
    if (found.length === 0) return;
    await add(found.flatMap(({ files }) => files));
    for (const { id } of found) {
      await database().transact("readwrite", (storeOf) => storeOf("shared").delete(id));
    }
  });
}
