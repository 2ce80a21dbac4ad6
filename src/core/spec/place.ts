import { codeSpans, insideOf } from "./code-span.ts";
import { isCommand } from "./command.ts";
import type { Finding } from "./dimension.ts";
import { matches } from "./rule.ts";

const FILE_EXTENSION =
  "(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|kts|swift|cs?|cc|cpp|hpp?|php|sh|bash|ps1|sql|md|mdx|rst|txt|json[c5]?|ya?ml|toml|ini|cfg|conf|env|lock|html?|s?css|less|vue|svelte|astro|tf|tfvars|hcl|proto|graphql|gradle|xml|csv|tsv|ipynb|dart|exs?|erl|scala|lua|zig|Dockerfile)";
const ROOT_FOLDER =
  "(?:src|lib|libs|app|apps|packages?|tests?|spec|docs?|cmd|internal|pkg|scripts?|infra|configs?|crates?|services?|server|client|web|frontend|backend|api|components?|modules?|tools?|bin|deploy|migrations?|db|examples?|benchmarks?|bench|analytics|middleware|controllers?|models?|views|pages|public|assets|plugins?|functions|charts|terraform|ansible|k8s|docker|e2e)";

interface PlaceKind {
  readonly pattern: RegExp;
  readonly reason: string;
  readonly unless?: RegExp;
}

const PRODUCT_FILE_NAME =
  /^(?:node|next|vue|nuxt|express|three|d3|chart|ember|backbone|alpine|moment|socket|asp|react|angular)\.(?:js|io|net)$/i;
const PRODUCT_NAME =
  /^(?:[kKMGT]i?B|TypeScript|JavaScript|CoffeeScript|GitHub|GitLab|BitBucket|PostgreSQL|MySQL|MariaDB|NoSQL|GraphQL|MongoDB|DynamoDB|CouchDB|OpenAPI|OAuth\d?|OpenID|SwiftUI|UIKit|NextJS|NodeJS|VueJS|NestJS|WebSockets?|WebGL|WebRTC|WebAssembly|YouTube|LinkedIn|PayPal|CloudFront|CloudWatch|CloudFormation|CloudFlare|FastAPI|SQLAlchemy|RabbitMQ|OpenTelemetry|OpenSearch|ElasticSearch|OpenSSL|WordPress|SQLite|DevOps|SaaS|PaaS|PagerDuty|DataDog|LaunchDarkly|CircleCI|BigQuery|PyTorch|TensorFlow|NumPy|PyPI|LaTeX|PowerShell|IntelliJ|VSCode|macOS|iOS|iPadOS|tvOS|watchOS|iPhone|iPad|jQuery|gRPC|mTLS|eBay|eBPF|HttpOnly|SameSite|DevTools|HashiCorp|WhatsApp|ReactNative|TailwindCSS|ESLint|JUnit|PHPUnit|MyPy|RSpec|SonarQube|KotlinX|IPv[46]|README|ChatGPT|OpenAI)$/;

/** Brands are written like classes. A class that shares a brand's first word mostly ends in its role. */
const PRODUCT_LIKE = new RegExp(
  `${PRODUCT_NAME.source}|^(?:Web|Open|Git|Post|My|Java|Cloud|Data|Rabbit|Elastic|Mongo|Dynamo|Big|Py|Tensor|Word|You|Linked|Pay|Stack|Circle|Team|Jet|Power|Graph|Fast|Chat|Micro|Next|Nuxt|Kube|Docker|Hub|Sales|Snow|Click|Cockroach|Planet|Supa|Fire|Air|Dev|Zen|Mail|Send|Duck|Face|Core|Play|App|Jet|Auto)[A-Z](?!\\w{0,60}(?:Service|Controller|Manager|Handler|Form|Page|View|Component|Model|Store|Client|Server|Provider|Repository|Factory|Builder|Parser|Error|Exception|Button|Modal|Context|Config|Cache|Queue|Job|Worker|Adapter|Middleware|Validator|Router|Table|List|Item|Card|Test|Hook|Activity|Screen|Dialog)$)`,
);

