import { AT_ONCE } from "./lease.ts";
import type { Delivery } from "./sent.ts";

/** How many attempts may be under way in all. */
const MOST_AT_ONCE = 64;

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
  #underWay = 0;

  /** How many wait or are under way. */
  get size(): number {
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.waiting.length;
    return waiting + this.#underWay;
  }

  add(deliveries: readonly Item[]): void {
    for (const delivery of deliveries) {
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
      if (first === undefined || lane.underWay >= AT_ONCE[first.target.kind]) continue;
      lane.waiting.shift();
      lane.underWay++;
      this.#underWay++;
      // It has had its turn.
      this.#lanes.delete(id);
      this.#lanes.set(id, lane);
      return first;
    }
    return undefined;
  }

  done({ target }: Item): void {
    this.#underWay--;
    const lane = this.#lanes.get(target.id);
    if (lane === undefined) return;
    lane.underWay--;
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(target.id);
  }

  /** Takes back what waits for a target, or for any. */
  clear(targetIds: Iterable<string> = this.#lanes.keys()): Item[] {
    return [...targetIds].flatMap((id) => this.#lanes.get(id)?.waiting.splice(0) ?? []);
  }
}
