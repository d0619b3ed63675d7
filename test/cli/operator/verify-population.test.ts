import { createHash, randomInt } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyPackage } from "../../../src/cli/operator/verify-package.ts";
import { cosignatureLine, cosignerKey, newSigner } from "../../../src/evidence/log/note.ts";
import { pipeline, send } from "../../service/requests.ts";
import { ORG, startTestService, type TestService } from "../../service/running-service.ts";

const DAY = 86_400;
const TRAILS = 60;

let service: TestService;
let policy: string;
const START = 1_800_000_000;
/** Trails by flow, with the time at which they began. */
const begun: { flow: string; trail: string; at: number }[] = [];

beforeAll(async () => {
  service = await startTestService();
  const { flow, trail, artifact, attest, environment, report, control } = pipeline(service);
  for (const name of ["web", "api"]) await flow(name);
  await environment("prod");
  await environment("test");
  await control({ identifier: "SDLC-1", name: "Reviewed" });
  for (let n = 0; n < TRAILS; n++) {
    // Sometimes back, as when a clock is corrected.
    service.clock.time += randomInt(-3_600, DAY);
    const [name, of] = [`v${n}`, n % 3 === 0 ? "api" : "web"];
    begun.push({ flow: of, trail: name, at: service.clock.time });
    const fingerprint = createHash("sha256").update(name).digest("hex");
    const decision = { type_name: "decision", control: "SDLC-1", attestation_data: { is_compliant: true } };
    // One name is a formula.
    const running = {
      ...{ podName: name, namespace: "prod", creationTimestamp: START },
      digests: { [n === 6 ? "=1+1" : name]: fingerprint },
    };
    const answers = [
      await trail(of, name),
      await artifact(of, name, { fingerprint }),
      await attest(of, name, { artifact_fingerprint: fingerprint }, [{ name: "r.txt", content: name }]),
      ...(n % 4 === 0
        ? [
            await send(service, {
              method: "POST",
              path: `/attestations/${ORG}/${of}/trail/${name}/system`,
              form: { attestation_name: "review", artifact_fingerprint: fingerprint, ...decision },
            }),
          ]
        : []),
      ...(n % 2 === 0 ? [await report(n % 4 === 0 ? "prod" : "test", [running])] : []),
    ];
    expect(answers.filter(({ status }) => status > 201)).toEqual([]);
  }
  policy = (await send(service, { path: `/log/${ORG}/policy` })).text;
}, 120_000);
afterAll(() => service.dispose());

type Files = Map<string, Uint8Array>;

