import { createHash } from 'node:crypto';
import type { TokenTransactions } from './token-transaction.js';

type Database = Pick<TokenTransactions, 'queryBeside'>;

/**
 * Is this the first use of a client assertion or a DPoP proof? One insert decides, so that of many uses at once exactly
 * one is the first. A client assertion is used up also by a refused request. A DPoP proof that belongs to
 * an exchange under way is written with it, because a request never holds one connection while it waits for another.
 */
export const isFirstUse = async (
  database: Database,
  issuer: string,
  jti: string,
  expiresAtSeconds: number,
): Promise<boolean> => {
  const { rowCount } = await database.queryBeside({
    name: 'used-once',
    text: `INSERT INTO oidc_model (model, id_hash, payload, expires_at)
           VALUES ('ReplayDetection', $1, '{}', $2) ON CONFLICT DO NOTHING`,
    values: [
      createHash('sha256')
        .update(JSON.stringify([issuer, jti]))
        .digest(),
      new Date(expiresAtSeconds * 1000),
    ],
  });
  return rowCount === 1;
};
