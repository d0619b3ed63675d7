import { afterAll, beforeAll, expect, it } from "vitest";
import { chanceOf } from "../chance.ts";
import { newDatabase } from "../records.ts";
import { type RequestToSend, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";

const STEPS = Number(process.env["TEST_HISTORY_STEPS"] ?? 300);
/** Number of the history. Others can be tried by hand. */
const SEED = Number(process.env["TEST_HISTORY_SEED"] ?? 1);

let services: readonly [sqlite: TestService, postgres: TestService];
beforeAll(async () => {
  const database = { url: await newDatabase() };
  services = [await startTestService(), await startTestService({}, { database })];
});
afterAll(async () => {
  for (const service of services) await service.dispose();
});

function historyOf(seed: number) {
  const chance = chanceOf(seed);
  const below = (count: number) => Math.floor(chance() * count);
  const one = <T>(...items: [T, ...T[]]): T => items[below(items.length)] ?? items[0];
  const some = <T>(...items: [T, ...T[]]): T[] => items.filter(() => chance() < 0.5);

  const flow = () => one("web", "Web", "api", "batch-1");
  const trail = () => one("t1", "t2", "T2", "a.b");
  const environment = () => one("prod", "Prod", "stage");
  const fingerprint = () => one("a", "b", "c", "d").repeat(64);
  const commit = () => one("1", "2", "f").repeat(40);
  const check = () => one("unit", "lint", "Unit", "scan");
  const image = () => one("web", "Web", "api:1", "éclair", "\u{1F600}");
  const text = () =>
    one("", "plain", "é \u{1F600}", '\'; drop table "x" --', 'a "quoted" \\ text', "%_", "line\nbreak");
  const data = () =>
    one<unknown>({}, { n: 1.5, deep: [{ "a b": null }] }, { id: 9_007_199_254_740_991 }, { text: text() });
  const isTrue = () => chance() < 0.5;
  const git = () =>
    one(undefined, {
      sha1: commit(),
      branch: one("main", "Main", "dev"),
      message: text(),
      author: "A <a@x>",
      timestamp: 1,
    });
  // Records with equal names are sorted by their random ids.
  const repo = () =>
    one(
      undefined,
      { name: "acme/web", url: "https://git.example/r", id: "1" },
      { name: "acme/Web", url: "https://git.example/r", id: "2" },
      { name: "acme/api", url: "https://github.com/acme/api" },
    );
  const page = () => `per_page=${1 + below(4)}&page=${1 + below(3)}`;
  const put = (path: string, json: unknown): RequestToSend => ({ method: "PUT", path, json });
  const post = (path: string, json: unknown): RequestToSend => ({ method: "POST", path, json });

  const steps: (() => RequestToSend)[] = [
    () => ({
      method: "PUT",
      path: `/flows/${ORG}/template_file`,
      form: { name: flow(), description: text() },
    }),
    () =>
      put(`/flows/${ORG}`, { name: flow(), description: text(), template: some("artifact", "unit", "lint") }),
    () => ({
      method: "PUT",
      path: `/trails/${ORG}/${flow()}`,
      form: {
        name: trail(),
        description: text(),
        user_data: data(),
        git_commit_info: git(),
        repo_info: repo(),
      },
    }),
    () =>
      post(`/artifacts/${ORG}/${flow()}`, {
        fingerprint: fingerprint(),
        filename: image(),
        build_url: "https://ci.example/1",
        commit_url: "https://git.example/1",
        git_commit: commit(),
        git_commit_info: git(),
        repo_info: repo(),
        trail_name: one(trail(), trail(), undefined),
        template_reference_name: one("web", undefined),
      }),
    ...Array.from({ length: 4 }, () => () => ({
      method: "POST",
      path: `/attestations/${ORG}/${flow()}/trail/${trail()}/generic`,
      form: {
        attestation_name: one(check(), `web.${check()}`),
        is_compliant: isTrue(),
        user_data: data(),
        description: text(),
        git_commit_info: git(),
        repo_info: repo(),
        artifact_fingerprint: one(undefined, fingerprint()),
      },
      headers: one({}, { "idempotency-key": `key-${below(5)}` }) as Record<string, string>,
    })),
    () => ({
      method: "POST",
      path: `/attestations/${ORG}/${flow()}/trail/${trail()}/system`,
      form: {
        attestation_name: "decided",
        type_name: "decision",
        control: one("C-1", "c-1"),
        attestation_data: { is_compliant: isTrue() },
        artifact_fingerprint: one(undefined, fingerprint()),
      },
    }),
    () => post(`/controls/${ORG}`, { identifier: one("C-1", "c-1", "Z.2"), name: text() || "n" }),
    () => put(`/environments/${ORG}`, { name: environment(), type: "K8S", description: text() }),
    ...Array.from(
      { length: 2 },
      () => () =>
        put(`/environments/${ORG}/${environment()}/report/K8S`, {
          type: "K8S",
          artifacts: some(...([0, 1, 2, 3] as const)).map((index) => ({
            podName: `p${index}`,
            namespace: "n",
            digests: { [image()]: fingerprint() },
            creationTimestamp: index,
          })),
        }),
    ),
    () => ({
      method: "PUT",
      path: `/policies/${ORG}`,
      form: { name: one("P", "p"), comment: text() },
      formPart: "payload",
      files: [
        {
          part: "policy_file",
          name: "p.yml",
          content: one(
            "_schema: https://x/v1\n",
            "_schema: https://x/v1\nartifacts:\n  provenance:\n    required: true\n",
          ),
        },
      ],
    }),
    () => post(`/environments/${ORG}/${environment()}/policies`, { policy_names: [one("P", "p")] }),
    () =>
      post(`/approvals/${ORG}/${flow()}`, {
        artifact_fingerprint: fingerprint(),
        description: text(),
        src_commit_list: [commit()],
      }),
    () =>
      post(`/allowlist/${ORG}/${environment()}`, {
        artifact_name: image(),
        artifact_fingerprint: fingerprint(),
        description: text(),
      }),
    () => ({
      method: "PATCH",
      path: `/tags/${ORG}/flow/${flow()}`,
      json: { set_tags: { team: text() }, remove_tags: some("other") },
    }),
    () => put(`/flows/${ORG}/${flow()}/rename`, { new_name: flow() }),
    () => ({ method: "PUT", path: `/flows/${ORG}/${flow()}/archive` }),
  ];
  const reads: (() => string)[] = [
    () => `/flows/${ORG}?search_by_name=${one("w", "WEB", "a")}&case_sensitive=${isTrue()}`,
    () => `/flows/${ORG}?sort=latest_activity&sort_direction=${one("asc", "desc")}`,
    () => `/flows/${ORG}/${flow()}`,
    () => `/trails/${ORG}?${page()}`,
    () => `/trails/${ORG}/${flow()}?${page()}`,
    () => `/trails/${ORG}/${flow()}/${trail()}`,
    () => `/artifacts/${ORG}?${page()}`,
    () => `/artifacts/${ORG}/${flow()}/fingerprint/${fingerprint()}`,
    () => `/attestations/${ORG}?per_page=${1 + below(20)}`,
    () => `/attestations/${ORG}/${flow()}/trail/${trail()}/${check()}`,
    () => `/environments/${ORG}?sort=${one("name", "last_changed_at")}&sort_direction=${one("asc", "desc")}`,
    () => `/environments/${ORG}/${environment()}`,
    () => `/snapshots/${ORG}/${environment()}?${page()}`,
    () => `/snapshots/${ORG}/${environment()}/${one("-1", "1", "2")}`,
    () => `/environments/${ORG}/${environment()}/events?${page()}`,
    () => `/repos/${ORG}?${page()}`,
    () => `/approvals/${ORG}/${flow()}?${page()}`,
    () => `/policies/${ORG}`,
    () => `/controls/${ORG}?${page()}`,
    () => `/controls/${ORG}/${one("C-1", "c-1")}/decisions`,
    () => `/asserts/${ORG}/fingerprint/${fingerprint()}`,
    () => `/search/${ORG}/sha/${fingerprint().slice(0, 7)}`,
  ];
  return {
    next: (): RequestToSend =>
      chance() < 0.6
        ? one(...(steps as [() => RequestToSend]))()
        : { path: one(...(reads as [() => string]))() },
  };
}

/** The repositories of a trail are sorted by their random ids. */
function inOneOrder(text: string): string {
  return text.replaceAll(
    /"repo_ids":\[([^\]]*)\]/g,
    (_, ids: string) => `"repo_ids":[${ids.split(",").sort()}]`,
  );
}

