import { aboutToStop, Busy } from "../errors.ts";
import { FairQueue } from "./fair-queue.ts";

/** Maximum waiting tasks of one organization. */
export const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

export function tooManyWaiting(): Busy {
  const problem = `Your organization already has ${MAX_WAITING} waiting evaluations: try again`;
  return new Busy("limit.evaluations", problem, RETRY_AFTER_SECONDS);
}

interface Waiting {
  readonly orgId: string;
  begin(): Promise<void>;
  refuse(error: unknown): void;
}

/** Runs a few tasks at once. Organizations take turns, and none gets all places. */
export class FairTurns {
  readonly #queue = new FairQueue<Waiting>();
  readonly #running: string[] = [];
  readonly #size: number;
  #isClosed = false;

  /** @param size number of tasks that run at once */
  constructor(size: number) {
    this.#size = size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Performs a task when its turn comes. @throws Busy if too many tasks wait, or the turns are or become closed */
  async run<Result>(orgId: string, task: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw aboutToStop();
    if (this.#queue.lengthOf(orgId) >= MAX_WAITING) throw tooManyWaiting();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#queue.add(orgId, { orgId, begin: () => task().then(resolve, reject), refuse: reject });
    this.#startNext();
    return promise;
  }

  /** Refuses waiting and later tasks with Busy. Running tasks continue. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#queue.take(() => true); next; next = this.#queue.take(() => true))
      next.refuse(aboutToStop());
  }

  #startNext(): void {
    const mostOfOne = Math.max(1, this.#size - 1);
    const mayHaveTurn = (orgId: string) => this.#running.filter((each) => each === orgId).length < mostOfOne;
    while (this.#running.length < this.#size) {
      const next = this.#queue.take(mayHaveTurn);
      if (!next) return;
      this.#running.push(next.orgId);
      void this.#perform(next);
    }
  }

  async #perform({ orgId, begin }: Waiting): Promise<void> {
    await begin();
    this.#running.splice(this.#running.indexOf(orgId), 1);
    this.#startNext();
  }
}