const PLACE_KINDS: readonly PlaceKind[] = [
  {
    pattern: /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s\/[\w\-/:{}.*]{0,200}/,
    reason: "a named endpoint",
  },
  {
    pattern: /(?<![\w/.:<`])`?\/[a-zA-Z][\w\-:{}.*]{1,80}(?:\/[\w\-:{}.*]{1,80}){0,12}/,
    reason: "a named endpoint or path",
  },
  {
    pattern: new RegExp(
      `(?<![\\w/@.:])\\.{0,2}\\/?(?:[\\w@.*-]{1,60}\\/){0,12}[\\w.*{}\\[\\],-]{0,80}\\.${FILE_EXTENSION}\\b(?![\\w/(])`,
    ),
    reason: "a named file",
    unless: PRODUCT_FILE_NAME,
  },
  {
    pattern:
      /\b(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Procfile|Rakefile|Vagrantfile|Justfile|README|CHANGELOG|CONTRIBUTING|LICENSE|CODEOWNERS)\b/,
    reason: "a named file",
  },
  { pattern: /(?<![\w/.])\.[a-z]{1,20}(?:rc|ignore|config|attributes)\b/, reason: "a named file" },
  {
    pattern: new RegExp(`(?<![\\w/@.:-])(?:\\.{1,2}\\/)?${ROOT_FOLDER}\\/(?:[\\w@.*-]{1,60}\\/?){0,12}`),
    reason: "a named folder",
  },
  {
    pattern: /(?<![\w/.])(?:\.{1,2}\/|~\/|\.github)[\w@.*-]{0,60}(?:\/[\w@.*-]{1,60}){0,12}/,
    reason: "a named folder",
  },
  { pattern: /(?<![\w/:])[\w.-]{1,40}(?:\/[\w.*-]{1,40}){2,12}/, reason: "a named path", unless: /^\d/ },
  {
    pattern: /\b(?:the\s)?`?[\w-]{1,40}\/[\w-]{0,40}\/?`?\s(?:folder|directory|dir|package|crate)\b/,
    reason: "a named folder",
  },
  { pattern: /(?<![\w/])@[a-z][\w-]{0,40}\/[a-z][\w.-]{0,60}/, reason: "a named package" },
  { pattern: /\b[A-Za-z_]\w{0,60}(?:(?:\.|::)[A-Za-z_]\w{0,60}){0,5}\(\)/, reason: "a named function" },
  { pattern: /\b[A-Za-z]\w{0,60}(?:::\w{1,60}){1,5}/, reason: "a named identifier" },
  { pattern: /\b[a-z][a-z0-9]{0,40}[A-Z]\w{0,60}/, reason: "a named identifier", unless: PRODUCT_NAME },
  { pattern: /\b[A-Z][a-z0-9]{1,40}[A-Z]\w{0,60}/, reason: "a named identifier", unless: PRODUCT_LIKE },
  { pattern: /\b[A-Za-z][A-Za-z0-9]{0,40}_\w{1,80}/, reason: "a named identifier" },
  {
    pattern: /\b[a-z]{2,30}\.[a-z][a-z_]{2,30}\b(?!\/)/,
    reason: "a named identifier",
    unless: /\.(?:js|io|com|org|net|dev|app|log)$|^e\.g|^i\.e/,
  },
];

const FLAG = /^-{1,2}[a-z]/;
const URL = /\bhttps?:\/\/\S{1,300}/gi;

/** Files, folders, endpoints, functions and other names that say exactly where. */
export function findPlaces(text: string): Finding[] {
  const found = new Map<string, string>();
  const prose = text.replace(URL, " ");
  for (const span of codeSpans(prose))
    if (isNameInCode(insideOf(span))) found.set(insideOf(span), "a name in code");
  const bare = prose.replaceAll("`", " ");
  const commands = codeSpans(prose).map(insideOf).filter(isCommand);
  const searched = commands.reduce((rest, command) => rest.replaceAll(command, " "), bare);
  for (const kind of PLACE_KINDS) {
    for (const match of matches(kind.pattern, searched)) {
      const quote = match.replace(/[.,:]+$/, "");
      if (!kind.unless?.test(quote) && !FLAG.test(quote) && !hasQuote(found, quote))
        found.set(quote, kind.reason);
      if (found.size >= 10) break;
    }
  }
  return [...found].map(([quote, reason]) => ({ points: 2, quote, reason }));
}

/** `any` and `true` are values, not places. */
function isNameInCode(code: string): boolean {
  if (isCommand(code) || FLAG.test(code)) return false;
  return (
    /^[\w@./:*#$-]{2,120}(?:\(\))?$/.test(code) &&
    /[a-z]/i.test(code) &&
    !/^(?:any|true|false|null|undefined|unknown|none|void)$/i.test(code)
  );
}

function hasQuote(found: ReadonlyMap<string, string>, quote: string): boolean {
  return [...found.keys()].some((known) => known.includes(quote));
}
