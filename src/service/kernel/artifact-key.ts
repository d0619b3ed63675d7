/** An artifact as something runs it, or would. */
export interface NamedArtifact {
  name: string;
  /** Empty when it is not known what runs. */
  fingerprint: string;
}

/** Tells an artifact from others that run. */
export function artifactKey({ name, fingerprint }: NamedArtifact): string {
  return `${name}\u0000${fingerprint}`;
}
