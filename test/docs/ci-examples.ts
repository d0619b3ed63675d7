import { expect } from "vitest";
import { parse } from "yaml";
import { asObject, asObjects } from "../../src/api/untyped.ts";
import { VERSION } from "../../src/api/version.ts";
import type { CiName, Command, Texts } from "../integrations/ci-systems.ts";

interface Use {
  readonly command: Command;
  readonly texts: Texts;
}

const SOURCE = `https://raw.githubusercontent.com/delivery-evidence/toolkit/v${VERSION}/integrations/`;

/** The uses of our wrappers in the example of a system. */
export const USES: Readonly<Record<CiName, (example: string) => Use[]>> = {
  gitlab: (example) =>
    asObjects(asObject(parse(example))["include"]).flatMap(({ remote, inputs }) =>
      useOf(String(remote), `${SOURCE}gitlab/templates/`, "/template.yml", inputs),
    ),
  azure(example) {
    const { resources, steps } = asObject(parse(example));
    const [repository] = asObjects(asObject(resources)["repositories"]);
    expect(repository).toMatchObject({ name: "delivery-evidence/toolkit", ref: `refs/tags/v${VERSION}` });
    return asObjects(steps).flatMap(({ template, parameters }) =>
      useOf(String(template), "integrations/azure/", `.yml@${repository?.["repository"]}`, parameters),
    );
  },
  circleci(example) {
    const { orbs, jobs } = asObject(parse(example));
    expect(orbs).toEqual({ evidence: `${SOURCE}circleci/orb.yml` });
    return Object.values(asObject(jobs))
      .flatMap((job) => asObjects(asObject(job)["steps"]))
      .flatMap(Object.entries)
      .flatMap(([name, parameters]) => useOf(name, "evidence/", "", parameters));
  },
  buildkite: (example) =>
    asObjects(asObject(parse(example))["steps"])
      .flatMap(({ plugins }) => asObjects(plugins).flatMap(Object.entries))
      .filter(([name]) => name.includes("delivery-evidence"))
      .map(([name, properties]) => {
        expect(name).toBe(
          `https://github.com/delivery-evidence/toolkit/integrations/evidence-buildkite-plugin#v${VERSION}`,
        );
        return withCommand(asTexts(properties), "command");
      }),
  bitbucket: (example) =>
    asObjects(asObject(asObject(parse(example))["pipelines"])["default"])
      .map(({ step }) => asObject(step))
      .flatMap((step) => [...asObjects(step["script"]), ...asObjects(step["after-script"])])
      .map(({ pipe, variables }) => {
        expect(pipe).toBe(`docker://registry.example.com/evidence-pipe:${VERSION}`);
        return withCommand(asTexts(variables), "COMMAND");
      }),
};

function useOf(name: string, before: string, after: string, texts: unknown): Use[] {
  if (!name.startsWith(before) || !name.endsWith(after)) return [];
  return [
    { command: asCommand(name.slice(before.length, name.length - after.length)), texts: asTexts(texts) },
  ];
}

function withCommand(texts: Texts, property: string): Use {
  return { command: asCommand(texts[property]), texts };
}

function asCommand(name: string | undefined): Command {
  return (["attest", "gate", "report"] as const).find((each) => each === name) ?? expect.fail(`${name}`);
}

function asTexts(value: unknown): Texts {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, text]) => [name, String(text)]));
}
