import { loadPart } from "../start/start.ts";

const command = process.argv[2] ?? "";

/** They are started for every run and every turn, so they have an entry of their own. */
const HELPERS = ["guardian", "rehearse", "speak-acp"];
/** Helper processes end with their run, so they don't cache compiled code. */
const INTERNAL = [...HELPERS, "judge", "settle", "preflight"];

loadPart(HELPERS.includes(command) ? "./helper.js" : "./main.js", { keeps: !INTERNAL.includes(command) });
