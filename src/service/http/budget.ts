/** Largest part of a budget that one organization may take. One alone never blocks the others; two together may. */
const MOST_OF_ORGANIZATION = 1 / 2;
/** Largest part of a budget that one API key may take: a quarter of its organization's. */
const MOST_OF_KEY = MOST_OF_ORGANIZATION / 4;

/** The part of a budget that one request has taken. */
export interface Portion {
  /** Takes bytes. Returns false when too few are left. */
  take(bytes: number): boolean;
  /** Gives back a part of what was taken. */
  give(bytes: number): void;
  /** Gives back everything. */
  release(): void;
}

/** Bytes that requests share. Each organization and each key has a limit within the whole. */
export class Budget {
  readonly #limit: number;
  #taken = 0;
  /** The bytes taken by organization and by key. */
  readonly #takenBy = new Map<string, number>();

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  portionOf(organization: string, key: string): Portion {
    const byOrganization = `organization ${organization}`;
    const byKey = `key ${key}`;
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#taken += bytes;
      for (const holder of [byOrganization, byKey]) this.#addTo(holder, bytes);
    };
    return {
      take: (bytes) => {
        const ofKey = this.#takenBy.get(byKey) ?? 0;
        const fits =
          this.#taken + bytes <= this.#limit &&
          (this.#takenBy.get(byOrganization) ?? 0) + bytes <= this.#limit * MOST_OF_ORGANIZATION &&
          // The only request of a key may be larger than the key's part.
          (ofKey === own || ofKey + bytes <= this.#limit * MOST_OF_KEY);
        if (fits) add(bytes);
        return fits;
      },
      give: (bytes) => add(-bytes),
      release: () => add(-own),
    };
  }

  #addTo(holder: string, bytes: number): void {
    const sum = (this.#takenBy.get(holder) ?? 0) + bytes;
    if (sum === 0) this.#takenBy.delete(holder);
    else this.#takenBy.set(holder, sum);
  }
}
