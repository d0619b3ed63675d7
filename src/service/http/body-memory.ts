import { Busy } from "../kernel/errors.ts";

/** What each body takes for as long as it is received: the buffers of its connection, and those it is written with. */
export const BASE_BYTES = 64 * 1024;
/** The part of the memory that one organization may take: alone it never keeps the others out, two together may. */
const MOST_OF_ONE = 0.5;
/** Bodies that wait on the disk are read back while those of the same organization hold no more than this. */
const LOADED_BYTES = 16 * 1024 * 1024;

/** What one organization has of the memory. */
interface Share {
  taken: number;
  /** What its large bodies hold that were read back from the disk. */
  loaded: number;
  /** The large bodies that wait for their turn, in order. */
  readonly waiting: { readonly bytes: number; readonly enter: () => void }[];
  /** Requests that have a room. */
  rooms: number;
}

/** The memory that the bodies of requests share from their first byte until they are answered. */
export class BodyMemory {
  readonly #limit: number;
  #taken = 0;
  readonly #shares = new Map<string, Share>();

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A place for the body of one request, which takes nothing until it is entered. */
  roomFor(organization: string): BodyRoom {
    const share = this.#shares.get(organization) ?? { taken: 0, loaded: 0, waiting: [], rooms: 0 };
    this.#shares.set(organization, share);
    share.rooms++;
    let [taken, loaded] = [0, 0];

    const take = (bytes: number): boolean => {
      const fits = this.#taken + bytes <= this.#limit && share.taken + bytes <= this.#limit * MOST_OF_ONE;
      if (fits) give(-bytes);
      return fits;
    };
    const give = (bytes: number) => {
      this.#taken -= bytes;
      share.taken -= bytes;
      taken -= bytes;
    };
    return {
      enter() {
        if (!take(BASE_BYTES)) throw tooBusy();
      },
      take,
      give,
      async load(bytes) {
        if (share.waiting.length > 0 || !mayLoad(share, bytes)) {
          await new Promise<void>((enter) => share.waiting.push({ bytes, enter }));
        } else share.loaded += bytes;
        loaded += bytes;
      },
      release: () => {
        give(taken);
        share.loaded -= loaded;
        loaded = 0;
        letIn(share);
        share.rooms--;
        if (share.rooms === 0) this.#shares.delete(organization);
      },
    };
  }
}

/** The part of the memory that one request has. */
export interface BodyRoom {
  /** @throws Busy when there is no room for another body */
  enter(): void;
  /** Takes more memory, unless there is none left. */
  take(bytes: number): boolean;
  /** Gives back a part of what was taken. */
  give(bytes: number): void;
  /** Waits until a large body may be read back from the disk. */
  load(bytes: number): Promise<void>;
  /** Gives back everything, once. */
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

function tooBusy(): Busy {
  return new Busy("The service has no memory for another body just now: try again", 1, "body_memory");
}
