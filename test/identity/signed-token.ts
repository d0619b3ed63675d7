import { createHmac, createSign, type KeyObject } from "node:crypto";

/** The claims of a token as GitHub documents them, of a push to main. */
export const PUSH = {
  sub: "repo:acme/web:ref:refs/heads/main",
  actor: "ada",
  actor_id: "12",
  base_ref: "",
  event_name: "push",
  head_ref: "",
  job_workflow_ref: "acme/web/.github/workflows/build.yml@refs/heads/main",
  job_workflow_sha: "1".repeat(40),
  ref: "refs/heads/main",
  ref_protected: "true",
  ref_type: "branch",
  repository: "acme/web",
  repository_id: "4711",
  repository_owner: "acme",
  repository_owner_id: "815",
  repository_visibility: "private",
  run_attempt: "1",
  run_id: "123",
  run_number: "10",
  runner_environment: "github-hosted",
  sha: "1".repeat(40),
  workflow: "Build",
  workflow_ref: "acme/web/.github/workflows/build.yml@refs/heads/main",
  workflow_sha: "1".repeat(40),
} as const;

/** A token as text: its claims, with a signature of the algorithm that its header names. */
export function signed(header: { alg: string }, claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part(claims)}`;
  const bytes = () => {
    if (header.alg === "none") return Buffer.alloc(0);
    if (header.alg === "HS256")
      return createHmac("sha256", key.export({ type: "spki", format: "pem" }))
        .update(text)
        .digest();
    return createSign("RSA-SHA256").update(text).sign(key);
  };
  return `${text}.${bytes().toString("base64url")}`;
}
