import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './layout.js';

interface Fixtures {
  readonly tpps: readonly {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly redirectUris: readonly string[];
  }[];
  readonly psus: readonly {
    readonly psuId: string;
    readonly password: string;
    readonly accounts?: readonly string[];
    readonly corporateIds?: readonly string[];
  }[];
  /** The further accounts of a bank in euro. */
  readonly euro: { readonly accounts: readonly { readonly psuId: string; readonly iban: string }[] };
}

export const readFixtures = (): Fixtures =>
  JSON.parse(readFileSync(join(root, 'deploy/sandbox/sandbox-fixtures.json'), 'utf8')) as Fixtures;
