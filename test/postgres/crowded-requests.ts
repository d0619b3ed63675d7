import fc from "fast-check";
import { COMMIT, FP, type RequestToSend } from "../service/requests.ts";
import { ORG, OTHER_ORG } from "../service/running-service.ts";

export const TEMPLATE =
  "version: 1\ntrail:\n  attestations: [{name: unit, type: generic}, {name: lint, type: generic}]\n";
const MORE = `${TEMPLATE}  artifacts: [{name: app, attestations: [{name: unit, type: generic}]}]\n`;
export const template = (content: string) => [{ part: "template_file", name: "template.yml", content }];

/** Requests to few trails. Their content is their description. `RUN` is the number of the run. */
function requestIn(
  round: string,
  flows: readonly string[],
  repos: readonly (Repo | undefined)[],
  kinds: readonly string[] = ["attest", "attest", "attest", "report", "override", "update"],
) {
  const fields = {
    kind: fc.constantFrom(...kinds),
    org: fc.constantFrom(ORG, ORG, ORG, OTHER_ORG),
    flow: fc.constantFrom(...flows),
    trail: fc.constantFrom("t1", "t2", "t3"),
    name: fc.constantFrom("unit", "lint"),
    is: fc.boolean(),
    repo: fc.constantFrom(...repos),
    key: fc.constantFrom(undefined, undefined, "1", "2"),
    instance: fc.constantFrom(0, 1),
  };
  const request = fc.record(fields).map(({ kind, org, flow, trail, name, is, repo, key, instance }) => {
    const description = JSON.stringify([kind, org, flow, trail, name, is, repo && round, repo]);
    const [repoName, id] = repo ?? [];
    const url = "https://github.com/acme/x";
    const common = {
      description,
      repo_info: repoName && { name: `${repoName}-${round}`, url, ...(id && { id: `${round}-${id}` }) },
    };
    const about = { ...common, attestation_name: name };
    const path = `/attestations/${org}/${flow}/trail/${trail}`;
    const messages: Record<string, RequestToSend> = {
      attest: { method: "POST", path: `${path}/generic`, form: { ...about, is_compliant: is } },
      override: {
        method: "POST",
        path: `${path}/override`,
        json: { ...about, reason: "risk", new_compliance_status: is, original_attestation_type: "generic" },
      },
      report: {
        method: "POST",
        path: `/artifacts/${org}/${flow}`,
        json: {
          ...common,
          trail_name: trail,
          fingerprint: FP,
          filename: name,
          template_reference_name: is ? "app" : name,
          build_url: url,
          commit_url: url,
          git_commit: COMMIT,
        },
      },
      update: {
        method: "PUT",
        path: `/trails/${org}/${flow}`,
        form: { ...common, name: trail },
        files: is ? template(MORE) : [],
      },
    };
    const message = messages[kind] ?? { path };
    return {
      description,
      repo,
      kind,
      org,
      message,
      key: key && kind !== "update" ? `${round} ${org} ${key}` : "",
      instance,
    };
  });
  return request;
}

type Repo = [name: string, id?: string];
/** Ways to name repositories. The number and ids of all do not depend on the order of the requests. */
const REPOS: Repo[] = [["one"], ["one", "1"], ["one", "2"], ["new", "3"], ["old", "3"]];
/** Each way is used once, so that no two requests create equal rows. */
const PAIRS = ["a", "b", "c", "d", "e"].flatMap((name): Repo[] => [[name], [name, name]]);

const sizes = { minLength: 12, maxLength: 30 };
/** All requests of a round are sent together. A batch with a new flow runs one by one, and so does one with a new repository. */
export const rounds = fc.tuple(
  fc.array(requestIn("RUN-a", ["known-RUN", "begun-RUN"], [undefined, undefined, ...REPOS]), sizes),
  fc.array(requestIn("RUN-b", ["known-RUN"], [undefined]), sizes),
  fc.uniqueArray(requestIn("RUN-c", ["known-RUN"], PAIRS, ["attest", "report"]), {
    selector: ({ org, repo }) => JSON.stringify([org, repo]),
    minLength: 8,
  }),
);

export type CrowdedRequest = ReturnType<typeof requestIn> extends fc.Arbitrary<infer Value> ? Value : never;
