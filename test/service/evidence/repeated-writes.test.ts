import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { type RequestToSend, send } from "../requests.ts";
import type { TestService } from "../running-service.ts";
import { succeedingRequests } from "../succeeding-requests.ts";

/*
 * An engine with several writers may undo a write and do it again. So what is done in a write must be done to its
 * records alone. One service here does every write twice, the first time in vain, and answers like another one.
 */

const repeated = { on: false, writes: 0 };

/** Does every write twice, the first time in vain. */
const repeating = (store: Store): Store => ({
  ...store,
  async write(work) {
    repeated.writes++;
    const inVain = store.write(async (db) => {
      await work(db);
      throw new Error("undone");
    });
    await inVain.catch(() => undefined);
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
/** What makes records, then what takes them away, then what reads the rest. */
const order = [
  ...every.filter((operation) => operation.method !== "GET" && !removes(operation)),
  ...every.filter(removes),
  // Packages are of ids that differ, and packed.
  ...every.filter(({ method, name }) => method === "GET" && !name.endsWith("AuditPackage")),
];

interface Asked {
  service: TestService;
  requestOf: (operation: OperationShape) => RequestToSend;
}

let once: Asked;
let twice: Asked;
beforeAll(async () => {
  // Files that came before in this worker have loaded the service as it is.
  vi.resetModules();
  const { startTestService } = await import("../running-service.ts");
  const start = async (): Promise<Asked> => {
    const service = await startTestService();
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

/** An answer without what is random in it. */
async function answerOf({ service, requestOf }: Asked, operation: OperationShape) {
  const { status, text } = await send(service, requestOf(operation));
  const alike = text
    .replaceAll(service.address, "ADDRESS")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{8,12}/g, "ID")
    .replace(/det_[\w-]{43}|de_[\w-]{43}\w{6}/g, "KEY")
    .replace(/wh(sec|pk)_[\w+/]+=*/g, "SECRET")
    .replace(/(ADDRESS\/share\/)[\w-]{43}/g, "$1TOKEN")
    .replace(/sample-\d+/g, "sample")
    // When a delivery was tried, by the clock of the machine, and is tried again, with some chance in it.
    .replace(/("(?:due_at|started_at|duration)"):[\d.]+/g, "$1:0")
    .replace(/("webhook-timestamp"):"\d+"/g, "$1:0");
  return { status, text: TIED.includes(operation.name) ? inOneOrder(alike) : alike };
}

/** Lists of what has one time here, and so goes by its random ids. */
const TIED: readonly string[] = [operations.listDeliveries.name, operations.listShareLinks.name];

function inOneOrder(text: string): string {
  const { data, ...rest }: { data: unknown[] } = JSON.parse(text);
  return JSON.stringify({ ...rest, data: data.map((each) => JSON.stringify(each)).sort() });
}

it.each(order)("$name is answered alike when each write is done twice", async (operation) => {
  expect(await answerOf(twice, operation)).toEqual(await answerOf(once, operation));
});
