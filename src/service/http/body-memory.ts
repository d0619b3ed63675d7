import { Busy } from "../kernel/errors.ts";
import { Budget, type Portion } from "./budget.ts";

/** What each body takes for as long as it is received: the buffers of its connection, and those it is written with. */
export const BASE_BYTES = 64 * 1024;
/** Bodies that wait on the disk are read back while those of the same organization hold no more than this. */
const LOADED_BYTES = 16 * 1024 * 1024;

/** The large bodies of one organization that are read back from the disk. */
interface Share {
  loaded: number;
  /** The large bodies that wait for their turn, in order. */
  readonly waiting: { readonly bytes: number; readonly enter: () => void }[];
  /** Requests that have a room. */
  rooms: number;
}

/** The memory and the disk that the bodies of requests share from their first byte until they are answered. */
export class BodyMemory {
  readonly #memory: Budget;
  readonly #disk: Budget;
  readonly #shares = new Map<string, Share>();

  /** The limits are in bytes. */
  constructor({ bodyMemory, bodyDisk }: { bodyMemory: number; bodyDisk: number }) {
    this.#memory = new Budget(bodyMemory);
    this.#disk = new Budget(bodyDisk);
  }

  /** A place for the body of one request, which takes nothing until it is entered. */
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

/** The part of the memory and the disk that one request has. */
export interface BodyRoom {
  /**
   * @param announced the bytes that will go to the disk, as far as the request says
   * @throws Busy when there is no room for another body
   */
  enter(announced: number): void;
  /** Takes more memory, unless there is none left. */
  take(bytes: number): boolean;
  /** Gives back a part of the memory. */
  give(bytes: number): void;
  /** Takes bytes of the disk, unless there are too few left. */
  store(bytes: number): boolean;
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

function noMemory(): Busy {
  return new Busy("The service has no memory for another body just now: try again", 1, "body_memory");
}

export function noDisk(): Busy {
  return new Busy("The service has no disk space for this upload right now: try again", 1, "body_disk");
}
