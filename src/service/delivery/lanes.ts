import { MAILS_AT_ONCE } from "../messages/send-mail.ts";
import type { TargetKind } from "../store/notification-tables.ts";
import { AT_ONCE } from "./lease.ts";
import type { Delivery } from "./sent.ts";

/** How many attempts may be under way in all. */
const MOST_AT_ONCE = 64;
/** While more than these are under way a target has one at a time: many that answer late leave a place to others. */
const FREE_AT_ONCE = MOST_AT_ONCE / 2;
/** All mails go to one server: more at once would wait for each other, and leave others no place. */
const MOST_OF_KIND: { readonly [Kind in TargetKind]?: number } = { email: MAILS_AT_ONCE };

interface Lane<Item> {
  readonly waiting: Item[];
  underWay: number;
}

/**
 * What is taken and not yet tried, by target. Targets take turns, and each has so many attempts at a time as it takes:
 * one that answers late keeps none of the others waiting.
 */
export class Lanes<Item extends Delivery> {
  readonly #lanes = new Map<string, Lane<Item>>();
  /** The ids of all that wait or are under way. */
  readonly #held = new Set<string>();
  readonly #underWayOfKind = new Map<TargetKind, number>();
  #underWay = 0;

  /** How many wait or are under way. */
  get size(): number {
    return this.#held.size;
  }

  /** What is held already, and was taken again as its lease had run out, is not held twice. */
  add(deliveries: readonly Item[]): void {
    for (const delivery of deliveries) {
      if (this.#held.has(delivery.id)) continue;
      this.#held.add(delivery.id);
      const lane = this.#lanes.get(delivery.target.id) ?? { waiting: [], underWay: 0 };
      this.#lanes.set(delivery.target.id, lane);
      lane.waiting.push(delivery);
    }
  }

  /** The next delivery to be tried now, if one may be. It is under way until `done`. */
  next(): Item | undefined {
    if (this.#underWay >= MOST_AT_ONCE) return undefined;
    for (const [id, lane] of this.#lanes) {
      const [first] = lane.waiting;
      if (first === undefined || lane.underWay >= this.#mostOf(first.target.kind)) continue;
      if (!this.#hasPlaceFor(first.target.kind)) continue;
      lane.waiting.shift();
      lane.underWay++;
      this.#count(first.target.kind, 1);
      // It has had its turn.
      this.#lanes.delete(id);
      this.#lanes.set(id, lane);
      return first;
    }
    return undefined;
  }

  done({ id, target }: Item): void {
    this.#held.delete(id);
    this.#count(target.kind, -1);
    const lane = this.#lanes.get(target.id);
    if (lane === undefined) return;
    lane.underWay--;
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(target.id);
  }

  /** Takes back what waits for a target, or for any. */
  clear(targetIds: Iterable<string> = this.#lanes.keys()): Item[] {
    const taken = [...targetIds].flatMap((id) => this.#lanes.get(id)?.waiting.splice(0) ?? []);
    for (const { id } of taken) this.#held.delete(id);
    return taken;
  }

  #mostOf(kind: TargetKind): number {
    return this.#underWay < FREE_AT_ONCE ? AT_ONCE[kind] : 1;
  }

  #hasPlaceFor(kind: TargetKind): boolean {
    return (this.#underWayOfKind.get(kind) ?? 0) < (MOST_OF_KIND[kind] ?? MOST_AT_ONCE);
  }

  #count(kind: TargetKind, change: 1 | -1): void {
    this.#underWay += change;
    this.#underWayOfKind.set(kind, (this.#underWayOfKind.get(kind) ?? 0) + change);
  }
}
