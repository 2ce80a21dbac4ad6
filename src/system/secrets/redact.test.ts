import { describe, expect, it, test } from "vitest";
import { redactor, redactorOf, renderOutput } from "./redact.ts";
import { createCappedOutput } from "../process/collect-output.ts";

const SECRET = 'pass"word\\1\n';
const redact = redactor({
  DB_PASSWORD: SECRET,
  PATH: "/usr/bin",
  API_KEY: "short",
  GITHUB_TOKEN: "ghp_12345678",
});

test("secrets are taken out, as they are and as JSON writes them", () => {
  expect(redact(`before ${SECRET} after ghp_12345678`)).toBe(
    "before [DB_PASSWORD withheld] after [GITHUB_TOKEN withheld]",
  );
  const line = JSON.stringify({ said: `the password is ${SECRET}` });
  expect(JSON.parse(redact(line))).toEqual({ said: "the password is [DB_PASSWORD withheld]" });
});

test("what is no secret, or too short to be told from other words, stays", () => {
  expect(redact("in /usr/bin a short walk")).toBe("in /usr/bin a short walk");
});

describe("redactorOf", () => {
  it("replaces the longer of two values that share their beginning whole", () => {
    const secrets = [
      { name: "SHORT", value: "abcdef" },
      { name: "LONG", value: "abcdefghi" },
    ];
    expect(redactorOf(secrets)("abcdefghi abcdef")).toBe("[LONG withheld] [SHORT withheld]");
  });

  it("takes a value literally", () => {
    expect(redactorOf([{ name: "$&", value: "a.*b$&" }])("a.*b$&")).toBe("[$& withheld]");
  });
});

const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${"b3BlbnNzaC1rZXktdjEAAAAA\n".repeat(3)}-----END OPENSSH PRIVATE KEY-----`;
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk";

describe("what nobody has in a variable is known by its shape", () => {
  const plain = redactor({});
  const hex = "0123456789abcdef0123456789abcdef0123";

  it.each([
    `ghp_${hex}`,
    `github_pat_11ABCDEFG0${hex}`,
    `sk-ant-api03-${hex}`,
    `sk-proj-${hex}`,
    "xoxb-123456789012-abcdefABCDEF",
    "AKIAIOSFODNN7EXAMPLE",
    `AIza${hex.slice(0, 35)}`,
    `glpat-${hex.slice(0, 20)}`,
    `npm_${hex}`,
    JWT,
  ])("such as the token %s", (token) => {
    expect(plain(`it is ${token}.`)).toMatch(/^it is \[token withheld\]\.?$/);
    expect(plain(JSON.stringify({ token }))).toBe('{"token":"[token withheld]"}');
  });

  it("a password in an address, though it has an @ in it", () => {
    expect(plain("postgres://app:hunter2@db:5432/app and redis://:p@ss@cache")).toBe(
      "postgres://app:[password withheld]@db:5432/app and redis://:[password withheld]@cache",
    );
  });

  it("a private key, whole, as JSON, without its end and without its beginning", () => {
    expect(plain(`a\n${KEY}\nb`)).toBe("a\n[private key withheld]\nb");
    expect(plain(JSON.stringify({ KEY }))).toBe('{"KEY":"[private key withheld]"}');
    expect(plain(KEY.slice(0, 80))).toBe("[private key withheld]");
    expect(plain(KEY.slice(50))).toBe("[private key withheld]");
  });

  it("an authorization header", () => {
    expect(plain('"Authorization": "Bearer abcdefgh12345678"')).toBe(
      '"Authorization": "Bearer [token withheld]"',
    );
  });

  it.each([
    "see https://example.com:8080/a@b and http://localhost:3000/",
    "user@example.com at 12:30@home",
    "npm_config_registry=x npm_lifecycle_event=test",
    "sk-learn-is-a-library-of-machine-learning",
    "the task-0123456789-0123456789 is done",
    "AKIA is four letters, eyJ three",
    "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
  ])("and no other text: %s", (text) => expect(plain(text)).toBe(text));

  it("in a time that grows with the text, whatever it is", () => {
    for (const piece of [
      "a://",
      "-----BEGIN PRIVATE KEY-----",
      "eyJaaaaaaaaa.",
      "sk-aaaaaaaaa",
      "a:b@",
      "aaaa\n",
    ])
      expect(plain(piece.repeat(40_000 / piece.length)).length).toBeGreaterThan(0);
  });
});

function render(text: string, secret: string, limit: number): string {
  const output = createCappedOutput(limit);
  output.append(Buffer.from(text));
  return renderOutput(output, redactorOf([{ name: "KEY", value: secret }]));
}

describe("renderOutput", () => {
  it("says on a line of its own how much was left out", () => {
    expect(render(`ab${"-".repeat(50)}${"z".repeat(30)}`, "unused", 32)).toBe(
      `ab\n[… 50 bytes left out …]\n${"z".repeat(30)}`,
    );
  });

  it("shows no piece of a secret that was cut in two", () => {
    const secret = "0123456789abcdef";
    const text = `${"x".repeat(10)}${secret}${"-".repeat(300)}${secret}${"y".repeat(235)}`;
    const rendered = render(text, secret, 256);
    expect(rendered).toBe(
      `${"x".repeat(10)}[KEY withheld]\n[… 321 bytes left out …]\n[KEY withheld]${"y".repeat(235)}`,
    );
  });

  it("shows no beginning of a token that was cut in two", () => {
    const text = `token ghp_${"a1".repeat(40)}${"-".repeat(300)}`;
    expect(render(text, "unused", 256)).toMatch(/^token \[token withheld\]\n/);
  });
});
