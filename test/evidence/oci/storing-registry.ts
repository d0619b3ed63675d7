import { createHash } from "node:crypto";
import { httpServer, json } from "../../api/local-server.ts";

/** A registry on this machine that stores pushed images and requires this login. Returns its `host:port`. */
export async function storingRegistry(login: string): Promise<string> {
  const manifests = new Map<string, { type: string; body: Buffer }>();
  const { port } = await httpServer((response, { method, path, headers, body }) => {
    const given = headers.authorization;
    if (given !== `Basic ${Buffer.from(login).toString("base64")}`) {
      json(response, 401, {}, { "www-authenticate": 'Basic realm="test"' });
    } else if (method === "POST" && path.endsWith("/blobs/uploads/")) {
      json(response, 202, {}, { location: `${path}1?state=x` });
    } else if (method === "PUT" && path.includes("/blobs/uploads/")) {
      json(response, 201, {});
    } else if (method === "PUT") {
      manifests.set(path, { type: headers["content-type"] ?? "", body });
      json(response, 201, {});
    } else {
      const stored = manifests.get(path);
      if (!stored || !headers.accept?.includes(stored.type)) return json(response, 404, {});
      const digest = createHash("sha256").update(stored.body).digest("hex");
      response.writeHead(200, { "content-type": stored.type, "docker-content-digest": `sha256:${digest}` });
      response.end(stored.body);
    }
  });
  return `127.0.0.1:${port}`;
}
