import type { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../error-codes.ts";
import { named } from "../naming-trouble.ts";
import { Undone } from "../records/statement.ts";
import { patientBegin } from "./transactions.ts";
import { failureOf, type MakeChange, type WriteReply, type WriteRequest } from "./writes.ts";

/** Hooks around a group's commit. */
interface GroupHooks {
  /** Called often while another connection's lock blocks the thread. */
  readonly whileWaiting: () => void;
  /** Called after the commit. If it throws, every reply carries its error, as if nothing had been written. */
  readonly beforeAnswers: () => void;
  /** Called when the disk is full. Returns true if it made room for another try. */
  readonly makeRoom: () => boolean;
  /** Called when the group failed as a whole. Returns the error that its answers carry. */
  readonly explain?: (error: unknown) => unknown;
}

/**
 * Returns a function that runs a group of changes in one transaction, so that they share one flush to disk. Each
 * change has a savepoint, so that one failure doesn't affect the others. If the commit fails, every reply says so.
 */
export function groupCommitter(
  database: DatabaseSync,
  make: MakeChange,
  { whileWaiting, beforeAnswers, makeRoom, explain = (error) => error }: GroupHooks,
): (requests: readonly WriteRequest[]) => WriteReply[] {
  const begin = patientBegin(database, whileWaiting);
  const commit = database.prepare("COMMIT");
  const mark = database.prepare("SAVEPOINT one");
  const unmark = database.prepare("RELEASE one");
  const undo = database.prepare("ROLLBACK TO one");

  const path = database.location() ?? "The database";
  const failed = (id: number, error: unknown): WriteReply => {
    return { id, ...failureOf(named(error, path)) };
  };

  const doOne = ({ id, name, argument }: WriteRequest): WriteReply => {
    mark.run();
    try {
      const result = make(name, argument);
      unmark.run();
      return { id, result };
    } catch (error) {
      // A full disk may end the whole transaction, including earlier changes. In a damaged database no change counts.
      if (!database.isTransaction || isSqliteError(error, "damaged")) throw error;
      undo.run();
      unmark.run();
      return error instanceof Undone ? { id, result: error.result } : failed(id, error);
    }
  };

  const tryGroup = (requests: readonly WriteRequest[]): WriteReply[] => {
    try {
      begin();
      const replies = requests.map(doOne);
      commit.run();
      beforeAnswers();
      return replies;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      const cause = explain(error);
      return requests.map(({ id }) => failed(id, cause));
    }
  };

  return (requests) => {
    const replies = new Map(tryGroup(requests).map((reply) => [reply.id, reply]));
    // The other changes of the group may be committed.
    const again = requests.filter(({ id }) => replies.get(id)?.trouble === "full");
    if (again.length > 0 && makeRoom()) {
      for (const reply of tryGroup(again)) replies.set(reply.id, reply);
    }
    return [...replies.values()];
  };
}
