import type { Rule } from "./rule.ts";
import { MEASURED } from "./target.ts";

const VAGUE =
  /\b(?:better|nicer|good|great|nice|modern|cleaner|simpler|prettier|faster|easier(?: to \w+)?|more \w+|improved|something (?:else|better|nicer))\s*$|\bto (?:make|improve|help)\b/i;

/** Words after which two people would agree whether the result is there. */
export const END_STATES: readonly Rule[] = [
  ...MEASURED,
  {
    pattern:
      /\b(?:rename|convert|migrate|port|move|switch|change|translate|locali[sz]e|transform|merge|turn|split|upgrade|downgrade|bump|update|pin|set|refactor|rewrite|restructure|extract|inline|round|flatten|raise|lower|increase|decrease|reduce|redirect|point)\s.{0,160}?\b(?:to|into|out of)\s(?!(?:make|be|improve|help|see|allow|get|keep|avoid|reduce|have)\b)(?:use\s)?[\w`"'@./#][^,;]{0,40}/i,
    points: 2,
    reason: "names the state to reach",
    unless: VAGUE,
  },
  {
    pattern: /\b(?:replace|swap)\s.{1,160}?\s(?:with|by|for)\s\S{1,60}/i,
    points: 2,
    reason: "names what replaces what",
    unless: VAGUE,
  },
  {
    pattern: /\b(?:rewrite|reimplement|port)\s.{1,120}?\s(?:in|using|on top of)\s[A-Z`]\S{0,40}/,
    points: 2,
    reason: "names the state to reach",
  },
  {
    pattern: /\b(?:rewrite|reimplement)\s.{1,120}?\s(?:in|using|on top of)\s[A-Z`]\S{0,40}/i,
    points: 2,
    reason: "names the state to reach",
  },
  {
    pattern: /\b(?:migrat(?:e|ion)|switch|move|moving)\s.{0,80}?\bfrom\s.{1,80}?\sto\s\S{1,40}/i,
    points: 2,
    reason: "names both ends of the change",
  },
  {
    pattern: /\b(?:instead of|rather than)\s\S{1,60}|\S{1,60}\sinstead$/i,
    points: 2,
    reason: "says what holds now and what shall hold",
  },
  {
    pattern:
      /\b(?:that|which)\s(?:(?:only|also|always|then|can|will|must)\s)?(?!(?:this|his|was|has|is|does|works|helps|makes|improves|looks|feels)\b)[a-z]{2,20}(?:[^su\s]s|es)\b.{0,60}/i,
    points: 2,
    reason: "describes the behaviour wanted",
  },
  {
    pattern:
      /\bso (?:(?:it|they)\s(?:\w{2,12}ly\s)?(?!is\b|was\b|looks\b|works\b)[a-z]{3,15}s\s\S{2,60}|that\s(?!(?:i|we|they|users|people) can\b)(?:[\w'-]{1,30}\s){2,12}\w+)/i,
    points: 2,
    reason: "describes the behaviour wanted",
    unless: VAGUE,
  },
  {
    pattern:
      /(?<!\b(?:we|you|i|so that they)\s(?:really\s|just\s|also\s)?)\b(?:should|must|shall|can|cannot|may|has to|have to|needs to|ought to)\s(?:be able to\s|only\s|always\s|never\s|no longer\s)?(?!(?:be|work|look|feel|have|you|we|i)\b)[a-z]{2,20}\s.{3,80}/i,
    points: 2,
    reason: "states a behaviour that must hold",
    unless: VAGUE,
  },
  {
    pattern:
      /(?<!\b(?:we|you|i)\s(?:really\s|just\s|also\s)?)\b(?:should|must|shall|has to|have to|needs to)\sbe\s(?!(?:better|good|nice|fast|faster|easy|easier|clean|great|simple|more|improved|fixed|robust)\b)[\w`"-]{2,40}\s.{3,80}/i,
    points: 2,
    reason: "states a behaviour that must hold",
    unless: VAGUE,
  },
  {
    pattern:
      /\b(?:when|whenever|if|after|where)\s(?!(?:possible|needed|necessary|you|ready|done|appropriate|it (?:works|makes sense)|finished|applicable|required|they (?:are|can))\b)(?:[\w`"'@./-]{1,40}\s){2,14}[\w`"'@./-]{1,40}/i,
    points: 2,
    reason: "names the condition and so the behaviour",
  },
  {
    pattern:
      /\b(?:should|must|shall|has to|have to|needs to)\s(?:be|become|equal|read|say|return|give|yield)\s(?:an?\s)?["“'`{[\d].{0,60}/i,
    points: 2,
    reason: "an exact value",
  },
  {
    pattern: /\bonly\s(?:[\w-]{2,30}\s){1,4}(?:is|are)\s[\w-]{3,20}/i,
    points: 2,
    reason: "describes the behaviour wanted",
  },
  {
    pattern:
      /\b(?:add|create|implement|expose|introduce|provide|build)\s.{1,100}?\b(?:returning|accepting|printing|showing|listing|containing|writing|taking|answering|rejecting|reading)\s\S{2,60}/i,
    points: 2,
    reason: "describes the behaviour wanted",
  },
  {
    pattern:
      /\b(?:returns?|answers?|repl(?:y|ies) with|gives?|respond(?:s)? with|rejects?|exits? with|status)\s.{0,60}?\b[1-5]\d\d\b/i,
    points: 2,
    reason: "an exact response",
  },
  {
    pattern: /\b(?:make(?! sure)|get|bring|keep)\s.{1,80}?\b(?:green|pass(?:ing)?|compile)\b/i,
    points: 2,
    reason: "the checks named must pass",
  },
  {
    pattern:
      /\b(?:remove|delete|drop|uninstall)\s(?:the|all|every|any|unused|this|our)\s\S{1,60}(?:\s\S{1,60}){0,3}/i,
    points: 2,
    reason: "names what must be gone",
    unless: /\b(?:dead|old|legacy|unnecessary|redundant)\scode\b|\bunused (?:code|stuff)\b/i,
  },
  {
    pattern:
      /\b(?:add|create)\s.{0,40}?\b(?:index|column|field|foreign key|constraint|alias|env(?:ironment)? variable)\s(?:on|to|named|called|for)\s\S{1,60}/i,
    points: 2,
    reason: "an exact element to add",
  },
  {
    pattern:
      /\b(?:add|create|write|insert|change|set|display|show|print|named|called|titled)\s.{0,60}?["“][^"”\n]{2,120}["”].{0,60}/i,
    points: 2,
    reason: "exact wording",
  },
  {
    pattern: /(?:\S{1,60}\s){1,12}\S{1,60}:\s(?:[^\s,]{1,60},?\s){3,40}\S{1,60}/,
    points: 2,
    reason: "spells out the details",
  },
  {
    pattern:
      /\b(?:make|let|have)\s(?:[\w`'./()-]{1,60}\s){1,8}?(?:read|accept|return|print|support|write|emit|ignore|reject|respect|honou?r|log|skip|fall back|default|show|send|store|parse|retry|exit|fail)\s\S{2,60}/i,
    points: 2,
    reason: "describes the behaviour wanted",
  },
  {
    pattern:
      /\b(?:add|build|create|implement|write|provide)\s.{1,80}?\b(?:with|for|containing|supporting|including)\s(?:[\w`-]{1,30}\s?){1,3}(?:,\s(?:[\w`-]{1,30}\s?){1,3}){1,8}\s?(?:and|or)\s\w+/i,
    points: 2,
    reason: "lists its parts",
  },
  { pattern: /\beach with\s(?:[\w-]{1,30}\s){1,8}\w+/i, points: 2, reason: "spells out the details" },
  {
    pattern:
      /^(?:no|zero)(?: more)?\s(?:[\w-]{1,20}\s){0,3}(?:errors?|warnings?|failures?|violations?|findings)\b/i,
    points: 2,
    reason: "nothing of it is left",
  },
  { pattern: /^return\s.{1,80}?\s(?:from|for|in)\s\S{2,60}/i, points: 2, reason: "an exact response" },
  {
    pattern:
      /\b(?:at the (?:top|bottom|left|right|end|beginning|start)|(?:newest|oldest|latest|largest|smallest|highest|lowest) first)\b/i,
    points: 2,
    reason: "an exact arrangement",
  },
  {
    pattern:
      /\b(?:gets?|sees?|shows?|says?|reads?|displays?|prints?|answers?|gives?|expected|->|→)\s.{0,40}?["“][^"”\n]{1,120}["”]/i,
    points: 2,
    reason: "exact wording",
  },
  {
    pattern: /["“'`][^"”'`\n]{1,80}["”'`]\s?(?:->|→|=>|to|into|by|with)\s?["“'`][^"”'`\n]{1,80}["”'`]/,
    points: 2,
    reason: "exact wording",
  },
  {
    pattern:
      /^`?[\w./-]{0,80}\.\w{1,12}`?:\s(?:add|remove|delete|set|enable|disable|use|bump|replace|change)\s\S.{0,80}/i,
    points: 2,
    reason: "an exact edit of a named file",
  },
  {
    pattern:
      /^(?:(?:GET|POST|PUT|PATCH|DELETE)\s\S{1,100}|`[^`\n]{1,80}`)\s(?:also\s|always\s|only\s)?(?:stores|ignores|accepts|returns|rejects|prints|writes|reads|answers|sends|validates|keeps|supports|skips|logs|emits|creates|deletes|sorts|uses)\s\S{1,60}/,
    points: 2,
    reason: "states a behaviour that must hold",
  },
  {
    pattern: /\b(?:allow|accept|permit|support|keep|show|list)\sonly\s\S{1,60}/i,
    points: 2,
    reason: "describes the behaviour wanted",
  },
  { pattern: /\bwith (?:the\s)?exact\s\S{2,40}/i, points: 2, reason: "spells out the details" },
  { pattern: /\bset\s.{1,80}?\sto\s\S{1,40}/i, points: 2, reason: "an exact value" },
  {
    pattern: /\b(?:sort|order|group|filter|index|partition)\s.{1,60}?\sby\s\S{2,40}/i,
    points: 2,
    reason: "an exact arrangement",
  },
  { pattern: /\bO\((?:1|n|log n|n log n)\)/i, points: 2, reason: "an exact bound" },
  {
    pattern: /\b(?:identical|byte[- ]for[- ]byte|bit[- ]identical)\b/i,
    points: 2,
    reason: "an exact comparison",
  },
];
