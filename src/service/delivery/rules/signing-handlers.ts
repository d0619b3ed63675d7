import { Conflict, Invalid, NotFound } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Handler } from "../../operation/handler.ts";
import type { TargetKind } from "../../store/notification-tables.ts";
import { isSealed } from "../outgoing/sealed.ts";
import { newSecret } from "../outgoing/signature.ts";
import { githubTokenProblem } from "../outgoing/target-address.ts";
import { placeView } from "./deliveries.ts";
import { changeRule, recordOfRule } from "./rule-events.ts";
import { openedIn, publicKeyOfOrganization, usablePublicKey } from "./secrets.ts";
import { changeTarget, chosenTargets, numberOf, type TargetRow, targetsOf } from "./targets.ts";

const SECONDS_PER_HOUR = 3_600;

/* These responses contain secrets, so they are not stored for repeats. Rotate a secret if its response was lost. */

export const showSecrets: Handler<"showSecrets"> = async (call, context) => {
  const { org, caller } = call;
  const { secrets } = context;
  const body = await changeRule(call, context, async (db, action, by) => {
    const publicKey = await publicKeyOfOrganization(db, org.id, secrets);
    const unseen = (await targetsOf(db, action.id)).filter(
      ({ kind, secret_shown_at }) => kind === "webhook" && secret_shown_at === null,
    );
    const shown = [];
    for (const target of unseen) {
      const secret = target.secret === null ? newSecret() : secrets.open(target.id, target.secret);
      const sealed = target.secret ?? secrets.seal(target.id, secret);
      await changeTarget(db, target.id, { secret: sealed, secret_shown_at: by.now });
      shown.push({ target: placeView(target, caller), secret });
    }
    if (unseen.length > 0) {
      const details = { targets: unseen.map(numberOf) };
      await recordOfRule(db, by, action, { type: "action.secret_shown", details });
    }
    return { secrets: shown, publicKey };
  });
  return { status: 200, body };
};

export const rotateSecrets: Handler<"rotateSecrets"> = async (call, context) => {
  const { org, caller, body } = call;
  const rotated = await changeRule(call, context, async (db, action, by) => {
    const { now } = by;
    const graceEnd = body.gracePeriodHours === 0 ? null : now + body.gracePeriodHours * SECONDS_PER_HOUR;
    const targets = targetsOfKind("webhook", await chosenTargets(db, action.id, body.target));
    const done = [];
    for (const target of targets) {
      const secret = newSecret();
      // A secret that cannot be opened signs nothing, so it does not block a rotation.
      const goesOn = openedIn(context.secrets, target.id, target.secret) !== undefined;
      if (goesOn && !body.force) requireOneSecret(target, now);
      const until = goesOn ? graceEnd : null;
      await changeTarget(db, target.id, {
        secret: context.secrets.seal(target.id, secret),
        secret_shown_at: now,
        former_secret: until === null ? null : target.secret,
        former_secret_until: until,
      });
      done.push({ target: placeView(target, caller), secret, gracePeriodExpiresAt: until });
    }
    await recordOfRule(db, by, action, {
      type: "action.secret_rotated",
      details: {
        targets: targets.map(numberOf),
        grace_period_hours: body.gracePeriodHours,
        ...(body.force && { force: true }),
      },
    });
    return { secrets: done, publicKey: await usablePublicKey(db, org.id, context.secrets) };
  });
  return { status: 201, body: rotated };
};

/** @throws Conflict while the former secret still signs */
function requireOneSecret(target: TargetRow, now: number): void {
  const { former_secret_until: until } = target;
  if (until === null || until <= now) return;
  const end = new Date(until * 1000).toISOString();
  throw new Conflict(
    "secret_key.rotated_recently",
    `The secret of target ${numberOf(target)} was rotated recently, and its former secret signs until ${end}: ` +
      "wait, or set 'force' to end the former secret now",
  );
}

export const setTargetToken: Handler<"setTargetToken"> = async (call, context) => {
  const { body } = call;
  const host = await changeRule(call, context, async (db, action, by) => {
    const targets = targetsOfKind("github", await chosenTargets(db, action.id, body.target));
    const onlyHost = githubHostOf(targets, context);
    for (const { id } of targets) {
      await changeTarget(db, id, { token: context.secrets.seal(id, body.token) });
    }
    const details = { targets: targets.map(numberOf), host: onlyHost };
    await recordOfRule(db, by, action, { type: "action.token_set", details });
    return onlyHost;
  });
  return { status: 200, body: `The token is sent to ${host} only` };
};

/** @throws Invalid for several hosts, and for a host that may not get a token */
function githubHostOf(
  targets: readonly TargetRow[],
  { targetRules, secrets }: Pick<ServiceContext, "targetRules" | "secrets">,
): string {
  const addresses = targets.map(({ id, address }) =>
    isSealed(address) ? secrets.open(id, address) : address,
  );
  const [problem] = addresses.flatMap((address) => githubTokenProblem(address, targetRules) ?? []);
  if (problem !== undefined) throw new Invalid("notification_rule.target_invalid", problem);
  const hosts = [...new Set(addresses.map((address) => new URL(address).host))];
  if (hosts.length === 1) return hosts.join();
  throw new Invalid(
    "notification_rule.target_invalid",
    `The targets are at several hosts, ${hosts.join(", ")}: set 'target' to the number of one target`,
  );
}

/** Descriptions of the kinds of target. */
const CALLED = {
  webhook: "a webhook with signed deliveries",
  github: "a GitHub address that requires a token, https://api.github.com/repos/OWNER/REPO/dispatches",
} as const satisfies { readonly [Kind in TargetKind]?: string };

/** @throws NotFound if there is none of the kind */
function targetsOfKind(kind: keyof typeof CALLED, targets: readonly TargetRow[]): TargetRow[] {
  const found = targets.filter((target) => target.kind === kind);
  if (found.length === 0)
    throw new NotFound("notification_rule.target_not_found", `None of these targets is ${CALLED[kind]}`);
  return found;
}
