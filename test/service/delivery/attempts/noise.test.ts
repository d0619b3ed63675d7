import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { reportQuietTrails } from "../../../../src/service/delivery/rules/quiet-trails.ts";
import { makeLinks } from "../../../../src/service/kernel/links.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

/** As many trails as a company of twelve flows had in two weeks: two or more of each kind but one. */
const TRAILS = 49;
const MOST_MESSAGES = 60;

const TEMPLATE = `version: 1
trail:
  attestations: [{ name: pull-request, type: "*" }]
  artifacts:
    - name: web
      attestations: [{ name: unit-tests, type: "*" }, { name: sbom, type: "*" }, { name: scan, type: "*" }]`;
const POLICY = `_schema: https://schemas.example/policy/environment/v1
artifacts: { provenance: { required: true }, trail-compliance: { required: true } }`;
const RESULTS = [
  ...["ON_COMPLIANT_TRAIL", "ON_NON_COMPLIANT_TRAIL", "ON_INCOMPLETE_TRAIL"],
  ...["ON_REFUSED_GATE", "ON_APPROVAL_NEEDED"],
];

let service: TestService;
let receiver: Receiver;
let store: Store;
beforeEach(async () => {
  receiver = await startReceiver();
  service = await startTestService();
  store = await openDataFolder(service.dataFolder);
  return async () => {
    await store.close();
    await service.dispose();
    await receiver[Symbol.asyncDispose]();
  };
});

/** `fixed` fails first, and passes in a second run. */
type Kind = "compliant" | "failing" | "fixed" | "incomplete";

function kindOf(index: number): Kind {
  if (index % 24 === 10) return "failing";
  if (index % 24 === 20) return "fixed";
  return index % 40 === 30 ? "incomplete" : "compliant";
}

const hexOf = (text: string) => createHash("sha256").update(text).digest("hex");
const commitOf = (index: number) => hexOf(`commit ${index}`).slice(0, 40);

async function addRules() {
  const put = (path: string, name: string, more: object) =>
    send(service, { method: "PUT", path: `/actions/${ORG}/${path}`, json: { name, ...more } });
  const target = (type: string, path: string) => [{ type, webhook: receiver.address + path }];
  const turns = ["ON_NON_COMPLIANT_ENV", "ON_COMPLIANT_ENV"];
  for (const [name, targets, ofFlows, ofEnvironments] of [
    ["results", target("SLACK", "/results"), RESULTS, turns],
    ["all", target("SLACK", "/all"), [], []],
    ["programs", target("WEBHOOK", "/hook"), [], []],
  ] as const) {
    await put("flows", name, { targets, triggers: ofFlows });
    await put("environments", name, { targets, environments: [], triggers: ofEnvironments });
  }
}

async function runPipeline(index: number) {
  const make = pipeline(service);
  const kind = kindOf(index);
  const name = commitOf(index);
  const fingerprint = hexOf(`web ${index}`);
  const pass = async (seconds: number) => {
    service.clock.time += seconds;
  };
  await make.trail("web", name, {
    git_commit_info: { sha1: name, message: `Change ${index}`, author: "Ada" },
  });
  await make.attest("web", name, { attestation_name: "pull-request" });
  await pass(30);
  await make.artifact("web", name, { fingerprint, git_commit: name });
  const attest = (attestation_name: string, is_compliant = true) =>
    make.attest("web", name, { attestation_name, artifact_fingerprint: fingerprint, is_compliant });
  await attest("sbom");
  await pass(20);
  if (kind !== "incomplete") await attest("scan");
  await pass(30);
  await attest("unit-tests", kind === "compliant" || kind === "incomplete");
  await pass(900);
  if (kind === "fixed") await attest("unit-tests");
  await lookForQuiet();
  await pass(300);
  const image = `registry.example.com/web:${index}`;
  const pods = [{ podName: "web", namespace: "n", creationTimestamp: 1, digests: { [image]: fingerprint } }];
  const { status } = await make.report("production", pods);
  if (status !== 201) throw new Error(`A report was answered with ${status}`);
}

async function lookForQuiet() {
  const deliveries = { wake() {}, attempt: async () => {} };
  const links = makeLinks(() => service.address);
  await reportQuietTrails({ store, links, deliveries, now: () => service.clock.time }).run(
    new AbortController().signal,
  );
}

const messagesAt = (path: string) =>
  receiver.received.flatMap((each) => (each.path === path ? each.body : []));
const titlesAt = (path: string) => messagesAt(path).map((body): string => JSON.parse(body).text);

/** Moves the clock until nothing waits. */
async function drain() {
  const waiting = async () => {
    let sum = 0;
    for (let rule = 1; rule <= 6; rule++) {
      const { body } = await send(service, { path: `/actions/${ORG}/${rule}/targets` });
      for (const target of body) sum += target.waiting;
    }
    return sum;
  };
  await expect
    .poll(
      () => {
        service.clock.time += 150;
        return waiting();
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(0);
}

test(`${TRAILS} pipelines are at most ${MOST_MESSAGES} messages, with every change of a result`, {
  timeout: 180_000,
}, async () => {
  const make = pipeline(service);
  await make.flow("web", TEMPLATE);
  await make.policy("compliant", POLICY);
  await make.environment("production", { policies: ["compliant"] });
  await addRules();
  for (let index = 0; index < TRAILS; index++) await runPipeline(index);
  await drain();

  const titles = titlesAt("/results");
  const all = titlesAt("/all");
  const events = new Set(receiver.received.flatMap(({ path, id }) => (path === "/hook" ? id : []))).size;
  process.stderr.write(
    `${TRAILS} pipelines: ${events} events, ${titles.length} messages about results, ${all.length} about all triggers\n`,
  );
  expect(titles.length).toBeLessThanOrEqual(MOST_MESSAGES);
  expect(titles.length).toBeGreaterThanOrEqual(TRAILS);
  expect(all.length).toBeLessThan(events / 3);

  const bodies = messagesAt("/results");
  // Both changes of a fixed trail may be one message, in which each has a line.
  const isTold = (index: number, words: string) => {
    const start = `{"text":"web ${commitOf(index).slice(0, 7)}: `;
    return bodies.some((body) => body.startsWith(start) && body.toLowerCase().includes(words));
  };
  const WORDS = {
    compliant: [": compliant"],
    failing: ["'web.unit-tests' non-compliant"],
    fixed: ["'web.unit-tests' non-compliant", ": compliant"],
    incomplete: ["incomplete, 'web.scan' missing"],
  } as const;
  for (let index = 0; index < TRAILS; index++) {
    for (const words of WORDS[kindOf(index)]) expect(isTold(index, words), `${index} ${words}`).toBe(true);
  }
  const isGood = (index: number) => kindOf(index) === "compliant" || kindOf(index) === "fixed";
  const turns = Array.from({ length: TRAILS }, (_, index) => index).filter(
    (index) => isGood(index) !== (index === 0 || isGood(index - 1)),
  );
  expect(titles.filter((title) => title.includes("production"))).toHaveLength(turns.length);
  expect(new Set(titles).size, "no two messages have one title").toBe(titles.length);
  expect(all.filter((title) => !title.startsWith("web "))).toEqual([]);
});
