import { ApiError } from "../api/client/errors.ts";
import type { AnswerOf } from "../api/operation.ts";
import { setTargetToken, showSecrets, testAction } from "../api/resources/notification-deliveries.ts";
import type { ActionContext, Outcome } from "../github/step/action.ts";

interface SetUp {
  readonly actionNumber: number;
  readonly name: string;
  /** Whether deliveries to any target are signed. */
  readonly isSigned: boolean;
  readonly githubToken: string | undefined;
  readonly test: boolean;
}

interface SetUpResult {
  /** Signing secrets of new webhooks. */
  readonly secrets: readonly string[];
  readonly failure?: NonNullable<Outcome<string>["failure"]>;
}

/** Sets up signing and tokens of the targets, and tests them if requested. */
export async function setUpTargets(
  { actionNumber, name, isSigned, githubToken, test }: SetUp,
  context: ActionContext,
): Promise<SetUpResult> {
  const secrets = isSigned ? await newSecrets(actionNumber, context) : [];
  if (githubToken !== undefined) {
    await context.call(setTargetToken, { actionNumber, body: { token: githubToken } });
  }
  const reply = test ? await context.call(testAction, { actionNumber, body: {} }) : undefined;
  const refused = (reply?.body.results ?? []).filter(({ delivered }) => !delivered);
  if (refused.length === 0) return { secrets };
  const text = refused.map((each) => `${placeOf(each)}: ${outcomeOf(each)}`).join("\n");
  return {
    secrets,
    failure: {
      code: "notification_rule.test_failed",
      title: `The test of notification rule '${name}' failed`,
      text,
    },
  };
}

/** Secrets that were not shown before. Each can be read only once. */
async function newSecrets(actionNumber: number, context: ActionContext): Promise<string[]> {
  try {
    const reply = await context.call(showSecrets, { actionNumber });
    const secrets = (reply?.body.secrets ?? []).map(({ secret }) => secret);
    for (const secret of secrets) context.mask(secret);
    return secrets;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Other services with this interface do not sign.
    if (error.status === 404 || error.status === 405) return [];
    // Deliveries continue without a signature.
    if (error.status !== 409) throw error;
    context.warn(`Deliveries are not signed: ${error.message}`);
    return [];
  }
}

type TestResult = AnswerOf<typeof testAction>["results"][number];

function placeOf({ target: { kind, number, address } }: TestResult): string {
  return `Target ${number ?? ""} (${kind}${address ? `, ${address}` : ""})`;
}

function outcomeOf({ outcome, status, answer }: TestResult): string {
  if (outcome === null || outcome === undefined) return "not attempted";
  const answered = status === null || status === undefined ? "" : `, response ${status}`;
  return `${outcome}${answered}${answer ? `: ${answer}` : ""}`;
}
