/** Writes a line when a state changes, and not again while it lasts. */
export class StateLog {
  readonly #log: (line: string) => void;
  readonly #states = new Map<string, string>();

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** @param key subject of the state @param line written if the state differs from the last one; undefined for none */
  set(key: string, state: string, line: string | undefined): void {
    const before = this.#states.get(key);
    this.#states.set(key, state);
    if (before !== state && line !== undefined) this.#log(line);
  }
}
