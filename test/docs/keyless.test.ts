import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { runHere } from "../cli/terminal.ts";
import { type CiIssuer, type CiName, ciIssuer } from "../identity/ci-tokens.ts";
import { CI_SYSTEMS, COMMITS } from "../integrations/ci-systems.ts";
import { send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { blocksOf, pages } from "./pages.ts";

const page = pages.find(({ path }) => path === "docs/keyless.md") ?? expect.fail("there is no such page");
/** The words of a command of the page, without `npx delivery-evidence`. */
const words = (wanted: string) =>
  blocksOf(page)
    .flatMap(({ text }) => text.split("\n"))
    .find((line) => line.includes(wanted))
    ?.trim()
    .split(" ")
    .slice(2) ?? expect.fail(`no command with ${wanted}`);

test("the command of docs/keyless.md is all that an admin runs", async () => {
  const issuers = [{ url: "https://token.actions.githubusercontent.com" }];
  const service = await startTestService({}, { issuers });
  onTestFinished(() => service.dispose());
  const env = { EVIDENCE_API_KEY: service.keys.admin, EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
  expect((await runHere(words("trust github"), { env })).status).toBe(0);
  const { body } = await send(service, { path: `/trust-policies/${ORG}`, key: service.keys.auditor });
  expect(body).toMatchObject([
    {
      name: "acme-web",
      role: "member",
      flows: ["web"],
      environments: ["production"],
      repository: "acme/web",
    },
  ]);
});

describe("the example for", () => {
  let service: TestService;
  let folder: string;
  let signer: CiIssuer;
  beforeAll(async () => {
    service = await startTestService();
    signer = ciIssuer(() => service.clock.time);
    folder = await mkdtemp(join(tmpdir(), "keyless-"));
    await writeFile(join(folder, "jwks.json"), JSON.stringify(signer.jwks));
  });
  afterAll(async () => {
    await service.dispose();
    await rm(folder, { recursive: true });
  });

  /** A text of the page, for this service. */
  const here = (text: string) => text.replaceAll("https://evidence.example.com", service.address);

  /** A program of a system that prints a token. */
  const program = async (name: string, token: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\necho '${token}'\n`, { mode: 0o755 });
    return {};
  };

  interface Example {
    /** Claims of the project that the page names. */
    readonly claims: object;
    /** Text that only the job of the system has. */
    readonly of: string;
    /** Variables with the token, or with what requests it. */
    readonly variables: (token: string, block: string) => Promise<Record<string, string>>;
  }
  const only = (variable: string, setting: string) => async (token: string, block: string) => {
    expect(block).toContain(setting);
    return { [variable]: token };
  };

  test.each<[CiName, Example]>([
    [
      "gitlab",
      {
        claims: { iss: "https://gitlab.com", project_path: "acme/web" },
        of: "id_tokens:",
        variables: only("EVIDENCE_ID_TOKEN", "EVIDENCE_ID_TOKEN:"),
      },
    ],
    [
      "azure",
      {
        claims: { sub: "p://acme/web/build" },
        of: "SYSTEM_ACCESSTOKEN:",
        async variables(token) {
          const endpoint = await httpServer((response) => json(response, 200, { oidcToken: token }));
          return { SYSTEM_OIDCREQUESTURI: endpoint.url, SYSTEM_ACCESSTOKEN: "access-token" };
        },
      },
    ],
    [
      "circleci",
      {
        claims: {},
        of: "docker:",
        variables: async (token) => ({ CIRCLECI: "true", ...(await program("circleci", token)) }),
      },
    ],
    [
      "buildkite",
      {
        claims: { organization_slug: "acme", pipeline_slug: "web" },
        of: "- command:",
        async variables(token) {
          await program("buildkite-agent", token);
          return { BUILDKITE_AGENT_ACCESS_TOKEN: "t" };
        },
      },
    ],
    [
      "bitbucket",
      {
        claims: {},
        of: "oidc:",
        variables: only("BITBUCKET_STEP_OIDC_TOKEN", "audiences:"),
      },
    ],
  ])("%s is all that it takes: its command records with the page's settings", async (name, example) => {
    const admin = { EVIDENCE_API_KEY: service.keys.admin };
    const jwks = ["--name", name, "--jwks", join(folder, "jwks.json")];
    const to = { EVIDENCE_ORG: ORG, EVIDENCE_BASE_URL: service.address };
    const trusted = await runHere([...words(`trust ${name}`), ...jwks], { env: { ...to, ...admin } });
    expect(trusted).toMatchObject({ status: 0, stderr: "" });
    const block = here(blocksOf(page).find(({ text }) => text.includes(example.of))?.text ?? "");
    const [, aud = `${service.address}/${ORG}`] = /(?:aud:|audiences:\s+-) (\S+)/.exec(block) ?? [];
    const settings = ["EVIDENCE_BASE_URL", "EVIDENCE_ORG"].map((variable) => [
      variable,
      new RegExp(`${variable}(?:: |=)(\\S+)`).exec(block)?.[1] ?? "",
    ]);
    const token = signer.token(name, { ...(name !== "azure" && { aud }), ...example.claims });
    const variables = await example.variables(token, block);
    const [, line = ""] = /npx --yes @delivery-evidence\/client@\S+ (.+)/.exec(block) ?? [];
    const PATH = `${folder}:${process.env["PATH"] ?? ""}`;
    const job = CI_SYSTEMS[name].variables;
    const env = { ...job, ...Object.fromEntries(settings), PATH, HOME: folder, ...variables };
    const { status, stderr } = await runHere(line.split(" "), { env });
    expect(status, stderr).toBe(0);
    const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/${COMMITS[name]}/lint` });
    expect(body).toMatchObject([
      { reported_by: expect.stringMatching(`^${name}:`), origin: { policy: name } },
    ]);
  });
});

test("a key can be equally limited", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  const env = { EVIDENCE_ORG: ORG };
  const command = words("keys create").map((word) => (word === "./evidence" ? service.dataFolder : word));
  const { status, stdout, stderr } = await runHere(command, { env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^de_/);
  const listed = await runHere(["keys", "list", "--data", service.dataFolder], { env });
  expect(listed.stdout).toContain("flows:web");
});
