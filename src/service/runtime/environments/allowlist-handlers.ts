import { changesBetween, isChanged, NOTHING } from "../../events/changes.ts";
import { record } from "../../events/record.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import { namesIn } from "../../kernel/scope.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import { reevaluate } from "../snapshots/take-snapshot.ts";
import { type Allowance, findAllowance, listAllowances, putAllowance } from "./allowlists.ts";
import { requireEnvironment, wrongType } from "./records.ts";

/** Allows an artifact and reevaluates the environment, which may be compliant now. */
export const allowArtifact: Handler<"allowArtifact"> = async (call, context) => {
  const { org, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { artifactName, artifactFingerprint: fingerprint, description } = body;
  const { store, patterns } = context;
  await withPatterns({ patterns, orgId: org.id }, (answers) =>
    store.write(async (db) => {
      const environment = await requireEnvironment(db, org, params.envName);
      if (environment.type === "logical") {
        throw wrongType("Artifacts can only be allowed in physical environments");
      }
      const before = await findAllowance(db, environment.id, fingerprint);
      const allowance = { artifactName, fingerprint, description };
      await putAllowance(db, environment.id, allowance, requestContext);
      const evaluation = { patterns: answers, by: requestContext };
      const snapshot = await reevaluate(db, { org, environmentId: environment.id, ...evaluation });
      const after = auditedState({ ...allowance, createdBy: requestContext.accountName });
      const changes = changesBetween(before ? auditedState(before) : NOTHING, after);
      if (!isChanged(changes)) return;
      await record(db, requestContext, {
        type: "artifact.allowed",
        subject: { name: artifactName, id: fingerprint },
        data: { details: { environment: environment.name }, changes },
        seen: before ? undefined : { environment, snapshot },
      });
    }),
  );
  return { status: 201, body };
};

function auditedState({ artifactName, description, createdBy }: Omit<Allowance, "id" | "createdAt">) {
  return { artifact_name: artifactName, description, allowed_by: createdBy };
}

export const listAllowlists: Handler<"listAllowlists"> = async ({ org, caller }, { store }) => {
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
