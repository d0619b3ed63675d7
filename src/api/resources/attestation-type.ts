/**
 * Whether a type of attestation is the one that is asked for: `*` asks for any, and types that the service defines
 * are asked for by their short name, so that `system:decision` is a `decision`.
 */
export function isOfType(type: string, asked: string): boolean {
  return asked === "*" || type === asked || type === `system:${asked}`;
}
