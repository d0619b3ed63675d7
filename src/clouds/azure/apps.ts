import { ProtocolError } from "../../api/client/errors.ts";
import type { AppEntry } from "../../api/resources/reports.ts";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import type { NameSelection } from "../../evidence/name-selection.ts";
import { imageReference } from "../manifest-digest.ts";
import type { Azure } from "./azure.ts";
import { runningImage } from "./container-log.ts";
import { RegistryDigests } from "./registry-digests.ts";

export interface AppsRequest {
  readonly selection: NameSelection;
  /** Source of the digests of container apps. */
  readonly digests: "acr" | "logs";
}

interface App {
  readonly name: string;
  readonly kind: string;
  readonly site: Untyped;
  /** Undefined for an app that serves files. */
  readonly images: readonly string[] | undefined;
}

/**
 * The running web and function apps of a resource group, sorted by name. Slots are not read.
 *
 * @throws InputError, NetworkError if the apps cannot be read
 */
export async function readApps(azure: Azure, { selection, digests }: AppsRequest): Promise<AppEntry[]> {
  const sites = await azure.list(azure.sites());
  const missing = selection.missingFrom(sites.map(({ name }) => asText(name)));
  azure.cloud.warnOfMissing("include: no app is named", missing);
  const running = sites.filter(
    ({ name, properties }) =>
      selection.includes(asText(name)) && asText(asObject(properties)["state"]).toLowerCase() === "running",
  );
  const apps = await Promise.all(running.map((site) => appOf(azure, site)));
  const registries = new RegistryDigests(azure);
  const containers = apps.map(async (app) =>
    app.images === undefined ? [] : [await containerEntry(azure, app, app.images, digests, registries)],
  );
  const entries = (await Promise.all(containers)).flat();
  // One at a time, because an archive may fill the disk.
  for (const app of apps) if (app.images === undefined) entries.push(...(await contentEntry(azure, app)));
  const unknown = entries.flatMap((entry) =>
    Object.entries(entry.digests)
      .filter(([, digest]) => digest === "")
      .map(([name]) => (name === entry.appName ? name : `${name} of ${entry.appName}`)),
  );
  azure.cloud.warnOfUnknown({ things: "images or apps", names: unknown.sort() });
  return entries.sort((a, b) => (a.appName < b.appName ? -1 : 1));
}

async function appOf(azure: Azure, site: Untyped): Promise<App> {
  const name = asText(site["name"]);
  const kind = asText(site["kind"]);
  const given = asObject(asObject(site["properties"])["siteConfig"]);
  const isIncomplete = given["linuxFxVersion"] == null && !asText(given["windowsFxVersion"]);
  const path = `/${encodeURIComponent(name)}`;
  const config = isIncomplete
    ? asObject((await azure.read(azure.sites(`${path}/config/web`)))["properties"])
    : given;
  const version = asText(config["linuxFxVersion"]) || asText(config["windowsFxVersion"]);
  const [, form = "", value = ""] = /^(\w+)\|?(.*)$/s.exec(version) ?? [];
  switch (form.toUpperCase()) {
    case "DOCKER":
      return { name, kind, site, images: [value] };
    case "SITECONTAINERS":
      return { name, kind, site, images: imagesOf(await azure.list(azure.sites(`${path}/sitecontainers`))) };
    case "COMPOSE":
      return { name, kind, site, images: await composedImages(name, value) };
    default:
      return { name, kind, site, images: undefined };
  }
}

function imagesOf(containers: readonly Untyped[]): string[] {
  return [...new Set(containers.map(({ properties }) => asText(asObject(properties)["image"])))]
    .filter(Boolean)
    .sort();
}

/** @param encoded a file of Docker Compose in base64 */
async function composedImages(app: string, encoded: string): Promise<string[]> {
  const { parse } = await import("yaml");
  try {
    const { services } = asObject(parse(Buffer.from(encoded, "base64").toString()));
    const images = asObjects(Object.values(asObject(services))).map(({ image }) => asText(image));
    return [...new Set(images)].filter(Boolean).sort();
  } catch (cause) {
    throw new ProtocolError({ what: `the Compose file of the app '${app}' is not YAML`, cause });
  }
}

/** The log tells one digest, so it is read only for an app with one image. */
async function containerEntry(
  azure: Azure,
  { name: appName, kind: appKind }: App,
  images: readonly string[],
  source: "acr" | "logs",
  registries: RegistryDigests,
): Promise<AppEntry> {
  const [image = ""] = images;
  if (source === "logs" && images.length === 1 && imageReference(image)?.digest === undefined) {
    const url = azure.sites(`/${encodeURIComponent(appName)}/containerlogs`);
    const { bytes } = await azure.ask({ url, method: "POST", role: "Website Contributor" });
    const { digest = "", readyAt = 0 } = runningImage(bytes.toString(), appName) ?? {};
    return {
      appName,
      appKind,
      digestsSource: "logs",
      digests: { [image]: digest },
      creationTimestamp: readyAt,
    };
  }
  const found = images.map(async (each) => [each, (await registries.digestOf(each)) ?? ""] as const);
  const digests = Object.fromEntries(await Promise.all(found));
  return { appName, appKind, digestsSource: "acr", digests, creationTimestamp: 0 };
}

/** None for an app that does not answer. */
async function contentEntry(azure: Azure, { name: appName, kind: appKind, site }: App): Promise<AppEntry[]> {
  const properties = asObject(site["properties"]);
  const repository = asObjects(properties["hostNameSslStates"]).find(
    ({ hostType }) => hostType === "Repository",
  );
  const host = asText(repository?.["name"]);
  const entry = { appName, appKind, digestsSource: "kosli-cli", creationTimestamp: 0 } as const;
  // The plan Flex Consumption has no deployment service that returns the files.
  const isFlex = properties["sku"] === "FlexConsumption" || properties["functionAppConfig"] != null;
  if (isFlex || !/^[a-z0-9-]+\.scm\.[a-z0-9.-]+$/i.test(host))
    return [{ ...entry, digests: { [appName]: "" } }];
  const { fingerprintContent } = await import("./zip-content.ts");
  const digest = await fingerprintContent(azure, host);
  if (digest !== undefined) return [{ ...entry, digests: { [appName]: digest } }];
  azure.cloud.options.onWarning(
    `the app '${appName}' was not reported, because it does not answer (503 of ${host})`,
  );
  return [];
}
