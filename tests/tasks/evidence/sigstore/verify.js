// Reads {"key": PEM, "hint": text, "bundles": [...]} and answers, for each bundle, with true or the reason against it.
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { bundleFromJSON } from "@sigstore/bundle";
import { Verifier, toSignedEntity } from "@sigstore/verify";

const { key, hint, bundles } = JSON.parse(readFileSync(0, "utf8"));
const publicKey = createPublicKey(key);
const none = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
const trust = {
  ...none,
  publicKey(wanted) {
    if (wanted !== hint) throw new Error("no such key");
    return { publicKey, validFor: () => true };
  },
};
const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, tsaThreshold: 0 });

function judged(bundle) {
  try {
    verifier.verify(toSignedEntity(bundleFromJSON(bundle)));
    return true;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
console.log(JSON.stringify(bundles.map(judged)));
