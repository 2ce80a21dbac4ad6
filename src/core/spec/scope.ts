import { codeSpans, maskCode, insideOf, isCommand } from "./code.ts";
import type { Reading } from "./reading.ts";
import { namingSpan } from "./words.ts";
import { anyCase, best, matches, type DimensionScore, type Earned } from "./rule.ts";

const WHOLE =
  /\b(?:whole|entire|complete)\s(?:app|application|codebase|code base|project|repo|repository|system|product|site|website)\b/i;

export function scoreScope(reading: Reading): DimensionScore {
  return best(reading.work.flatMap(scopeOf));
}

function scopeOf(text: string): Earned[] {
  const exact = [
    ...findPlaces(text),
    ...namedCommands(text),
    ...findNamedLists(text),
    ...findClosedSets(text),
  ];
  if (exact.length > 0) return exact;
  if (WHOLE.test(text)) return [];
  const area = namingSpan(maskCode(text), text);
  if (area !== undefined) return [{ points: 1, quote: area, reason: "a named area" }];
  return codeSpans(text)
    .slice(0, 1)
    .map((quote) => ({ points: 1, quote, reason: "what the command looks at" }));
}

/** "`tool list` must print …": the command is what changes. */
const SUBJECT_IN_CODE =
  /^(?:the\s)?`[^`\n]{1,80}`(?:\s(?:command|flag|option|script|target))?\s(?!(?:must |should )?(?:pass|succeed|exit|be green|be clean|work)(?:es|s)?\b)(?:must|should|shall|prints?|shows?|returns?|accepts?|writes?)\s/;

function namedCommands(text: string): Earned[] {
  return matches(SUBJECT_IN_CODE, text)
    .flatMap(codeSpans)
    .map((quote) => ({ points: 2, quote, reason: "a named command" }));
}

const FILE_EXTENSION =
  "(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|kts|swift|cs?|cc|cpp|hpp?|php|sh|bash|ps1|sql|md|mdx|rst|txt|json[c5]?|ya?ml|toml|ini|cfg|conf|env|lock|html?|s?css|less|vue|svelte|astro|tf|tfvars|hcl|proto|graphql|gradle|xml|csv|tsv|ipynb|dart|exs?|erl|scala|lua|zig|Dockerfile)";
const ROOT_FOLDER =
  "(?:src|lib|libs|app|apps|packages?|tests?|spec|docs?|cmd|internal|pkg|scripts?|infra|configs?|crates?|services?|server|client|web|frontend|backend|api|components?|modules?|tools?|bin|deploy|migrations?|db|examples?|benchmarks?|bench|analytics|middleware|controllers?|models?|views|pages|public|assets|plugins?|functions|charts|terraform|ansible|k8s|docker|e2e)";

const PRODUCT_FILE_NAME =
  /^(?:node|next|vue|nuxt|express|three|d3|chart|ember|backbone|alpine|moment|socket|asp|react|angular)\.(?:js|io|net)$/i;
const PRODUCT_NAME =
  /^(?:[kKMGT]i?B|TypeScript|JavaScript|CoffeeScript|GitHub|GitLab|BitBucket|PostgreSQL|MySQL|MariaDB|NoSQL|GraphQL|MongoDB|DynamoDB|CouchDB|OpenAPI|OAuth\d?|OpenID|SwiftUI|UIKit|NextJS|NodeJS|VueJS|NestJS|WebSockets?|WebGL|WebRTC|WebAssembly|YouTube|LinkedIn|PayPal|CloudFront|CloudWatch|CloudFormation|CloudFlare|FastAPI|SQLAlchemy|RabbitMQ|OpenTelemetry|OpenSearch|ElasticSearch|OpenSSL|WordPress|SQLite|DevOps|SaaS|PaaS|PagerDuty|DataDog|LaunchDarkly|CircleCI|BigQuery|PyTorch|TensorFlow|NumPy|PyPI|LaTeX|PowerShell|IntelliJ|VSCode|macOS|iOS|iPadOS|tvOS|watchOS|iPhone|iPad|jQuery|gRPC|mTLS|eBay|eBPF|HttpOnly|SameSite|DevTools|HashiCorp|WhatsApp|ReactNative|TailwindCSS|ESLint|JUnit|PHPUnit|MyPy|RSpec|SonarQube|KotlinX|IPv[46]|README|ChatGPT|OpenAI|NaN|[A-Z]\w{1,20}(?:MQ|DB|SQL|QL|JS|CI))$/;

/** Brands are written like classes. A class that shares a brand's first word mostly ends in its role. */
const PRODUCT_LIKE = new RegExp(
  `${PRODUCT_NAME.source}|^(?:Web|Open|Git|Post|My|Java|Cloud|Data|Rabbit|Elastic|Mongo|Dynamo|Big|Py|Tensor|Word|You|Linked|Pay|Stack|Circle|Team|Jet|Power|Graph|Fast|Chat|Micro|Next|Nuxt|Kube|Docker|Hub|Sales|Snow|Click|Cockroach|Planet|Supa|Fire|Air|Dev|Zen|Mail|Send|Duck|Face|Core|Play|App|Jet|Auto)[A-Z](?!\\w{0,60}(?:Service|Controller|Manager|Handler|Form|Page|View|Component|Model|Store|Client|Server|Provider|Repository|Factory|Builder|Parser|Error|Exception|Button|Modal|Context|Config|Cache|Queue|Job|Worker|Adapter|Middleware|Validator|Router|Table|List|Item|Card|Test|Hook|Activity|Screen|Dialog)$)`,
);

const PLACE_KINDS: readonly (readonly [pattern: RegExp, reason: string, unless?: RegExp])[] = [
  [/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s\/[\w\-/:{}.*]{0,200}/, "a named endpoint"],
  [/(?<![\w/.:<`])`?\/[a-zA-Z][\w\-:{}.*]{1,80}(?:\/[\w\-:{}.*]{1,80}){0,12}/, "a named endpoint or path"],
  [
    new RegExp(
      `(?<![\\w/@.:])\\.{0,2}\\/?(?:[\\w@.*-]{1,60}\\/){0,12}[\\w.*{}\\[\\],-]{0,80}\\.${FILE_EXTENSION}\\b(?![\\w/(])`,
    ),
    "a named file",
    PRODUCT_FILE_NAME,
  ],
  [
    /\b(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Procfile|Rakefile|Vagrantfile|Justfile|README|CHANGELOG|CONTRIBUTING|LICENSE|CODEOWNERS)\b/,
    "a named file",
  ],
  [/(?<![\w/.])\.[a-z]{1,20}(?:rc|ignore|config|attributes)\b/, "a named file"],
  [
    new RegExp(`(?<![\\w/@.:-])(?:\\.{1,2}\\/)?${ROOT_FOLDER}\\/(?:[\\w@.*-]{1,60}\\/?){0,12}`),
    "a named folder",
  ],
  [/(?<![\w/.])(?:\.{1,2}\/|~\/|\.github)[\w@.*-]{0,60}(?:\/[\w@.*-]{1,60}){0,12}/, "a named folder"],
  [/(?<![\w/:])[\w.-]{1,40}(?:\/[\w.*-]{1,40}){2,12}/, "a named path", /^\d/],
  [
    /(?<=\b(?:in|under|from|inside|below|within)\s`?)(?!and\/or)[a-z][\w.-]{1,40}(?:\/[\w.*-]{1,40}){1,12}/,
    "a named path",
  ],
  [/\b(?:the\s)?`?[\w-]{1,40}\/[\w-]{0,40}\/?`?\s(?:folder|directory|dir|package|crate)\b/, "a named folder"],
  [/(?<![\w/])@[a-z][\w-]{0,40}\/[a-z][\w.-]{0,60}/, "a named package"],
  [/\b[A-Za-z_]\w{0,60}(?:(?:\.|::)[A-Za-z_]\w{0,60}){0,5}\(\)/, "a named function"],
  [/\b[A-Za-z]\w{0,60}(?:::\w{1,60}){1,5}/, "a named identifier"],
  [/\b[a-z][a-z0-9]{0,40}[A-Z]\w{0,60}/, "a named identifier", PRODUCT_NAME],
  [/\b[A-Z][a-z0-9]{1,40}[A-Z]\w{0,60}/, "a named identifier", PRODUCT_LIKE],
  [/\b[A-Za-z][A-Za-z0-9]{0,40}_\w{1,80}/, "a named identifier"],
  [
    /\b[a-z]{2,30}\.[a-z][a-z_]{2,30}\b(?!\/)/,
    "a named identifier",
    /\.(?:js|io|com|org|net|dev|app|log)$|^e\.g|^i\.e/,
  ],
];

