import { describe, expect, it } from "vitest";
import { looksLikeSecret, withholdSecrets } from "./recognize.ts";

describe("looksLikeSecret", () => {
  it.each([
    "GITHUB_TOKEN",
    "npm_token",
    "CLIENT_SECRET",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD",
    "ROOT_PASSWD",
    "OPENAI_API_KEY",
    "OPENAI_APIKEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "SSH_PRIVATE_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "NPM_AUTH",
    "HTTP_AUTHORIZATION",
    "RAILS_SESSION_KEY",
    "SENTRY_DSN",
    "GH_PAT",
    "SMTP_PASS",
    "DEPLOY_KEY",
  ])("%s does", (name) => expect(looksLikeSecret(name)).toBe(true));

  it.each([
    "PATH",
    "HOME",
    "PWD",
    "OLDPWD",
    "GIT_AUTHOR_NAME",
    "XAUTHORITY",
    "TOKENIZERS_PARALLELISM",
    "KEYBOARD",
    "PYTHONPATH",
    "COMPASS",
    "MONKEY",
    "LOOP_RUN_ID",
    "GIT_CONFIG_KEY_0",
  ])("%s does not", (name) => expect(looksLikeSecret(name)).toBe(false));
});

describe("withholdSecrets", () => {
  it("sorts the names of what it withheld, and keeps the rest", () => {
    const result = withholdSecrets({ B_TOKEN: "long-enough", A_TOKEN: "x", PATH: "/bin" }, []);
    expect(result.env).toEqual({ PATH: "/bin" });
    expect(result.withheld).toEqual(["A_TOKEN", "B_TOKEN"]);
  });

  it("looks for no value in the output that is too short to be told from text", () => {
    expect(withholdSecrets({ A_TOKEN: "12345", B_TOKEN: "123456" }, []).secrets).toEqual([
      { name: "B_TOKEN", value: "123456" },
    ]);
  });

  it("passes on what carries a password inside an address, and knows the password", () => {
    const DATABASE_URL = "postgres://app:p%40ssw0rd1@db:5432/app";
    const result = withholdSecrets({ DATABASE_URL }, []);
    expect(result.env).toEqual({ DATABASE_URL });
    expect(result.secrets.map(({ value }) => value)).toEqual(["p%40ssw0rd1", "p@ssw0rd1"]);
  });
});
