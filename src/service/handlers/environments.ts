import type { createEnvironment } from "../../api/environments.ts";
import type { Handler } from "../http/handler.ts";
import { notFound } from "../http-error.ts";
import { putEnvironment } from "../records/environments.ts";

export const handleCreateEnvironment: Handler<typeof createEnvironment> = async (
  { org, body },
  { store, now },
) => {
  const [policy] = body.policies ?? [];
  if (policy !== undefined) throw notFound(`Policy '${policy}' does not exist in organization '${org.name}'`);
  const fields = {
    name: body.name,
    type: body.type,
    description: body.description,
    includeScaling: body.includeScaling ?? undefined,
    requireProvenance: body.requireProvenance ?? undefined,
    members: body.includedEnvironments ?? undefined,
  };
  const { created } = await store.write((db) => putEnvironment(db, org, fields, now()));
  return { status: created ? 201 : 200, body: "OK" };
};
