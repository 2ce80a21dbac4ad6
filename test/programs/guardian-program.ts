import { watchOver } from "../../src/process/guardian-program.ts";

await watchOver(process.argv[2] ?? "", process.stdin);
