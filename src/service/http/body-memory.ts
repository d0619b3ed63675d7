import { Busy } from "../kernel/errors.ts";

export const BASE_BYTES = 64 * 1024;
/** Limit for loaded bodies of one organization. Bodies on disk wait until they fit. */
const LOADED_BYTES = 16 * 1024 * 1024;

interface Share {
  loaded: number;
  /** Large bodies that wait for their turn, in order. */
  readonly waiting: { readonly bytes: number; readonly enter: () => void }[];
  rooms: number;
}

export class BodyMemory {
  readonly #memory: ReturnType<typeof budget>;
  readonly #disk: ReturnType<typeof budget>;
  readonly #shares = new Map<string, Share>();

  /** The limits are in bytes. */
  constructor({ bodyMemory, bodyDisk }: { bodyMemory: number; bodyDisk: number }) {
    this.#memory = budget(bodyMemory);
    this.#disk = budget(bodyDisk);
  }

  roomFor(organization: string, key: string): BodyRoom {
    const share = this.#shares.get(organization) ?? { loaded: 0, waiting: [], rooms: 0 };
    this.#shares.set(organization, share);
    share.rooms++;
    const memory = this.#memory(organization, key);
    const disk = this.#disk(organization, key);
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
  /** @param announced bytes that the request announces for the disk. @throws Busy */
  enter(announced: number): void;
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** Reserves bytes on the disk, if enough are left. */
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

/** A single body is always allowed, whatever its size. */
function mayLoad({ loaded }: Share, bytes: number): boolean {
  return loaded === 0 || loaded + bytes <= LOADED_BYTES;
}

function noMemory(): Busy {
  return new Busy("limit.body_memory", "The service has no memory for another body right now: try again", 1);
}

export function noDisk(): Busy {
  return new Busy("limit.body_disk", "The service has no disk space for this upload right now: try again", 1);
}

/** Largest share of a budget for one organization. One never blocks the others; two together may. */
const MAX_OF_ORGANIZATION = 1 / 2;
/** Largest share of a budget for one API key: a quarter of its organization's. */
const MAX_OF_KEY = MAX_OF_ORGANIZATION / 4;

/** Shares a number of bytes among organizations and their keys. @returns a portion for one request */
function budget(limit: number) {
  const takenBy = new Map<string, number>();
  let taken = 0;
  const takenOf = (owner: string) => takenBy.get(owner) ?? 0;
  return (organization: string, key: string) => {
    const [byOrganization, byKey] = [`organization ${organization}`, `key ${key}`];
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      taken += bytes;
      for (const owner of [byOrganization, byKey]) {
        const sum = takenOf(owner) + bytes;
        if (sum === 0) takenBy.delete(owner);
        else takenBy.set(owner, sum);
      }
    };
    return {
      take(bytes: number): boolean {
        const ofKey = takenOf(byKey);
        const fits =
          taken + bytes <= limit &&
          takenOf(byOrganization) + bytes <= limit * MAX_OF_ORGANIZATION &&
          // A key's only request may exceed the key's share.
          (ofKey === own || ofKey + bytes <= limit * MAX_OF_KEY);
        if (fits) add(bytes);
        return fits;
      },
      give: (bytes: number) => add(-bytes),
      release: () => add(-own),
    };
  };
}
