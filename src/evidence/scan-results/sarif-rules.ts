import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";

interface Component {
  readonly name: string;
  readonly guid: string;
  readonly rules: readonly Untyped[];
  readonly byId: ReadonlyMap<string, Untyped>;
  readonly messageStrings: Untyped;
}

export interface FoundRule {
  /** The result's id of the rule; may be empty. */
  readonly id: string;
  /** Empty if the run does not describe it. */
  readonly rule: Untyped;
  /** Texts shared by the rules of a component. */
  readonly messageStrings: Untyped;
}

/** A run's rules, from the tool and from its extensions, where CodeQL and others keep them. */
export class SarifRules {
  readonly #components: readonly Component[];

  constructor(tool: Untyped) {
    this.#components = [asObject(tool["driver"]), ...asObjects(tool["extensions"])].map(readComponent);
  }

  /** Looks up `rule`, `ruleIndex` or `ruleId`. A known id wins over an index to another rule. */
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

const MAX_MESSAGE_CHARACTERS = 1000;
const LINK = /\[([^\][\\]{0,500})\]\((?:\d{1,9}|https?:\/\/[^\s()]{1,2000})\)/g;

/** A result's own text, else its rule's shared text, else the rule's description. */
export function messageOf(result: Untyped, { id, rule, messageStrings }: FoundRule): string {
  const message = asObject(result["message"]);
  const key = asText(message["id"]);
  const shared = asObject(asObject(rule["messageStrings"])[key] ?? messageStrings[key]);
  const written =
    asText(message["text"]) ||
    asText(message["markdown"]) ||
    asText(shared["text"]) ||
    asText(shared["markdown"]);
  const text = withArguments(written, message["arguments"]) || aboutRule(rule) || id || "has no message";
  return text.replace(LINK, "$1").trim().slice(0, MAX_MESSAGE_CHARACTERS);
}

/** `{0}` is the first argument, `{{` a brace; without arguments a text is literal. */
function withArguments(text: string, values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) return text;
  return text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found, index?: string) => {
    if (index === undefined) return found.charAt(0);
    const value: unknown = values[Number(index)];
    return typeof value === "string" ? value : found;
  });
}

function aboutRule(rule: Untyped): string {
  return (
    asText(asObject(rule["shortDescription"])["text"]) || asText(asObject(rule["fullDescription"])["text"])
  );
}
