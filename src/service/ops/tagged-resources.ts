import { findControl } from "../evidence/controls/records.ts";
import { requireFlow } from "../evidence/flows/records.ts";
import { type TaggedResource, updateTagsHandler } from "../evidence/tag-handlers.ts";
import { NotFound } from "../kernel/errors.ts";
import { requireEnvironment } from "../runtime/environments/records.ts";

const flow: TaggedResource = {
  type: "flow",
  find: (db, org, name) => requireFlow(db, org, name),
};

const environment: TaggedResource = {
  type: "environment",
  find: (db, org, name) => requireEnvironment(db, org, name),
};

const control: TaggedResource = {
  type: "control",
  async find(db, org, identifier) {
    const found = await findControl(db, org.id, identifier);
    // Clients compare this text, including its single quotation mark.
    if (!found)
      throw new NotFound(
        "control.not_found",
        `"Control '${identifier}' does not exist in organization '${org.name}'`,
      );
    return { id: found.id, name: identifier };
  },
};

const repo: TaggedResource = {
  type: "repo",
  async find(db, org, id) {
    const found = await db
      .selectFrom("repos")
      .select(["id", "name"])
      .where("org_id", "=", org.id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!found) throw new NotFound("resource.not_found", "Resource not found");
    return found;
  },
};

export const updateTags = updateTagsHandler({
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
});
