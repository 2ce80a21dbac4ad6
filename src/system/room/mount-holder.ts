import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { findOnPath } from "../files/find-on-path.ts";
import { isWithin } from "../files/folders.ts";
import { endWithUs, startCommand } from "../process/start-command.ts";
import { namespaceComplaint } from "./namespace-complaint.ts";
import { procFile } from "../process/process-facts.ts";
import { RoomError } from "./scratch.ts";
import type { CommandOptions } from "../process/run-command.ts";

export interface Namespaces {
  /** Without permission to mount, we need a user namespace that grants it. */
  readonly user: boolean;
  /** When the first process of such a namespace ends, the kernel ends all others. */
  readonly pid: boolean;
  /** Its own loopback, and nothing else: what listens outside cannot be reached. */
  readonly net?: boolean;
}

/** The process that keeps a room's mounts. It ends, and they with it, when we close its input or are killed. */
interface Holder {
  readonly pid: number;
  /** Asks instead of looking: a process that just ended still looks alive for a moment. */
  isAlive(): Promise<boolean>;
  end(): Promise<void>;
}

interface HolderOptions {
  readonly namespaces: Namespaces;
  /** To be covered, outer ones first. */
  readonly folders: readonly string[];
  /** Has, for the first folder, `0/lower`, `0/upper` and `0/work`, and so on. */
  readonly scratch: string;
  /** An empty folder of the system that is `temporary` of the scratch folder in there; null: none is. */
  readonly temporary: string | null;
}

/** Not the caller's PATH, because these programs decide which files a check sees. */
const SYSTEM_PATH = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin", LC_ALL: "C" };

/**
 * An overlay's options name folders, and a comma, a colon or a backslash in one would need quoting that differs from kernel to
 * kernel. So folders are bound to plain names first, unless all have plain names and none lies in another: each program costs 2 ms.
 * The last line: who ignores SIGCHLD has no zombies among the orphans it gets, and `cat` answers us, and ends with its input.
 */
const SCRIPT = `set -e
options=$1 isPlain=$2 hasNet=$3 temporary=$4
shift 4
overlay() {
  mount -n -t overlay -o "$options,lowerdir=$2,upperdir=$1/upper,workdir=$1/work" overlay "$3"
}
if [ $isPlain = true ]; then
  index=0
  for folder; do overlay $index "$folder" "$folder"; index=$((index + 1)); done
else
  index=0 bound=
  for folder; do mount -n --rbind "$folder" $index/lower; bound="$bound $index/lower" index=$((index + 1)); done
  index=0
  for folder; do overlay $index $index/lower "$folder"; index=$((index + 1)); done
  umount -n -l $bound
fi
[ -z "$temporary" ] || mount -n --bind temporary "$temporary"
[ $hasNet = false ] || ip link set lo up
cd /
echo ready
exec env --ignore-signal=CHLD cat
`;

function systemProgram(name: string): string {
  const found = findOnPath(name, SYSTEM_PATH);
  if (found === null) throw new RoomError(`the program ${name} was not found`);
  return found;
}

export async function startHolder({
  namespaces,
  folders,
  scratch,
  temporary,
}: HolderOptions): Promise<Holder> {
  const flags = [
    "--mount",
    ...(namespaces.user ? ["--user", "--map-root-user"] : []),
    ...(namespaces.net === true ? ["--net"] : []),
    ...(namespaces.pid ? ["--pid", "--fork", "--kill-child", "--mount-proc"] : []),
  ];
  // An ordinary user's overlay may only store its metadata in user attributes.
  const options = namespaces.user ? "volatile,userxattr" : "volatile,redirect_dir=on";
  const isPlain = folders.every(
    (folder) =>
      /^[\w./-]+$/.test(folder) && !folders.some((each) => each !== folder && isWithin(folder, each)),
  );
  const settings = [options, String(isPlain), String(namespaces.net === true), temporary ?? ""];
  const script = ["/bin/sh", "-c", SCRIPT, "sh", ...settings, ...folders];
  const child = startCommand(
    { kind: "argv", argv: [systemProgram("unshare"), ...flags, ...script] },
    { cwd: scratch, env: SYSTEM_PATH, stdio: ["pipe", "pipe", "pipe"] },
  );
  if ("message" in child) throw new RoomError(child.message);
  const { stdin } = child;
  stdin?.on("error", () => {}); // It has ended, which its exit tells.
  const exited = once(child, "close").catch((error: unknown) => [error]);
  const release = child.pid === undefined ? () => {} : endWithUs(child.pid);
  async function end(): Promise<void> {
    stdin?.end();
    await exited;
    release();
  }
  try {
    await readiness(child, exited);
    const pid = namespaces.pid ? onlyChildOf(child.pid) : child.pid;
    if (pid === undefined) throw new RoomError("the first process of the clean room was not found");
    return {
      pid,
      end,
      async isAlive() {
        const answer = answerOf(child);
        stdin?.write("?\n");
        return (await Promise.race([answer, exited])) === "answered";
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function readiness(child: ChildProcess, exited: Promise<unknown[]>): Promise<void> {
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const ending = await Promise.race([answerOf(child), exited]);
  if (ending !== "answered")
    throw new RoomError(namespaceComplaint(complaint) ?? `unshare ended: ${String(ending[0])}`);
}

function answerOf(child: ChildProcess): Promise<"answered"> {
  return new Promise((resolve) => child.stdout?.once("data", () => resolve("answered")));
}

function onlyChildOf(pid: number | undefined): number | undefined {
  const text = procFile(`${pid}/task/${pid}/children`)?.trim() ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

type CommandLine = CommandOptions["command"];
type NamespaceName = "user" | "mnt" | "pid" | "net";

/**
 * Turns a command into one that runs in namespaces we hold open. A missing program then ends with 127, as in a shell.
 */
export function insideNamespaces(
  namespaces: Namespaces,
  hold: (name: NamespaceName) => number,
): (command: CommandLine, cwd: string) => CommandLine {
  const of = (name: NamespaceName): string => `/proc/${process.pid}/fd/${hold(name)}`;
  const enter = [
    systemProgram("nsenter"),
    `--mount=${of("mnt")}`,
    ...(namespaces.pid ? [`--pid=${of("pid")}`] : []),
    ...(namespaces.net === true ? [`--net=${of("net")}`] : []),
    ...(namespaces.user ? [`--user=${of("user")}`, "--preserve-credentials"] : []),
  ];
  // Mounting needs root in there. Another namespace inside makes us a normal user again, without permission to read everything.
  const ourselves = namespaces.user
    ? [
        systemProgram("unshare"),
        `--map-user=${process.getuid?.()}`,
        `--map-group=${process.getgid?.()}`,
        "--",
      ]
    : [];
  return (command, cwd) => {
    const words = [...enter, `--wdns=${cwd}`, "--", ...ourselves] as const;
    const [first = "", ...others] = words;
    const argv = command.kind === "argv" ? command.argv : ["/bin/sh", "-c", command.line];
    return { kind: "argv", argv: [first, ...others, ...argv] };
  };
}
