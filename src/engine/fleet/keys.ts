import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { errnoOf } from "../../system/files/path-errors.ts";

/** Who signs: the user that drives plans, or one worker. */
export interface Signer {
  readonly fingerprint: string;
  readonly sign: (body: object) => string;
}

const signed = v.object({ by: v.string(), body: v.string(), signature: v.string() });

/** A state home's own key; made when it is first needed. `role`: a machine may both drive and work. */
export function signerOf(home: string, role: string): Signer {
  const key = ownKey(join(fleetFolder(home), `${role}.key`));
  const by = createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
  return {
    fingerprint: fingerprintOf(by),
    sign: (value) => {
      const body = JSON.stringify(value);
      return JSON.stringify({ by, body, signature: sign(null, Buffer.from(body), key).toString("base64") });
    },
  };
}

export function fleetFolder(home: string): string {
  return join(home, "fleet");
}

function ownKey(path: string): KeyObject {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  try {
    writeFileSync(path, pem, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  return createPrivateKey(readFileSync(path));
}

function fingerprintOf(publicKey: string): string {
  const digest = createHash("sha256").update(Buffer.from(publicKey, "base64"));
  return `SHA256:${digest.digest("base64").replace(/=+$/, "")}`;
}

/** A fingerprint as people paste it; null: it isn't one. */
export function parseFingerprint(text: string): string | null {
  return /^SHA256:[A-Za-z0-9+/]{43}$/.test(text.trim()) ? text.trim() : null;
}

/** A fingerprint in the name of a queue, which takes fewer characters. */
export function shortName(fingerprint: string): string {
  return createHash("sha256").update(fingerprint).digest("hex").slice(0, 16);
}

/** What a message says, and who signed it; null: nobody did, or something in it was altered. */
export function readSigned(text: string): { readonly by: string; readonly body: unknown } | null {
  try {
    const message = v.parse(signed, JSON.parse(text));
    const spki = Buffer.from(message.by, "base64");
    const key = createPublicKey({ key: spki, type: "spki", format: "der" });
    const isEd25519 = key.asymmetricKeyType === "ed25519";
    if (!isEd25519 || !verify(null, Buffer.from(message.body), key, Buffer.from(message.signature, "base64")))
      return null;
    // The very key: other encodings of it would have other fingerprints.
    const by = fingerprintOf(key.export({ type: "spki", format: "der" }).toString("base64"));
    return { by, body: JSON.parse(message.body) as unknown };
  } catch {
    return null;
  }
}

const pins = v.record(v.string(), v.string());

/** Whom this machine's user accepted, by fingerprint, with the name they gave. */
export function pinnedKeys(home: string, of: "drivers" | "workers"): ReadonlyMap<string, string> {
  return new Map(Object.entries(readJsonFile(pinsPath(home, of), pins) ?? {}));
}

export function pinKey(home: string, of: "drivers" | "workers", fingerprint: string, name: string): void {
  const known = Object.fromEntries(pinnedKeys(home, of));
  writePrivateJson(pinsPath(home, of), { ...known, [fingerprint]: name });
}

/** False: it wasn't accepted. */
export function unpinKey(home: string, of: "drivers" | "workers", fingerprint: string): boolean {
  const { [fingerprint]: dropped, ...others } = Object.fromEntries(pinnedKeys(home, of));
  if (dropped !== undefined) writePrivateJson(pinsPath(home, of), others);
  return dropped !== undefined;
}

function pinsPath(home: string, of: "drivers" | "workers"): string {
  return join(fleetFolder(home), `${of}.json`);
}
