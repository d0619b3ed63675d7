import { Busy } from "../../../kernel/errors.ts";

/** Spares uploads the wait for a store that does not answer. */
export interface Breaker {
  /** Notes that an upload was answered, or that some request was not. */
  note(outcome: "answer" | "silence"): void;
  /**
   * Lets one upload try again after a rest.
   *
   * @throws Busy while the store does not answer
   */
  pass(): void;
}

/** @param restMs how long no file is sent after a request that was not answered */
export function openBreaker(restMs: number): Breaker {
  let silentUntil: number | undefined;
  return {
    note(outcome) {
      silentUntil = outcome === "silence" ? performance.now() + restMs : undefined;
    },
    pass() {
      if (silentUntil === undefined) return;
      const left = silentUntil - performance.now();
      if (left > 0) {
        throw new Busy("The attachments cannot be reached now: try again", Math.ceil(left / 1000));
      }
      // The others wait for how this one fares.
      silentUntil = performance.now() + restMs;
    },
  };
}