it(`${STEPS} random requests get the same responses from SQLite and PostgreSQL (history ${SEED})`, async () => {
  const { next } = historyOf(SEED);
  const names = services.map(() => new Map<string, string>());
  const statuses = new Map<number, number>();
  for (let step = 0; step < STEPS; step++) {
    const message = next();
    // Records of one moment are sorted by random ids.
    for (const { clock } of services) clock.time += 1;
    const answers = [];
    for (const [index, service] of services.entries()) {
      const { status, text } = await send(service, { key: service.keys.admin, ...message });
      answers.push({
        step,
        message,
        status,
        text: inOneOrder(withoutIds(text.replaceAll(service.address, ""), names[index] ?? new Map())),
      });
    }
    const [expected, found] = answers;
    expect(found).toEqual(expected);
    statuses.set(expected?.status ?? 0, (statuses.get(expected?.status ?? 0) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  // A history without any success would prove nothing.
  expect(statuses.get(200)).toBeGreaterThan(STEPS / 5);
  expect(statuses.get(201)).toBeGreaterThan(STEPS / 10);
});

/** The random values of each service, by a name for the order in which they appear. */
function withoutIds(text: string, names: Map<string, string>): string {
  return text
    .replaceAll(/[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}(?:[a-f0-9]{4})?/g, (id) => {
      const name = names.get(id) ?? `id-${names.size}`;
      names.set(id, name);
      return name;
    })
    .replaceAll(/after=[\w%-]+/g, "after=cursor");
}
