import { createHash, hash } from "node:crypto";
import { rangeProof } from "../../../evidence/log/merkle.ts";
import { canonicalEvent } from "../../events/digest.ts";
import { nodesOf } from "../../events/log/leaves.ts";
import { policyOf, type SignedLog } from "../../events/log/proofs.ts";
import { recordView } from "../../evidence/attestations/stored.ts";
import { latestOriginsOf } from "../../evidence/compliance/latest-reports.ts";
import { loggedEvents } from "../../evidence/packages/logged-events.ts";
import {
  type ArchiveEntry,
  type AttachedFile,
  attachmentEntry,
  gzipTar,
  jsonFile,
  manifest,
  type TextFile,
  textEntry,
} from "../../evidence/packages/package.ts";
import { statementFiles } from "../../evidence/packages/statement-files.ts";
import { filesOfTrail, type TrailContent } from "../../evidence/packages/trail-files.ts";
import { trailsOf } from "../../evidence/trails/list.ts";
import type { Organization } from "../../kernel/caller.ts";
import { csvLine } from "../../kernel/csv-text.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { sortedByCondition } from "../../store/blobs/checked-files.ts";
import type { Database } from "../../store/tables.ts";
import { chosenEnvironments } from "../deployments/chosen-environments.ts";
import { newestDeployments } from "../running/deployments.ts";
import { approvalsOf } from "../running/reviews.ts";
import { type FoundMember, type Population, SAMPLE_METHOD, type Sample } from "./members.ts";
import type { Deployed, SampledTrail } from "./population-page.ts";
import { eventsOf, type LogRange } from "./range.ts";

interface Content {
  readonly org: Organization;
  readonly population: Population;
  readonly log: SignedLog;
  readonly range: LogRange;
  readonly members: readonly FoundMember[];
  readonly sample: Sample | undefined;
  readonly madeBy: string;
}

const EVENTS_NAME = "log/range-events.jsonl";

export async function populationPackage(content: Content, context: ServiceContext) {
  const { org, population, log, range, members, sample, madeBy } = content;
  const { store, attachments, now } = context;
  const lines = () => linesOf(content, context);
  const events = await measured(lines);
  const { proof, policy, sampled } = await store.readTogether(async (db) => ({
    proof: await rangeProof(nodesOf(db, org.id), { ...range, size: log.size }),
    policy: await policyOf(db, org.id, log.origin),
    sampled: await sampledFiles(db, content, context),
  }));
  const about = {
    org: org.name,
    population: { ...population, count: members.length, made_at: now(), made_by: madeBy },
    log: { origin: log.origin, size: log.size },
  };
  const list = listOf(members);
  const { populationPage } = await import("./population-page.ts");
  const records: TextFile[] = [
    {
      name: "index.html",
      text: populationPage({
        ...about,
        ...{ members, sample, trails: sampled.trails, trailsOf: sampled.trailsOf },
        checkpoint: log.checkpoint,
        listSha256: hash("sha256", list),
      }),
    },
    { name: "list.csv", text: list },
    ...(sample
      ? [
          jsonFile("sample.json", {
            ...{ n: sample.n, seed: sample.seed, method: SAMPLE_METHOD },
            members: sample.members.map(({ id }) => ({ id, trails: sampled.trailsOf.get(id) ?? [] })),
          }),
        ]
      : []),
    { name: "log/checkpoint", text: log.checkpoint },
    { name: "log/policy.txt", text: policy },
    jsonFile("log/range.json", {
      ...{ first: range.first, end: range.end, size: log.size },
      hashes: proof.map((hash) => Buffer.from(hash).toString("base64")),
    }),
    ...sampled.files,
  ];
  const found = await sortedByCondition(sampled.attachments, attachments);
  const listed = { ...found, whole: [events, ...found.whole] };
  const entry: ArchiveEntry = {
    ...events,
    content: () => ReadableStream.from(lines()).pipeThrough(new TextEncoderStream()),
  };
  const texts = [manifest(about, listed, records), ...records];
  return gzipTar(
    [...texts.map(textEntry), entry, ...found.whole.map(attachmentEntry(attachments))],
    new Date(0),
  );
}

/** The events as canonical JSON. They are read twice, so that they need not be in memory. */
async function* linesOf({ org, range }: Content, { store, longWork }: ServiceContext) {
  const read: Parameters<typeof eventsOf>[0] = (query) =>
    longWork.do(org.id, () => store.readTogether(query));
  for await (const events of eventsOf(read, org.id, range))
    yield events.map((event) => `${canonicalEvent(event)}\n`).join("");
}

