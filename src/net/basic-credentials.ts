/** Encodes a user and password for basic authentication. An API key is a user with an empty password. */
export function basicCredentials(user: string, password = ""): string {
  return base64(`${user}:${password}`);
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
