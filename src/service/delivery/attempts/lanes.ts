import type { TargetKind } from "../../store/notification-tables.ts";
import { MAILS_AT_ONCE } from "../messages/send-mail.ts";
import type { Delivery } from "./attempt.ts";
import { AT_ONCE } from "./lease.ts";

const MOST_AT_ONCE = 64;
/** Above this load each target has one attempt at a time, so that slow targets leave room for others. */
const FREE_AT_ONCE = MOST_AT_ONCE / 2;
/** Maximum number of late attempts. They need little more than a socket. */
const MOST_LATE = 1_024;
/** Maximum number of late attempts of an organization. */
const MOST_LATE_OF_ORG = 256;
/** All emails use one server, where further ones would only wait. */
const MOST_OF_KIND: { readonly [Kind in TargetKind]?: number } = { email: MAILS_AT_ONCE };

interface Lane<Item> {
  readonly waiting: Item[];
  underWay: number;
  late: number;
}

/**
 * Leased deliveries that wait, by target. Targets take turns, so a slow one delays no other.
 * A late attempt frees its slot, and its target gets no further attempt until it ends.
 */
export class Lanes<Item extends Delivery> {
  readonly #lanes = new Map<string, Lane<Item>>();
  /** The ids of all waiting and running deliveries. */
  readonly #held = new Set<string>();
  readonly #underWayOfKind = new Map<TargetKind, number>();
  /** Late attempts without a slot, by id, with their organizations. */
  readonly #late = new Map<string, string>();
  readonly #lateOfOrg = new Map<string, number>();
  #underWay = 0;

  /** Number of waiting and running deliveries, without late attempts. */
  get size(): number {
    return this.#held.size - this.#late.size;
  }

  /** Whether a delivery waits or runs. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  add(deliveries: readonly Item[]): void {
    for (const delivery of deliveries) {
      this.#held.add(delivery.id);
      const lane = this.#lanes.get(delivery.target.id) ?? { waiting: [], underWay: 0, late: 0 };
      this.#lanes.set(delivery.target.id, lane);
      lane.waiting.push(delivery);
    }
  }

  /** The next delivery that may start, if any. It runs until `done`. */
  next(): Item | undefined {
    if (this.#underWay >= MOST_AT_ONCE) return undefined;
    for (const [id, lane] of this.#lanes) {
      const [first] = lane.waiting;
      if (first === undefined || lane.late > 0 || this.#isLate(first)) continue;
      if (lane.underWay >= this.#mostOf(first.target.kind)) continue;
      if (!this.#hasPlaceFor(first.target.kind)) continue;
      lane.waiting.shift();
      lane.underWay++;
      this.#count(first.target.kind, 1);
      // Moves the target to the end of the queue.
      this.#lanes.delete(id);
      this.#lanes.set(id, lane);
      return first;
    }
    return undefined;
  }

  /** @returns whether the late attempt freed its slot */
  late({ id, target }: Item): boolean {
    const lane = this.#lanes.get(target.id);
    if (lane === undefined || MOST_OF_KIND[target.kind] !== undefined) return false;
    if (this.#late.size >= MOST_LATE) return false;
    this.#late.set(id, target.org_id);
    this.#countLate(target.org_id, 1);
    this.#count(target.kind, -1);
    lane.late++;
    return true;
  }

  done({ id, target }: Item): void {
    this.#held.delete(id);
    const lane = this.#lanes.get(target.id);
    const wasLate = this.#late.delete(id);
    if (wasLate) this.#countLate(target.org_id, -1);
    else this.#count(target.kind, -1);
    if (lane === undefined) return;
    lane.underWay--;
    if (wasLate) lane.late--;
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(target.id);
  }

  /** Removes the waiting deliveries of these targets. Default: all targets. */
  clear(targetIds: Iterable<string> = this.#lanes.keys()): Item[] {
    const taken = [...targetIds].flatMap((id) => this.#lanes.get(id)?.waiting.splice(0) ?? []);
    for (const { id } of taken) this.#held.delete(id);
    return taken;
  }

  #mostOf(kind: TargetKind): number {
    return this.#underWay < FREE_AT_ONCE ? AT_ONCE[kind] : 1;
  }

  #isLate({ target }: Item): boolean {
    return (this.#lateOfOrg.get(target.org_id) ?? 0) >= MOST_LATE_OF_ORG;
  }

  #countLate(orgId: string, change: 1 | -1): void {
    const count = (this.#lateOfOrg.get(orgId) ?? 0) + change;
    if (count === 0) this.#lateOfOrg.delete(orgId);
    else this.#lateOfOrg.set(orgId, count);
  }

  #hasPlaceFor(kind: TargetKind): boolean {
    return (this.#underWayOfKind.get(kind) ?? 0) < (MOST_OF_KIND[kind] ?? MOST_AT_ONCE);
  }

  #count(kind: TargetKind, change: 1 | -1): void {
    this.#underWay += change;
    this.#underWayOfKind.set(kind, (this.#underWayOfKind.get(kind) ?? 0) + change);
  }
}
