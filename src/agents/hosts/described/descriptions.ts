import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import type { HostDescription } from "./description.ts";
import { droid } from "./droid.ts";
import { geminiCli } from "./gemini-cli.ts";
import { kimi } from "./kimi.ts";
import { opencode } from "./opencode.ts";
import { ohMyPi, pi } from "./pi.ts";
import { qwenCode } from "./qwen-code.ts";

/** Every host that a description is enough for. A new one is a file here and a line. */
export const DESCRIPTIONS: readonly HostDescription[] = [
  codex,
  geminiCli,
  qwenCode,
  copilot,
  droid,
  opencode,
  pi,
  ohMyPi,
  kimi,
];
