import { type MasterKeys, parseMasterKeys } from '@xs2a/runtime/master-keys';
import { readFileSync } from 'node:fs';
import { makeLayout } from './layout.js';

/** Returns the master keys of a service in the sandbox with this data folder. */
export const masterKeysOf = (dataDir: string, service: 'payments' | 'consents'): MasterKeys => {
  const file = makeLayout(dataDir).secret(`master-keys-${service}`);
  const keys = parseMasterKeys(readFileSync(file, 'utf8').trim());
  if (keys === undefined) throw new Error(`${service} has no master keys`);
  return keys;
};
