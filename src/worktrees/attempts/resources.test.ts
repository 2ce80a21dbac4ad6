import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Sandbox } from "../../../test/support/sandbox.ts";
import { buildSync } from "esbuild";
import { acquireResources, type Acquired } from "./resources.ts";

function worldOf(): { stateHome: string; acquire: (resources: { [name: string]: number }) => Acquired } {
  const { root, home } = new Sandbox();
  return { stateHome: home, acquire: (resources) => acquireResources({ stateHome: home, root, resources }) };
}

function held(acquired: Acquired): () => void {
  if (acquired.type !== "acquired") throw new Error(`${acquired.name} is busy`);
  return () => acquired.release();
}

it("a resource gives out as many units as there are, and again what was released", () => {
  const { acquire } = worldOf();
  const first = held(acquire({ db: 2 }));
  held(acquire({ db: 2 }));
  expect(acquire({ db: 2 })).toEqual({ type: "busy", name: "db" });
  first();
  first();
  held(acquire({ db: 2 }));
  expect(acquire({ db: 2 })).toEqual({ type: "busy", name: "db" });
});

it("an attempt takes all of its resources or none", () => {
  const { acquire } = worldOf();
  const port = held(acquire({ port: 1 }));
  expect(acquire({ db: 1, port: 1 })).toEqual({ type: "busy", name: "port" });
  held(acquire({ db: 1 }))();
  port();
  held(acquire({ db: 1, port: 1 }));
  expect(acquire({ db: 1 })).toEqual({ type: "busy", name: "db" });
});

it("a resource is taken over from a dead process, and from one of before the last boot", () => {
  const { stateHome, acquire } = worldOf();
  held(acquire({ db: 1 }));
  const project = join(stateHome, "resources");
  const folder = join(project, readdirSync(project)[0] ?? "", "db", "1");
  const mark = { pid: process.pid, startedAt: "long ago", boot: "another" };
  writeFileSync(join(folder, "7"), JSON.stringify(mark));
  held(acquire({ db: 1 }));
  expect(acquire({ db: 1 })).toEqual({ type: "busy", name: "db" });
  expect(readdirSync(folder)).toEqual(["8"]);
});

it.each(["..", ".", "../../escape", "", "a/b", "__proto__ "])(
  "a resource has no name like %j, which would lead elsewhere",
  (name) => {
    const { stateHome, acquire } = worldOf();
    expect(() => acquire({ [name]: 1 })).toThrow("can't name a resource");
    expect(readdirSync(stateHome)).toEqual([]);
  },
);

it("a resource is held by one of many processes at a time", async () => {
  const sandbox = new Sandbox();
  const program = join(sandbox.home, "hold.mjs");
  const log = join(sandbox.home, "log");
  const source = `
    import { appendFileSync } from "node:fs";
    import { acquireResources } from ${JSON.stringify(join(process.cwd(), "src/worktrees/attempts/resources.ts"))};
    let left = 20;
    while (left > 0) {
      const got = acquireResources({ stateHome: ${JSON.stringify(sandbox.home)}, root: "/p", resources: { db: 1 } });
      if (got.type === "busy") continue;
      appendFileSync(${JSON.stringify(log)}, "in\\n");
      appendFileSync(${JSON.stringify(log)}, "out\\n");
      got.release();
      left -= 1;
    }`;
  buildSync({
    stdin: { contents: source, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
  });
  const ended = Array.from(
    { length: 4 },
    () =>
      new Promise((done) => {
        spawn(process.execPath, [program], { stdio: "inherit" }).on("close", done);
      }),
  );
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
  expect(sandbox.read("../home/log")).toBe("in\nout\n".repeat(80));
});
