import { Invalid, invalidInput } from "../../kernel/errors.ts";
import { isSameName } from "../../kernel/github-names.ts";
import { scopeOf } from "../../kernel/scope.ts";
import type { Issuers } from "../../operation/context.ts";
import type { Handler } from "../../operation/handler.ts";
import { gitHubOf } from "./issuer-kinds.ts";
import type { Trusted, TrustPolicy } from "./policies.ts";

type Body = Parameters<Handler<"updateTrustPolicy">>[0]["body"];

/** Claims that do not identify a subject. */
const OF_EVERY_TOKEN: readonly string[] = ["iss", "aud", "exp", "nbf", "iat", "jti"];

function invalidPolicy(problem: string): Invalid {
  return new Invalid("trust_policy.invalid", problem);
}

function invalidField(field: string, problem: string): Invalid {
  return invalidInput({ [field]: problem }, { code: "trust_policy.invalid" });
}

/** Names that only pods of the cluster can resolve. */
const INSIDE = /(?:^|\.)(?:svc|cluster\.local)$/;

/** Claims of private and symmetric keys. */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** @throws Invalid for an incomplete or unusable cluster */
function clusterIn(body: Body): Pick<Trusted, "serviceAccount" | "serviceAccountUid" | "jwks"> {
  const { issuer, serviceAccount = null, serviceAccountUid = null, jwks = null } = body;
  if (serviceAccount === null) {
    if (serviceAccountUid !== null || jwks !== null)
      throw invalidField("service_account", "Field required with service_account_uid and jwks");
    return { serviceAccount, serviceAccountUid, jwks };
  }
  const url = URL.parse(issuer);
  if (url === null || !/^https?:$/.test(url.protocol) || gitHubOf(issuer) !== undefined) {
    const problem =
      "Input should be the address of the cluster's issuer, such as https://oidc.example.com/id/1";
    throw invalidField("issuer", problem);
  }
  if (jwks === null && INSIDE.test(url.hostname)) {
    const problem = `Field required, because the service cannot reach ${url.host}: set it to the output of kubectl get --raw /openid/v1/jwks`;
    throw invalidField("jwks", problem);
  }
  for (const key of jwks?.keys ?? []) {
    if (PRIVATE.some((claim) => claim in key) || !["RSA", "EC"].includes(String(key["kty"])))
      throw invalidField("jwks.keys", "Input should be public keys of the type RSA or EC");
  }
  return { serviceAccount, serviceAccountUid, jwks: jwks === null ? null : JSON.stringify(jwks) };
}

/** @throws Invalid for conditions that match every token, or none */
export function trustedIn(body: Body, issuers: Pick<Issuers, "urls">, now: number): Trusted {
  const { repository = null, repositoryId = null, repositoryOwnerId = null, expiresAt = null } = body;
  const { description, issuer, claims, role, enabled: isEnabled } = body;
  const cluster = clusterIn(body);
  const isKubernetes = cluster.serviceAccount !== null;
  if (!isKubernetes && !issuers.urls.includes(issuer)) {
    const taken = issuers.urls.join(", ");
    throw invalidField("issuer", `Input should be an issuer that the service trusts: ${taken}`);
  }
  if (Object.hasOwn(claims, "sub")) {
    throw invalidField(
      "claims.sub",
      "Input should not be sub, because its format varies: use the claims that it consists of, such as ref or environment",
    );
  }
  const narrow = Object.entries(claims).filter(
    ([claim, wanted]) =>
      !OF_EVERY_TOKEN.includes(claim) && [wanted].flat().every((each) => /[^*]/.test(each)),
  );
  const isGitHub = gitHubOf(issuer) !== undefined;
  const namesRepository = [repository, repositoryId, repositoryOwnerId].some((each) => each !== null);
  if (isGitHub && !namesRepository)
    throw invalidPolicy("A trust policy requires repository, repository_id or repository_owner_id");
  if (!isGitHub && !isKubernetes && narrow.length === 0)
    throw invalidPolicy("A trust policy for this issuer requires claims");
  if (!isGitHub && namesRepository)
    throw invalidPolicy("Only policies for GitHub issuers can name a repository: use claims for this issuer");
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField("expires_at", "Input should be in the future");
  return {
    ...cluster,
    ...{ description, issuer, repository, repositoryId, repositoryOwnerId, claims, role, expiresAt },
    isEnabled,
    scope: scopeOf(body),
  };
}

/** Pinned ids stay until they are replaced, because another owner may reuse the name. */
export function keepingIds(trusted: Trusted, before: TrustPolicy): Trusted {
  const { issuer, repository, repositoryId, repositoryOwnerId, serviceAccount, serviceAccountUid } = before;
  const isSame =
    trusted.issuer === issuer &&
    trusted.serviceAccount === serviceAccount &&
    isSameName(trusted.repository ?? "", repository ?? "");
  const given = [trusted.repositoryId, trusted.repositoryOwnerId, trusted.serviceAccountUid];
  const isGiven = given.some((id) => id !== null);
  return isSame && !isGiven ? { ...trusted, repositoryId, repositoryOwnerId, serviceAccountUid } : trusted;
}
