import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import { promptly } from '@xs2a/postgres/pool';
import type { Pool } from 'pg';
import type { Corporate, PsusPort } from '../../port/psus.js';
import { hashPassword, verifyPassword } from './password.js';

/**
 * Finds the accounts of a PSU, both the PSU's own accounts and those of the corporates for which the PSU signs, in
 * the same order as funds.ts.
 */
const accountsOfPsu = `
  FROM account a JOIN ledger_account l ON l.id = a.id
  WHERE a.psu_id = $1 OR a.corporate_id = ANY (ARRAY (SELECT s.corporate_id FROM signer s WHERE s.psu_id = $1))
  ORDER BY a.psu_id IS NULL, a.main DESC, a.number`;

export class SandboxPsus implements PsusPort {
  private constructor(
    private readonly pool: Pool,
    private readonly decoyHash: string,
  ) {}

  static async open(pool: Pool): Promise<SandboxPsus> {
    return new SandboxPsus(pool, await hashPassword('nobody has this password'));
  }

  async authenticate(
    psuId: string,
    password: string,
  ): Promise<{ readonly psuId: string; readonly name: string } | undefined> {
    const { rows } = await this.pool.query<{ name: string; hash: string }>(
      promptly({
        name: 'psu-password',
        text: 'SELECT name, password_hash AS hash FROM psu WHERE psu_id = $1',
        values: [psuId],
      }),
    );
    const right = await verifyPassword(password, rows[0]?.hash ?? this.decoyHash);
    return right && rows[0] !== undefined ? { psuId, name: rows[0].name } : undefined;
  }

  async listAccounts(psuId: string): Promise<readonly PsuAccount[]> {
    const { rows } = await this.pool.query<PsuAccount & { corporateId: string | null }>({
      name: 'psu-accounts',
      text: `SELECT a.iban, a.id AS "resourceId", l.currency, a.product, a.type, a.status, a.main,
        a.corporate_id AS "corporateId" ${accountsOfPsu}`,
      values: [psuId],
    });
    return rows.map(({ corporateId, ...account }) =>
      corporateId === null ? account : { ...account, corporateId },
    );
  }

  async corporate(corporateId: string): Promise<Corporate | undefined> {
    const { rows } = await this.pool.query<Corporate>({
      name: 'corporate',
      text: `SELECT signatures_required AS "signaturesRequired", payee_verification_opt_out AS "payeeVerificationOptOut"
        FROM corporate WHERE corporate_id = $1`,
      values: [corporateId],
    });
    return rows[0];
  }
}
