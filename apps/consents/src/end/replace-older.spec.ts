import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { ConsentStore } from '../store/consent-store.js';
import { ReplaceOlder } from './replace-older.js';

/** A database in which the TPP has two valid consents of the same holder, neither of which the store can change. */
const stuck = (): ReplaceOlder => {
  const rowsByTable: Readonly<Record<string, readonly object[]>> = {
    'pairs-with-several-consents': [{ holder: 'psu:ivan', tpp_id: 'tpp' }],
    'consents-in-force': [{ stream_id: 'older' }, { stream_id: 'newer' }],
  };
  const query = async ({ name }: { readonly name: string }) => ({ rows: rowsByTable[name] });
  const refused = { refused: { failure: 'dependencyDown' } };
  const change = async (ids: readonly string[]) => new Map(ids.map((id) => [id, refused]));
  return new ReplaceOlder({ query } as unknown as Pool, { many: { change } } as unknown as ConsentStore);
};

describe('older consents that are still valid', () => {
  it('are not searched for again immediately if they cannot be ended', async () => {
    expect(await stuck().leftOver(100)).toBe(0);
  });
});
