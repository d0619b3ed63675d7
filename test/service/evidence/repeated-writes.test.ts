import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { OPA } from "../../go-programs.ts";
import { type RequestToSend, send } from "../requests.ts";
import type { TestService } from "../running-service.ts";
import { succeedingRequests } from "../succeeding-requests.ts";

/*
 * An engine with several writers may undo a write and do it again. So a write must change nothing but its records.
 * One service here does every write twice, the first time rolled back, and must answer like another one.
 */

const repeated = { on: false, writes: 0 };

/** Does every write twice, the first time rolled back. */
const repeating = (store: Store): Store => ({
  ...store,
  async write(work) {
    repeated.writes++;
    const rolledBack = store.write(async (db) => {
      await work(db);
      throw new Error("undone");
    });
    await rolledBack.catch(() => undefined);
    return store.write(work);
  },
});

const DATA_FOLDER = "../../../src/service/store/sqlite/open-store.ts";
vi.doMock(DATA_FOLDER, async (load) => {
  const original = await load<typeof import("../../../src/service/store/sqlite/open-store.ts")>();
  return {
    ...original,
    openDataFolder: async (...given: Parameters<typeof original.openDataFolder>) => {
      const store = await original.openDataFolder(...given);
      return repeated.on ? repeating(store) : store;
    },
  };
});

const REMOVES = /archive|rename|delete|revoke|detach/i;
const every: readonly OperationShape[] = Object.values(operations);
const removes = ({ method, name }: OperationShape) => method !== "GET" && REMOVES.test(name);
/** Requests that create records, then those that remove them, then those that read the rest. */
const order = [
  ...every.filter((operation) => operation.method !== "GET" && !removes(operation)),
  ...every.filter(removes),
  // Packages are compressed and contain different ids. The log has random salts.
  ...every.filter(
    ({ method, name }) => method === "GET" && !/AuditPackage$|^getLog|^getPopulation/.test(name),
  ),
];

interface Asked {
  service: TestService;
  requestOf: (operation: OperationShape) => RequestToSend;
}

let once: Asked;
let twice: Asked;
beforeAll(async () => {
  // Earlier files in this worker have loaded the unmodified service.
  vi.resetModules();
  const { startTestService } = await import("../running-service.ts");
  const start = async (): Promise<Asked> => {
    const service = await startTestService({}, { opa: OPA });
    return { service, requestOf: await succeedingRequests(service) };
  };
  once = await start();
  repeated.on = true;
  twice = await start();
});
afterAll(async () => {
  expect(repeated.writes).toBeGreaterThan(80);
  await once.service.dispose();
  await twice.service.dispose();
  vi.doUnmock(DATA_FOLDER);
  vi.resetModules();
});

/** A response without its random parts. */
async function answerOf({ service, requestOf }: Asked, operation: OperationShape) {
  const { status, text } = await send(service, requestOf(operation));
  const normalized = text
    // A signed statement, with the digests of its inputs.
    .replace(/"payload":"([\w+/]+=*)"/, (_, payload: string) => {
      const statement = Buffer.from(payload, "base64").toString();
      return `"payload":${statement.replace(/("sha256"):"[0-9a-f]{64}"/g, '$1:"DIGEST"')}`;
    })
    .replace(/("(?:keyid|sig)"):"[^"]+"/g, '$1:"RANDOM"')
    .replaceAll(service.address, "ADDRESS")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{8,12}/g, "ID")
    .replace(/de[ts]_[\w-]{43}|de_[\w-]{43}\w{6}/g, "KEY")
    .replace(/wh(sec|pk)_[\w+/]+=*/g, "SECRET")
    .replace(/(ADDRESS\/share\/)[\w-]{43}/g, "$1TOKEN")
    .replace(/(ADDRESS\/api\/v2\/webhooks\/[\w-]+\/)(?:[0-9a-f]{64}|[\w-]{43})/g, "$1UID")
    .replace(/(ADDRESS\/invitations\/)[\w-]{43}/g, "$1TOKEN")
    .replace(/("last_four"):"[\w-]{4}"/g, '$1:"LAST"')
    .replace(/("secret"):"[\w-]{43}"/g, '$1:"SECRET"')
    .replace(/(sample|hook|cluster)-\d+/g, "$1")
    // The input of a policy contains random ids.
    .replace(/("input_digest"):"sha256:[0-9a-f]{64}"/g, '$1:"DIGEST"')
    // When a delivery was tried, by the clock of the machine, and when it is retried, which is partly random.
    .replace(/("(?:due_at|started_at|duration)"):[\d.]+/g, "$1:0")
    .replace(/("webhook-timestamp"):"\d+"/g, "$1:0");
  return { status, text: TIED.includes(operation.name) ? inOneOrder(normalized) : normalized };
}

/** Lists with equal times here, which are therefore sorted by random ids. */
const TIED: readonly string[] = [operations.listDeliveries.name, operations.listShareLinks.name];

function inOneOrder(text: string): string {
  const { data, ...rest }: { data: unknown[] } = JSON.parse(text);
  return JSON.stringify({ ...rest, data: data.map((each) => JSON.stringify(each)).sort() });
}

it.each(order)("$name has the same response when each write is done twice", async (operation) => {
  expect(await answerOf(twice, operation)).toEqual(await answerOf(once, operation));
});