const FLAG = /^-{1,2}[a-z]/;
const URL = /\bhttps?:\/\/\S{1,300}/gi;

/** Files, folders, endpoints, functions and other names that say exactly where. */
export function findPlaces(text: string): Earned[] {
  const found = new Map<string, string>();
  const prose = text.replace(URL, " ");
  for (const span of codeSpans(prose))
    if (isNameInCode(insideOf(span))) found.set(insideOf(span), "a name in code");
  const bare = prose.replaceAll("`", " ");
  const commands = codeSpans(prose).map(insideOf).filter(isCommand);
  const searched = commands.reduce((rest, command) => rest.replaceAll(command, " "), bare);
  for (const [pattern, reason, unless] of PLACE_KINDS) {
    for (const match of matches(pattern, searched)) {
      const quote = match.replace(/[.,:]+$/, "");
      if (!unless?.test(quote) && !FLAG.test(quote) && !hasQuote(found, quote)) found.set(quote, reason);
      if (found.size >= 10) break;
    }
  }
  return [...found].map(([quote, reason]) => ({ points: 2, quote, reason }));
}

export function namedFiles(text: string): string[] {
  return findPlaces(text).flatMap(({ quote, reason }) => (reason === "a named file" ? [quote] : []));
}

/** `any` and `true` are values, not places. */
function isNameInCode(code: string): boolean {
  if (isCommand(code) || FLAG.test(code)) return false;
  return (
    /^[\w@./:*#$-]{2,120}(?:\([^()\n]{0,80}\))?$/.test(code) &&
    /[a-z]/i.test(code) &&
    !/^(?:any|true|false|null|undefined|unknown|none|void)$/i.test(code)
  );
}

function hasQuote(found: ReadonlyMap<string, string>, quote: string): boolean {
  return [...found.keys()].some((known) => known.includes(quote));
}

const UNITS =
  "(?:endpoints|routes|commands|subcommands|files|folders|functions|methods|classes|tables|columns|fields|flags|options|scripts|packages|modules|components|pages|views|keys|variables|queries|jobs|workflows|services|models|handlers|hooks|properties|events|locales|branches|targets|tasks|types)";
const NAME = "[\\w@./:`'\"-]{1,60}";
const LISTED = `${NAME}(?:,\\s${NAME}){0,12},?\\s(?:and|or|&)\\s${NAME}`;
const ORDINARY_WORD =
  /(?:^|\s)(?:the|a|an|all|our|its|their|it|to|of|in|on|for|with|that|is|are|new|old|other|more)(?=[\s,]|$)/i;

const LISTS: readonly RegExp[] = [
  anyCase`\b${UNITS}\s(?:named\s|called\s|for\s)?${LISTED}`,
  anyCase`${NAME},\s(?:${NAME},\s){0,12}(?:and|or|&)\s${NAME}\s${UNITS}\b`,
  anyCase`${NAME}(?:,\s${NAME}){1,12}\s(?:and|or|&)\s${NAME}\s${UNITS}\b`,
];

/** "the commands build, lint and test": a set that is closed because each is named. */
function findNamedLists(text: string): Earned[] {
  return LISTS.flatMap((list) => matches(list, text))
    .filter((quote) => !ORDINARY_WORD.test(quote))
    .map((quote) => ({ points: 2, quote, reason: "a list of named things" }));
}

const CLOSED_SET =
  /(?<!\b(?:by|per|after|before|next to|beside|with|at)\s)\b(?:all|every|each)\s(?:(?:of\s)?(?:the|our|its|their)\s)?(?:[\w@./`'-]{1,40}\s?){1,4}/i;
const NO_WORK_ITEMS =
  /^each\s(?:with|of|one)\b|^(?:all|every|each)\s(?:(?:of\s)?(?:the|our|its|their)\s)?(?:users?|customers?|people|cases?|times?|time|requests?|night|day|hour|week|month|minute|second|\d+|in|at|over|right|good|be|is|are|it|that|this)\b/i;
const UNOBSERVABLE = /\b(?:bugs?|issues?|problems?|things?|stuff)\b/i;

const CODE_UNITS =
  /^(?:all|every|each)\s(?:(?:of\s)?(?:the|our|its|their)\s)?(?:[\w@./`'-]{1,40}\s){0,3}?(?:routes?|endpoints?|components?|hooks?|controllers?|handlers?|models?|functions?|methods?|class(?:es)?|files?|modules?|packages?|quer(?:y|ies)|calls?|usages?|uses|imports?|tables?|columns?|workflows?|reducers?|serializers?|views?|templates?|selectors?|scripts?|resolvers?|mutations?|commands?|interfaces?|structs?|schemas?|migrations?|Dockerfiles?|manifests?|charts?|flags?|variables|constants|callbacks?|fixtures?|stores?)\b/i;

/** "all API routes", "every import": the work can be counted off. */
export function findClosedSets(text: string): Earned[] {
  return matches(CLOSED_SET, text)
    .filter((quote) => !NO_WORK_ITEMS.test(quote) && !UNOBSERVABLE.test(quote))
    .map((quote) => ({ points: CODE_UNITS.test(quote) ? 2 : 1, quote, reason: "a closed set" }));
}

/** "All problems": nobody can count them off, and yet the work ends with the last one. */
export function findOpenSets(text: string): Earned[] {
  return matches(CLOSED_SET, text)
    .filter((quote) => UNOBSERVABLE.test(quote))
    .map((quote) => ({ points: 1, quote, reason: "all of them" }));
}

export function findEverywhere(text: string): Earned[] {
  return matches(/\b(?:everywhere|anywhere|throughout)\b/i, text).map((quote) => ({
    points: 1,
    quote,
    reason: "all occurrences",
  }));
}
