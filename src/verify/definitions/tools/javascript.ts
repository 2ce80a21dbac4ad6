import type { Tool } from "./tools.ts";

/** Files that change how any program of a Node project runs. */
export const NODE_SURROUNDINGS = [".npmrc", ".env", ".env.local", ".env.test", ".env.test.local"];

const SCRIPT = "{ts,mts,cts,js,mjs,cjs}";
const VITE = `vite.config.${SCRIPT}`;
const BABEL = "babel.config.{js,cjs,mjs,json,cts} .babelrc .babelrc.{js,cjs,mjs,json}";

export const JAVASCRIPT_TOOLS: readonly Tool[] = [
  {
    commands: "vitest",
    tests: "javascript",
    files: `vitest.config.${SCRIPT} ${VITE} vitest.workspace.{ts,mts,cts,js,mjs,cjs,json} vitest.projects.${SCRIPT}`,
    parts: { "package.json": ["vitest"] },
    inline: /\bincludeSource\b/,
  },
  {
    commands: "jest, jest-cli, react-scripts test, craco test, vue-cli-service test:unit, ts-jest",
    tests: "javascript",
    files: `jest.config.{js,ts,mjs,cjs,mts,cts,json} ${BABEL} craco.config.{js,ts,cjs}`,
    parts: { "package.json": ["jest", "babel"] },
  },
  {
    commands: "mocha, _mocha, ts-mocha, electron-mocha",
    tests: "javascript",
    files: ".mocharc.{js,cjs,mjs,yaml,yml,json,jsonc} test/mocha.opts",
    parts: { "package.json": ["mocha"] },
    runsFolders: true,
  },
  {
    commands: "ava",
    tests: "javascript",
    files: "ava.config.{js,cjs,mjs}",
    parts: { "package.json": ["ava"] },
  },
  {
    commands: "tap, tape, uvu, zora, lab, brittle",
    tests: "javascript",
    files: ".taprc .labrc.js",
    parts: { "package.json": ["tap"] },
    runsFolders: true,
  },
  {
    commands: "jasmine",
    tests: "javascript",
    files: "spec/support/jasmine.{json,js,mjs,cjs} jasmine.{json,js,mjs}",
  },
  {
    commands: "qunit, wtr, web-test-runner, testem, ember test",
    tests: "javascript",
    files: `web-test-runner.config.${SCRIPT} testem.{js,json}`,
    runsFolders: true,
  },
  { commands: "karma, ng test", tests: "javascript", files: "karma.conf.{js,ts,cjs,mjs} angular.json" },
  {
    commands: "playwright test, playwright",
    tests: "javascript",
    files: `playwright.config.${SCRIPT} playwright-ct.config.${SCRIPT}`,
  },
  { commands: "cypress run, cypress", tests: "javascript", files: `cypress.config.${SCRIPT} cypress.json` },
  { commands: "cucumber-js", tests: "javascript", files: "cucumber.{js,json,cjs,mjs,yaml,yml}" },
  { commands: "wdio", tests: "javascript", files: "wdio.conf.{js,ts}" },
  { commands: "bun test", tests: "javascript", files: "bunfig.toml" },
  { commands: "deno test", tests: "javascript", files: "deno.{json,jsonc}" },
  { commands: "node --test, tsx --test, ts-node --test", tests: "javascript", files: "node.config.json" },
  {
    commands: "c8",
    reports: "coverage",
    language: "javascript",
    tests: "wrapped",
    files: ".c8rc .c8rc.json c8.config.json",
    parts: { "package.json": ["c8"] },
  },
  {
    commands: "nyc",
    reports: "coverage",
    language: "javascript",
    tests: "wrapped",
    files: ".nycrc .nycrc.{json,yml,yaml} nyc.config.{js,cjs,mjs}",
    parts: { "package.json": ["nyc"] },
  },
  {
    commands: "tsc, vue-tsc, tsgo, svelte-check, attw",
    reports: "types",
    language: "javascript",
    files: "tsconfig.json tsconfig.build.json tsconfig.base.json",
  },
  {
    commands: "eslint, standard, xo, neostandard",
    reports: "rules",
    language: "javascript",
    files: `eslint.config.${SCRIPT} .eslintignore`,
    parts: { "package.json": ["eslintConfig", "eslintIgnore", "xo", "standard"] },
    anywhere: /(?:^|\/)\.eslintrc(?:\.(?:js|cjs|mjs|yaml|yml|json))?$/,
  },
  {
    commands: "oxlint",
    reports: "rules",
    language: "javascript",
    files: "oxlint.config.{ts,js} .oxlintrc.jsonc",
    anywhere: /(?:^|\/)\.oxlintrc\.json$/,
  },
  { commands: "oxfmt", reports: "form", language: "javascript", files: ".oxfmtrc.{json,jsonc}" },
  {
    commands: "biome, rome",
    reports: "rules",
    language: "javascript",
    files: "biome.{json,jsonc} .biome.{json,jsonc} rome.json",
  },
  {
    commands: "prettier",
    reports: "form",
    files: ".prettierignore prettier.config.{js,cjs,mjs,ts,mts,cts}",
    parts: { "package.json": ["prettier"] },
    anywhere: /(?:^|\/)\.prettierrc(?:\.(?:json5?|ya?ml|toml|[cm]?[jt]s))?$/,
  },
  {
    commands: "stylelint",
    reports: "rules",
    files:
      ".stylelintrc .stylelintrc.{json,yaml,yml,js,cjs,mjs} stylelint.config.{js,cjs,mjs} .stylelintignore",
    parts: { "package.json": ["stylelint"] },
  },
  {
    commands: "knip",
    reports: "rules",
    language: "javascript",
    files: "knip.{json,jsonc,ts,js} .knip.{json,jsonc}",
    parts: { "package.json": ["knip"] },
  },
  { commands: "vite build, vite", reports: "build", language: "javascript", files: VITE },
  { commands: "deno lint", reports: "rules", language: "javascript", files: "deno.{json,jsonc}" },
  { commands: "deno check", reports: "types", language: "javascript", files: "deno.{json,jsonc}" },
  { commands: "deno fmt", reports: "form", files: "deno.{json,jsonc}" },
];
