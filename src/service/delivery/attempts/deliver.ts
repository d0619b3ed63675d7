import { setTimeout as delay } from "node:timers/promises";
import { aboutToStop } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { idsOf } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import { LONGEST_MAIL_SECONDS } from "../messages/send-mail.ts";
import {
  type Attempt,
  attempt,
  type Delivery,
  deliveriesToSend,
  deliveryStillToSend,
  type Senders,
} from "./attempt.ts";
import { Lanes } from "./lanes.ts";
import {
  type Clock,
  findDue,
  LEASE_SECONDS,
  lease,
  type QueuedDelivery,
  release,
  releaseAll,
} from "./lease.ts";
import { readyTargets } from "./queue.ts";
import { type Recorded, record } from "./record.ts";

/** Maximum number of deliveries in memory: leased, running or not yet recorded. */
const ROOM = 384;
/** Delay in which finished attempts are gathered into one write. */
const GATHER_MS = 10;
/** Batch size while requests keep the service busy, and the delay between batches. */
const TAKEN_WHILE_BUSY = 32;
const BUSY_GATHER_MS = 200;
/** Interval of the search for retries and for deliveries of other instances. */
const POLL_MS = 1_000;
/** Start deadline. The lease must outlast the slowest email and its record, or a delivery may be sent twice. */
const BEGIN_WITHIN_MS = (LEASE_SECONDS - LONGEST_MAIL_SECONDS - 5) * 1000;
/** Older deliveries are read again, since their target may be gone or have a new secret. */
const TRUSTED_MS = 500;
/** Attempts that take longer are late. Most targets answer within a second. */
const LATE_MS = 1_000;
/** Time that `stop` waits for running attempts. */
const GRACE_MS = 3_000;
const PAUSE_AFTER_FAULT_MS = 1_000;

export interface DeliveryParts {
  readonly store: Pick<Store, "read" | "readTogether" | "write" | "isShared">;
  readonly senders: Senders;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Whether requests keep the service busy. They have priority. */
  readonly isBusy?: () => boolean;
  readonly log: Log;
  /** Called with each attempt once it is recorded. */
  readonly attempted?: (attempt: Attempt) => void;
}

/**
 * Sends due deliveries in the background. Each is leased, sent outside of a transaction, and recorded in batches.
 * After a crash some deliveries are sent again. `holder` must be unique to the instance.
 */
export function makeDeliveries(parts: DeliveryParts, holder: string) {
  const { store, senders, clock, random = Math.random, attempted } = parts;
  const sending = new Sending(parts, holder);
  let polling: NodeJS.Timeout | undefined;
  return {
    start() {
      polling = setInterval(() => void sending.look(), POLL_MS).unref();
      sending.start();
    },
    wake: () => sending.wake(),
    /** Sends one delivery at once, whatever its state. */
    async attempt(id: string): Promise<void> {
      const [delivery] = await deliveriesToSend(store.read, [id]);
      if (delivery === undefined) throw new Error(`Delivery '${id}' was not found`);
      const made = await attempt(delivery, { senders, manual: true, giveUp: sending.givenUp });
      await store.write(async (db) => record(db, [made], { at: await clock(db), random }), {
        orgId: delivery.target.org_id,
      });
      attempted?.(made);
    },
    /** Waits briefly for running attempts. An aborted attempt is not recorded, and repeats after its lease. */
    async stop(): Promise<void> {
      clearInterval(polling);
      await sending.stop();
    },
  };
}

interface Taken extends Delivery {
  /** On the clock of `performance`. */
  readonly takenAt: number;
}

interface WorkOfOrganization {
  readonly ended: readonly Attempt[];
  readonly left: readonly QueuedDelivery[];
  readonly due: readonly QueuedDelivery[];
}

