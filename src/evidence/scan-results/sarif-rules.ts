import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";

interface Component {
  readonly name: string;
  readonly guid: string;
  readonly rules: readonly Untyped[];
  readonly byId: ReadonlyMap<string, Untyped>;
  readonly messageStrings: Untyped;
}

export interface FoundRule {
  /** As the result names it; empty when it names none. */
  readonly id: string;
  /** Empty when the run does not describe it. */
  readonly rule: Untyped;
  /** The texts that the rule's component shares between its rules. */
  readonly messageStrings: Untyped;
}

/** The rules of a run: those of the tool itself and of its extensions, where CodeQL and others keep them. */
export class SarifRules {
  readonly #components: readonly Component[];

  constructor(tool: Untyped) {
    this.#components = [asObject(tool["driver"]), ...asObjects(tool["extensions"])].map(readComponent);
  }

  /** The rule of a result, by `rule`, `ruleIndex` or `ruleId`. An id that a rule has wins over an index to another. */
  find(result: Untyped): FoundRule {
    const reference = asObject(result["rule"]);
    const id = asText(result["ruleId"]) || asText(reference["id"]);
    const component = this.#component(asObject(reference["toolComponent"]));
    const index = reference["index"] ?? result["ruleIndex"];
    const rule = typeof index === "number" ? component?.rules[index] : undefined;
    if (component !== undefined && rule !== undefined && isNamed(rule, id)) {
      return { id: id || asText(rule["id"]), rule, messageStrings: component.messageStrings };
    }
    for (const name of namesOf(id)) {
      for (const { byId, messageStrings } of this.#components) {
        const named = byId.get(name);
        if (named !== undefined) return { id, rule: named, messageStrings };
      }
    }
    return { id, rule: rule ?? {}, messageStrings: component?.messageStrings ?? {} };
  }

  #component({ index, guid, name }: Untyped): Component | undefined {
    const [driver, ...extensions] = this.#components;
    if (typeof index === "number" && index >= 0) return extensions[index];
    return (
      this.#components.find((component) => component.guid !== "" && component.guid === guid) ??
      this.#components.find((component) => component.name !== "" && component.name === name) ??
      driver
    );
  }
}

function readComponent(component: Untyped): Component {
  const list: unknown = component["rules"];
  const rules = Array.isArray(list) ? list.map(asObject) : [];
  return {
    name: asText(component["name"]),
    guid: asText(component["guid"]),
    rules,
    byId: new Map(rules.map((rule) => [asText(rule["id"]), rule])),
    messageStrings: asObject(component["globalMessageStrings"]),
  };
}

function isNamed(rule: Untyped, id: string): boolean {
  return id === "" || namesOf(id).includes(asText(rule["id"]));
}

/** `CA1711/1` is a kind of `CA1711`. */
function namesOf(id: string): string[] {
  if (id === "") return [];
  const parts = id.split("/");
  return parts.map((_, dropped) => parts.slice(0, parts.length - dropped).join("/"));
}
