import { loadPart } from "../start/start.ts";

/** Helper processes end with their run, so they don't cache compiled code. */
const INTERNAL = ["guardian", "judge", "preflight", "rehearse"];

loadPart("./main.js", { keeps: !INTERNAL.includes(process.argv[2] ?? "") });
