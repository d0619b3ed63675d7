import { createHash } from "node:crypto";
import { call } from "../../api/client/call.ts";
import type { Connection } from "../../api/client/connection.ts";
import { type Control, createControl, listControls, updateControl } from "../../api/resources/controls.ts";
import { updateTags } from "../../api/resources/tags.ts";
import { type ControlPack, controlPacks, type PackedControl } from "../../service/evidence/controls/packs.ts";
import { openConnection } from "../connection-options.ts";
import { type Given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";

type Commands = typeof OPERATOR_COMMANDS;

/** Maximum number of controls in a response. */
const PER_PAGE = 100;
/** The tag with the digest of the text that was imported. A control with another text was changed by a person. */
const TEXT_TAG = "framework-text";
const FRAMEWORK_TAG = "framework";

export function listPacks(_given: Given<Commands["controls packs"]>, terminal: Terminal): number {
  for (const { name, version, title, controls } of controlPacks())
    terminal.print(`${name}@${version}  ${title}, ${controls.length} controls`);
  return 0;
}

/** Creates and updates the controls of a pack. */
export async function importPack(
  { values, positionals }: Given<Commands["controls import"]>,
  terminal: Terminal,
): Promise<number> {
  const pack = packNamed(positionals[0] ?? "");
  const isDryRun = values["dry-run"] ?? false;
  await using connection = await openConnection(values, terminal);
  const existing = await existingControls(connection);
  const counts = { created: 0, updated: 0, unchanged: 0, kept: 0 };
  for (const control of pack.controls) {
    const before = existing.get(control.identifier);
    const change = changeOf(control, before);
    if (!isDryRun && (change.kind === "created" || change.kind === "updated"))
      await apply(control, { connection, pack, existing: before });
    counts[change.kind] += 1;
    terminal.print(`${control.identifier}  ${change.text}`);
  }
  const { created, updated, unchanged, kept } = counts;
  terminal.print(
    `${pack.name}@${pack.version}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${kept} kept` +
      (isDryRun ? ". Nothing was changed, because of --dry-run" : ""),
  );
  return 0;
}

/** @throws {UsageError} with all packs */
function packNamed(text: string): ControlPack {
  const packs = controlPacks();
  const found = packs.find(({ name, version }) => text === name || text === `${name}@${version}`);
  if (found) return found;
  const names = packs.map(({ name, version }) => `${name}@${version}`).join(", ");
  throw new UsageError(`PACK must be one of ${names}, got '${text}'`);
}

interface ExistingControl extends Control {
  readonly isArchived: boolean;
}

async function existingControls(connection: Connection): Promise<Map<string, ExistingControl>> {
  const found = new Map<string, ExistingControl>();
  for (const isArchived of [false, true]) {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await call(connection, listControls, {
        archived: isArchived,
        page,
        perPage: PER_PAGE,
      });
      pages = body.totalPages;
      for (const control of body.controls) found.set(control.identifier, { ...control, isArchived });
    }
  }
  return found;
}

interface Change {
  readonly kind: "created" | "updated" | "unchanged" | "kept";
  readonly text: string;
}

function changeOf(wanted: PackedControl, existing: ExistingControl | undefined): Change {
  if (existing === undefined) return { kind: "created", text: `created: ${wanted.name}` };
  if (existing.isArchived) return { kind: "kept", text: "kept: it is archived" };
  const imported = existing.tags?.[TEXT_TAG];
  const [before, after] = [textDigest(existing), textDigest(wanted)];
  if (before === after)
    return imported === after
      ? { kind: "unchanged", text: "unchanged" }
      : { kind: "updated", text: "updated: tags" };
  if (imported === before) return { kind: "updated", text: `updated: ${wanted.name}` };
  return { kind: "kept", text: "kept: a person wrote or changed it" };
}

interface Target {
  readonly connection: Connection;
  readonly pack: ControlPack;
  readonly existing: ExistingControl | undefined;
}

async function apply(wanted: PackedControl, { connection, pack, existing }: Target): Promise<void> {
  const { identifier, name, description, links } = wanted;
  const text = { name, description, links };
  if (existing === undefined) await call(connection, createControl, { body: { identifier, ...text } });
  else if (textDigest(existing) !== textDigest(wanted))
    await call(connection, updateControl, { identifier, body: text });
  // The tags come last, so that a repeated command completes an interrupted one.
  const setTags = {
    ...(existing?.tags?.[FRAMEWORK_TAG] === undefined && { [FRAMEWORK_TAG]: pack.name }),
    [TEXT_TAG]: textDigest(wanted),
  };
  await call(connection, updateTags, {
    resourceType: "control",
    resourceId: identifier,
    body: { setTags },
  });
}

/** Digest of what an import sets. */
export function textDigest({
  name,
  description,
  links,
}: Pick<Control, "name" | "description" | "links">): string {
  const sorted = Object.entries(links ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([name, description ?? "", sorted]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
