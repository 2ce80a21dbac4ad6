import type { Tool } from "./tools.ts";

const SCRIPT_ENDINGS = "{ts,mts,cts,js,mjs,cjs}";

/** Files that change how any program of a Node project runs. */
export const NODE_SURROUNDINGS = [".npmrc", ".env", ".env.local", ".env.test", ".env.test.local"];

const manifest = (...parts: readonly string[]): readonly (readonly [string, string])[] =>
  parts.map((part) => ["package.json", part]);

const VITE = [`vite.config.${SCRIPT_ENDINGS}`];
const BABEL = ["babel.config.{js,cjs,mjs,json,cts}", ".babelrc", ".babelrc.{js,cjs,mjs,json}"];
const JEST = ["jest.config.{js,ts,mjs,cjs,mts,cts,json}", ...BABEL];

export const JAVASCRIPT_TOOLS: readonly Tool[] = [
  {
    commands: ["vitest"],
    tests: "javascript",
    files: [
      `vitest.config.${SCRIPT_ENDINGS}`,
      ...VITE,
      "vitest.workspace.{ts,mts,cts,js,mjs,cjs,json}",
      `vitest.projects.${SCRIPT_ENDINGS}`,
    ],
    parts: manifest("vitest"),
    inline: /\bincludeSource\b/,
  },
  {
    commands: [
      "jest",
      "jest-cli",
      "react-scripts test",
      "craco test",
      "vue-cli-service test:unit",
      "ts-jest",
    ],
    tests: "javascript",
    files: [...JEST, "craco.config.{js,ts,cjs}"],
    parts: manifest("jest", "babel"),
  },
  {
    commands: ["mocha", "_mocha", "ts-mocha", "electron-mocha"],
    tests: "javascript",
    files: [".mocharc.{js,cjs,mjs,yaml,yml,json,jsonc}", "test/mocha.opts"],
    parts: manifest("mocha"),
  },
  { commands: ["ava"], tests: "javascript", files: ["ava.config.{js,cjs,mjs}"], parts: manifest("ava") },
  {
    commands: ["tap", "tape", "uvu", "zora", "lab", "brittle"],
    tests: "javascript",
    files: [".taprc", ".labrc.js"],
    parts: manifest("tap"),
  },
  {
    commands: ["jasmine"],
    tests: "javascript",
    files: ["spec/support/jasmine.{json,js,mjs,cjs}", "jasmine.{json,js,mjs}"],
  },
  {
    commands: ["qunit", "wtr", "web-test-runner", "testem", "ember test"],
    tests: "javascript",
    files: [`web-test-runner.config.${SCRIPT_ENDINGS}`, "testem.{js,json}"],
  },
  {
    commands: ["karma", "ng test"],
    tests: "javascript",
    files: ["karma.conf.{js,ts,cjs,mjs}", "angular.json"],
  },
  {
    commands: ["playwright test", "playwright"],
    tests: "javascript",
    files: [`playwright.config.${SCRIPT_ENDINGS}`, `playwright-ct.config.${SCRIPT_ENDINGS}`],
  },
  {
    commands: ["cypress run", "cypress"],
    tests: "javascript",
    files: [`cypress.config.${SCRIPT_ENDINGS}`, "cypress.json"],
  },
  { commands: ["cucumber-js"], tests: "javascript", files: ["cucumber.{js,json,cjs,mjs,yaml,yml}"] },
  { commands: ["wdio"], tests: "javascript", files: ["wdio.conf.{js,ts}"] },
  { commands: ["bun test"], tests: "javascript", files: ["bunfig.toml"] },
  { commands: ["deno test"], tests: "javascript", files: ["deno.{json,jsonc}"] },
  {
    commands: ["node --test", "tsx --test", "ts-node --test"],
    tests: "javascript",
    files: ["node.config.json"],
  },
  {
    commands: ["c8"],
    wraps: true,
    tests: null,
    files: [".c8rc", ".c8rc.json", "c8.config.json"],
    parts: manifest("c8"),
  },
  {
    commands: ["nyc"],
    wraps: true,
    tests: null,
    files: [".nycrc", ".nycrc.{json,yml,yaml}", "nyc.config.{js,cjs,mjs}"],
    parts: manifest("nyc"),
  },
  {
    commands: ["tsc", "vue-tsc", "tsgo", "svelte-check", "attw"],
    tests: null,
    files: ["tsconfig.json", "tsconfig.build.json", "tsconfig.base.json"],
  },
  {
    commands: ["eslint", "standard", "xo", "neostandard"],
    tests: null,
    files: [`eslint.config.${SCRIPT_ENDINGS}`, ".eslintignore"],
    parts: manifest("eslintConfig", "eslintIgnore", "xo", "standard"),
    anywhere: /(?:^|\/)\.eslintrc(?:\.(?:js|cjs|mjs|yaml|yml|json))?$/,
  },
  {
    commands: ["oxlint"],
    tests: null,
    files: ["oxlint.config.{ts,js}", ".oxlintrc.jsonc"],
    anywhere: /(?:^|\/)\.oxlintrc\.json$/,
  },
  { commands: ["oxfmt"], tests: null, files: [".oxfmtrc.{json,jsonc}"] },
  {
    commands: ["biome", "rome"],
    tests: null,
    files: ["biome.{json,jsonc}", ".biome.{json,jsonc}", "rome.json"],
  },
  {
    commands: ["prettier"],
    tests: null,
    files: [".prettierignore", "prettier.config.{js,cjs,mjs,ts,mts,cts}"],
    parts: manifest("prettier"),
    anywhere: /(?:^|\/)\.prettierrc(?:\.(?:json5?|ya?ml|toml|[cm]?[jt]s))?$/,
  },
  {
    commands: ["stylelint"],
    tests: null,
    files: [
      ".stylelintrc",
      ".stylelintrc.{json,yaml,yml,js,cjs,mjs}",
      "stylelint.config.{js,cjs,mjs}",
      ".stylelintignore",
    ],
    parts: manifest("stylelint"),
  },
  {
    commands: ["knip"],
    tests: null,
    files: ["knip.{json,jsonc,ts,js}", ".knip.{json,jsonc}"],
    parts: manifest("knip"),
  },
  { commands: ["vite build", "vite"], tests: null, files: VITE },
  { commands: ["deno lint", "deno check", "deno fmt"], tests: null, files: ["deno.{json,jsonc}"] },
];
