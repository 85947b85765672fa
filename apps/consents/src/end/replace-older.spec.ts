import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { ConsentStore } from '../store/consent-store.js';
import { ReplaceOlder } from './replace-older.js';

/** A database in which the TPP has two consents in force with one holder, of which the store cannot change any. */
const stuck = (): ReplaceOlder => {
  const rowsByTable: Readonly<Record<string, readonly object[]>> = {
    'pairs-with-several-consents': [{ holder: 'psu:ivan', tpp_id: 'tpp' }],
    'consents-in-force': [{ stream_id: 'older' }, { stream_id: 'newer' }],
  };
  const query = async ({ name }: { readonly name: string }) => ({ rows: rowsByTable[name] });
  const refused = { refused: { failure: 'dependencyDown' } };
  const changeMany = async (ids: readonly string[]) => new Map(ids.map((id) => [id, refused]));
  return new ReplaceOlder({ query } as unknown as Pool, { changeMany } as unknown as ConsentStore);
};

describe('older consents that are still in force', () => {
  it('that cannot be ended here are no work done, so that nobody looks for them again at once', async () => {
    expect(await stuck().leftOver(100)).toBe(0);
  });
});
