import { Busy } from "../kernel/errors.ts";

export const BASE_BYTES = 64 * 1024;
/** Bodies that wait on the disk are read back while those of the same organization hold no more than this. */
const LOADED_BYTES = 16 * 1024 * 1024;

interface Share {
  loaded: number;
  /** The large bodies that wait for their turn, in order. */
  readonly waiting: { readonly bytes: number; readonly enter: () => void }[];
  rooms: number;
}

export class BodyMemory {
  readonly #memory: Budget;
  readonly #disk: Budget;
  readonly #shares = new Map<string, Share>();

  /** The limits are in bytes. */
  constructor({ bodyMemory, bodyDisk }: { bodyMemory: number; bodyDisk: number }) {
    this.#memory = new Budget(bodyMemory);
    this.#disk = new Budget(bodyDisk);
  }

  roomFor(organization: string, key: string): BodyRoom {
    const share = this.#shares.get(organization) ?? { loaded: 0, waiting: [], rooms: 0 };
    this.#shares.set(organization, share);
    share.rooms++;
    const memory: Portion = this.#memory.portionOf(organization, key);
    const disk: Portion = this.#disk.portionOf(organization, key);
    let loaded = 0;
    let reserved = 0;
    return {
      enter(announced) {
        if (!memory.take(BASE_BYTES)) throw noMemory();
        if (!disk.take(announced)) throw noDisk();
        reserved = announced;
      },
      take: memory.take,
      give: memory.give,
      store(bytes) {
        if (bytes > reserved) return disk.take(bytes);
        reserved -= bytes;
        return true;
      },
      async load(bytes) {
        if (share.waiting.length > 0 || !mayLoad(share, bytes)) {
          await new Promise<void>((enter) => share.waiting.push({ bytes, enter }));
        } else share.loaded += bytes;
        loaded += bytes;
      },
      release: () => {
        memory.release();
        disk.release();
        share.loaded -= loaded;
        loaded = 0;
        letIn(share);
        share.rooms--;
        if (share.rooms === 0) this.#shares.delete(organization);
      },
    };
  }
}

export interface BodyRoom {
  /** @param announced bytes that will go to the disk, as far as the request says. @throws Busy */
  enter(announced: number): void;
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** Takes bytes of the disk, unless there are too few left. */
  store(bytes: number): boolean;
  load(bytes: number): Promise<void>;
  release(): void;
}

function letIn(share: Share): void {
  for (;;) {
    const [next] = share.waiting;
    if (!next || !mayLoad(share, next.bytes)) return;
    share.waiting.shift();
    share.loaded += next.bytes;
    next.enter();
  }
}

/** One may always, however large it is. */
function mayLoad({ loaded }: Share, bytes: number): boolean {
  return loaded === 0 || loaded + bytes <= LOADED_BYTES;
}

function noMemory(): Busy {
  return new Busy("limit.body_memory", "The service has no memory for another body just now: try again", 1);
}

export function noDisk(): Busy {
  return new Busy("limit.body_disk", "The service has no disk space for this upload right now: try again", 1);
}

/** Largest part of a budget that one organization may take. One alone never blocks the others; two together may. */
const MOST_OF_ORGANIZATION = 1 / 2;
/** Largest part of a budget that one API key may take: a quarter of its organization's. */
const MOST_OF_KEY = MOST_OF_ORGANIZATION / 4;

interface Portion {
  take(bytes: number): boolean;
  give(bytes: number): void;
  release(): void;
}

class Budget {
  readonly #limit: number;
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

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
