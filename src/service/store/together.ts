/**
 * Waits for statements of one write that need nothing of each other's answers. They were sent one behind the other,
 * without waiting in between, and run in that order. When one fails the others are waited for as well: nothing of a
 * write is under way any more when it is undone.
 *
 * @throws what the first of them failed with
 */
export async function together<Statements extends readonly unknown[] | []>(
  statements: Statements,
): Promise<{ -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
