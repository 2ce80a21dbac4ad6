import { execFile, type ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";

/** By processor: the number of `prctl`. */
const PRCTL: { readonly [arch: string]: number } = { x64: 157, arm64: 167 };

const PERL = "/usr/bin/perl";

/** Variables that change what perl does before it reads our line. */
const OF_PERL = ["PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB"];

/**
 * A parent for a command, to which the kernel hands every process that the command leaves behind, also one in a session of its own
 * and without our mark in its environment (`PR_SET_CHILD_SUBREAPER`, which is 36; Node can't ask for it). It ends with the command,
 * as the command did, and ends what is left before.
 */
const SCRIPT = `
my $prctl = shift;
my $isOneStream = shift;
syscall($prctl, 36, 1, 0, 0, 0);
my $child = fork;
exit 71 unless defined $child;
if ($child == 0) {
  delete $ENV{PERL_BADLANG};
  if ($isOneStream) { open STDERR, ">&", STDOUT or exit 126 }
  exec { $ARGV[0] } @ARGV;
  exit 127
}
close STDIN; close STDOUT; close STDERR;
my $status;
until (defined $status) {
  my $ended = waitpid -1, 0;
  $status = $? if $ended == $child;
  last if $ended == -1;
}
my $rounds = 0;
while ((my $ended = waitpid -1, 1) != -1) {
  next if $ended > 0;
  my $left = "";
  if (open my $file, "<", "/proc/$$/task/$$/children") { $left = <$file> // ""; close $file } else { last }
  if ($rounds >= 15) { kill $rounds >= 40 ? "KILL" : "TERM", $_ for split " ", $left }
  last if ++$rounds > 500;
  select undef, undef, undef, 0.02;
}
my $signal = $status & 127;
if ($signal) { $SIG{$_} = "DEFAULT" for keys %SIG; kill $signal, $$; select undef, undef, undef, 1 }
exit $status >> 8;
`;

/** Whether what a process leaves behind really comes to us, and `SCRIPT` can see it: two of ours ended, and one was not our child. */
const TRIAL = `
my $prctl = shift;
syscall($prctl, 36, 1, 0, 0, 0);
my $child = fork;
exit 1 unless defined $child;
if ($child == 0) { fork; exit 0 }
my $ended = 0;
$ended++ while waitpid(-1, 0) > 0;
exit($ended == 2 && -r "/proc/$$/task/$$/children" ? 0 : 1);
`;

/** Looking through all processes costs as much as the trial, so that it is worth it only for who runs many commands. */
const TRIED_AFTER = 3;

let asked = 0;
let works: Promise<boolean> | null = null;

/** Whether a command that exited had such a parent, so that nothing of it is left; false: somebody has to look. */
export async function hasEndedWhole({ spawnfile, spawnargs }: ChildProcess): Promise<boolean> {
  if (spawnfile !== PERL || !spawnargs.includes(SCRIPT)) return false;
  asked += 1;
  if (asked <= TRIED_AFTER) return false;
  works ??= new Promise((resolve) => {
    execFile(PERL, ["-e", TRIAL, "--", String(PRCTL[process.arch])], { env: {} }, (error) =>
      resolve(error === null),
    );
  });
  return works;
}

let isThere: boolean | null = null;

function hasPerl(): boolean {
  isThere ??= isExecutable(PERL);
  return isThere;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface Starting {
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  /** Its errors go where its output goes. */
  readonly hasOneStream: boolean;
}

type Started = Omit<Starting, "hasOneStream">;

/** The command below such a parent, where the system has one; a program that isn't there is left to whoever starts it. */
export function belowSubreaper({ argv, env, hasOneStream }: Starting): Started {
  const prctl = process.platform === "linux" ? PRCTL[process.arch] : undefined;
  const [program] = argv;
  const isKnown = program.startsWith("/") && isExecutable(program);
  if (prctl === undefined || !isKnown || OF_PERL.some((name) => name in env) || !hasPerl())
    return { argv: hasOneStream ? withOneStream(argv) : argv, env };
  const settings = [String(prctl), hasOneStream ? "1" : ""];
  return { argv: [PERL, "-e", SCRIPT, "--", ...settings, ...argv], env: { PERL_BADLANG: "0", ...env } };
}

function withOneStream(argv: readonly string[]): readonly [string, ...string[]] {
  return ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", ...argv];
}
