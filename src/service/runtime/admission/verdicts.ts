import { failuresOf } from "../../../api/resources/assert-failures.ts";
import { isRefusal } from "../../kernel/errors.ts";
import { RecentResults } from "../../kernel/recent-results.ts";
import { scopeText } from "../../kernel/scope.ts";
import { letOthersIn } from "../../kernel/slices.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { CallOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { assertion } from "../asserts.ts";
import { findAllowance } from "../environments/allowlists.ts";

/** Why an artifact may not run; empty if it may. */
type Reasons = readonly string[];

const REMEMBERED_SECONDS = 60;
/** Maximum number of remembered results. One takes at most 2 kB. */
const MAX_REMEMBERED = 10_000;
const MAX_REASONS = 5;
const MAX_REASON = 300;

/** By database, because one process may have several services. */
const recentOf = new WeakMap<Database, RecentResults<Reasons>>();

interface Question extends Pick<CallOf<never>, "org" | "caller" | "source"> {
  readonly environment: { readonly id: string; readonly name: string };
  readonly fingerprint: string;
  /** Whether to notify about a refused artifact. */
  readonly isGate: boolean;
}

/** Asserts an artifact in an environment, at most once in 60 seconds. */
export function reasonsAgainst(question: Question, context: ServiceContext): Promise<Reasons> {
  const { org, caller, environment, fingerprint, isGate } = question;
  const recent =
    recentOf.get(context.store.read) ??
    new RecentResults({ seconds: REMEMBERED_SECONDS, max: MAX_REMEMBERED });
  recentOf.set(context.store.read, recent);
  const key = JSON.stringify([org.id, environment.id, fingerprint, scopeText(caller.scope), isGate]);
  return recent.get(key, context.now(), () => asserted(question, context));
}

async function asserted(
  { environment, fingerprint, isGate, ...sender }: Question,
  context: ServiceContext,
): Promise<Reasons> {
  const params = { fingerprint, environmentName: environment.name };
  // SQLite evaluates without a pause, and a pod may have thousands of images.
  await letOthersIn();
  try {
    const body = await assertion({ ...sender, params, ...(isGate && { byProgram: true }) }, context);
    return failuresOf(body)
      .slice(0, MAX_REASONS)
      .map(({ text }) => text.slice(0, MAX_REASON));
  } catch (error) {
    if (!isRefusal(error, "artifact.not_found")) throw error;
  }
  const allowance = await findAllowance(context.store.read, environment.id, fingerprint);
  return allowance === undefined ? ["no flow has reported an artifact with this digest"] : [];
}
