import type { ServedFile } from "../../../api/operation.ts";
import { BUNDLE_TYPE, bundleOf, ENVELOPE_TYPE } from "../../../evidence/provenance/statements/dsse.ts";
import {
  type StatedVerdict,
  type Statement,
  verificationResult,
  verificationSummary,
} from "../../../evidence/provenance/statements/statement.ts";
import { signed } from "../../events/statements/stored.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { type Evaluated, evaluatedIn, refuseBoth } from "../asserts.ts";
import { satisfied } from "../snapshots/compliance.ts";
import { inputsOf } from "./inputs.ts";
import { decidedBy } from "./policy.ts";
import { resourceUri } from "./resource-uri.ts";

type Asked = Call<"stateVerdict">;

const STATEMENTS: Readonly<Record<Asked["params"]["statement"], (verdict: StatedVerdict) => Statement>> = {
  vsa: verificationSummary,
  svr: verificationResult,
};

export const stateVerdict: Handler<"stateVerdict"> = async (call, context) => {
  const { org, params } = call;
  const { fingerprint, statement: kind } = params;
  refuseBoth(params);
  const { verdict, trailId, ids } = await verdictOf(call, context);
  if (kind === "svr" && !verdict.isCompliant) {
    throw new Conflict(
      "statement.not_compliant",
      `An SVR states only what passed, and artifact '${fingerprint}' is not compliant. Use 'vsa', which can state that`,
    );
  }
  const envelope = await signed(
    {
      question: [kind, fingerprint, params.resourceUri ?? null, ...ids],
      basis: verdict.inputs,
      statement: (time) => STATEMENTS[kind]({ ...verdict, time }),
      fingerprint,
      trailId,
    },
    requestContextOf(call, context),
    context,
  );
  return {
    status: 200,
    body: inFormat(envelope, params.format, `${org.name}-${fingerprint.slice(0, 12)}-${kind}`),
  };
};

function inFormat(envelope: string, format: Asked["params"]["format"], stem: string): ServedFile {
  const content = (text: string) => new TextEncoder().encode(text);
  return format === "dsse"
    ? { name: `${stem}.intoto.json`, mediaType: ENVELOPE_TYPE, content: content(envelope) }
    : { name: `${stem}.sigstore.json`, mediaType: BUNDLE_TYPE, content: content(bundleOf(envelope)) };
}

function verdictOf(call: Asked, { store, links, patterns, now }: ServiceContext) {
  const { org, params } = call;
  return withPatterns({ patterns, orgId: org.id }, (answers) =>
    store.readTogether(async (db) => {
      const evaluated = await evaluatedIn(db, call, { links, now: now(), patterns: answers });
      const { body, reports, shown } = evaluated;
      const { policy, ids } = await decidedBy(db, { org, params, links }, reports);
      const verdict: Omit<StatedVerdict, "time"> = {
        subject: { name: shown.filename, digest: { sha256: body.fingerprint } },
        verifier: links.verifier(),
        resourceUri: params.resourceUri ?? resourceUri(await reportWithDetails(db, shown.id)),
        policy,
        inputs: await inputsOf(db, { org, links }, evaluated),
        isCompliant: body.compliant,
        properties: [propertyOf(evaluated)],
      };
      // Callers who see different reports have statements of their own.
      return { verdict, ids: [shown.id, ...ids], trailId: shown.trail?.id ?? null };
    }),
  );
}

function reportWithDetails(db: Database, id: string) {
  return db
    .selectFrom("artifacts")
    .select(["filename", "fingerprint", "details"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** The property of a compliant artifact. An allowlist overrides policies, so it has a property of its own. */
function propertyOf({ body }: Evaluated): string {
  const { scope, allowListing, policyEvaluations = [] } = body;
  const isAllowed = allowListing && !(policyEvaluations ?? []).every(satisfied);
  return isAllowed ? "EVIDENCE_ENVIRONMENT_ALLOWLISTED" : `EVIDENCE_${scope.toUpperCase()}_COMPLIANT`;
}
