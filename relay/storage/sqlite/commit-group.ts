import type { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../sqlite-error.ts";
import { patientBegin } from "./patient-begin.ts";
import type { WriteReply, WriteRequest, Writes } from "./writes.ts";

/**
 * Returns a function that runs a group of changes in one transaction, so that they share one flush to disk.
 * Each has a savepoint, so that one failure does not affect the others. If the commit fails, none is done,
 * and every reply says so.
 * @param whileWaiting is called often while another connection's lock blocks the thread
 */
export function groupCommitter(
  database: DatabaseSync,
  writes: Writes,
  whileWaiting: () => void,
): (requests: readonly WriteRequest[]) => WriteReply[] {
  const begin = patientBegin(database, whileWaiting);
  const commit = database.prepare("COMMIT");
  const mark = database.prepare("SAVEPOINT one");
  const unmark = database.prepare("RELEASE one");
  const undo = database.prepare("ROLLBACK TO one");

  const doOne = ({ id, name, argument }: WriteRequest): WriteReply => {
    mark.run();
    try {
      // The name selects the function, and the sender's types tie the argument to the name.
      const result: unknown = Reflect.apply(writes[name], undefined, [argument]);
      unmark.run();
      return { id, result };
    } catch (error) {
      // A full disk may end the whole transaction, including earlier changes.
      if (!database.isTransaction) throw error;
      undo.run();
      unmark.run();
      return failed(id, error);
    }
  };

  return (requests) => {
    try {
      begin();
      const replies = requests.map(doOne);
      commit.run();
      return replies;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      return requests.map(({ id }) => failed(id, error));
    }
  };
}

function failed(id: number, error: unknown): WriteReply {
  return { id, error, isDiskFull: isSqliteError(error, "full") };
}
