import type { Answer } from "../answer.ts";
import { assertSame, assertStatus, partOf } from "../assert.ts";
import type { Kit, TestPackage } from "../kit.ts";

/** Checks a package's status. */
export async function assertState(kit: Kit, made: TestPackage, wanted: string): Promise<void> {
  assertAnswered(await kit.status(made), wanted);
}

/** Checks the answer to a status call. */
export function assertAnswered(answer: Answer, wanted: string): void {
  assertStatus(answer, 200);
  assertSame(partOf(answer.json, "status"), wanted, "The status");
}
