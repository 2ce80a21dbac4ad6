import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { hostname } from "node:os";
import * as v from "valibot";
import { UserError } from "../../core/user-error.ts";
import { installedAgents } from "../../engine/run/agent-choice.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { Access, cookieIn, cookieName, refusalOf } from "./access.ts";
import { answer, answerJson, readJson } from "./answers.ts";
import { Board } from "./board.ts";
import { Details } from "./detail.ts";
import { LoopRoutes } from "./loop-routes.ts";
import type { PageFile } from "./page-file.ts";
import { isAgentAt } from "./peer.ts";
import { Newsroom, Stream } from "./stream.ts";

export interface DashboardOptions {
  readonly machine: Machine;
  readonly cli: string;
  readonly page: PageFile;
  readonly port: number;
  /** Why nothing can be pressed; null: it can. */
  readonly readOnly: string | null;
}

/** What the page knows of its server. */
export interface ServerFacts {
  readonly host: string;
  readonly readOnly: string | null;
  readonly now: string;
  readonly epoch: string;
  /** Not all loops have been read yet. */
  readonly isReading: boolean;
  /** Installed here, so that a run can be started with one of them. */
  readonly agents: readonly string[];
}

export interface Dashboard {
  readonly port: number;
  /** An address that lets one browser in, once, within a minute. */
  readonly newAddress: () => string;
  readonly close: () => Promise<void>;
}

const loginSchema = v.object({ code: v.pipe(v.string(), v.maxLength(200)) });

/** Serves the page and its data on this machine alone. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { machine } = options;
  const access = new Access(machine.now);
  const newsroom = new Newsroom();
  const board = new Board(machine, newsroom);
  const loops = new LoopRoutes(options, new Details(machine));
  const agents = installedAgents(machine.env);
  let port = options.port;

  const facts = (): ServerFacts => ({
    host: hostname(),
    readOnly: options.readOnly,
    now: new Date(machine.now()).toISOString(),
    epoch: newsroom.epoch,
    isReading: board.isReading,
    agents,
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, port);
    if (refusal !== null) return answerJson(response, refusal.status, { error: refusal.why });
    const url = new URL(request.url ?? "/", `http://127.0.0.1:${port}`);
    if (!url.pathname.startsWith("/api/")) return servePage(response, options.page, url.pathname);
    const isPost = request.method === "POST";
    if (isPost && isAgentAt(machine, request.socket))
      return answerJson(response, 403, { error: "An agent can't press buttons here; ask the user." });
    if (url.pathname === "/api/login")
      return isPost
        ? login(access, port, request, response)
        : answerJson(response, 405, { error: "POST only." });
    const own = request.headers["x-loopwright-key"];
    if (!access.admits(cookieIn(request.headers, port), typeof own === "string" ? own : null))
      return answerJson(response, 401, { error: "Open the page with a new link: loop dashboard" });
    if (!isPost && url.pathname === "/api/events") return streamBoard(url, response);
    if (!isPost && url.pathname === "/api/board") {
      await board.look();
      return answerJson(response, 200, { ...facts(), rows: board.rows() });
    }
    const [, key = ""] = LOOP.exec(url.pathname) ?? [];
    const place = await board.placeOf(key);
    if (place === null) return answerJson(response, 404, { error: "There is no such loop." });
    await loops.answer(request, response, url, place);
    if (isPost) await board.lookAt(place);
  };

  const streamBoard = (url: URL, response: ServerResponse): void => {
    if (newsroom.isFull)
      return answerJson(response, 503, { error: "Too many pages are open; close one and load this again." });
    const stop = board.watch();
    const stream = new Stream(response, () => {
      newsroom.leave(stream);
      stop();
    });
    newsroom.admit(stream, url.searchParams.get("from"), {
      rows: () => board.rows(),
      everything: () => JSON.stringify({ ...facts(), rows: board.rows() }),
    });
    void board.look();
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const text = error instanceof UserError ? error.message : "Something went wrong in the server.";
      answerJson(response, error instanceof UserError ? 422 : 500, { error: oneLine(text, 500) });
    });
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 150_000;
  port = await listening(server, options.port);
  // Most loops are known by the time a browser has started.
  void board.look();
  return {
    port,
    newAddress: () => `http://127.0.0.1:${port}/#code=${access.newCode()}`,
    close: async () => {
      board.close();
      newsroom.close();
      loops.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Pages that are still open would come back at once.
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new UserError(`Port ${port} is taken; leave --port out for a free one.`)
          : error,
      ),
    );
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** `/api/loops/PROJECT/ID/…` */
const LOOP = /^\/api\/loops\/([\w.-]+\/[\w.-]+)(?:\/|$)/;

const PAGES = /^\/(?:$|l\/[\w.-]+\/[\w.-]+(?:\/(?:review|log|turn\/[\w.-]+))?\/?$)/;

function servePage(response: ServerResponse, { html, policy }: PageFile, path: string): void {
  if (!PAGES.test(path)) return answerJson(response, 404, { error: "There is no such page." });
  answer(response, 200, "text/html; charset=utf-8", html, { "Content-Security-Policy": policy });
}

async function login(
  access: Access,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parsed = v.safeParse(loginSchema, await readJson(request));
  const session = parsed.success ? access.redeem(parsed.output.code) : null;
  if (session === "busy") return answerJson(response, 429, { error: "Too many wrong codes; wait a minute." });
  if (session === null)
    return answerJson(response, 403, { error: "This link was used already, or is too old." });
  response.setHeader(
    "Set-Cookie",
    `${cookieName(port)}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/api/`,
  );
  return answerJson(response, 200, { key: session.key });
}
