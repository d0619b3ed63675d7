import { setTimeout as delay } from "node:timers/promises";
import { aboutToStop } from "../../kernel/about-to-stop.ts";
import type { Log } from "../../kernel/log.ts";
import type { Deliveries } from "../../operation/context.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { LONGEST_MAIL_SECONDS } from "../messages/send-mail.ts";
import type { Delivery, Senders } from "../sent.ts";
import { attempt, deliveriesToSend, deliveryStillToSend } from "./attempt.ts";
import { Lanes } from "./lanes.ts";
import { LEASE_SECONDS, leaseDue, release, releaseAll } from "./lease.ts";
import { readyTargets } from "./queue.ts";
import { type Attempt, type Recorded, record } from "./record.ts";

/** How many deliveries are held in memory at most: taken, under way or not yet written down. */
const ROOM = 384;
/** For so long attempts that ended are gathered, to be written down together. */
const GATHER_MS = 10;
/** While requests keep the service busy, so many deliveries are taken at a time, and no sooner than after this. */
const TAKEN_WHILE_BUSY = 32;
const BUSY_GATHER_MS = 200;
/** How often to look for what nobody gave word of: what is tried again, and what other instances wrote. */
const POLL_MS = 1_000;
/** One that would begin later than this might be made twice: a mail takes the longest, and is then written down. */
const BEGIN_WITHIN_MS = (LEASE_SECONDS - LONGEST_MAIL_SECONDS - 5) * 1000;
/** What waited longer in memory is read anew: its target may be gone by now, or have another secret. */
const TRUSTED_MS = 500;
/** An attempt that takes longer is late. Most targets answer within a second. */
const LATE_MS = 1_000;
/** For so long attempts under way are waited for at the end. */
const GRACE_MS = 3_000;
const PAUSE_AFTER_FAULT_MS = 1_000;

export interface DeliveryParts {
  readonly store: Pick<Store, "read" | "write" | "isShared">;
  readonly senders: Senders;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Whether requests keep the service busy: they go first. */
  readonly isBusy?: () => boolean;
  readonly log: Log;
  /** Takes each attempt when it is written down. */
  readonly attempted?: (attempt: Attempt) => void;
}

interface Delivering extends Deliveries {
  /** Begins to look for what is due. */
  start(): void;
  /**
   * Takes nothing more, waits a moment for what is under way, and leaves the rest to whoever comes next. An attempt that
   * is given up is not written down: its target may have taken it. It is made again when its lease has run out.
   */
  stop(): Promise<void>;
}

/**
 * Sends what is due, in the background, from `start` to `stop`. A delivery is taken for a time, sent outside of any
 * transaction, and how many attempts ended is written down at once. Whoever is killed has sent some that are sent again.
 *
 * @param holder whose leases they are: nobody else's name
 */
export function makeDeliveries(parts: DeliveryParts, holder: string): Delivering {
  const sending = new Sending(parts, holder);
  let polling: NodeJS.Timeout | undefined;
  return {
    start() {
      polling = setInterval(() => void sending.look(), POLL_MS).unref();
      sending.start();
    },
    wake: () => sending.wake(),
    attempt: attemptsOf({ ...parts, giveUp: sending.givenUp }),
    async stop() {
      clearInterval(polling);
      await sending.stop();
    },
  };
}

/** Tries single deliveries at once, whatever their state, until it is to give up. */
export function attemptsOf({
  store,
  senders,
  clock,
  random = Math.random,
  attempted,
  giveUp,
}: DeliveryParts & { readonly giveUp: AbortSignal }): Deliveries["attempt"] {
  return async (id) => {
    const [delivery] = await deliveriesToSend(store.read, [id]);
    if (delivery === undefined) throw new Error(`There is no delivery '${id}'`);
    const made = await attempt(delivery, { senders, manual: true, giveUp });
    await store.write(async (db) => record(db, [made], { at: await clock(db), random }));
    attempted?.(made);
  };
}

interface Taken extends Delivery {
  /** On the clock of `performance`. */
  readonly takenAt: number;
}

