import { evaluatePolicy, type PolicyCall } from "../../evidence/rego/evaluate.ts";
import { type Opa, openOpa } from "../../evidence/rego/opa.ts";
import { PolicyFault, type Verdict } from "../../evidence/rego/verdict.ts";
import { aboutToStop } from "../kernel/errors.ts";
import { FairTurns, MAX_WAITING, tooManyWaiting } from "../kernel/threads/fair-turns.ts";

/** Evaluates Rego policies in child processes: one for each evaluation, two at once. Organizations take turns. */
export interface PolicyEngine {
  readonly opa: Opa;
  /** The instance of the service, which ends its pending evaluations. */
  readonly instanceId: string;
  /**
   * Continues work of the organization after the response to its request. `close` waits for it.
   *
   * @returns the end of the work; it does not reject
   * @throws Busy if too much work of the organization has not ended, or the service stops
   */
  start(orgId: string, work: () => Promise<void>): Promise<void>;
  /**
   * Evaluates a policy when the turn of the organization comes.
   *
   * @param prepare reads the input, within the turn
   * @throws PolicyFault, Busy if the service stops, or an error of `prepare`
   */
  evaluate<Call extends PolicyCall>(
    orgId: string,
    prepare: () => Promise<Call>,
  ): Promise<{ call: Call; verdict: Verdict }>;
  /** Ends the processes. Running and waiting evaluations are refused with Busy. */
  close(): Promise<void>;
}

const AT_ONCE = 2;
/** The result is part of a record. */
const LIMITS = { seconds: 10, megabytes: 512, outputBytes: 1024 * 1024 } as const;

/** @throws Error that names `--opa` if the program is not Open Policy Agent */
export async function openPolicyEngine({
  path,
  instanceId,
}: {
  path: string;
  instanceId: string;
}): Promise<PolicyEngine> {
  const stop = new AbortController();
  const opa = await openOpa(path, stop.signal).catch((error: unknown) => {
    const found = error instanceof PolicyFault ? error.message : String(error);
    throw new Error(`--opa must be the path of the program opa: ${found}`);
  });
  const turns = new FairTurns(AT_ONCE);
  /** The organization of each work that has not ended. */
  const underWay = new Map<Promise<void>, string>();
  return {
    opa,
    instanceId,
    start(orgId, work) {
      if (turns.isClosed) throw aboutToStop();
      const ofOrganization = [...underWay.values()].filter((each) => each === orgId);
      if (ofOrganization.length >= MAX_WAITING) throw tooManyWaiting();
      const ended = work()
        .catch(() => {})
        .finally(() => underWay.delete(ended));
      underWay.set(ended, orgId);
      return ended;
    },
    evaluate: (orgId, prepare) =>
      turns.run(orgId, async () => {
        const call = await prepare();
        if (turns.isClosed) throw aboutToStop();
        try {
          const [verdict] = await evaluatePolicy(opa, call, { signal: stop.signal, limits: LIMITS });
          if (verdict === undefined) throw new Error("A policy was evaluated without an input");
          return { call, verdict };
        } catch (error) {
          throw stop.signal.aborted ? aboutToStop() : error;
        }
      }),
    async close() {
      turns.close();
      stop.abort();
      await Promise.all(underWay.keys());
    },
  };
}
