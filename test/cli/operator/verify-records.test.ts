import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyPackage } from "../../../src/cli/operator/verify-package.ts";
import { eventRow } from "../../../src/service/events/digest.ts";
import { insertRows } from "../../../src/service/store/dialect.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { FP, pipeline, send } from "../../service/requests.ts";
import { ORG, startTestService, type TestService } from "../../service/running-service.ts";

let service: TestService;
let policy: string;
let bad: Files;
let good: Files;

/** The results of a decision are fields of its record, and so are its own data. */
const DATA = {
  is_compliant: false,
  description: "fine",
  user_data: { sbom: 1 },
  origin_url: "https://example.com/x",
};

beforeAll(async () => {
  service = await startTestService();
  const { flow, trail, artifact, attest, control } = pipeline(service);
  await flow("web");
  await control({ identifier: "SDLC-1", name: "Reviewed" });
  for (const name of ["bad", "good"]) {
    await trail("web", name, { user_data: { exact: 1 } });
    const fingerprint = name === "bad" ? FP : "b".repeat(64);
    await artifact("web", name, { fingerprint });
    await attest("web", name, { attestation_name: "pentest", is_compliant: name === "good" }, [
      { name: "r. ", content: name },
    ]);
    await post(`${name}/system`, {
      form: {
        attestation_name: "review",
        type_name: "decision",
        control: "SDLC-1",
        attestation_data: DATA,
        description: "no SBOM",
      },
    });
  }
  const override = { attestation_name: "pentest", reason: "accepted", original_attestation_type: "generic" };
  await post("bad/override", { json: { ...override, new_compliance_status: true } });
  await send(service, { method: "POST", path: `/asserts/${ORG}/fingerprint/${FP}` });
  await send(service, { method: "POST", path: `/asserts/${ORG}/fingerprint/${"b".repeat(64)}` });
  [bad, good] = [await packageOf("bad"), await packageOf("good")];
  policy = (await send(service, { path: `/log/${ORG}/policy` })).text;
});
afterAll(() => service.dispose());

async function post(rest: string, content: { form: object } | { json: object }): Promise<void> {
  const path = `/attestations/${ORG}/web/trail/${rest}`;
  const answer = await send(service, { method: "POST", path, ...content });
  expect(answer.status, answer.text).toBeLessThan(300);
}

type Files = Map<string, Uint8Array>;

const packageOf = (trail: string) => filesAt(`/trails/${ORG}/web/${trail}/audit_package`);

