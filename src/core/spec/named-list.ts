import type { Finding } from "./dimension.ts";
import { matches } from "./rule.ts";

const UNITS =
  "(?:endpoints|routes|commands|subcommands|files|folders|functions|methods|classes|tables|columns|fields|flags|options|scripts|packages|modules|components|pages|views|keys|variables|queries|jobs|workflows|services|models|handlers|hooks|properties|events|locales|branches|targets|tasks|types)";
const NAME = "[\\w@./:`'\"-]{1,60}";
const LISTED = `${NAME}(?:,\\s${NAME}){0,12},?\\s(?:and|or|&)\\s${NAME}`;
const ORDINARY_WORD =
  /(?:^|\s)(?:the|a|an|all|our|its|their|it|to|of|in|on|for|with|that|is|are|new|old|other|more)(?=[\s,]|$)/i;

const LISTS: readonly RegExp[] = [
  new RegExp(`\\b${UNITS}\\s(?:named\\s|called\\s|for\\s)?${LISTED}`, "i"),
  new RegExp(`${NAME},\\s(?:${NAME},\\s){0,12}(?:and|or|&)\\s${NAME}\\s${UNITS}\\b`, "i"),
  new RegExp(`${NAME}(?:,\\s${NAME}){1,12}\\s(?:and|or|&)\\s${NAME}\\s${UNITS}\\b`, "i"),
];

/** "the commands build, lint and test": a set that is closed because each is named. */
export function findNamedLists(text: string): Finding[] {
  return LISTS.flatMap((list) => matches(list, text))
    .filter((quote) => !ORDINARY_WORD.test(quote))
    .map((quote) => ({ points: 2, quote, reason: "a list of named things" }));
}
