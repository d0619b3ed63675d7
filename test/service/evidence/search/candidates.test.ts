import { afterAll, beforeAll, expect, it } from "vitest";
import { findDocuments } from "../../../../src/service/evidence/search/candidates.ts";
import { indexWords } from "../../../../src/service/evidence/search/index/words.ts";
import { planOf } from "../../query-plan.ts";
import { pipeline } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).artifact("web", "v1");
});
afterAll(() => service.dispose());

it.each([undefined, "COMPLIANT" as const])(
  "reads the found documents by their numbers, not all of the organization: state %s",
  async (state) => {
    const plan = await planOf(service.dataFolder, async (db) => {
      const { id } = await db
        .selectFrom("organizations")
        .select("id")
        .where("name", "=", ORG)
        .executeTakeFirstOrThrow();
      const words = [[{ word: indexWords(id).text("WEB"), isStart: true }]];
      const { documents } = await findDocuments(db, id, { words, state });
      expect(documents).toHaveLength(1);
      expect(await findDocuments(db, "another", { words })).toEqual({ documents: [], more: false });
    });
    expect(plan).toContain("SEARCH document USING INTEGER PRIMARY KEY (rowid=?)");
    expect(plan.filter((step) => step.includes("search_documents_age"))).toEqual([]);
  },
);
