import { loadPart } from "../start/start.ts";

/** What the program starts itself as is ended with its run, and then leaves nothing behind. */
const INTERNAL = ["guardian", "judge", "rehearse"];

loadPart("./main.js", { keeps: !INTERNAL.includes(process.argv[2] ?? "") });
