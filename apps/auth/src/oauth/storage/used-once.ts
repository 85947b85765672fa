import { createHash } from 'node:crypto';
import type { TokenTransactions } from './token-transaction.js';

type Database = Pick<TokenTransactions, 'queryBeside'>;

/**
 * Returns whether this is the first use of a client assertion or a DPoP proof. A single insert decides, so exactly
 * one of many concurrent uses counts as the first. A client assertion is used up even if the request is refused. A
 * DPoP proof sent during a token exchange is written in the transaction of that exchange, because a request must
 * never hold one connection while it waits for another.
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
