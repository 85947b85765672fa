import { findMissingKeys, type SampledKeys, sampleKeys } from '@xs2a/custody/personal-data/sample-keys';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { xs2a } from '../command-line/own-name.js';
import type { Connections } from '../connections.js';
import { resourceNames } from '../events/resource-option.js';
import { type Check, type Outcome, passed } from './check.js';

/** Describes what an operator has to do, based on a sample of a service's keys; undefined if there is nothing to do. */
const keysProblem = (
  sample: readonly SampledKeys[],
  masterKeys: MasterKeys | undefined,
): string | undefined => {
  const missing = masterKeys === undefined ? [] : findMissingKeys(sample, masterKeys).names;
  if (missing.length > 0)
    return `keys under ${missing.join(', ')}, which the given master keys do not unwrap`;
  if (sample.length > 1) return `keys under ${sample.map(({ masterKey }) => masterKey).join(' and ')}`;
  return undefined;
};

const masterKeysInUse = async (connections: Connections): Promise<Outcome> => {
  const texts: string[] = [];
  let isWell = true;
  for (const resource of resourceNames) {
    const sample = await sampleKeys(connections.pool(resource));
    const problem = keysProblem(sample, await connections.masterKeys(resource));
    isWell &&= problem === undefined;
    texts.push(`${resource}: ${problem ?? sample[0]?.masterKey ?? 'no keys yet'}`);
  }
  const text = texts.join('; ');
  return passed(text, isWell ? undefined : xs2a('privacy rotate --dry-run'));
};

/** Warns while a key rotation is unfinished, and if the operator's master keys differ from those of the services. */
export const masterKeysCheck: Check = { name: 'master keys', needs: ['postgres'], run: masterKeysInUse };
