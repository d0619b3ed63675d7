import type { updateTags } from "../../api/tags.ts";
import type { Handler } from "../http/handler.ts";
import { notFound } from "../http-error.ts";
import { findControl } from "../records/controls.ts";
import { requireEnvironment } from "../records/environments.ts";
import { requireFlow } from "../records/flows.ts";
import type { Organization } from "../records/organizations.ts";
import { changeTags, type TaggedType } from "../records/tags.ts";
import type { Database } from "../store/tables.ts";

export const handleUpdateTags: Handler<typeof updateTags> = async ({ org, params, body }, { store }) => {
  await store.write(async (db) => {
    const { type, find } = RESOURCES[params.resourceType];
    const id = await find(db, org, params.resourceId);
    const changes = { set: body.setTags ?? {}, remove: body.removeTags ?? [] };
    await changeTags(db, { orgId: org.id, type, id }, changes);
  });
  return { status: 200, body: "OK" };
};

interface Resource {
  type: TaggedType;
  /** Gives the id of what a path names. */
  find: (db: Database, org: Organization, name: string) => Promise<string>;
}

const flow: Resource = {
  type: "flow",
  find: async (db, org, name) => (await requireFlow(db, org, name)).id,
};

const environment: Resource = {
  type: "environment",
  find: async (db, org, name) => (await requireEnvironment(db, org, name)).id,
};

const control: Resource = {
  type: "control",
  async find(db, org, identifier) {
    const found = await findControl(db, org.id, identifier);
    // Clients look for this text with its one quotation mark.
    if (!found) throw notFound(`"Control '${identifier}' does not exist in organization '${org.name}'`);
    return found.id;
  },
};

const repo: Resource = {
  type: "repo",
  async find(db, org, id) {
    const found = await db
      .selectFrom("repos")
      .select("id")
      .where("org_id", "=", org.id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!found) throw notFound("Resource not found");
    return found.id;
  },
};

const RESOURCES: Readonly<
  Record<Parameters<typeof handleUpdateTags>[0]["params"]["resourceType"], Resource>
> = {
  flow,
  flows: flow,
  env: environment,
  envs: environment,
  environment,
  environments: environment,
  control,
  controls: control,
  repo,
  repos: repo,
};
