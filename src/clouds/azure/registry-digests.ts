import type { ImageReference } from "../../evidence/oci/reference.ts";
import { imageReference, manifestDigest } from "../manifest-digest.ts";
import { RemoteFault } from "../remote-fault.ts";
import type { Azure } from "./azure.ts";
import { tokenFrom } from "./login.ts";

/** Digests of images in Azure's container registries, each asked for once. */
export class RegistryDigests {
  readonly #azure: Azure;
  readonly #logins = new Map<string, Promise<string>>();
  readonly #digests = new Map<string, Promise<string | undefined>>();

  constructor(azure: Azure) {
    this.#azure = azure;
  }

  /**
   * The digest of an image in hex, as its tag is now. Undefined if the registry does not have it, or is not Azure's: no
   * other registry gets the token.
   */
  digestOf(image: string): Promise<string | undefined> {
    const digest = this.#digests.get(image) ?? this.#digestOf(image);
    this.#digests.set(image, digest);
    return digest;
  }

  async #digestOf(image: string): Promise<string | undefined> {
    const reference = imageReference(image);
    if (reference === undefined || reference.digest !== undefined) return reference?.digest;
    const registry = reference.registry.toLowerCase();
    const name = registry.slice(0, -this.#azure.hosts.registries.length);
    if (!registry.endsWith(this.#azure.hosts.registries) || !/^[a-z0-9-]+$/.test(name)) return undefined;
    try {
      const login = this.#logins.get(registry) ?? this.#exchange(registry);
      this.#logins.set(registry, login);
      const token = await this.#pullToken(reference, await login);
      return await manifestDigest(this.#azure.cloud, reference, `Bearer ${token}`);
    } catch (error) {
      throw error instanceof RemoteFault ? await this.#azure.explained(error, "AcrPull") : error;
    }
  }

  /** Exchanges the login for one of the registry. */
  async #exchange(registry: string): Promise<string> {
    const { text } = await this.#azure.token();
    const url = new URL(`https://${registry}/oauth2/exchange`);
    const form = async () => ({ grant_type: "access_token", service: registry, access_token: text });
    return tokenFrom(this.#azure.cloud, url, form, "refresh_token");
  }

  #pullToken({ registry, repository }: ImageReference, login: string): Promise<string> {
    const url = new URL(`https://${registry}/oauth2/token`);
    const scope = `repository:${repository}:pull`;
    const form = async () => ({
      grant_type: "refresh_token",
      service: registry,
      scope,
      refresh_token: login,
    });
    return tokenFrom(this.#azure.cloud, url, form, "access_token");
  }
}
