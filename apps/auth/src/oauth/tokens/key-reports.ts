import type { KeyReport } from '@xs2a/contracts/console/key.contract';
import type { SigningKeys } from './signing-keys.js';

/** Lists the signing keys that this instance of the authorization server has loaded, without their key material. */
export abstract class KeyReports {
  abstract readonly reports: readonly KeyReport[];
}

/**
 * Returns a report for each key, in the order of the key files: the first key of a file signs, and all keys of the file
 * are published.
 */
export const reportSigningKeys = (tokenKeys: SigningKeys, bundleKeys: SigningKeys): readonly KeyReport[] => [
  ...reportKeys('tokens and notifications', tokenKeys),
  ...reportKeys('dispute bundles', bundleKeys),
];

const reportKeys = (use: KeyReport['use'], { keys }: SigningKeys): readonly KeyReport[] =>
  keys.map(({ kid = '', iat }, at) => ({
    id: kid,
    use,
    algorithm: 'ES256',
    state: at === 0 ? 'signs' : 'verifies',
    ...(isTime(iat) ? { madeAt: new Date(iat * 1000).toISOString() } : {}),
  }));

/**
 * True if `iat` is a number of seconds since the epoch before the year 10000, so that `toISOString` returns a year with
 * four digits.
 */
const isTime = (iat: unknown): iat is number => typeof iat === 'number' && iat >= 0 && iat < 253_402_300_800;
