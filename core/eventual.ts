/** A value that may be there at once. Every promise costs a call time, and most calls need nothing that isn't in memory. */
export type Eventual<Value> = Value | Promise<Value>;

/** Gives a value to `use`: now if it is there, else once it is. */
export function whenThere<Value, Result>(
  value: Eventual<Value>,
  use: (value: Value) => Eventual<Result>,
): Eventual<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
