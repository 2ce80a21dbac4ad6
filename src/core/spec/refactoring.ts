import type { Finding } from "./dimension.ts";
import type { Reading } from "./reading.ts";
import { applyRules, type Rule } from "./rule.ts";

const REFACTORING: readonly Rule[] = [
  {
    pattern:
      /\b(?:refactor|restructure|reorgani[sz]e|deduplicate|rename|extract|inline|decouple|decompose|flatten|unify|modulari[sz]e|consolidate)\b/i,
    points: 1,
    reason: "a refactor implies that behaviour stays",
  },
  {
    pattern: /\b(?:migrate|port|rewrite|convert)\b/i,
    points: 1,
    reason: "a migration implies that behaviour stays",
  },
  {
    pattern: /\b(?:migration|refactoring)\s(?:of|from|to)\b/i,
    points: 1,
    reason: "a migration implies that behaviour stays",
  },
  {
    pattern: /\bmove\s.{1,120}?\s(?:to|into|out of)\b/i,
    points: 1,
    reason: "a move implies that behaviour stays",
  },
  {
    pattern: /\bsplit\s.{1,120}?\s(?:into|up)\b/i,
    points: 1,
    reason: "a refactor implies that behaviour stays",
  },
  {
    pattern: /\b(?:replace|swap)\s.{1,160}?\s(?:with|by|for)\b/i,
    points: 1,
    reason: "a replacement implies that behaviour stays",
  },
  {
    pattern: /\bswitch\s.{0,120}?\bfrom\s.{1,80}?\sto\b/i,
    points: 1,
    reason: "a migration implies that behaviour stays",
  },
];

/** Tidying is a refactor only where it says so. */
const STATED: readonly Rule[] = [
  {
    pattern:
      /\b(?:simplify|clean up|tidy|streamline|untangle)\b.{1,120}?\bwithout (?:changing|altering|affecting)\b.{0,40}/i,
    points: 1,
    reason: "behaviour is said to stay",
  },
];

export function findRefactoring(reading: Reading): Finding[] {
  return [...applyRules(REFACTORING, reading.work), ...applyRules(STATED, reading.limits)];
}
