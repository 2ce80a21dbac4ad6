import { request as send, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { startDashboard, type Dashboard } from "../../src/programs/dashboard/server.ts";
import { createMachine, type Machine } from "../../src/storage/loops/machine.ts";
import type { BoardRow } from "../../src/views/board.ts";
import { CLI } from "./driven.ts";

/** A browser that was let in, or whoever pretends to be one. */
export interface Visitor {
  readonly headers: { readonly [name: string]: string };
}

export const STRANGER: Visitor = { headers: {} };
export const PAGE = { html: "<!doctype html><p>The page.</p>", policy: "default-src 'none'" };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The dashboard's server, over the loops of a test. */
export class Served {
  readonly dashboard: Dashboard;

  private constructor(dashboard: Dashboard) {
    this.dashboard = dashboard;
  }

  static async of(
    { env, root }: { readonly env: NodeJS.ProcessEnv; readonly root: string },
    part: { readonly readOnly?: string; readonly now?: () => number } = {},
  ): Promise<Served> {
    const machine: Machine = {
      ...createMachine(env, root),
      ...(part.now === undefined ? {} : { now: part.now }),
      // Whoever runs the tests is no agent.
      processes: { ...createMachine(env, root).processes, processesAbove: () => [] },
    };
    const dashboard = await startDashboard({
      machine,
      cli: CLI,
      page: PAGE,
      port: 0,
      readOnly: part.readOnly ?? null,
    });
    onTestFinished(async () => dashboard.close());
    return new Served(dashboard);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.dashboard.port}`;
  }

  /** As written, whatever a browser would make of the path. */
  async ask(
    path: string,
    { headers }: Visitor,
    given: { readonly [name: string]: string } = {},
    body?: unknown,
  ): Promise<Answer> {
    return new Promise((done, failed) => {
      const sent = send(
        {
          host: "127.0.0.1",
          port: this.dashboard.port,
          path,
          method: body === undefined ? "GET" : "POST",
          headers: {
            ...(body === undefined ? {} : { "Content-Type": "application/json", Origin: this.origin }),
            ...headers,
            ...given,
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
            // A stream never ends by itself.
            if (
              response.headers["content-type"]?.startsWith("text/event-stream") === true &&
              text.includes("data:")
            )
              sent.destroy();
          });
          const end = (): void =>
            done({ status: response.statusCode ?? 0, headers: response.headers, body: text });
          response.on("end", end);
          response.on("close", end);
        },
      );
      sent.on("error", failed);
      sent.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
    });
  }

  newCode(): string {
    return this.dashboard.newAddress().split("#code=")[1] ?? "";
  }

  async enter(): Promise<Visitor> {
    const answer = await this.ask("/api/login", STRANGER, {}, { code: this.newCode() });
    const [cookie = ""] = (answer.headers["set-cookie"]?.[0] ?? "").split(";");
    const { key } = JSON.parse(answer.body) as { readonly key: string };
    return { headers: { Cookie: cookie, "X-Loopwright-Key": key } };
  }

  async rows(visitor: Visitor): Promise<readonly BoardRow[]> {
    return (
      JSON.parse((await this.ask("/api/board", visitor)).body) as { readonly rows: readonly BoardRow[] }
    ).rows;
  }
}
