import type { HostDescription } from "./description.ts";

/** Our own plugin calls for it, with Claude Code's names. Cost and messages are in its database, and the plugin passes the message on. */
export const opencode: HostDescription = {
  id: "opencode",
  title: "opencode",
  programs: ["opencode"],
  packages: ["opencode-ai"],
  marks: [{ mark: "OPENCODE" }],
  recognises: () => false,
  transcript: null,
  planModes: ["plan"],
  promptCap: () => null,
  hold: "decision",
  context: "nested",
  install: {
    folder: ".config/opencode",
    projectFolder: ".opencode",
    hooks: { form: "bridge", file: "plugins/loop.js", kind: "opencode" },
    skills: "skills",
    notices: [],
  },
};
