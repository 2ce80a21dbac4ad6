import { claudeCodeInstaller } from "./claude-code/install/installer.ts";
import { DESCRIPTIONS } from "./described/descriptions.ts";
import { describedInstaller } from "./described/install/installer.ts";
import type { Installer } from "./install/installer.ts";

/** Every host whose settings we can edit. Separate from `hosts.ts`, because hooks don't need them. */
export const INSTALLERS: readonly Installer[] = [
  claudeCodeInstaller,
  ...DESCRIPTIONS.map((description) => describedInstaller(description)),
];