class Sending {
  readonly #parts: DeliveryParts;
  readonly #holder: string;
  readonly #givingUp = new AbortController();
  readonly #lanes = new Lanes<Taken>();
  readonly #underWay = new Set<Promise<void>>();
  /** Attempts that are to be written down. */
  #ended: Attempt[] = [];
  /** The ids of what was taken and will not be tried here. */
  #left: string[] = [];
  /** The target that had its turn last. */
  #after = "";
  #working: Promise<void> | undefined;
  #isWanted = false;
  #isStopping = false;
  #isLooking = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(parts: DeliveryParts, holder: string) {
    this.#parts = parts;
    this.#holder = holder;
  }

  /** Ends the attempts that are under way at the end. */
  get givenUp(): AbortSignal {
    return this.#givingUp.signal;
  }

  start(): void {
    const { store } = this.#parts;
    if (!store.isShared) store.write(releaseAll).catch((error: unknown) => this.#note(error));
    this.wake();
  }

  wake(): void {
    if (this.#isBusy()) this.#gather();
    else this.#workNow();
  }

  /** Wakes when something is due. It only reads, since mostly nothing is. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#working !== undefined) return;
    const { store, clock } = this.#parts;
    this.#isLooking = true;
    try {
      const at = await clock(store.read);
      if ((await readyTargets(store.read, { at, limit: 1 })).length > 0) this.wake();
    } catch {
      // Those who watch the service are told that its records cannot be read. It looks again in a moment.
    } finally {
      this.#isLooking = false;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#gathering);
    await this.#working;
    this.#leave(this.#lanes.clear());
    await Promise.race([Promise.all(this.#underWay), delay(GRACE_MS, undefined, { ref: false })]);
    this.#givingUp.abort(aboutToStop());
    await Promise.all(this.#underWay);
    if (this.#ended.length + this.#left.length === 0) return;
    await this.#turn().catch((error: unknown) => this.#note(error));
  }

  #isBusy(): boolean {
    return this.#parts.isBusy?.() ?? false;
  }

  #workNow(): void {
    if (this.#isStopping) return;
    this.#isWanted = true;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      try {
        await this.#turn();
      } catch (error) {
        this.#note(error);
        await delay(PAUSE_AFTER_FAULT_MS, undefined, { ref: false });
        this.#isWanted = !this.#isStopping;
      }
    }
    this.#working = undefined;
  }

  /** Writes down what ended, and takes what there is room for, with one write; then begins what may begin. */
  async #turn(): Promise<void> {
    const { store, clock, random = Math.random } = this.#parts;
    const [ended, left] = [this.#ended.splice(0), this.#left.splice(0)];
    const most = this.#isBusy() ? TAKEN_WHILE_BUSY : ROOM;
    const room = this.#isStopping ? 0 : Math.min(most, ROOM - this.#lanes.size);
    const takenAt = performance.now();
    const write = store.write(async (db) => {
      const at = await clock(db);
      const recorded = await record(db, ended, { at, random });
      await release(db, left, this.#holder);
      const leasing = { at, holder: this.#holder, room, after: this.#after };
      return { recorded, leased: await leaseDue(db, leasing) };
    });
    const { recorded, leased } = await write.catch((error: unknown) => {
      this.#ended.unshift(...ended);
      this.#left.push(...left);
      throw error;
    });
    this.#after = leased.after;
    this.#tell(ended, recorded);
    this.#leave(this.#lanes.clear(recorded.resting));
    await this.#take(leased.ids, takenAt);
    this.#begin();
  }

  async #take(ids: readonly string[], takenAt: number): Promise<void> {
    if (ids.length === 0) return;
    try {
      const deliveries = await deliveriesToSend(this.#parts.store.read, ids);
      this.#lanes.add(deliveries.map((delivery) => ({ ...delivery, takenAt })));
    } catch (error) {
      this.#left.push(...ids);
      throw error;
    }
  }

  #begin(): void {
    if (this.#isStopping) return;
    for (let next = this.#lanes.next(); next !== undefined; next = this.#lanes.next()) {
      if (performance.now() - next.takenAt < BEGIN_WITHIN_MS) this.#try(next);
      else {
        this.#lanes.done(next);
        this.#leave([next]);
      }
    }
  }

  #try(taken: Taken): void {
    const late = setTimeout(() => {
      if (!this.#lanes.late(taken)) return;
      this.#begin();
      this.#gather();
    }, LATE_MS).unref();
    const trying = this.#attempt(taken).then(
      (made) => {
        clearTimeout(late);
        this.#underWay.delete(trying);
        this.#lanes.done(taken);
        if (made === undefined) this.#leave([taken]);
        else this.#ended.push(made);
        this.#begin();
        this.#gather();
      },
      // It was given up, with which all is over here.
      () => clearTimeout(late),
    );
    this.#underWay.add(trying);
  }

  /** @returns undefined when it is not to be sent from here any more */
  #attempt(taken: Taken): Promise<Attempt | undefined> {
    if (performance.now() - taken.takenAt < TRUSTED_MS) return this.#send(taken);
    return this.#asItIsNow(taken).then((delivery) => {
      this.givenUp.throwIfAborted();
      return delivery && this.#send(delivery);
    });
  }

  #send(delivery: Delivery): Promise<Attempt> {
    const { senders } = this.#parts;
    return attempt(delivery, { senders, manual: false, giveUp: this.givenUp });
  }

  async #asItIsNow({ id }: Taken): Promise<Delivery | undefined> {
    try {
      return await deliveryStillToSend(this.#parts.store.read, id);
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  #leave(deliveries: readonly Delivery[]): void {
    if (deliveries.length === 0) return;
    this.#left.push(...deliveries.map(({ id }) => id));
    this.#gather();
  }

  #gather(): void {
    if (this.#isStopping) return;
    const later = () => {
      this.#gathering = undefined;
      this.#workNow();
    };
    this.#gathering ??= setTimeout(later, this.#isBusy() ? BUSY_GATHER_MS : GATHER_MS);
  }

  #tell(ended: readonly Attempt[], recorded: Recorded): void {
    for (const each of ended) this.#parts.attempted?.(each);
    for (const { actionId, because } of recorded.ended) {
      this.#parts.log({
        level: "warn",
        message: `A target of the action ${actionId} gets nothing any more: ${because}`,
      });
    }
  }

  #note(error: unknown): void {
    this.#parts.log({ level: "error", message: "Deliveries could not be taken or written down", error });
  }
}