async function filesAt(path: string): Promise<Files> {
  const answer = await request(`${service.address}/api/v2${path}`, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.member}` },
  });
  const entries = await unpackTar(gunzipSync(await answer.body.bytes()));
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

/** Verifies files whose manifest lists what is there, as a forger would write it. */
async function verified(files: Files) {
  const manifest = JSON.parse(textOf(files, "manifest.json"));
  manifest.files = [...files]
    .filter(([name]) => name !== "manifest.json")
    .map(([name, content]) => ({
      ...{ name, size: content.length },
      sha256: createHash("sha256").update(content).digest("hex"),
    }));
  files.set("manifest.json", Buffer.from(JSON.stringify(manifest)));
  const entries = [...files].map(([name, body]) => ({ header: { name, size: body.length }, body }));
  return verifyPackage(gzipSync(await packTar(entries)), policy);
}

const textOf = (files: Files, name: string) => Buffer.from(files.get(name) ?? []).toString();
const nameOf = (files: Files, pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name)) ?? "";

/** Changes the text of a file, which must then differ. */
function edit(files: Files, pattern: RegExp, change: (text: string) => string): void {
  const name = nameOf(files, pattern);
  const text = textOf(files, name);
  expect(change(text), name).not.toBe(text);
  files.set(name, Buffer.from(change(text)));
}

function move(files: Files, from: RegExp, to: (name: string) => string): void {
  const name = nameOf(files, from);
  files.set(to(name), files.get(name) ?? new Uint8Array());
  files.delete(name);
}

test.each([["bad"], ["good"]])(
  "the package of the trail %s is proven as the service wrote it",
  async (trail) => {
    const { status, lines } = await verified(await packageOf(trail));
    expect([status, lines.filter((line) => /CHANGED|UNDECIDED/.test(line))]).toEqual([0, []]);
  },
);

test("a trail with records that are older than the log is undecided, also in a population", async () => {
  const store = await openDataFolder(service.dataFolder);
  const [trail_id, attestationId, fingerprint] = ["old-trail", "old-attestation", "c".repeat(64)];
  // As a copy of the records of an older version has them.
  await store.write(async (db) => {
    const trail = await db
      .selectFrom("trails")
      .selectAll()
      .where("name", "=", "good")
      .executeTakeFirstOrThrow();
    const { sequence: _, ...attestation } = await db
      .selectFrom("attestations")
      .selectAll()
      .where("trail_id", "=", trail.id)
      .where("name", "=", "review")
      .executeTakeFirstOrThrow();
    await insertRows(db, "trails", [{ ...trail, id: trail_id, name: "old" }]);
    await insertRows(db, "attestations", [{ ...attestation, id: attestationId, trail_id }]);
    const { sequence: __, ...artifact } = await db
      .selectFrom("artifacts")
      .selectAll()
      .where("trail_id", "=", trail.id)
      .executeTakeFirstOrThrow();
    await insertRows(db, "artifacts", [{ ...artifact, id: "old-artifact", trail_id, fingerprint }]);
    const { org_id, flow_id } = trail;
    const event = {
      ...{ org_id, trail_id, type: "trail.carried_over", at: service.clock.time, by: "ci", by_id: null },
      ...{ subject_id: trail_id, subject_name: "old" },
    };
    const data = { flow_id, git_commit_info: null, repo_id: null, type: "created", details: "{}" };
    await insertRows(db, "events", [eventRow(event, data)]);
  });
  await store.close();
  const decision = {
    attestation_name: "later",
    type_name: "decision",
    control: "SDLC-1",
    attestation_data: DATA,
  };
  await post("old/system", { form: decision });

  const paths = [
    `/trails/${ORG}/web/old/audit_package`,
    `/artifacts/${ORG}/web/${fingerprint}/audit_package`,
    `/populations/${ORG}/package?control=SDLC-1&from=1970-01-01&to=2100-01-01&n=10&seed=s`,
  ];
  for (const path of paths) {
    const { status, lines } = await verified(await filesAt(path));
    const problems = lines.filter((line) => /CHANGED|UNDECIDED/.test(line));
    expect([status, problems], path).toEqual([
      2,
      [expect.stringContaining("trail.json: the trail has records that are older than the log")],
    ]);
  }
  const path = `/attestations/${ORG}/web/trail/old/attestation/${attestationId}/statement`;
  expect(await send(service, { method: "POST", path })).toMatchObject({
    status: 404,
    text: expect.stringContaining("is older than the log of"),
  });
});

const pentest = /^attestations\/pentest-/;
const review = /^attestations\/review-/;

test.each<[string, (files: Files) => void]>([
  ["the record of another trail in place of one", replacePentest],
  [
    "a record beside the one of the same name",
    (files) => files.set("./attestations/x.json", Buffer.from("{}")),
  ],
  [
    "a record under another name",
    (files) => move(files, pentest, (name) => name.replace("pentest", "audit")),
  ],
  [
    "a record in a further folder",
    (files) => move(files, pentest, (name) => name.replace("pentest", "a/pentest")),
  ],
  ["a second attachment", (files) => files.set(`${nameOf(files, /^attachments/)}2`, Buffer.from("x"))],
  ["an attachment under another name", (files) => move(files, /^attachments/, (name) => `${name}.pdf`)],
  [
    "a further position of attachments",
    (files) => move(files, /^attachments/, (name) => name.replace("/0-", "/1-")),
  ],
  ["an unknown file", (files) => files.set("approvals/ceo.json", Buffer.from("{}"))],
  ["an unknown statement", (files) => files.set("statements/VSA-release.intoto.json", Buffer.from("{}"))],
  ["a lost trail", (files) => void files.delete("trail.json")],
  [
    "a key that is there twice",
    (files) => edit(files, pentest, (text) => text.replace("{", '{"is_compliant": true,')),
  ],
  [
    "a description from its data",
    (files) => edit(files, review, (text) => text.replace('"no SBOM"', '"fine"')),
  ],
  ["a field from its data", (files) => edit(files, review, (text) => text.replace("{", '{"sbom": 1,'))],
  [
    "a manifest of an artifact",
    (files) => edit(files, /^manifest/, (text) => text.replace("{", '{"fingerprint": "a",')),
  ],
  ["the statement of another trail", addStatement],
])("%s is found", async (_, change) => {
  const files = new Map(bad);
  change(files);
  const { status, lines } = await verified(files);
  expect([status, lines.at(-1)]).toEqual([1, "Changed: this package is not what the service recorded"]);
});

/** With its event, proof and details, under the name of this trail. */
function replacePentest(files: Files): void {
  drop(files, pentest);
  const name = nameOf(good, pentest);
  files.set(name, Buffer.from(textOf(good, name).replace('"trail_name": "good"', '"trail_name": "bad"')));
  take(files, name);
}

function addStatement(files: Files): void {
  drop(files, /^statements\/[^e]/);
  const name = nameOf(good, /^statements\/[^e]/);
  files.set(name, good.get(name) ?? new Uint8Array());
  take(files, name);
}

/** Names of all files about the record in a file: events, proofs, details, attachments and itself. */
function filesAbout(files: Files, record: string): string[] {
  const isEvent = (name: string) => /^log\/events\/.*json$/.test(name);
  return [...files.keys()].filter(isEvent).flatMap((name) => {
    const { subject_id: id, data } = JSON.parse(textOf(files, name));
    if (!record.includes(id)) return [];
    const attached = [...files.keys()].filter((each) => each.startsWith(`attachments/${id}/`));
    const details = `log/details/${data.details}.json`;
    return [record, name, name.replace(".json", ".tlog-proof"), details, ...attached];
  });
}

function drop(files: Files, pattern: RegExp): void {
  for (const each of filesAbout(files, nameOf(files, pattern))) files.delete(each);
}

/** From the other trail, as far as they are there. */
function take(files: Files, record: string): void {
  for (const name of filesAbout(good, record)) {
    const content = good.get(name);
    if (content !== undefined && !files.has(name)) files.set(name, content);
  }
}

test("names cannot write lines of their own", async () => {
  const { lines } = await verified(new Map([...bad, ["a\u202eb", Buffer.from("x")]]));
  expect(lines).toContainEqual(expect.stringMatching(/^CHANGED {4}a\\u\{202e\}b: nothing in the log/));
});
