/** Organizations take turns. */
export class FairQueue<Task> {
  /** In the order of their turns. No line is empty. */
  readonly #lines = new Map<string, Task[]>();

  lengthOf(orgId: string): number {
    return this.#lines.get(orgId)?.length ?? 0;
  }

  add(orgId: string, task: Task): void {
    const line = this.#lines.get(orgId);
    if (line) line.push(task);
    else this.#lines.set(orgId, [task]);
  }

  /** Takes the next task out of the queue. Undefined if no waiting organization may have a turn. */
  take(mayHaveTurn: (orgId: string) => boolean): Task | undefined {
    for (const [orgId, line] of this.#lines) {
      if (!mayHaveTurn(orgId)) continue;
      const task = line.shift();
      // Its next turn comes after those of all other organizations.
      this.#lines.delete(orgId);
      if (line.length > 0) this.#lines.set(orgId, line);
      return task;
    }
    return undefined;
  }
}
