import { loadPart } from "../start/start.ts";

loadPart("./main.js", { keeps: true });
