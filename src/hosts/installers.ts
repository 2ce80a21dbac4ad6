import { claudeCodeInstaller } from "./claude-code/install/installer.ts";
import type { Installer } from "./install/installer.ts";

/** Every host whose settings we can edit. Apart from `hosts.ts`, since a hook has no use for them. */
export const INSTALLERS: readonly Installer[] = [claudeCodeInstaller];
