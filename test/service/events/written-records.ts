import { searchDifferences } from "../../../src/service/evidence/search/index/differences.ts";
import { makeOrganization } from "../../../src/service/people/accounts/provisioning.ts";
import { openPostgres } from "../../../src/service/store/postgres/open-store.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { recordsOfTest } from "../../records.ts";
import { type Receiver, startReceiver } from "../delivery/attempts/receiver.ts";
import { type RequestToSend, send } from "../requests.ts";
import { startTestService, type TestService } from "../running-service.ts";
import { eventFaults } from "./event-faults.ts";
import { ENVIRONMENTS, FINGERPRINTS, FLOWS, type Made, randomWrites, TRAILS } from "./random-writes.ts";

/** The responses about an organization after a sequence of writes. Ids and digests have names in the order of appearance. */
export interface WrittenRecords {
  /** The HTTP status of each write. */
  readonly statuses: string;
  /** The ids of the created keys, in order. */
  readonly keys: readonly string[];
  readonly repos: unknown;
  /** Timelines and compliance. */
  readonly trails: unknown;
  readonly auditLog: unknown;
  readonly environments: unknown;
  readonly notifications: unknown;
  readonly compliance: unknown;
}

/**
 * Starts a service, sends one sequence of writes per seed, each to its own organization, and reads the result. All
 * sequences advance together: one write each per second of the service's clock. Events that do not have the form of
 * their type are faults, and so is a search index that differs from the records.
 */
export async function writtenRecords(
  seeds: readonly number[],
  writes: number,
): Promise<{ read: Map<number, WrittenRecords>; faults: string[] }> {
  const { database } = await recordsOfTest();
  const service = await startTestService(
    { keyRate: 0, addressRate: 0, maxRules: 0 },
    { ...(database && { database }) },
  );
  await using receiver = await startReceiver();
  try {
    const store = await (database ? openPostgres(database) : openDataFolder(service.dataFolder));
    const writers: Writer[] = [];
    for (const seed of seeds) writers.push(await newWriter(seed, { store, service, receiver }));
    for (let step = 0; step < writes; step++) {
      service.clock.time += 1;
      await Promise.all(writers.map(({ write }) => write()));
    }
    const read = new Map<number, WrittenRecords>();
    for (const [index, writer] of writers.entries()) read.set(seeds[index] ?? 0, await writer.read());
    const faults = await eventFaults(store.read);
    for await (const { recordId, problem } of searchDifferences(store))
      faults.push(`The search index of ${recordId} ${problem}`);
    await store.close();
    return { read, faults };
  } finally {
    await service.dispose();
  }
}

interface Writer {
  write(): Promise<void>;
  read(): Promise<WrittenRecords>;
}

async function newWriter(
  seed: number,
  { store, service, receiver }: { store: Store; service: TestService; receiver: Receiver },
): Promise<Writer> {
  const org = `org-${seed}`;
  const adminKey = `key-of-the-admin-of-organization-${seed}`;
  const { time } = service.clock;
  await store.write((db) =>
    makeOrganization(db, { name: org, adminKey, keyDescription: "for tests", now: time }),
  );
  const hook = `${receiver.address}/${org}`;
  const ask = (message: RequestToSend) => send(service, { key: adminKey, ...message });
  const get = async (path: string) => {
    const { status, body, text } = await ask({ path });
    return status === 200 ? (body ?? text) : status;
  };
  const made: Made = { keys: [], links: [] };
  const next = randomWrites(seed, { org, hook });
  const statuses: number[] = [];
  return {
    async write() {
      const message = next(made);
      const { status, body } = await ask(message);
      statuses.push(status);
      if (body?.key !== undefined) made.keys.push(body.id);
      if (body?.url !== undefined && body.place) made.links.push(body.id);
      if (message.path.startsWith("/artifacts/"))
        made.repo = ((await get(`/repos/${org}`)) as Found).repos[0]?.id;
    },
    read: async () =>
      normalized({ statuses: statuses.join(" "), keys: made.keys, ...(await recordsOf(org, get)) }, [
        [service.address, "SERVICE"],
        [receiver.address.slice("http://".length), "RECEIVER"],
      ]),
  };
}

type Get = (path: string) => Promise<unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Found = any;