class Sending {
  readonly #parts: DeliveryParts;
  readonly #holder: string;
  readonly #givingUp = new AbortController();
  readonly #lanes = new Lanes<Taken>();
  readonly #underWay = new Set<Promise<void>>();
  #ended: Attempt[] = [];
  /** Leased deliveries that are given back. */
  #left: QueuedDelivery[] = [];
  #after = "";
  /** The write under way for each organization. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Number of deliveries that these writes may lease. */
  #leasing = 0;
  /** Whether work of an organization waits for its write to end. */
  #isDelayed = false;
  #working: Promise<void> | undefined;
  #isWanted = false;
  #isStopping = false;
  #isLooking = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(parts: DeliveryParts, holder: string) {
    this.#parts = parts;
    this.#holder = holder;
  }

  /** Aborts the running attempts on `stop`. */
  get givenUp(): AbortSignal {
    return this.#givingUp.signal;
  }

  start(): void {
    const { store } = this.#parts;
    if (!store.isShared) store.write(releaseAll).catch((error: unknown) => this.#note(error));
    this.wake();
  }

  wake(): void {
    if (this.#isBusy() || this.#writing.size > 0) this.#gather();
    else this.#workNow();
  }

  /** Wakes if something is due. It only reads, because mostly nothing is. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#working !== undefined) return;
    const { store, clock } = this.#parts;
    this.#isLooking = true;
    try {
      const at = await clock(store.read);
      if ((await readyTargets(store.read, { at, limit: 1 })).length > 0) this.wake();
    } catch {
      // Monitoring reports an unreadable database. The next interval tries again.
    } finally {
      this.#isLooking = false;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#gathering);
    await this.#working;
    await Promise.all(this.#writing.values());
    this.#leave(this.#lanes.clear());
    await Promise.race([Promise.all(this.#underWay), delay(GRACE_MS, undefined, { ref: false })]);
    this.#givingUp.abort(aboutToStop());
    await Promise.all(this.#underWay);
    if (this.#ended.length + this.#left.length === 0) return;
    await this.#turn().catch((error: unknown) => this.#note(error));
    await Promise.all(this.#writing.values());
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

  /**
   * Records finished attempts and leases new deliveries, in one write for each organization. An organization whose last
   * write has not ended has its turn afterwards, so it delays no other.
   */
  async #turn(): Promise<void> {
    const { store, clock } = this.#parts;
    const most = this.#isBusy() ? TAKEN_WHILE_BUSY : ROOM;
    const room = this.#isStopping ? 0 : Math.min(most, ROOM - this.#lanes.size - this.#leasing);
    const takenAt = performance.now();
    const { due, after } = await store.readTogether(async (db) =>
      findDue(db, { at: await clock(db), room, after: this.#after }),
    );
    this.#after = after;
    this.#isDelayed = false;
    const ended = Map.groupBy(this.#ended.splice(0), ({ delivery }) => delivery.target.org_id);
    const left = Map.groupBy(this.#left.splice(0), ({ orgId }) => orgId);
    const free = Map.groupBy(due, ({ orgId }) => orgId);
    for (const orgId of new Set([...ended.keys(), ...left.keys(), ...free.keys()])) {
      const work = { ended: ended.get(orgId) ?? [], left: left.get(orgId) ?? [], due: free.get(orgId) ?? [] };
      if (this.#writing.has(orgId)) {
        this.#delay(work);
      } else {
        this.#writing.set(orgId, this.#write(orgId, work, takenAt));
      }
    }
  }

  #delay({ ended, left }: Omit<WorkOfOrganization, "due">): void {
    this.#ended.unshift(...ended);
    this.#left.push(...left);
    this.#isDelayed = true;
  }

  async #write(orgId: string, work: WorkOfOrganization, takenAt: number): Promise<void> {
    const { store, clock, random = Math.random } = this.#parts;
    const held = new Set(idsOf(work.due).filter((id) => this.#lanes.has(id)));
    const write = store.write(
      async (db) => {
        const at = await clock(db);
        const recorded = await record(db, work.ended, { at, random });
        await release(db, idsOf(work.left), this.#holder);
        return { recorded, ids: await lease(db, idsOf(work.due), { at, holder: this.#holder, held }) };
      },
      { orgId },
    );
    this.#leasing += work.due.length;
    try {
      const { recorded, ids } = await write.catch((error: unknown) => {
        this.#delay(work);
        throw error;
      });
      this.#tell(work.ended, recorded);
      await this.#take(ids, orgId, takenAt);
      this.#leave(this.#lanes.clear(recorded.resting));
    } catch (error) {
      this.#note(error);
      await delay(PAUSE_AFTER_FAULT_MS, undefined, { ref: false });
    }
    this.#leasing -= work.due.length;
    this.#writing.delete(orgId);
    this.#begin();
    if (this.#isDelayed) this.#workNow();
  }

  async #take(ids: readonly string[], orgId: string, takenAt: number): Promise<void> {
    if (ids.length === 0) return;
    try {
      const deliveries = await deliveriesToSend(this.#parts.store.read, ids);
      this.#lanes.add(deliveries.map((delivery) => ({ ...delivery, takenAt })));
    } catch (error) {
      this.#delay({ ended: [], left: ids.map((id) => ({ id, orgId })) });
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
      // Aborted attempts need no record.
      () => clearTimeout(late),
    );
    this.#underWay.add(trying);
  }

  /** @returns undefined if this instance no longer sends the delivery */
  async #attempt(taken: Taken): Promise<Attempt | undefined> {
    if (performance.now() - taken.takenAt < TRUSTED_MS) return this.#send(taken);
    const reading = deliveryStillToSend(this.#parts.store.read, taken.id);
    const delivery = await reading.catch((error: unknown) => this.#note(error));
    this.givenUp.throwIfAborted();
    return delivery ? this.#send(delivery) : undefined;
  }

  #send(delivery: Delivery): Promise<Attempt> {
    const { senders } = this.#parts;
    return attempt(delivery, { senders, manual: false, giveUp: this.givenUp });
  }

  #leave(deliveries: readonly Delivery[]): void {
    if (deliveries.length === 0) return;
    this.#left.push(...deliveries.map(({ id, target }) => ({ id, orgId: target.org_id })));
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
        message: `Disabled a target of notification rule ${actionId}: ${because}`,
      });
    }
  }

  #note(error: unknown): void {
    this.#parts.log({ level: "error", message: "Failed to lease or record deliveries", error });
  }
}
