import { Invalid, invalidInput } from "../../kernel/errors.ts";
import { isSameName } from "../../kernel/github-names.ts";
import { scopeOf } from "../../kernel/scope.ts";
import type { Issuers } from "../../operation/context.ts";
import type { Handler } from "../../operation/handler.ts";
import { ISSUER_KINDS, kindOfPolicy } from "./issuer-kinds.ts";
import { gitHubOf } from "./kinds/github.ts";
import type { IssuerKindName } from "./kinds/issuer-kind.ts";
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

type OwnSubject = Pick<Trusted, "serviceAccount" | "serviceAccountUid" | "project" | "projectIds" | "jwks">;

/**
 * The cluster or project of a policy, whose issuer the operator need not name.
 *
 * @throws Invalid for an incomplete or unusable one
 */
function subjectIn(body: Body, kind: IssuerKindName): OwnSubject {
  const { issuer, serviceAccount = null, serviceAccountUid = null, project = null, jwks = null } = body;
  const none = { serviceAccount, serviceAccountUid, project, projectIds: null, jwks: null };
  if (serviceAccount === null && (serviceAccountUid !== null || (jwks !== null && !isNamedIn(kind))))
    throw invalidField("service_account", "Field required with service_account_uid and jwks");
  const isProject = project !== null || (body.projectIds ?? null) !== null;
  if (isProject && kind === "kubernetes")
    throw invalidField("project", "Field not allowed with service_account");
  if (isProject && kind === "github")
    throw invalidField("project", "Field not allowed for GitHub: use repository");
  if (!isNamedIn(kind)) return none;
  const url = URL.parse(issuer);
  if (url === null || !/^https?:$/.test(url.protocol) || gitHubOf(issuer) !== undefined) {
    const whose = kind === "kubernetes" ? "cluster's issuer" : "issuer";
    const problem = `Input should be the address of the ${whose}, such as https://oidc.example.com/id/1`;
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
  return {
    ...none,
    jwks: jwks === null ? null : JSON.stringify(jwks),
    projectIds: kind === "kubernetes" ? null : projectIdsIn(body, kind),
  };
}

function isNamedIn(kind: IssuerKindName): boolean {
  return ISSUER_KINDS[kind].isNamedByPolicy;
}

/** @throws Invalid if the project and its ids do not identify what a policy trusts */
function projectIdsIn(body: Body, kind: IssuerKindName): Trusted["projectIds"] {
  const { issuer, project = null, claims } = body;
  const given = body.projectIds ?? {};
  const { ids, idsOf, format, keepsName, restricted = [], ...row } = ISSUER_KINDS[kind];
  const allowed = Object.keys(ids);
  if (project !== null && format !== undefined && !format.fits.test(project))
    throw invalidField("project", `Input should be a name such as ${format.text}`);
  if (Object.keys(given).some((claim) => !allowed.includes(claim)))
    throw invalidField("project_ids", `Input should have only the ids ${allowed.join(", ")}`);
  const ofIssuer = row.idsIn?.(issuer) ?? {};
  for (const [claim, id] of Object.entries(ofIssuer)) {
    if (given[claim] !== undefined && given[claim] !== id)
      throw invalidField(`project_ids.${claim}`, `Input should be ${id}, the id in the issuer`);
  }
  const all = { ...given, ...ofIssuer };
  const decisive = project === null ? allowed.slice(-1) : [];
  const missing = [...decisive, ...(row.requiredIds?.(issuer) ?? [])].find(
    (claim) => all[claim] === undefined,
  );
  if (missing !== undefined) throw invalidField("project_ids", `The id ${missing} is required`);
  if (keepsName && project === null) throw invalidField("project", "Field required for this issuer");
  for (const claim of restricted) {
    if (!isNarrow(claims[claim] ?? []))
      throw invalidField(
        `claims.${claim}`,
        "Field required for this issuer, because every service accepts its tokens",
      );
  }
  return Object.keys(all).length === 0 ? null : all;
}

function isNarrow(wanted: string | readonly string[]): boolean {
  const patterns = [wanted].flat();
  return patterns.length > 0 && patterns.every((each) => /[^*]/.test(each));
}

/** @throws Invalid for conditions that match every token, or none */
export function trustedIn(body: Body, issuers: Pick<Issuers, "urls">, now: number): Trusted {
  const { repository = null, repositoryId = null, repositoryOwnerId = null, expiresAt = null } = body;
  const { description, issuer, claims, role, enabled: isEnabled, serviceAccount = null } = body;
  const isProject = (body.project ?? body.projectIds ?? null) !== null;
  const kind = URL.canParse(issuer) ? kindOfPolicy({ issuer, serviceAccount, isProject }) : "kubernetes";
  const subject = subjectIn(body, kind);
  const isNamed = isNamedIn(kind);
  if (!isNamed && !issuers.urls.includes(issuer)) {
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
    ([claim, wanted]) => !OF_EVERY_TOKEN.includes(claim) && isNarrow(wanted),
  );
  const isGitHub = kind === "github";
  const namesRepository = [repository, repositoryId, repositoryOwnerId].some((each) => each !== null);
  if (isGitHub && !namesRepository)
    throw invalidPolicy("A trust policy requires repository, repository_id or repository_owner_id");
  if (!isGitHub && !isNamed && narrow.length === 0)
    throw invalidPolicy("A trust policy for this issuer requires claims");
  if (!isGitHub && namesRepository)
    throw invalidPolicy("Only policies for GitHub issuers can name a repository: use claims for this issuer");
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField("expires_at", "Input should be in the future");
  return {
    ...subject,
    ...{ description, issuer, repository, repositoryId, repositoryOwnerId, claims, role, expiresAt },
    isEnabled,
    scope: scopeOf(body),
  };
}

/** Pinned ids stay until they are replaced, because another owner may reuse the name. */
export function keepingIds(trusted: Trusted, before: TrustPolicy): Trusted {
  const { issuer, repository, repositoryId, repositoryOwnerId, serviceAccount, serviceAccountUid } = before;
  const { project, projectIds } = before;
  const isSame =
    trusted.issuer === issuer &&
    trusted.serviceAccount === serviceAccount &&
    isSameName(trusted.project ?? "", project ?? "") &&
    isSameName(trusted.repository ?? "", repository ?? "");
  const given = [trusted.repositoryId, trusted.repositoryOwnerId, trusted.serviceAccountUid];
  if (!isSame || given.some((id) => id !== null)) return trusted;
  // The address of the issuer has some of the ids.
  const ofIssuer = ISSUER_KINDS[before.kind].idsIn?.(issuer) ?? {};
  const isGiven = Object.keys(trusted.projectIds ?? {}).some((claim) => ofIssuer[claim] === undefined);
  const kept = { repositoryId, repositoryOwnerId, serviceAccountUid };
  return { ...trusted, ...kept, projectIds: isGiven ? trusted.projectIds : projectIds };
}
