/** A user and password as basic authorization sends them; an API key is the user of an empty password. */
export function basicCredentials(user: string, password = ""): string {
  return base64(`${user}:${password}`);
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