async function measured(lines: () => AsyncIterable<string>): Promise<AttachedFile> {
  const digest = createHash("sha256");
  let size = 0;
  for await (const part of lines()) {
    digest.update(part);
    size += Buffer.byteLength(part);
  }
  return { name: EVENTS_NAME, size, sha256: digest.digest("hex") };
}

/** The verifier computes the same text. */
function listOf(members: readonly FoundMember[]): string {
  const lines = members.map(({ id, name, fingerprint, at, by, index }, place) =>
    csvLine([place + 1, id, name, fingerprint, new Date(at * 1000).toISOString(), by, index]),
  );
  return [csvLine(["number", "id", "name", "fingerprint", "at", "by", "log_index"]), ...lines].join("");
}

interface SampledFiles {
  readonly files: readonly TextFile[];
  readonly attachments: readonly AttachedFile[];
  readonly trails: ReadonlyMap<string, SampledTrail>;
  /** Ids of the trails of a member. */
  readonly trailsOf: ReadonlyMap<string, readonly string[]>;
}

/** The trails of the sample; for an artifact, those of its latest report in each flow. */
async function sampledFiles(
  db: Database,
  { org, population, sample, log }: Content,
  { links }: ServiceContext,
): Promise<SampledFiles> {
  const members = sample?.members ?? [];
  const prints = members.filter((each) => each.trailId === null && each.fingerprint !== "");
  const origins = await latestOriginsOf(db, org.id, [...new Set(prints.map((each) => each.fingerprint))]);
  const trailsOfMember = ({ trailId, fingerprint }: FoundMember) =>
    trailId === null
      ? origins.flatMap((each) => (each.fingerprint === fingerprint && each.trail ? [each.trail.id] : []))
      : [trailId];
  const trailIds = new Map(members.map((member) => [member.id, trailsOfMember(member)]));
  const wanted = [...new Set([...trailIds.values()].flat())];
  const [files, attachments, details]: [TextFile[], AttachedFile[], string[]] = [[], [], []];
  const trails = new Map<string, SampledTrail>();
  const environments = new Map(
    (await chosenEnvironments(db, org, { scope: null })).map(({ id, name }) => [id, name]),
  );
  for (const row of await trailsOf(db, wanted)) {
    const found = await filesOfTrail(db, row, { org, scope: null, links });
    const inFolder = <File extends { name: string }>(file: File) => ({
      ...file,
      name: `sample/${row.id}/${file.name}`,
    });
    files.push(...found.records.map(inFolder));
    attachments.push(...found.attachments.map(inFolder));
    details.push(...found.details);
    const { content } = found;
    trails.set(row.id, {
      content,
      attestations: content.attestations.map((stored) => recordView(stored, { org: org.name, links })),
      deployments: await deploymentsOf(db, org, content.artifacts, environments),
      approvals: await approvalsOf(
        db,
        org.id,
        content.artifacts.map(({ fingerprint }) => fingerprint),
      ),
    });
  }
  const placeIds = [
    population.id,
    ...new Set([...trails.values()].map(({ content }) => content.row.flow_id)),
  ];
  const logged = await loggedEvents(db, org, { trailIds: wanted, placeIds, details, log });
  if (logged === undefined)
    throw new Conflict("population.not_signed", "The sample has new events. Repeat the request");
  // The package has these already, and against the same checkpoint.
  files.push(...logged.files.filter(({ name }) => !/^log\/(checkpoint|policy)/.test(name)));
  files.push(...(await statementFiles(db, org.id, wanted)));
  return { files, attachments, trails, trailsOf: trailIds };
}

/** Latest starts of an artifact on the printed page. */
const MAX_STARTS = 20;

async function deploymentsOf(
  db: Database,
  org: Organization,
  artifacts: TrailContent["artifacts"],
  environments: ReadonlyMap<string, string>,
) {
  const deployed = new Map<string, Deployed[]>();
  for (const { fingerprint } of artifacts) {
    const filter = { orgId: org.id, environmentIds: [...environments.keys()], fingerprint };
    const starts = await newestDeployments(db, filter, { limit: MAX_STARTS, offset: 0 });
    const shown = starts.map(({ environmentId, number: snapshot, deployedAt: at }) => ({
      ...{ environment: environments.get(environmentId) ?? "", snapshot, at },
    }));
    deployed.set(fingerprint, shown);
  }
  return deployed;
}
