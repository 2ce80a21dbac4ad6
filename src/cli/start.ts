import { loadPart } from "../start/start.ts";

/** Helper processes are ended with their run, so they keep no compiled code. */
const INTERNAL = ["guardian", "judge", "preflight", "rehearse"];

loadPart("./main.js", { keeps: !INTERNAL.includes(process.argv[2] ?? "") });
