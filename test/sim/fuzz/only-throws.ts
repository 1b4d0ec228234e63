/** The result; undefined if it failed with an error of this kind. Other errors pass. */
export async function onlyThrows<Result>(
  kind: abstract new (...args: never) => Error,
  act: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof kind) return undefined;
    throw error;
  }
}