async function download(query: string): Promise<Uint8Array> {
  const answer = await request(`${service.address}/api/v2/populations/${ORG}/package?${query}`, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.member}` },
  });
  const bytes = await answer.body.bytes();
  expect(answer.statusCode, Buffer.from(bytes).toString().slice(0, 300)).toBe(200);
  return bytes;
}

async function unpacked(tgz: Uint8Array): Promise<Files> {
  const entries = await unpackTar(gunzipSync(tgz));
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

/** With a manifest that lists what is there, as a forger would write it. */
async function verified(files: Files, change: object = {}) {
  const manifest = JSON.parse(textOf(files, "manifest.json"));
  manifest.population = { ...manifest.population, ...change };
  manifest.files = [...files]
    .filter(([name]) => name !== "manifest.json")
    .map(([name, content]) => ({
      ...{ name, size: content.length },
      sha256: createHash("sha256").update(content).digest("hex"),
    }));
  files.set("manifest.json", Buffer.from(JSON.stringify(manifest)));
  const tar = await packTar(
    [...files].map(([name, body]) => ({ header: { name, size: body.length }, body })),
  );
  return verifyPackage(gzipSync(tar), policy);
}

const textOf = (files: Files, name: string) => Buffer.from(files.get(name) ?? []).toString();
const rowsOf = (files: Files) => textOf(files, "list.csv").trimEnd().split("\r\n");

test("the population of any period is what a direct query finds, and its package is proven", async () => {
  for (let round = 0; round < 6; round++) {
    const from = START + randomInt(0, 20 * DAY);
    const to = from + randomInt(0, 20 * DAY);
    const expected = begun.filter(({ flow, at }) => flow === "web" && at >= from && at < to);
    const query = `flow=web&from=${from}&to=${to}&n=3&seed=s`;
    const { body } = await send(service, { path: `/populations/${ORG}?${query}` });
    expect(body.members.map(({ name }: { name: string }) => name)).toEqual(
      expected.map(({ trail }) => trail),
    );
    const tgz = await download(query);
    const { status, lines } = verifyPackage(tgz, policy);
    expect([status, lines.filter((line) => /CHANGED|UNDECIDED/.test(line))]).toEqual([0, []]);
    expect(rowsOf(await unpacked(tgz))).toHaveLength(1 + body.count);
  }
}, 60_000);

test.each([
  ["environment=prod", 15],
  ["environment=test", 15],
  ["control=SDLC-1", 15],
])("the population of %s is proven with its sample", async (subject, count) => {
  const tgz = await download(`${subject}&from=0&to=4000000000&n=5&seed=2026`);
  const { status, lines } = verifyPackage(tgz, policy);
  expect([status, lines.filter((line) => /CHANGED|UNDECIDED/.test(line))]).toEqual([0, []]);
  const files = await unpacked(tgz);
  expect(rowsOf(files)).toHaveLength(1 + count);
  const { members } = JSON.parse(textOf(files, "sample.json"));
  expect(members.map(({ trails }: { trails: string[] }) => trails.length)).toEqual([1, 1, 1, 1, 1]);
  const ids = rowsOf(files)
    .slice(1)
    .map((row) => row.split(",")[1] ?? "");
  const rank = (id: string) => createHash("sha256").update(`2026\0${id}`).digest("hex");
  const chosen = ids.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, 5);
  expect(members.map(({ id }: { id: string }) => id)).toEqual(chosen);
});

test("each row that is removed, added or changed is found", async () => {
  const tgz = await download(`flow=web&from=${START}&to=${START + 400 * DAY}&n=2`);
  const rows = rowsOf(await unpacked(tgz));
  for (const [place, row] of rows.entries()) {
    for (const forged of [[], [row, row], [`${row}x`]]) {
      const files = await unpacked(tgz);
      const list = rows.toSpliced(place, 1, ...forged);
      files.set("list.csv", Buffer.from(list.map((each) => `${each}\r\n`).join("")));
      expect((await verified(files)).status, `line ${place + 1}: ${forged}`).toBe(1);
    }
  }
}, 60_000);

test.each<[string, (files: Files) => object | undefined]>([
  ["a removed event", (files) => removeEvent(files, 5)],
  ["a removed first event", (files) => removeEvent(files, 0)],
  ["a member that belongs to another flow, in no list", hideMember],
  ["another count", () => ({ count: 3 })],
  ["another period", (files) => ({ to: JSON.parse(textOf(files, "manifest.json")).population.to - 5 * DAY })],
  ["another flow", () => ({ id: "other" })],
  ["the name of another flow", () => ({ name: "api" })],
  ["another seed", (files) => changeJson(files, "sample.json", { seed: "t" })],
  ["a larger sample", (files) => changeJson(files, "sample.json", { n: 4 })],
  ["a lost sample", (files) => void files.delete("sample.json")],
  [
    "a lost record of the sample",
    (files) =>
      void files.delete([...files.keys()].find((name) => /sample\/.*\/attestations/.test(name)) ?? ""),
  ],
  ["a record of the sample that is lost with its event", removeRecord],
  [
    "a lost trail of the sample",
    (files) => {
      const folder = [...files.keys()]
        .find((name) => name.endsWith("/trail.json"))
        ?.replace("trail.json", "");
      for (const name of files.keys()) if (name.startsWith(folder ?? "")) files.delete(name);
    },
  ],
  ["hashes of another range", (files) => changeJson(files, "log/range.json", { hashes: [] })],
])("%s is found though the manifest was repaired", async (_, change) => {
  const files = await unpacked(await download(`flow=web&from=${START + 5 * DAY}&to=${START + 20 * DAY}&n=3`));
  const about = change(files) ?? {};
  expect((await verified(files, about)).status).toBe(1);
});

function removeRecord(files: Files): undefined {
  for (const name of files.keys()) {
    if (!name.startsWith("log/events/") || !name.endsWith(".json")) continue;
    const { subject_id, type } = JSON.parse(textOf(files, name));
    const record = [...files.keys()].find(
      (each) => each.includes("/attestations/") && each.includes(subject_id),
    );
    if (type !== "attestation.recorded" || record === undefined) continue;
    for (const each of [record, name, name.replace(".json", ".tlog-proof")]) files.delete(each);
    return;
  }
  expect.unreachable("no attestation is in the sample");
}

function removeEvent(files: Files, place: number): undefined {
  const lines = textOf(files, "log/range-events.jsonl").trimEnd().split("\n");
  lines.splice(place, 1);
  files.set("log/range-events.jsonl", Buffer.from(lines.map((line) => `${line}\n`).join("")));
  const { end } = JSON.parse(textOf(files, "log/range.json"));
  changeJson(files, "log/range.json", { end: end - 1 });
}

/** Everything fits together, except that the events no longer lead to the checkpoint. */
function hideMember(files: Files): object {
  const { population } = JSON.parse(textOf(files, "manifest.json"));
  const chosen = textOf(files, "sample.json");
  const rows = rowsOf(files);
  const place = rows.findIndex((row, at) => at > 0 && !chosen.includes(row.split(",")[1] ?? ""));
  const id = rows[place]?.split(",")[1] ?? "none";
  const events = textOf(files, "log/range-events.jsonl").split("\n");
  const changed = events.map((line) =>
    line.includes('"trail.begun"') && line.includes(`"subject_id":"${id}"`)
      ? line.replace(
          population.id,
          population.id.replace(/^./, (digit: string) => (digit === "0" ? "1" : "0")),
        )
      : line,
  );
  expect(changed).not.toEqual(events);
  files.set("log/range-events.jsonl", Buffer.from(changed.join("\n")));
  const left = rows.toSpliced(place, 1).map((row, at) => (at === 0 ? row : row.replace(/^\d+/, String(at))));
  files.set("list.csv", Buffer.from(left.map((row) => `${row}\r\n`).join("")));
  return { count: population.count - 1 };
}

function changeJson(files: Files, name: string, change: object): undefined {
  files.set(name, Buffer.from(JSON.stringify({ ...JSON.parse(textOf(files, name)), ...change })));
}

test.each<[string, number, (files: Files) => void]>([
  ["no trails of an artifact", 2, (files) => changeTrails(files, () => [])],
  ["another trail of an artifact", 1, (files) => changeTrails(files, (all) => all.slice(1))],
  ["a negative size", 1, (files) => changeJson(files, "sample.json", { n: -1 })],
  ["another method", 1, (files) => changeJson(files, "sample.json", { method: "any" })],
  ["a record beside the folder", 1, maskRecord],
])("a sample with %s is found", async (_, expected, change) => {
  const files = await unpacked(await download("environment=prod&from=0&to=4000000000&n=3"));
  change(files);
  expect((await verified(files)).status).toBe(expected);
});

/** Takes the trails of each member from others, and removes the records and events that nothing names then. */
function changeTrails(files: Files, change: (trails: string[]) => string[]): void {
  const { members } = JSON.parse(textOf(files, "sample.json"));
  const all = members.flatMap(({ trails }: { trails: string[] }) => trails);
  const kept = change(all);
  const changed = members.map((member: object) => ({ ...member, trails: kept.slice(0, 1) }));
  changeJson(files, "sample.json", { members: changed });
  for (const name of files.keys()) {
    const isEvent = name.startsWith("log/events/") && name.endsWith(".json");
    const trail = isEvent ? JSON.parse(textOf(files, name)).trail_id : name.split("/")[1];
    const isOther = all.includes(trail) && !kept.slice(0, 1).includes(trail);
    if (isOther) for (const each of [name, name.replace(".json", ".tlog-proof")]) files.delete(each);
  }
  const events = [...files].filter(([name]) => /^log\/events\/.*json$/.test(name));
  const left = events.map(([, content]) => Buffer.from(content).toString()).join("");
  for (const name of files.keys()) {
    const [, digest] = /^log\/details\/(\w+)/.exec(name) ?? [];
    if (digest !== undefined && !left.includes(digest)) files.delete(name);
  }
}

function maskRecord(files: Files): void {
  const [name = "", content] = [...files].find(([each]) => /sample\/.*\/attestations/.test(each)) ?? [];
  files.set(name.split("/").slice(2).join("/"), content ?? new Uint8Array());
  files.set(name, Buffer.from(textOf(files, name).replace('"is_compliant": true', '"is_compliant": false')));
}

test("a population needs the witnesses of the policy", async () => {
  const witness = newSigner("witness.example");
  const trusted = policy.replace("quorum none", `witness own ${cosignerKey(witness)}\nquorum own`);
  const query = "flow=web&from=0&to=4000000000";
  const seenIn = async (tgz: Uint8Array) => {
    const note = textOf(await unpacked(tgz), "log/checkpoint");
    const body = note.slice(0, note.indexOf("\n\n") + 1);
    return { size: body.split("\n")[1], checkpoint: note + cosignatureLine(body, witness, 9) };
  };
  const former = await seenIn(await download(query));
  await pipeline(service).trail("web", "late");
  const tgz = await download(query);
  const latter = await seenIn(tgz);
  expect(verifyPackage(tgz, trusted).status).toBe(2);
  expect(verifyPackage(tgz, trusted, { kept: latter }).status).toBe(0);
  const path = `/log/${ORG}/consistency?from=${former.size}&to=${latter.size}`;
  const consistency = (await send(service, { path })).text;
  const { status, lines } = verifyPackage(tgz, trusted, { kept: { ...former, consistency } });
  expect([status, lines.filter((line) => line.startsWith("UNDECIDED"))]).toEqual([
    2,
    [expect.stringContaining(`your checkpoint of ${former.size} entries does not have it yet`)],
  ]);
});

test("a formula in a name does not run in a spreadsheet, and the printed page needs no network", async () => {
  const files = await unpacked(await download("environment=test&from=0&to=4000000000&n=1"));
  expect(textOf(files, "list.csv")).toMatch(/,'=1\+1,/);
  const printed = textOf(files, "index.html");
  expect(printed).toContain("default-src 'none'");
  expect(printed).toContain("No approval, and no pull request that another person approved");
  expect(printed).toContain("No test results");
  expect(printed).not.toContain("No deployment");
});

test("the printed page names those who approved a change, but not its author", async () => {
  const { flow, trail } = pipeline(service);
  await flow("reviewed");
  for (const name of ["ann", "bob"]) {
    await trail("reviewed", name);
    const approvers = [name, "eve"].map((username) => ({
      ...{ username, timestamp: START },
      state: username === "eve" ? "COMMENTED" : "APPROVED",
    }));
    const pull_requests = [
      {
        ...{
          url: `https://example.com/${name}`,
          state: "MERGED",
          author: "bob",
          title: "",
          created_at: START,
        },
        ...{ merge_commit: "a".repeat(40), head_ref: "", commits: [], approvers },
      },
    ];
    const path = `/attestations/${ORG}/reviewed/trail/${name}/pull_request`;
    const form = { attestation_name: "pr", git_provider: "github", pull_requests };
    expect((await send(service, { method: "POST", path, form })).status).toBe(201);
  }
  const { artifact } = pipeline(service);
  await trail("reviewed", "cat");
  const fingerprint = "c".repeat(64);
  await artifact("reviewed", "cat", { fingerprint });
  const reviews = [
    { state: "APPROVED", comment: "", approved_by: "carol", approval_url: "https://example.com/7" },
  ];
  const approval = {
    artifact_fingerprint: fingerprint,
    description: "",
    src_commit_list: [],
    approvals: reviews,
  };
  const approved = await send(service, {
    method: "POST",
    path: `/approvals/${ORG}/reviewed`,
    json: approval,
  });
  expect(approved.status, approved.text).toBe(201);
  const tgz = await download("flow=reviewed&from=0&to=4000000000&n=3");
  expect(verifyPackage(tgz, policy).status).toBe(0);
  const printed = textOf(await unpacked(tgz), "index.html");
  expect(printed).toContain("https://example.com/ann\nAuthor: bob. Approved by: ann");
  expect(printed).toContain("https://example.com/bob\nAuthor: bob. Approved by: no other person");
  expect(printed).toMatch(/Approval: APPROVED\nc{64}[\s\S]*?carol/);
  expect(printed.match(/>Approved</g)).toHaveLength(3);
  expect(printed.match(/No approval, and no pull request that another person approved/g)).toHaveLength(1);
});

test("requests that cannot be answered are refused", async () => {
  const ask = (query: string) => send(service, { path: `/populations/${ORG}?${query}` });
  const period = "from=0&to=10";
  expect((await ask(period)).body.code).toBe("population.no_subject");
  expect((await ask(`${period}&flow=web&control=SDLC-1`)).body.code).toBe("population.no_subject");
  expect((await ask("flow=web&from=10&to=0")).status).toBe(400);
  expect((await ask(`${period}&flow=none`)).status).toBe(404);
  await pipeline(service).environment("all", { type: "logical", included_environments: ["prod"] });
  expect((await ask(`${period}&environment=all`)).body.code).toBe("population.logical_environment");
  expect(verifyPackage(await download(`${period}&flow=web`), policy).status, "before everything").toBe(0);
  expect(verifyPackage(await download("from=4000000000&to=4000000001&flow=web"), policy).status).toBe(0);
});
