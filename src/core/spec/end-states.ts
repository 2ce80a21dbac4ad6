import { MEASURED } from "./target.ts";
import { rules } from "./rule.ts";

export const VAGUE =
  /\b(?:better|nicer|good|great|nice|modern|cleaner|simpler|prettier|faster|easier(?: to \w+)?|more \w+|improved|something (?:else|better|nicer)|(?:smaller|simpler|cleaner|better|fewer) \w{2,20})\s*$|\bto (?:make|improve|help)\b/i;

/** Words after which two people would agree whether the result is there. */
export const END_STATES = [
  ...MEASURED,
  ...rules(
    2,
    [
      /\b(?:rename|convert|migrate|port|move|switch|change|translate|locali[sz]e|transform|merge|turn|split|upgrade|downgrade|bump|update|pin|set|refactor|rewrite|restructure|extract|inline|round|flatten|raise|lower|increase|decrease|reduce|redirect|point|put|place)\s.{0,160}?\b(?:to|into|out of)\s(?!(?:make|be|improve|help|see|allow|get|keep|avoid|reduce|have)\b)(?:use\s)?[\w`"'@./#][^,;]{0,40}/i,
      "names the state to reach",
      VAGUE,
    ],
    [/\b(?:replace|swap)\s.{1,160}?\s(?:with|by|for)\s\S{1,60}/i, "names what replaces what", VAGUE],
    [
      /\b(?:rewrite|reimplement|port)\s.{1,120}?\s(?:in|using|on top of)\s[A-Z`]\S{0,40}/,
      "names the state to reach",
    ],
    [
      /\b(?:rewrite|reimplement)\s.{1,120}?\s(?:in|using|on top of)\s[A-Z`]\S{0,40}/i,
      "names the state to reach",
    ],
    [
      /\b(?:migrat(?:e|ion)|switch|move|moving)\s.{0,80}?\bfrom\s.{1,80}?\sto\s\S{1,40}/i,
      "names both ends of the change",
    ],
    [/\b(?:instead of|rather than)\s\S{1,60}|\S{1,60}\sinstead$/i, "says what holds now and what shall hold"],
    [
      /(?<!\b(?:see|know|tell|show|find out|check|decide|say)\s)\b(?:that|which)\s(?:(?:only|also|always|then|can|will|must)\s)?(?!(?:this|his|was|has|is|does|works|helps|makes|improves|looks|feels)\b)[a-z]{2,20}(?:[^su\s]s|es)\b.{0,60}/i,
      "describes the behaviour wanted",
    ],
    [
      /\bso (?:(?:it|they)\s(?:\w{2,12}ly\s)?(?!is\b|was\b|looks\b|works\b)[a-z]{3,15}s\s\S{2,60}|that\s(?!(?:i|we|they|users|people) can\b)(?:[\w'-]{1,30}\s){2,12}\w+)/i,
      "describes the behaviour wanted",
      VAGUE,
    ],
    [
      /(?<!\b(?:we|you|i|so that they)\s(?:really\s|just\s|also\s)?)\b(?:should|must|shall|can|cannot|may|has to|have to|needs to|ought to)\s(?:be able to\s|only\s|always\s|never\s|no longer\s)?(?!(?:be|work|look|feel|have|you|we|i|fit|follow|re-?use|respect|match|stick|blend)\b)[a-z]{2,20}\s.{3,80}/i,
      "states a behaviour that must hold",
      VAGUE,
    ],
    [
      /(?<!\b(?:we|you|i)\s(?:really\s|just\s|also\s)?)\b(?:should|must|shall|has to|have to|needs to)\sbe\s(?!(?:better|good|nice|fast|faster|easy|easier|clean|great|simple|more|improved|fixed|robust)\b)[\w`"-]{2,40}\s.{3,80}/i,
      "states a behaviour that must hold",
      VAGUE,
    ],
    [
      /\b(?:when|whenever|if|after|where)\s(?!(?:(?:the|our)\s(?:last|latest|recent|new)|possible|needed|necessary|you|ready|done|appropriate|it (?:works|makes sense)|finished|applicable|required|they (?:are|can))\b)(?:[\w`"'@./=<>!-]{1,40}\s){2,14}[\w`"'@./-]{1,40}/i,
      "names the condition and so the behaviour",
    ],
    [
      /\b(?:should|must|shall|has to|have to|needs to)\s(?:be|become|equal|read|say|return|give|yield)\s(?:an?\s)?["“'`{[\d].{0,60}/i,
      "an exact value",
    ],
    [/\bonly\s(?:[\w-]{2,30}\s){1,4}(?:is|are)\s[\w-]{3,20}/i, "describes the behaviour wanted"],
    [
      /\b(?:add|create|implement|expose|introduce|provide|build)\s.{1,100}?\b(?:returning|accepting|printing|showing|listing|containing|writing|taking|answering|rejecting|reading)\s\S{2,60}/i,
      "describes the behaviour wanted",
    ],
    [
      /\b(?:returns?|answers?|repl(?:y|ies) with|gives?|respond(?:s)? with|rejects?|exits? with|status)\s.{0,60}?\b[1-5]\d\d\b/i,
      "an exact response",
    ],
    [
      /\b(?:make(?! sure)|get|bring|keep)\s.{1,80}?\b(?:green|pass(?:ing)?|compile)\b/i,
      "the checks named must pass",
    ],
    [
      /\b(?:remove|delete|drop|uninstall)\s(?:the|all|every|any|unused|this|our)\s\S{1,60}(?:\s\S{1,60}){0,3}/i,
      "names what must be gone",
      /\b(?:dead|old|legacy|unnecessary|redundant)\scode\b|\bunused (?:code|stuff)\b/i,
    ],
    [
      /\b(?:add|create)\s.{0,40}?\b(?:index|column|field|foreign key|constraint|alias|env(?:ironment)? variable)\s(?:`[^`\n]{1,60}`\s)?(?:on|to|named|called|for)\s\S{1,60}/i,
      "an exact element to add",
    ],
    [
      /\b(?:add|create|expose|define|declare|introduce|export|emit)\s(?:an?\s|the\s)?`[^`\n]{2,80}`\s(?:\w{1,20}\s){0,3}?(?:to|in|at|on|from|under)\s[`/\w.][^,;]{1,60}/i,
      "an exact element to add",
    ],
    [
      /\b(?:add|create|write|insert|change|set|display|show|print|named|called|titled)\s.{0,60}?["“][^"”\n]{2,120}["”].{0,60}/i,
      "exact wording",
    ],
    [/(?:\S{1,60}\s){1,12}\S{1,60}:\s(?:[^\s,]{1,60},?\s){3,40}\S{1,60}/, "spells out the details"],
    [
      /\b(?:make|let|have)\s(?:[\w`'./()-]{1,60}\s){1,8}?(?:read|accept|return|print|support|write|emit|ignore|reject|respect|honou?r|log|skip|fall back|default|show|send|store|parse|retry|exit|fail)\s\S{1,60}/i,
      "describes the behaviour wanted",
    ],
    [
      /\b(?:add|build|create|implement|write|provide)\s.{1,80}?\b(?:with|for|containing|supporting|including)\s(?:[\w`-]{1,30}\s?){1,3}(?:,\s(?:[\w`-]{1,30}\s?){1,3}){1,8}\s?(?:and|or)\s\w+/i,
      "lists its parts",
    ],
    [/\beach with\s(?:[\w-]{1,30}\s){1,8}\w+/i, "spells out the details"],
    [
      /^(?:no|zero)(?: more)?\s(?:[\w-]{1,20}\s){0,3}(?:errors?|warnings?|failures?|violations?|findings)\b/i,
      "nothing of it is left",
    ],
    [/^return\s.{1,80}?\s(?:from|for|in)\s\S{2,60}/i, "an exact response"],
    [
      /\b(?:at the (?:top|bottom|left|right|end|beginning|start)|(?:newest|oldest|latest|largest|smallest|highest|lowest) first)\b/i,
      "an exact arrangement",
    ],
    [
      /\b(?:gets?|sees?|shows?|says?|reads?|displays?|prints?|answers?|gives?|expected|->|→)\s.{0,40}?["“][^"”\n]{1,120}["”]/i,
      "exact wording",
    ],
    [
      /["“'`][^"”'`\n]{1,80}["”'`]\s?(?:->|→|=>|to|into|by|with)\s?["“'`][^"”'`\n]{1,80}["”'`]/,
      "exact wording",
    ],
    [
      /^`?[\w./-]{0,80}\.\w{1,12}`?:\s(?:(?:add|remove|delete|set|enable|disable|use|bump|replace|change|document|describe|skip|ignore|return|print|write|accept|reject|read|log)\s\S|--[a-z]).{0,80}/i,
      "an exact edit of a named file",
    ],
    [
      /^(?:(?:GET|POST|PUT|PATCH|DELETE)\s\S{1,100}|`[^`\n]{1,80}`|[\w.:]{2,60}\(\w{0,30}\))\s(?:also\s|always\s|only\s)?(?:stores|ignores|accepts|returns|rejects|prints|writes|reads|answers|sends|validates|keeps|supports|skips|logs|emits|creates|deletes|sorts|uses|spawns|opens|closes|starts|stops|adds|removes|shows|clamps|rounds|escapes)\s\S{1,60}/,
      "states a behaviour that must hold",
    ],
    [/\b(?:allow|accept|permit|support|keep|show|list)\sonly\s\S{1,60}/i, "describes the behaviour wanted"],
    [/\bwith (?:the\s)?exact\s\S{2,40}/i, "spells out the details"],
    [/\bset\s.{1,80}?\sto\s\S{1,40}/i, "an exact value"],
    [
      /\b(?:sort|order|group|filter|index|partition|deduplicate|dedupe)\s.{1,60}?\sby\s\S{2,40}/i,
      "an exact arrangement",
    ],
    [
      /(?:`[^`\n]{1,80}`|\b[a-z]{1,30}[A-Z]\w{1,40}|\b\w{2,40}\(\))\s(?:is|are|was|were|does|do|gets?)(?:\snot|n['’]t|\snever)\s[a-z]{3,20}/,
      "says of a named thing what it lacks",
    ],
    [
      /\b(?:last|first|next|top|latest|newest|oldest)\s(?:\d{1,5}|two|three|four|five|six|seven|eight|nine|ten|twenty)\s[a-z]{3,20}/i,
      "an exact arrangement",
    ],
    [/\b(?:clean|green|strict)\s(?:for|in|on|across)\s\S{2,60}/i, "the checks named must pass"],
    [
      /\b(?:is|are|gets?)\s(?:automatically\s)?(?:shown|hidden|saved|removed|added|created|sent|opened|closed|disabled|enabled|dropped|skipped|sorted|kept|ignored|rejected|marked|updated|inserted|moved|stored)\s(?:in|on|as|at|to|by|with|after|before|when|first|last|automatically)\b/i,
      "describes the behaviour wanted",
    ],
    [
      /\bthe (?:newer|newest|older|oldest|first|last|latest) (?:[\w-]{2,20}\s)?wins\b/i,
      "describes the behaviour wanted",
    ],
    [/\bone (?:[\w-]{2,20}\s){1,3}(?:per|for each) [\w-]{2,30}/i, "an exact arrangement"],
    [/\bround(?:ed|s)? (?:up |down |half up )?to \d/i, "an exact value"],
    [
      /\b(?:whose|who)\s(?:[\w'-]{1,30}\s){1,6}(?:is|are|has|have)\s\S{2,40}/i,
      "names the condition and so the behaviour",
    ],
    [/\bdefault(?:s to|ing to| is|:)?\s[`"']?\d/i, "an exact value"],
    [
      /^[A-Za-z][\w@./-]{1,30}\sv?\d{1,3}(?:\.[\dx]{1,4}){0,2}\s(?:(?:in|for|on|everywhere)\b|(?:->|→|to)\s?v?\d)/i,
      "an exact version",
    ],
    [/\bO\((?:1|n|log n|n log n)\)/i, "an exact bound"],
    [/\b(?:identical|byte[- ]for[- ]byte|bit[- ]identical)\b/i, "an exact comparison"],
  ),
];
