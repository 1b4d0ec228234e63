import { type Compiled, Statement } from "../../../../relay/storage/records/statement.ts";
import type { DialectName } from "../../../../relay/storage/records/dialect.ts";

/** The statements that each kind of database was sent, by name. Ends to note more on disposal. */
type NotedStatements = Disposable & Readonly<Record<DialectName, ReadonlyMap<string, Compiled>>>;

/** Notes the statements that this process sends to databases. */
export function noteStatements(): NotedStatements {
  const noted = { sqlite: new Map<string, Compiled>(), postgres: new Map<string, Compiled>() };
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the statement that was asked
  const { compiled } = Statement.prototype;
  Statement.prototype.compiled = function (this: Statement, dialect) {
    const made = compiled.call(this, dialect);
    noted[dialect].set(this.name, made);
    return made;
  };
  return { ...noted, [Symbol.dispose]: () => void (Statement.prototype.compiled = compiled) };
}
