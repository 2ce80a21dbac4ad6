import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

/** A package as `npm pack` made it. */
export interface Tarball {
  readonly version: string;
  readonly path: string;
  readonly manifest: object;
}

/** A registry on this machine with one package in it, so that npm can be typed as users type it. The newest is `latest`. */
export class Registry {
  private readonly name: string;
  private readonly server: Server;
  private readonly published: Tarball[] = [];
  /** What npm asked for that is not here. */
  readonly missing: string[] = [];

  private constructor(name: string, server: Server) {
    this.name = name;
    this.server = server;
    server.on("request", (request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname);
      const tarball = this.published.find((each) => path === `/${basename(each.path)}`);
      if (tarball !== undefined) return response.end(readFileSync(tarball.path));
      if (path === `/${this.name}`) {
        response.setHeader("content-type", "application/json");
        return response.end(JSON.stringify(this.packument()));
      }
      this.missing.push(path);
      return response.writeHead(404).end("{}");
    });
  }

  static async start(name: string): Promise<Registry> {
    const server = createServer();
    const registry = new Registry(name, server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return registry;
  }

  publish(tarball: Tarball): void {
    this.published.push(tarball);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private packument(): object {
    const versions = this.published.map(({ version, path, manifest }) => {
      const integrity = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
      return [
        version,
        { ...manifest, dist: { tarball: `${this.url}${basename(path)}`, integrity } },
      ] as const;
    });
    return {
      name: this.name,
      "dist-tags": { latest: versions.at(-1)?.[0] },
      versions: Object.fromEntries(versions),
    };
  }
}
