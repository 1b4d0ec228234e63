import { type Compiled, Statement } from "../../../../relay/storage/records/statement.ts";
import type { DialectName } from "../../../../relay/storage/records/dialect.ts";

/** The statements that a database was asked for, by name. Ends to note more on disposal. */
export interface NotedStatements extends ReadonlyMap<string, Compiled>, Disposable {}

/** Notes the statements that this process sends to a database of one kind. */
export function noteStatements(dialect: DialectName): NotedStatements {
  const noted = new Map<string, Compiled>();
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the statement that was asked
  const { compiled } = Statement.prototype;
  Statement.prototype.compiled = function (this: Statement, asked) {
    const made = compiled.call(this, asked);
    if (asked === dialect) noted.set(this.name, made);
    return made;
  };
  return Object.assign(noted, {
    [Symbol.dispose]: () => void (Statement.prototype.compiled = compiled),
  });
}
