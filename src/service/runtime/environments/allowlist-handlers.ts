import type { allowArtifact, listAllowlists } from "../../../api/resources/allowlists.ts";
import { recordChange } from "../../audit-log/record-act.ts";
import { NOTHING } from "../../events/changes.ts";
import { artifactAllowed } from "../../events/projections/environment-notifications.ts";
import { raise } from "../../events/projections/raise.ts";
import { rulesOf } from "../../events/projections/rules.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import { Invalid } from "../../kernel/errors.ts";
import { namesIn } from "../../kernel/scope.ts";
import type { Handler } from "../../operation/handler.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import { together } from "../../store/together.ts";
import { judgeAgain } from "../snapshots/take-snapshot.ts";
import { type Allowance, findAllowance, listAllowances, putAllowance } from "./allowlists.ts";
import { requireEnvironment } from "./records.ts";

/** Allows an artifact and judges again what runs: it may just have become compliant. */
export const handleAllowArtifact: Handler<typeof allowArtifact> = async (call, context) => {
  const { org, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { artifactName, artifactFingerprint: fingerprint, description } = body;
  const { store, patterns } = context;
  await withPatterns({ patterns, orgId: org.id }, (answers) =>
    store.write(async (db) => {
      const found = requireEnvironment(db, org, params.envName);
      const [environment, rules] = await together([found, rulesOf(db, org.id, "env")]);
      if (environment.type === "logical") {
        throw new Invalid("Artifacts can only be allowed in physical environments");
      }
      const before = await findAllowance(db, environment.id, fingerprint);
      const allowance = { artifactName, fingerprint, description };
      await putAllowance(db, environment.id, allowance, requestContext);
      await recordChange(db, requestContext, {
        act: "artifact.allowed",
        resource: { name: artifactName, id: fingerprint },
        details: { environment: environment.name },
        before: before ? auditedState(before) : NOTHING,
        after: auditedState({ ...allowance, createdBy: requestContext.accountName }),
      });
      const { now } = requestContext;
      const judging = { patterns: answers, context, now };
      const snapshot = await judgeAgain(db, { org, environmentId: environment.id, ...judging });
      if (before) return;
      const place = { org, links: context.links, environment };
      const allowed = artifactAllowed(db, place, { name: artifactName, fingerprint }, snapshot);
      await raise(db, { org, deliveries: context.deliveries, now }, rules, [allowed]);
    }),
  );
  return { status: 201, body };
};

function auditedState({ artifactName, description, createdBy }: Omit<Allowance, "id" | "createdAt">) {
  return { artifact_name: artifactName, description, allowed_by: createdBy };
}

export const handleListAllowlists: Handler<typeof listAllowlists> = async ({ org, caller }, { store }) => {
  const names = namesIn(caller.scope, "environments");
  const allowances = await listAllowances(store.read, org.id, names);
  return {
    status: 200,
    body: allowances.map((allowance) => ({
      artifactName: allowance.artifact_name,
      fingerprint: allowance.fingerprint,
      environmentName: allowance.environment_name,
      timestamp: allowance.created_at,
      userName: allowance.created_by,
      description: allowance.description,
    })),
  };
};
