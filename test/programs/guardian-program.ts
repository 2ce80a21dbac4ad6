import { watchOver } from "../../src/system/process/guardian-program.ts";

await watchOver(process.argv[2] ?? "", process.stdin);
