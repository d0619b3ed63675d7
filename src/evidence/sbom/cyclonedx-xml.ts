import { ReportFault } from "../report-fault.ts";
import { readXml, type XmlAttributes, type XmlHandler } from "../xml.ts";
import type { Named, Sbom } from "./sbom.ts";

const NAMESPACE = /^https?:\/\/cyclonedx\.org\/schema\/bom\/(\d{1,3}\.\d{1,3})$/;
const COMPONENT = /^bom(?:\/components\/component)+$/;
const TOOL = /^bom\/metadata\/tools\/(?:tool|components\/component|services\/service)$/;
const SUBJECT = "bom/metadata/component";
const MAX_NAME_CHARACTERS = 50;
/** No name or version is longer. */
const MAX_TEXT_CHARACTERS = 1000;

/** @throws ReportFault when the XML is not well-formed, or not CycloneDX. */
export async function describeCycloneDxXml(bytes: Uint8Array): Promise<Sbom | undefined> {
  const reader = new BomReader();
  await readXml([bytes], reader);
  return reader.bom();
}

type MutableNamed = { -readonly [Field in keyof Named]: Named[Field] };

class BomReader implements XmlHandler {
  /** Paths of the open elements. */
  readonly #paths: string[] = [];
  readonly #tools: MutableNamed[] = [];
  readonly #subject: MutableNamed = { name: "", version: "" };
  #specVersion: string | undefined;
  #id = "";
  #components = 0;

  open(name: string, attributes: XmlAttributes): void {
    const around = this.#paths.at(-1);
    // Longer names do not matter here.
    const path = around === undefined ? name : `${around}/${name.slice(0, MAX_NAME_CHARACTERS)}`;
    if (around === undefined) {
      if (name !== "bom") throw new ReportFault("is not CycloneDX");
      const namespaces = [...attributes.values()].map((value) => NAMESPACE.exec(value)?.[1]);
      this.#specVersion = namespaces.find((version) => version !== undefined);
      this.#id = attributes.get("serialNumber") ?? "";
    }
    if (COMPONENT.test(path)) this.#components += 1;
    if (TOOL.test(path)) this.#tools.push({ name: "", version: "" });
    this.#paths.push(path);
  }

  text(part: string): void {
    const path = this.#paths.at(-1) ?? "";
    const field = /\/(name|version)$/.exec(path)?.[1];
    const named = this.#namedAt(path.slice(0, path.lastIndexOf("/")));
    if (field !== "name" && field !== "version") return;
    if (named !== undefined) named[field] = `${named[field]}${part}`.slice(0, MAX_TEXT_CHARACTERS);
  }

  close(): void {
    this.#paths.pop();
  }

  bom(): Sbom | undefined {
    if (this.#specVersion === undefined) return undefined;
    return {
      format: "CycloneDX",
      serialization: "XML",
      specVersion: this.#specVersion,
      tools: this.#tools,
      components: this.#components,
      subject: this.#subject,
      id: this.#id,
    };
  }

  #namedAt(path: string): MutableNamed | undefined {
    if (path === SUBJECT) return this.#subject;
    return TOOL.test(path) ? this.#tools.at(-1) : undefined;
  }
}
