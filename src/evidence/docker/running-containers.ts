import type { PlainEntry } from "../../api/resources/reports.ts";
import { asObject, asText } from "../../api/untyped.ts";
import { headerOf } from "../../net/headers.ts";
import { Engine, type EngineOptions } from "./engine.ts";
import { digestOfContainer, repoDigestsOf } from "./repo-digest.ts";

export interface HostOptions extends EngineOptions {
  readonly onWarning: (message: string) => void;
}

const IMAGE_ID = /^(?:sha256:)?[0-9a-f]{64}$/;
/** Omitted containers named in a warning. */
const MAX_NAMED = 10;

/**
 * Running containers with their image's digest. Omits containers whose image is not in a registry, with a warning.
 *
 * @throws {InputError} (`type`) if no engine that this user may access is running
 * @throws {NetworkError}, {TimeoutError}, {ProtocolError} for a broken response
 */
export async function readContainers(options: HostOptions): Promise<PlainEntry[]> {
  await using engine = await Engine.open(options, { input: "type", instead: "" });
  const version = await versionOf(engine, options.env);
  const containers = await listContainers(engine, version);
  const digestsOfImages = new Map<string, readonly string[] | undefined>();
  for (const { imageId } of containers) {
    if (!digestsOfImages.has(imageId))
      digestsOfImages.set(imageId, await digestsOfImage(engine, version, imageId));
  }
  const found = containers.map((container) => {
    const listed = digestsOfImages.get(container.imageId);
    const digest = digestOfContainer(container.image, listed ?? []);
    return { container, digest, gone: listed === undefined };
  });
  const unknown = found.filter(({ digest }) => digest === undefined);
  const namesOf = (gone: boolean) =>
    unknown.flatMap((one) => (one.gone === gone ? `${one.container.name} (${one.container.image})` : []));
  const warn = (names: readonly string[], why: string) => {
    if (names.length > 0) options.onWarning(`Containers not reported, because ${why}: ${listed(names)}`);
  };
  warn(namesOf(false), "the image is not in a registry (built on this machine, never pushed or pulled)");
  warn(namesOf(true), "the engine no longer has the image");
  return found.flatMap(({ container: { image, created }, digest }) =>
    digest === undefined ? [] : { digests: { [image]: digest }, creationTimestamp: created },
  );
}

/** Path prefix of the API: a configured version, else the engine's own, else none. */
async function versionOf(engine: Engine, env: Readonly<Record<string, string>>): Promise<string> {
  const answer = await engine.get("/_ping");
  if (answer.status !== 200) engine.read(answer);
  const version = env["DOCKER_API_VERSION"]?.trim() || headerOf(answer, "api-version") || "";
  return /^\d+\.\d+$/.test(version) ? `/v${version}` : "";
}

async function listContainers(engine: Engine, version: string) {
  // Lists running containers only.
  const listed = engine.read(await engine.get(`${version}/containers/json`));
  if (!Array.isArray(listed)) throw engine.unexpected("the engine's list of containers is not a list");
  return listed.map((item: unknown) => {
    const { Id, Names, Image, ImageID, Created } = asObject(item);
    const [image, imageId] = [asText(Image), asText(ImageID)];
    if (image === "" || !IMAGE_ID.test(imageId) || !Number.isSafeInteger(Created)) {
      throw engine.unexpected("the engine's list of containers has an invalid entry");
    }
    const [name] = Array.isArray(Names) ? Names.map(asText) : [];
    return {
      name: name?.replace(/^\//, "") || asText(Id).slice(0, 12),
      /** The name it was started from, or the ID once the name belongs to another image. */
      image,
      imageId,
      created: Number(Created),
    };
  });
}

/** By ID, since the name may belong to another image by now; undefined if the image is gone. */
async function digestsOfImage(
  engine: Engine,
  version: string,
  imageId: string,
): Promise<readonly string[] | undefined> {
  const answer = await engine.get(`${version}/images/${imageId}/json`);
  return answer.status === 404 ? undefined : repoDigestsOf(asObject(engine.read(answer)));
}

function listed(names: readonly string[]): string {
  const further = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(", ") + (further > 0 ? ` and ${further} more` : "");
}
