import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { once, type RequestIdentity, requestHash } from "../../../src/service/operation/idempotency.ts";
import { createKey } from "../../../src/service/people/accounts/keys.ts";
import { createOrganization } from "../../../src/service/people/accounts/organizations.ts";
import { createServiceAccount } from "../../../src/service/people/accounts/records.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";

const TIME = 1_800_000_000;
const TEN_MINUTES = 600;
const DAY = 86_400;

let folder: string;
let store: Store;
let accountId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-once-"));
  store = await openDataFolder(folder);
  accountId = await store.write(async (db) => {
    const orgId = await createOrganization(db, "acme", TIME);
    return createServiceAccount(db, { orgId, name: "build", role: "member" }, TIME);
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

let apiKeyId = "";
let recorded: string[] = [];
const newKey = async () => {
  const key = { accountId, description: "", expiresAt: null, now: TIME };
  return (await store.write((db) => createKey(db, key))).id;
};
beforeEach(async () => {
  apiKeyId = await newKey();
  recorded = [];
});

interface Numbered {
  status: number;
  text: string;
}

interface Request extends Partial<RequestIdentity> {
  content?: string;
  subject?: string | null;
  at?: number;
  repeat?: (first: string) => Promise<string>;
}

/** Sends a request about the trail, and returns the number of the record that it creates or repeats. */
const submit = async ({
  content = "pass",
  subject = apiKeyId,
  at = TIME,
  repeat,
  ...identity
}: Request = {}) => {
  const { text } = await store.write((db) =>
    once<Numbered>(db, {
      identity: {
        apiKeyId,
        idempotencyKey: undefined,
        hash: () => requestHash([content]),
        ...identity,
      },
      now: at,
      record: async () => {
        recorded.push(content);
        return { status: 201, text: `answer ${recorded.length}` };
      },
      ...(subject !== null && { subjectOf: () => subject }),
      ...(repeat && { repeat: async (first) => ({ ...first, text: await repeat(first.text) }) }),
    }),
  );
  return text;
};

describe("an equal request", () => {
  it("is answered as the first for ten minutes, counted from the first", async () => {
    expect(await submit()).toBe("answer 1");
    expect(await submit({ at: TIME + TEN_MINUTES - 1 })).toBe("answer 1");
    expect(await submit({ at: TIME + TEN_MINUTES })).toBe("answer 2");
  });

  it.each([-1, TEN_MINUTES + 1])(
    "is answered as the first five minutes before or after it",
    async (second) => {
      await submit({ at: TIME + TEN_MINUTES / 2 });
      expect(await submit({ at: TIME + second })).toBe("answer 1");
    },
  );

  it("is a new record with another content or another API key", async () => {
    await submit();
    expect(await submit({ content: "fail" })).toBe("answer 2");
    expect(await submit({ apiKeyId: await newKey(), content: "fail" })).toBe("answer 3");
  });

  it("is a new record once something else was recorded about its subject", async () => {
    await submit();
    await submit({ content: "fail" });
    expect(await submit()).toBe("answer 3");
    expect(await submit()).toBe("answer 3");
    expect(await submit({ content: "fail" })).toBe("answer 4");
  });

  it("is still a repeat when something was recorded about another subject", async () => {
    await submit();
    await submit({ content: "fail", subject: "another" });
    expect(await submit()).toBe("answer 1");
  });

  it("without a subject is a new record each time", async () => {
    await submit({ subject: null });
    expect(await submit({ subject: null })).toBe("answer 2");
    expect(await submit()).toBe("answer 3");
    expect(await submit({ subject: null })).toBe("answer 4");
  });

  it("is answered with the current state of the record if requested", async () => {
    const repeat = async (first: string) => `${first} again`;
    expect(await submit({ repeat })).toBe("answer 1");
    expect(await submit({ repeat })).toBe("answer 1 again");
    expect(await submit({ repeat, idempotencyKey: "k" })).toBe("answer 1 again");
    expect(await submit({ repeat, idempotencyKey: "k" })).toBe("answer 1 again");
  });
});

describe("a request with an Idempotency-Key", () => {
  it("is recorded once within a day, whatever was recorded since, with a subject or without", async () => {
    for (const subject of [apiKeyId, null]) {
      recorded = [];
      const again = { idempotencyKey: `of ${subject}`, subject, content: `${subject}` };
      expect(await submit(again)).toBe("answer 1");
      await submit({ content: `fail of ${subject}` });
      expect(await submit({ ...again, at: TIME + DAY })).toBe("answer 1");
      expect(await submit({ ...again, at: TIME + DAY + 1 })).toBe("answer 3");
    }
  });

  it("is refused if the key was used with other content", async () => {
    await submit({ idempotencyKey: "k" });
    await expect(submit({ idempotencyKey: "k", content: "fail" })).rejects.toThrow(
      "Idempotency-Key was used with another request",
    );
    expect(recorded).toEqual(["pass"]);
  });

  it("is a separate record beside one with another key of either kind", async () => {
    await submit({ idempotencyKey: "k", subject: null });
    expect(await submit({ idempotencyKey: "l", subject: null })).toBe("answer 2");
    expect(await submit({ idempotencyKey: "k", subject: null, apiKeyId: await newKey() })).toBe("answer 3");
  });

  it("is not a retry of one about the same subject with another key", async () => {
    await submit({ idempotencyKey: "k" });
    expect(await submit({ idempotencyKey: "l", content: "fail" })).toBe("answer 2");
  });

  it("is not a retry of one about the same subject with another API key", async () => {
    await submit({ idempotencyKey: "k" });
    const other = { apiKeyId: await newKey(), idempotencyKey: "k", content: "fail" };
    expect(await submit(other)).toBe("answer 2");
  });

  it("keeps the answer of the record that it repeats, and does not extend its time", async () => {
    await submit();
    expect(await submit({ idempotencyKey: "k", at: TIME + 599 })).toBe("answer 1");
    expect(await submit({ at: TIME + TEN_MINUTES })).toBe("answer 2");
    expect(await submit({ idempotencyKey: "k", at: TIME + 3_600 })).toBe("answer 1");
  });
});

it("answers without a possible retry are not stored: a repeat, or a request with neither a subject nor a key", async () => {
  await submit({ subject: null });
  await submit();
  await submit();
  const stored = store.read.selectFrom("answered_requests").where("api_key_id", "=", apiKeyId);
  expect(await stored.select("answer").execute()).toEqual([{ answer: '{"status":201,"text":"answer 2"}' }]);
});

it("the hash of a request distinguishes contents, in order and in type", () => {
  const hashes = [["a", "b"], ["b", "a"], ["ab"], [1], ["1"]].map(requestHash);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(requestHash(["a", "b"])).toBe(hashes[0]);
});
