import type { allowArtifact, listAllowlists } from "../../api/allowlists.ts";
import { NOTHING } from "../audit-log/changes.ts";
import { recordChange } from "../audit-log/record-act.ts";
import { Invalid } from "../kernel/errors.ts";
import type { Handler } from "../operation/handler.ts";
import { requestContextOf } from "../operation/request-context.ts";
import { withPatterns } from "../patterns/with-patterns.ts";
import { type Allowance, findAllowance, listAllowances, putAllowance } from "./allowlists.ts";
import { requireEnvironment } from "./records.ts";
import { judgeAgain } from "./snapshots/take-snapshot.ts";

/** Allows an artifact and judges again what runs: it may just have become compliant. */
export const handleAllowArtifact: Handler<typeof allowArtifact> = async (call, context) => {
  const { org, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { artifactName, artifactFingerprint: fingerprint, description } = body;
  const { store, patterns } = context;
  await withPatterns({ patterns, orgId: org.id }, (answers) =>
    store.write(async (db) => {
      const environment = await requireEnvironment(db, org, params.envName);
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
      const judging = { patterns: answers, now: requestContext.now };
      await judgeAgain(db, { orgId: org.id, environmentId: environment.id, ...judging });
    }),
  );
  return { status: 201, body };
};

function auditedState({ artifactName, description, createdBy }: Omit<Allowance, "id" | "createdAt">) {
  return { artifact_name: artifactName, description, allowed_by: createdBy };
}

export const handleListAllowlists: Handler<typeof listAllowlists> = async ({ org }, { store }) => {
  const allowances = await listAllowances(store.read, org.id);
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