async function recordsOf(org: string, get: Get): Promise<Omit<WrittenRecords, "statuses" | "keys">> {
  const each = async <T>(items: readonly T[], read: (item: T) => Promise<unknown>) =>
    Promise.all(items.map(read));
  /** All items of a list that is read from cursor to cursor. */
  const all = async (path: string): Promise<Found[]> => {
    const items: Found[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: Found = await get(`${path}?per_page=100${after && `&after=${after}`}`);
      if (typeof page === "number") return [page];
      items.push(...page.data);
      after = page._links?.next?.after;
    }
    return items;
  };
  const trails = FLOWS.flatMap((flow) => TRAILS.map((trail) => `${flow}/${trail}`));
  const artifacts = FLOWS.flatMap((flow) =>
    FINGERPRINTS.map((fingerprint) => `${flow}/fingerprint/${fingerprint}`),
  );
  return {
    // First, so that repositories have the names of this order wherever else they are.
    repos: await get(`/repos/${org}`),
    trails: await each(trails, async (path) => {
      const trail: Found = await get(`/trails/${org}/${path}`);
      const { events, compliance_status, repo_ids } = trail;
      return typeof trail === "number" ? trail : { events, compliance_status, repo_ids };
    }),
    auditLog: (await all(`/audit-log/${org}`)).map(({ id: _, request_id, address: __, ...entry }) => ({
      ...entry,
      by_request: request_id !== null,
    })),
    environments: await each(ENVIRONMENTS, async (name) => ({
      events: await get(`/environments/${org}/${name}/events?per_page=100`),
      log: await get(`/environments/${org}/${name}/auditlog`),
    })),
    notifications: await notificationsOf(org, { get, all }),
    compliance: {
      artifacts: await each(artifacts, async (path) => {
        const artifact: Found = await get(`/artifacts/${org}/${path}`);
        const { state, state_info, running, exited, history } = artifact;
        return typeof artifact === "number" ? artifact : { state, state_info, running, exited, history };
      }),
      asserts: await each(FINGERPRINTS, (fingerprint) => get(`/asserts/${org}/fingerprint/${fingerprint}`)),
      environments: await each(ENVIRONMENTS, (name) => get(`/environments/${org}/${name}`)),
      snapshots: await each(ENVIRONMENTS, (name) => get(`/snapshots/${org}/${name}?per_page=100`)),
      flows: await get(`/flows/${org}`),
      policies: await get(`/policies/${org}`),
      decisions: await get(`/controls/${org}/C-1/decisions`),
    },
  };
}

/** Deliveries by rule, and the bodies of their events as a webhook gets them. */
async function notificationsOf(
  org: string,
  { get, all }: { get: Get; all: (path: string) => Promise<Found[]> },
): Promise<unknown> {
  const events = new Map<string, Found>();
  const rules: unknown[][] = [];
  for (const { number } of (await get(`/actions/${org}`)) as Found) {
    const path = `/actions/${org}/${number}/deliveries`;
    const deliveries = await all(path);
    await Promise.all(
      deliveries.map(async ({ id, event_id }) => {
        if (events.has(event_id)) return;
        events.set(event_id, undefined);
        events.set(event_id, JSON.parse(((await get(`${path}/${id}`)) as Found).body));
      }),
    );
    rules.push(
      deliveries
        .map(({ event_id, trigger, type, target, created_at }) => [
          ...[events.get(event_id).sequence, trigger, type, created_at, target.kind, target.number],
        ])
        .sort(([one, , , , , first], [other, , , , , second]) => one - other || first - second),
    );
  }
  return { rules, events: [...events.values()].sort((one, other) => one.sequence - other.sequence) };
}

/** Replaces ids that the service chose, and digests, by names in the order of appearance. */
function normalized(records: WrittenRecords, texts: readonly (readonly [string, string])[]): WrittenRecords {
  let json = JSON.stringify(records);
  for (const [text, name] of texts) json = json.replaceAll(text, name);
  const names = new Map<string, string>();
  const chosen =
    /\b(?:[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{8}(?:[a-f0-9]{4})?|(?!(.)\1{63})[a-f0-9]{64})\b/g;
  json = json.replaceAll(chosen, (text) => {
    const name = names.get(text) ?? `#${names.size}`;
    names.set(text, name);
    return name;
  });
  // Changes of several records at once are in the order of their ids.
  return JSON.parse(json, (key, value: Found) => {
    if (key === "auditLog") return value.sort(byTimeAndId);
    return Array.isArray(value) && value.every((item) => /^#\d+$/.test(item)) ? value.sort() : value;
  }) as WrittenRecords;
}

function byTimeAndId(one: Found, other: Found): number {
  if (one.created_at !== other.created_at || one.act !== other.act) return 0;
  return one.resource.id < other.resource.id ? -1 : 1;
}
