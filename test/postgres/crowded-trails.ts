import fc from "fast-check";
import { COMMIT, FP, type RequestToSend, send } from "../service/requests.ts";
import { ORG, OTHER_ORG, type TestService } from "../service/running-service.ts";

const TRAILS = ["t1", "t2", "t3"] as const;
export const TEMPLATE =
  "version: 1\ntrail:\n  attestations: [{name: unit, type: generic}, {name: lint, type: generic}]\n";
const MORE = `${TEMPLATE}  artifacts: [{name: app, attestations: [{name: unit, type: generic}]}]\n`;
export const template = (content: string) => [{ part: "template_file", name: "template.yml", content }];

/** Requests to few trails. Their content is their description. `RUN` is the number of the run. */
function requestIn(
  round: string,
  flows: readonly string[],
  repos: readonly (Repo | undefined)[],
  kinds: readonly string[],
) {
  const fields = {
    kind: fc.constantFrom(...kinds),
    org: fc.constantFrom(ORG, ORG, ORG, OTHER_ORG),
    flow: fc.constantFrom(...flows),
    trail: fc.constantFrom(...TRAILS),
    name: fc.constantFrom("unit", "lint"),
    is: fc.boolean(),
    repo: fc.constantFrom(...repos),
    key: fc.constantFrom(undefined, undefined, "1", "2", "3", "4"),
    instance: fc.constantFrom(0, 0, 0, 1),
  };
  return fc.record(fields).map(({ kind, org, flow, trail, name, is, repo, key, instance }) => {
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
}

type Repo = [name: string, id?: string];
/** Ways to name repositories. The number and ids of all do not depend on the order of the requests. */
const REPOS: Repo[] = [["one"], ["one", "1"], ["one", "2"], ["new", "3"], ["old", "3"]];
/** Each way is used once, so that no two requests create equal rows. */
const PAIRS = ["a", "b", "c", "d", "e"].flatMap((name): Repo[] => [[name], [name, name]]);

/** Kinds whose writes may run at the same time. */
const CROWD = ["attest", "attest", "attest", "attest", "report", "report"];

/**
 * Requests that are sent together. The first ones of a new flow or repository make their batch run one by one, the second
 * ones run at the same time, and the third ones would create repositories twice if they did.
 */
export const rounds = fc.tuple(
  fc.array(
    requestIn(
      "RUN-a",
      ["known-RUN", "begun-RUN"],
      [undefined, undefined, ...REPOS],
      [...CROWD, "override", "update", "update"],
    ),
    { minLength: 12, maxLength: 30 },
  ),
  fc.array(requestIn("RUN-b", ["known-RUN"], [undefined], [...CROWD, ...CROWD, "override", "update"]), {
    minLength: 24,
    maxLength: 48,
  }),
  fc.uniqueArray(requestIn("RUN-c", ["known-RUN"], PAIRS, CROWD), {
    selector: ({ org, repo }) => JSON.stringify([org, repo]),
    minLength: 8,
  }),
);

export type CrowdedRequest = ReturnType<typeof requestIn> extends fc.Arbitrary<infer Value> ? Value : never;

/** Sends a request with a key of the organization. */
export const ask = (service: TestService, org: string, message: RequestToSend) =>
  send(service, { key: service.keys[org === ORG ? "admin" : "stranger"], ...message });

/** Trails and repositories, without the ids and names of the repositories, which depend on the order. */
export async function recordsOf(service: TestService, run: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const org of [ORG, OTHER_ORG]) {
    for (const trail of TRAILS.flatMap((name) => [`known-${run}/${name}`, `begun-${run}/${name}`])) {
      const { text } = await ask(service, org, { path: `/trails/${org}/${trail}` });
      const comparable = text
        .replaceAll(service.address, "")
        .replaceAll(/"repo_ids":\[[^\]]*\]/g, '"repo_ids":[]')
        .replaceAll(/"(name|repo_id)":"[a-z\d-]*-[ac](-[a-e\d])?"/g, '"$1":"one of few"')
        .replaceAll(/[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}/g, "id");
      found.push(JSON.parse(comparable));
    }
    const { body } = await ask(service, org, { path: `/repos/${org}?per_page=20&search=-${run}-` });
    found.push(body.repos.map(({ repo_id }: { repo_id: unknown }) => repo_id).sort());
  }
  return found;
}
