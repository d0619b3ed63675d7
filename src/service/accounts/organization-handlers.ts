import type { getDefaultOrg, getOrganization, setDefaultOrg } from "../../api/resources/organizations.ts";
import type { Handler } from "../operation/handler.ts";

export const handleGetOrganization: Handler<typeof getOrganization> = async ({ org }, { store }) => {
  const { created_at } = await store.read
    .selectFrom("organizations")
    .select("created_at")
    .where("id", "=", org.id)
    .executeTakeFirstOrThrow();
  return {
    status: 200,
    body: {
      name: org.name,
      // Keys belong to service accounts, and only shared organizations have those.
      kind: "shared",
      experimentalFeaturesEnabled: false,
      createdAt: created_at,
      lastModifiedAt: created_at,
    },
  };
};

/** An account belongs to one organization, which therefore is the one it works in by default. */
export const handleGetDefaultOrg: Handler<typeof getDefaultOrg> = async ({ org }) => ({
  status: 200,
  body: { defaultOrgName: org.name },
});

/** That the organization in the path is the account's own was checked before: no other can be set. */
export const handleSetDefaultOrg: Handler<typeof setDefaultOrg> = async () => ({ status: 200, body: "OK" });
