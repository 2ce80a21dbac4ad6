import { watchOver } from "../../src/system/process/guardian.ts";

await watchOver(process.argv[2] ?? "", process.stdin);
