import { claimText } from "../claims.ts";
import { branchOf, page, projectKind, shown } from "./issuer-kind.ts";

const PREFIX = "oidc.circleci.com";
const ISSUER = /^https:\/\/oidc\.circleci\.com(?:\/org\/([\da-f-]{36}))?$/i;
const ORGANIZATION = `${PREFIX}/org-id`;
const REF = `${PREFIX}/vcs-ref`;
const ORIGIN = `${PREFIX}/vcs-origin`;

/** CircleCI. A project is known by its ids and by the repository that it builds. */
export const circleci = projectKind({
  // Its tokens have no jti.
  replay: [`${PREFIX}/job-id`],
  nameClaim: ORIGIN,
  format: { fits: /^[\w.-]+(?:\/[\w.-]+){2,}$/, text: "github.com/acme/web" },
  ids: [ORGANIZATION, `${PREFIX}/project-id`],
  always: {
    [`${PREFIX}/ssh-rerun`]: {
      fits: /^false$/,
      problem: "is not false, so a person may be inside the job: rerun the job without SSH",
    },
  },
  outsiders: {
    claim: REF,
    noun: "ref",
    isOutside: (ref) => /^refs\/(?:heads\/)?pull\//.test(ref),
  },
  // Builds of forks have the ids of the project.
  keepsName: true,
  nameOf: (claims) => claimText(claims, ORIGIN),
  idsIn(issuer) {
    const [, id] = ISSUER.exec(issuer) ?? [];
    return id === undefined ? {} : { [ORGANIZATION]: id };
  },
  // Organizations that share an issuer can build the same repository.
  requiredIds: (issuer) => (ISSUER.exec(issuer)?.[1] === undefined ? [ORGANIZATION] : []),
  named(_, claims) {
    const [workflow, job] = ["workflow-id", "job-id"].map((claim) => claimText(claims, `${PREFIX}/${claim}`));
    return {
      name: `circleci:${shown(claims, ORIGIN)} job ${shown(claims, `${PREFIX}/job-id`)}`,
      url:
        workflow === undefined || job === undefined
          ? null
          : page("https://app.circleci.com", "workflow", workflow, "job", job),
    };
  },
  proofOf(_, claims) {
    const ref = claimText(claims, REF);
    const [, host, name] = /^([^/]+)\/(.+)$/.exec(claimText(claims, ORIGIN) ?? "") ?? [];
    const address = host === undefined || name === undefined ? undefined : `https://${host}/${name}`;
    const sha = claimText(claims, `${PREFIX}/vcs-sha`);
    return {
      sha,
      repositories: name === undefined ? [] : [name],
      page: address,
      // Other hosts have other paths.
      commitPage: host === "github.com" && sha !== undefined ? `${address}/commit/${sha}` : undefined,
      // The address in the job's variables has a number that is not in the token.
      runs: [],
      branch: branchOf(ref),
      isOfAnotherCommit: false,
    };
  },
});

export function isCircleci(issuer: string): boolean {
  return ISSUER.test(issuer);
}
