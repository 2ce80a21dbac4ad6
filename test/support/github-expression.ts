/** What an expression can refer to: `github.event.label.name`, `needs.loop.outputs.outcome`. */
export interface Contexts {
  readonly [name: string]: unknown;
}

const TOKEN = /\s*(?:('(?:[^']|'')*')|(&&|\|\||==|!=|\(|\))|([A-Za-z_][\w.-]*))/y;

/** The part of a workflow's expression language that our workflows use. */
function evaluate(expression: string, contexts: Contexts): unknown {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.trimEnd().length) {
    const found = TOKEN.exec(expression);
    if (found === null) throw new Error(`not understood: ${expression}`);
    tokens.push(found[0].trim());
  }
  let at = 0;
  const either = (): unknown => {
    let value = both();
    while (tokens[at] === "||") {
      at += 1;
      const other = both();
      value = isTrue(value) ? value : other;
    }
    return value;
  };
  const both = (): unknown => {
    let value = compared();
    while (tokens[at] === "&&") {
      at += 1;
      const other = compared();
      value = isTrue(value) ? other : value;
    }
    return value;
  };
  const compared = (): unknown => {
    const value = single();
    const operator = tokens[at];
    if (operator !== "==" && operator !== "!=") return value;
    at += 1;
    return (textOf(value) === textOf(single())) === (operator === "==");
  };
  const single = (): unknown => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token === "(") {
      const value = either();
      at += 1;
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (tokens[at] === "(" && token === "always") {
      at += 2;
      return true;
    }
    return lookUp(token, contexts);
  };
  return either();
}

function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

function textOf(value: unknown): string {
  return typeof value === "string"
    ? value
    : value === undefined || value === null
      ? ""
      : JSON.stringify(value);
}

function lookUp(path: string, contexts: Contexts): unknown {
  let value: unknown = contexts;
  for (const name of path.split(".")) value = (value as Contexts | null | undefined)?.[name];
  return value;
}

/** A text with the expressions in it replaced. */
export function interpolated(text: unknown, contexts: Contexts): string {
  return textOf(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    textOf(evaluate(expression, contexts)),
  );
}

/** Whether a job or a step runs. Without `always()`, only if nothing before it failed. */
export function runs(condition: string | undefined, contexts: Contexts, hasFailed: boolean): boolean {
  if (hasFailed && condition?.includes("always()") !== true) return false;
  return condition === undefined || isTrue(evaluate(condition.replace(/^\$\{\{|\}\}$/g, ""), contexts));
}
