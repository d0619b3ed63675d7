import { chanceOf } from "../../chance.ts";
import { knownIssuer } from "../../identity/known-issuer.ts";
import type { RequestToSend } from "../requests.ts";

/** Ids that the service chose for records of an organization, oldest first. */
export interface Made {
  readonly keys: string[];
  readonly links: string[];
  /** The repository that sorts first. */
  repo?: string;
}

/** Names are few, so that writes often change earlier records. */
export const FLOWS = ["web", "api"] as const;
export const TRAILS = ["t1", "t2"] as const;
export const ENVIRONMENTS = ["prod", "stage", "all", "old"] as const;
export const FINGERPRINTS = ["a", "b"].map((digit) => digit.repeat(64)) as [string, ...string[]];

/** Unix seconds of the first write. */
const SOON = 1_800_000_000;
const DAY = 24 * 60 * 60;

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: generic
  artifacts:
    - name: web
      attestations:
        - name: unit
          type: junit
        - name: scan
          type: "*"
`;
const PROVENANCE = "_schema: https://x/v1\nartifacts:\n  provenance:\n    required: true\n";
const COMPLIANCE = "_schema: https://x/v1\nartifacts:\n  trail-compliance:\n    required: true\n";
const UNIT_TESTS =
  "_schema: https://x/v1\nartifacts:\n  attestations:\n    - name: unit\n      type: junit\n      if: ${{ flow.name == \"web\" }}\n    - name: '*'\n      type: decision\n      for_control: C-1\n";

/** Requests that change something: the first ones create the usual records, the others are random. The same seed repeats them. */
export function randomWrites(seed: number, { org, hook }: { org: string; hook: string }) {
  const chance = chanceOf(seed);
  const below = (count: number) => Math.floor(chance() * count);
  const one = <T>(...items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0];
  const some = <T>(...items: readonly T[]): T[] => items.filter(() => chance() < 0.5);
  const isTrue = () => chance() < 0.5;

  const flow = () => one("web", "web", "web", "api");
  const trail = () => one("t1", "t1", "t2");
  const environment = () => one("prod", "prod", "stage", "all", "old");
  const fingerprint = () => one(...FINGERPRINTS);
  const commit = () => one("1", "2").repeat(40);
  const image = () => one("web:1", "api:1");
  const text = () => one("", "plain", "é \u{1F600}", 'a "quoted" \\ text');
  const rule = () => one("all", "ops", "keys");
  const account = () => one("ci", "ci", "ci", "ci", "bot");
  const targets = () =>
    one(
      [{ type: "WEBHOOK", webhook: `${hook}/one` }],
      [{ type: "WEBHOOK", webhook: `${hook}/two` }],
      [
        { type: "WEBHOOK", webhook: `${hook}/one` },
        { type: "EMAIL", emails: ["ada@example.org"] },
      ],
    );
  const git = () =>
    one(undefined, { sha1: commit(), branch: "main", message: text(), author: "A <a@x>", timestamp: 1 });
  const repo = () =>
    one(
      undefined,
      { name: "acme/web", url: "https://git.example/web", id: "1" },
      { name: "acme/api", url: "https://github.com/acme/api", provider: "github" },
    );
  const template = (content: string) => [{ part: "template_file", name: "template.yml", content }];
  const put = (path: string, json: unknown): RequestToSend => ({ method: "PUT", path, json });
  const post = (path: string, json: unknown): RequestToSend => ({ method: "POST", path, json });
  const idempotent = () => one({}, {}, { "idempotency-key": `key-${below(3)}` }) as Record<string, string>;

  const attest = (kind: string, data: () => object): RequestToSend => ({
    method: "POST",
    path: `/attestations/${org}/${flow()}/trail/${trail()}/${kind}`,
    form: {
      attestation_name: one("review", "unit", "unit", "scan", "extra"),
      ...data(),
      description: text(),
      git_commit_info: git(),
      repo_info: repo(),
      ...one(
        {},
        { artifact_fingerprint: fingerprint() },
        { artifact_fingerprint: fingerprint() },
        { target_artifacts: ["web"], git_commit_info: { sha1: commit() } },
      ),
    },
    headers: idempotent(),
  });
  const artifact = (digit: string, trailName: string | undefined, flowName = "web") =>
    post(`/artifacts/${org}/${flowName}`, {
      fingerprint: digit.repeat(64),
      filename: image(),
      build_url: "https://ci.example/1",
      commit_url: "https://git.example/1",
      git_commit: commit(),
      git_commit_info: git(),
      repo_info: repo(),
      trail_name: trailName,
      template_reference_name: one("web", "web", undefined),
    });
  const rules = (kind: "flows" | "environments" | "organization", triggers: readonly string[]) =>
    put(`/actions/${org}/${kind}`, {
      name: rule(),
      targets: targets(),
      ...(kind === "flows" ? { flows: some(...FLOWS) } : {}),
      ...(kind === "environments" ? { environments: some(...ENVIRONMENTS) } : {}),
      triggers: one([], some(...triggers)),
    });
  const ruleRequest = (path: string, json: object) =>
    post(`/actions/${org}/${1 + below(3)}/${path}`, { ...json, ...(isTrue() ? { target: 1 } : {}) });
  const policy = (json: object, content?: string): RequestToSend => ({
    method: "PUT",
    path: `/policies/${org}`,
    form: { name: one("P", "Q"), comment: text(), ...json },
    formPart: "payload",
    files: content === undefined ? [] : [{ part: "policy_file", name: "p.yml", content }],
  });
  const trust = () => ({
    description: text(),
    issuer: knownIssuer().options.url,
    repository: one("acme/web", "acme/*"),
    repository_id: "4711",
    repository_owner_id: "1",
    role: one("attester", "member", "snapshotter"),
    flows: one(null, ["web"]),
    enabled: isTrue(),
  });
  const key = ({ keys }: Made) => keys[below(Math.max(keys.length, 1))] ?? "unknown";

  /** Each with its weight. */
  const kinds: readonly (readonly [number, (made: Made) => RequestToSend])[] = [
    [
      2,
      () => put(`/flows/${org}`, { name: flow(), description: text(), template: some("artifact", "unit") }),
    ],
    [
      2,
      () => ({
        method: "PUT",
        path: `/flows/${org}/template_file`,
        form: { name: flow(), description: text(), visibility: one("public", "private") },
        files: one([], template(TEMPLATE), template("version: 1\n")),
      }),
    ],
    [1, () => put(`/flows/${org}/${flow()}/rename`, { new_name: one("web", "api", "shop") })],
    [1, () => ({ method: "PUT", path: `/flows/${org}/${one("api", "api", "api", "web")}/archive` })],
    [
      4,
      () => ({
        method: "PUT",
        path: `/trails/${org}/${flow()}`,
        form: {
          name: trail(),
          description: text(),
          user_data: one(undefined, { n: 1.5 }),
          git_commit_info: git(),
          repo_info: repo(),
        },
        files: one([], [], template(TEMPLATE)),
      }),
    ],
    [
      6,
      () => ({
        ...artifact(one("a", "b"), one(trail(), trail(), undefined), flow()),
        headers: idempotent(),
      }),
    ],
    [
      6,
      () =>
        attest("generic", () => ({ is_compliant: isTrue(), user_data: one(undefined, { text: text() }) })),
    ],
    [
      3,
      () =>
        attest("junit", () => ({
          junit_results: [
            { name: "s", failures: below(2), errors: 0, skipped: 0, total: 3, duration: 1.25, timestamp: 5 },
          ],
        })),
    ],
    [
      1,
      () =>
        attest("snyk", () => ({
          snyk_results: {
            tool: { name: "snyk", version: "1" },
            results: [{ low_count: 0, medium_count: 0, high_count: below(2), low: [], medium: [], high: [] }],
          },
        })),
    ],
    [
      1,
      () =>
        attest("pull_request", () => ({
          git_provider: "github",
          pull_requests: one(
            [],
            [
              {
                url: "https://github.com/a/b/pull/1",
                state: "MERGED",
                merge_commit: commit(),
                approvers: ["ada"],
              },
            ],
          ),
        })),
    ],
    [
      1,
      () =>
        attest("jira", () => ({
          jira_results: [{ issue_id: "A-1", issue_url: "https://jira.example/A-1", issue_exists: isTrue() }],
        })),
    ],
    [
      1,
      () =>
        attest("sonar", () => ({
          sonar_results: {
            analysedAt: "2026-01-01T00:00:00Z",
            revision: commit(),
            project: { key: "k", url: "https://sonar.example/k" },
            qualityGate: { status: one("OK", "ERROR"), conditions: [] },
          },
        })),
    ],
    [
      2,
      () =>
        attest("custom", () => ({ type_name: "coverage", attestation_data: { percent: one(10, 90, 80.5) } })),
    ],
    [
      2,
      () =>
        attest("system", () => ({
          type_name: "decision",
          control: one("C-1", "C-2"),
          attestation_data: { is_compliant: isTrue() },
        })),
    ],
    [
      3,
      () =>
        post(`/attestations/${org}/${flow()}/trail/${trail()}/override`, {
          attestation_name: one("review", "unit", "unit"),
          reason: one("a known fault", "accepted"),
          new_compliance_status: isTrue(),
          original_attestation_type: one("generic", "junit", "custom:coverage"),
          artifact_fingerprint: one(undefined, fingerprint()),
        }),
    ],
    [
      3,
      () => ({
        ...post(`/approvals/${org}/${flow()}`, {
          artifact_fingerprint: fingerprint(),
          description: text(),
          environment: one(undefined, "prod"),
          src_commit_list: [commit()],
          approvals: some({
            state: one("APPROVED", "UNAPPROVED"),
            comment: text(),
            approved_by: "ada",
            approval_url: "https://ci.example/7",
          }),
        }),
        headers: idempotent(),
      }),
    ],
    [1, () => post(`/controls/${org}`, { identifier: one("C-1", "C-2"), name: text() || "n" })],
    [
      1,
      () =>
        put(`/controls/${org}/${one("C-1", "C-2")}`, {
          description: text(),
          links: one({}, { a: "https://x.example" }),
        }),
    ],
    [1, () => post(`/controls/${org}/${one("C-1", "C-2")}/${one("archive", "unarchive")}`, undefined)],
    [
      1,
      () => ({
        method: "POST",
        path: `/custom-attestation-types/${org}`,
        form: {
          name: "coverage",
          description: text(),
          evaluator: { content_type: "jq", rules: [one(".percent >= 80", ".percent > 5")] },
        },
        files: one([], [{ part: "type_schema", name: "s.json", content: '{"type":"object"}' }]),
      }),
    ],
    [0.5, () => ({ method: "PUT", path: `/custom-attestation-types/${org}/coverage/archive` })],
    [1.5, () => policy({ description: text() }, one(undefined, PROVENANCE, COMPLIANCE, UNIT_TESTS))],
    [
      2,
      () => post(`/environments/${org}/${environment()}/policies`, { policy_names: one(["P"], ["P", "Q"]) }),
    ],
    [
      1,
      () => ({
        method: "DELETE",
        path: `/environments/${org}/${environment()}/policies`,
        json: { policy_names: [one("P", "Q")] },
      }),
    ],
    [
      2,
      () => {
        const name = environment();
        return put(`/environments/${org}`, {
          name,
          type: name === "all" ? "logical" : "K8S",
          description: text(),
          ...(name === "all" ? { included_environments: some("prod", "stage") } : {}),
          ...(isTrue() ? { require_provenance: isTrue() } : {}),
        });
      },
    ],
    [
      1,
      () => ({
        method: "PATCH",
        path: `/environments/${org}/${environment()}`,
        json: { description: text(), ...(isTrue() ? { policies: some("P", "Q") } : {}) },
      }),
    ],
    [1, () => put(`/environments/${org}/${environment()}/rename`, { new_name: environment() })],
    [0.5, () => ({ method: "PUT", path: `/environments/${org}/${one("old", "stage")}/archive` })],
    [1, () => put(`/environments/${org}/all/join`, { physical_env_name: one("prod", "stage") })],
    [
      8,
      () =>
        put(`/environments/${org}/${one("prod", "prod", "stage")}/report/K8S`, {
          type: "K8S",
          artifacts: some(0, 1, 2).map((index) => ({
            podName: `p${index}`,
            namespace: "n",
            digests: { [image()]: fingerprint() },
            creationTimestamp: index,
          })),
        }),
    ],
    [
      2,
      () =>
        put(`/allowlists/${org}/${one("prod", "stage")}`, {
          artifact_name: image(),
          artifact_fingerprint: fingerprint(),
          description: text(),
        }),
    ],
    [
      1.5,
      ({ repo }) => {
        const tagged = one(`flow/${flow()}`, `env/${environment()}`, "control/C-1", `repo/${repo ?? "none"}`);
        const json = { set_tags: { team: text() }, remove_tags: some("team", "other") };
        return { method: "PATCH", path: `/tags/${org}/${tagged}`, json };
      },
    ],
    [
      2,
      () => rules("flows", ["ON_STARTED_TRAIL", "ON_ATTESTED_PROVENANCE", "ON_ATTESTATION", "ON_APPROVAL"]),
    ],
    [
      2,
      () =>
        rules("environments", [
          "ON_STARTED_ARTIFACT",
          "ON_EXITED_ARTIFACT",
          "ON_ALLOWED_ARTIFACT",
          "ON_NON_COMPLIANT_ENV",
        ]),
    ],
    [0.5, () => rules("organization", ["ON_EXPIRING_API_KEY"])],
    [
      0.5,
      () =>
        put(`/organizations/${org}/environments_notifications/${1 + below(3)}`, {
          name: rule(),
          targets: targets(),
          environments: some(...ENVIRONMENTS),
          triggers: [],
        }),
    ],
    [0.5, () => ({ method: "DELETE", path: `/actions/${org}/${1 + below(3)}` })],
    [0.5, () => ruleRequest("test", {})],
    [0.5, () => ruleRequest("enable", {})],
    [0.5, () => ruleRequest("secret/rotate", { grace_period_hours: below(3), force: isTrue() })],
    [0.5, () => post(`/actions/${org}/${1 + below(3)}/secret`, undefined)],
    [
      1,
      () =>
        post(`/service-accounts/${org}`, {
          name: account(),
          description: text(),
          privilege: one("reader", "member"),
        }),
    ],
    [
      1,
      () => ({
        method: "PATCH",
        path: `/service-accounts/${org}/${account()}`,
        json: { description: text(), ...(isTrue() ? { privilege: one("reader", "attester") } : {}) },
      }),
    ],
    [0.5, () => ({ method: "DELETE", path: `/service-accounts/${org}/${account()}` })],
    [
      2,
      () =>
        post(`/service-accounts/${org}/${account()}/api-keys`, {
          description: one("for CI", "other"),
          expires_at: one(null, SOON + 100 * DAY),
          may_rotate_itself: isTrue(),
          flows: one(null, ["web"]),
        }),
    ],
    [
      1.5,
      (made) =>
        post(`/service-accounts/${org}/${account()}/api-keys/${key(made)}/rotate`, {
          grace_period_hours: 1 + below(3),
        }),
    ],
    [
      1,
      (made) => ({ method: "DELETE", path: `/service-accounts/${org}/${account()}/api-keys/${key(made)}` }),
    ],
    [1, () => post(`/trust-policies/${org}`, { name: one("gh", "hub"), ...trust() })],
    [1, () => put(`/trust-policies/${org}/${one("gh", "hub")}`, trust())],
    [0.5, () => ({ method: "DELETE", path: `/trust-policies/${org}/${one("gh", "hub")}` })],
    [
      2,
      () =>
        post(`/share-links/${org}`, {
          ...one(
            { kind: "trail", place: flow(), name: trail() },
            { kind: "environment", place: environment() },
            { kind: "badge", place: flow() },
            { kind: "artifact", place: flow(), name: fingerprint() },
          ),
          description: text(),
          expires_at: SOON + 10 * DAY,
        }),
    ],
    [1, ({ links }) => ({ method: "DELETE", path: `/share-links/${org}/${links[0] ?? "none"}` })],
  ];
  const first = [
    post(`/service-accounts/${org}`, { name: "ci", privilege: "member" }),
    post(`/service-accounts/${org}/ci/api-keys`, { description: "for CI" }),
    put(`/actions/${org}/flows`, { name: "all", targets: [{ type: "WEBHOOK", webhook: `${hook}/flows` }] }),
    put(`/actions/${org}/environments`, {
      ...{ name: "all", environments: [], triggers: [] },
      targets: [{ type: "WEBHOOK", webhook: `${hook}/environments` }],
    }),
    post(`/controls/${org}`, { identifier: "C-1", name: "reviewed" }),
    {
      method: "POST",
      path: `/custom-attestation-types/${org}`,
      form: { name: "coverage", evaluator: { content_type: "jq", rules: [".percent >= 80"] } },
    },
    ...["prod", "stage"].map((name) => put(`/environments/${org}`, { name, type: "K8S", description: "" })),
    policy({ name: "P" }, one(PROVENANCE, COMPLIANCE, UNIT_TESTS)),
    {
      ...{ method: "PUT", path: `/flows/${org}/template_file`, form: { name: "web", description: "" } },
      files: one([], template(TEMPLATE)),
    },
    {
      ...{ method: "PUT", path: `/trails/${org}/web`, form: { name: "t1" } },
      files: one([], template(TEMPLATE)),
    },
    artifact("a", "t1"),
    artifact("b", "t1"),
    put(`/environments/${org}`, {
      name: "all",
      type: "logical",
      description: "",
      included_environments: ["prod"],
    }),
    post(`/trust-policies/${org}`, { name: "gh", ...trust() }),
  ].filter(() => chance() < 0.9);
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
  return (made: Made): RequestToSend => {
    const next = first.shift();
    if (next) return next;
    let left = chance() * total;
    for (const [weight, request] of kinds) {
      left -= weight;
      if (left < 0) return request(made);
    }
    throw new Error("No kind of write was chosen");
  };
}
