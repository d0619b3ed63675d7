import type { HowTo } from "../parts/how-to.ts";

/** How a policy is made. */
export const POLICY_HOW_TO: HowTo = {
  title: "Make a policy, or a new version of one",
  code: `delivery-evidence call putPolicy policy_file=production.yml --body - <<'END'
{ "name": "production", "comment": "why it was changed" }
END`,
};
