import { TaskStopped } from "../../kernel/threads/task-thread.ts";
import { makeThreadPool, threadModule } from "../../kernel/threads/thread-pool.ts";
import type { PatternAnswers, PatternQuestion } from "./pattern-answers.ts";
import { PatternError } from "./pattern-error.ts";
import type { PatternResult, PatternTask } from "./pattern-thread.ts";

/** Matches patterns of users in other threads. */
export interface PatternMatcher {
  /** Problems of invalid patterns, by pattern. */
  check(orgId: string, patterns: Iterable<string>): Promise<ReadonlyMap<string, PatternError>>;
  /**
   * Answers open questions. All calls with the same `answers` share one limit of processor time.
   *
   * @throws PatternError
   */
  answer(orgId: string, answers: PatternAnswers): Promise<void>;
  close(): Promise<void>;
}

/** Processor time for all patterns of a request, in milliseconds. */
const REQUEST_CPU_MS = 10_000;
/** Safety net, since a turn ends at `TURN_MS`. */
const TURN_LIMITS = { cpuMs: 5_000, heapMb: 256 };
/** Keeps the transfer to the thread short. */
const TEXTS_PER_TURN = 5_000;

export function makePatternMatcher(requestCpuMs = REQUEST_CPU_MS): PatternMatcher {
  const pool = makeThreadPool<PatternTask, PatternResult>({
    module: threadModule("./pattern-thread", import.meta.url),
    limits: TURN_LIMITS,
  });

  function runnerFor(orgId: string, taken: { cpuMs: number }) {
    return async (task: PatternTask): Promise<Uint8Array> => {
      const { pattern } = task;
      if (taken.cpuMs >= requestCpuMs) {
        throw new PatternError(
          pattern,
          `takes too long together with the other patterns of the request: ${limitText()}`,
        );
      }
      const performed = await pool.run(orgId, task).catch((error: unknown) => {
        throw error instanceof TaskStopped ? new PatternError(pattern, error.message) : error;
      });
      taken.cpuMs += performed.cpuMs;
      if ("problem" in performed.result) throw new PatternError(pattern, performed.result.problem);
      return performed.result.found;
    };
  }

  function limitText(): string {
    return `the limit is ${requestCpuMs / 1000} seconds of processor time`;
  }

  return {
    async check(orgId, patterns) {
      const run = runnerFor(orgId, { cpuMs: 0 });
      const problems = new Map<string, PatternError>();
      for (const pattern of new Set(patterns)) {
        await run({ pattern, texts: [] }).catch((error: unknown) => {
          if (!(error instanceof PatternError)) throw error;
          problems.set(pattern, error);
        });
      }
      return problems;
    },
    async answer(orgId, answers) {
      const run = runnerFor(orgId, answers);
      for (const question of answers.takeQuestions()) {
        answers.add(question, await foundTexts(question, run));
      }
    },
    close: () => pool.close(),
  };
}

async function foundTexts(
  { pattern, texts }: PatternQuestion,
  run: (task: PatternTask) => Promise<Uint8Array>,
): Promise<string[]> {
  const all = [...texts];
  const found: string[] = [];
  let done = 0;
  do {
    const turn = all.slice(done, done + TEXTS_PER_TURN);
    const results = await run({ pattern, texts: turn });
    found.push(...turn.filter((_, index) => results[index] === 1));
    done += results.length;
  } while (done < all.length);
  return found;
}
