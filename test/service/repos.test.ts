import { beforeEach, describe, expect, it } from "vitest";
import { pipeline } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  return () => service.dispose();
});

const repo = (name: string, more: object = {}) => ({ name, url: `https://github.com/${name}`, ...more });
const captured = async (query = "") =>
  (await pipeline(service).repos(query)).body.repos.map((each: { name: string }) => each.name);

describe("capturing repositories", () => {
  it("from trails, artifacts and attestations", async () => {
    const { flow, trail, artifact, attest } = pipeline(service);
    await flow("web");
    await trail("web", "t1", { repo_info: repo("o/trail") });
    await artifact("web", "t1", { repo_info: repo("o/artifact") });
    await attest("web", "t1", { repo_info: repo("o/attestation") });
    expect(await captured()).toEqual(["o/artifact", "o/attestation", "o/trail"]);
  });

  it("a known id with a new name renames the repository", async () => {
    const { attest, repos } = pipeline(service);
    await attest("web", "t1", { repo_info: repo("o/old", { id: "7", description: "shop" }) });
    await attest("web", "t1", { repo_info: repo("o/new", { id: "7" }) });
    expect((await repos()).body.repos).toEqual([
      {
        id: expect.stringMatching(/^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}$/),
        name: "o/new",
        url: "https://github.com/o/new",
        provider: "github",
        repo_id: "7",
        description: "shop",
        latest_activity: new Date(service.clock.time * 1000).toISOString(),
        tags: {},
      },
    ]);
  });

  it("a repository known by its name gets its id when one is sent", async () => {
    const { attest, repos } = pipeline(service);
    await attest("web", "t1", { repo_info: repo("o/r") });
    await attest("web", "t1", { repo_info: repo("o/r", { id: "7" }) });
    await attest("web", "t2", { repo_info: repo("o/r") });
    expect((await repos()).body.repos).toMatchObject([{ name: "o/r", repo_id: "7" }]);
  });

  it("two ids under one name, and one id at two providers, are different repositories", async () => {
    const { attest } = pipeline(service);
    await attest("web", "t1", { repo_info: repo("o/r", { id: "7" }) });
    await attest("web", "t1", { repo_info: repo("o/r", { id: "8" }) });
    await attest("web", "t1", { repo_info: repo("o/r", { id: "7", provider: "gitlab" }) });
    expect(await captured()).toHaveLength(3);
  });

  it.each([
    ["https://github.com/o/r", "github"],
    ["https://gitlab.com/o/r", "gitlab"],
    ["https://bitbucket.org/o/r", "bitbucket"],
    ["https://dev.azure.com/o/p/_git/r", "azure-devops"],
    ["https://github.com.evil.example/o/r", null],
    ["https://git.example/o/r", null],
  ])("the provider of %s is %s unless it is said", async (url, provider) => {
    const { attest, repos } = pipeline(service);
    await attest("web", "t1", { repo_info: { name: "o/r", url } });
    expect((await repos()).body.repos[0].provider).toBe(provider);
  });
});

describe("listing repositories", () => {
  beforeEach(async () => {
    const { attest } = pipeline(service);
    for (const [index, name] of ["b", "a", "c", "B", "ä"].entries()) {
      await attest("web", "t1", { repo_info: repo(name, { id: `id-${index}` }) });
    }
    await attest("web", "t1", { repo_info: repo("a", { id: "id-1", provider: "gitlab" }) });
  });

  it("is sorted by name, in pages with links between them", async () => {
    const { status, body } = await pipeline(service).repos("?per_page=2&page=2&provider=github");
    const page = (number: number) => ({
      href: `${service.address}/api/v2/repos/${ORG}?provider=github&page=${number}&per_page=2`,
    });
    expect({ status, ...body, repos: body.repos.map((each: { name: string }) => each.name) }).toEqual({
      status: 200,
      _links: { self: page(2), first: page(1), last: page(3), prev: page(1), next: page(3) },
      page: 2,
      per_page: 2,
      total_pages: 3,
      total_count: 5,
      repos: ["b", "c"],
    });
  });

  it("gives 15 a page unless said otherwise, and nothing beyond the last page", async () => {
    const { body } = await pipeline(service).repos("?page=9");
    expect(body).toMatchObject({ page: 9, per_page: 15, total_pages: 1, total_count: 6, repos: [] });
  });

  it("filters by exact name, provider and id; the name is ignored beside an id", async () => {
    expect(await captured("?name=a")).toEqual(["a", "a"]);
    expect(await captured("?name=a&provider=gitlab")).toEqual(["a"]);
    expect(await captured("?name=A")).toEqual([]);
    expect(await captured("?repo_id=id-0&name=a")).toEqual(["b"]);
    expect(await captured("?repo_id=none")).toEqual([]);
  });

  it("says which parameters it cannot take", async () => {
    const { status, body } = await pipeline(service).repos("?page=0&per_page=51&provider=svn");
    expect([status, body.errors]).toEqual([
      400,
      {
        "query.page": "Input should be greater than or equal to 1 [input: 0]",
        "query.per_page": "Input should be less than or equal to 50 [input: 51]",
        "query.provider":
          "Input should be 'github', 'gitlab', 'bitbucket', 'azure-devops' or 'circleci' [input: svn]",
      },
    ]);
  });
});
