import type { ClientBase } from 'pg';

/** An account to be opened, with amounts in minor units. */
export interface AccountToOpen {
  readonly id: string;
  readonly iban: string;
  readonly currency: string;
  readonly type: string;
  readonly product: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  readonly main: boolean;
  readonly creditLimit: number;
  readonly owner: { readonly psuId: string } | { readonly corporateId: string };
  /** The names of the other holders. */
  readonly holders?: readonly string[];
  /** The highest amount of an instant payment that the PSU allows; absent if there is no limit. */
  readonly instantLimit?: number;
}

/** What a corporate is called and known by, apart from its registered name. */
export interface CorporateFacts {
  /** The registered name; the corporate's id if absent. */
  readonly name?: string;
  /** Latin and trading names. */
  readonly otherNames?: readonly string[];
  readonly eik?: string;
  /** True if the payees of its bulk payments are not verified (contract E4.11). */
  readonly payeeVerificationOptOut?: boolean;
}

export const insertPsu = async (
  client: ClientBase,
  psu: { readonly psuId: string; readonly name: string; readonly passwordHash: string },
): Promise<void> => {
  await client.query('INSERT INTO psu (psu_id, name, password_hash) VALUES ($1, $2, $3)', [
    psu.psuId,
    psu.name,
    psu.passwordHash,
  ]);
};

/** Inserts a corporate. Returns false if it already exists. Waits if another transaction is inserting the same one. */
export const insertCorporate = async (
  client: ClientBase,
  corporate: CorporateFacts & {
    readonly corporateId: string;
    readonly signaturesRequired: number;
    /** The TPP that creates it; absent for the corporates that all TPPs share. */
    readonly tppId?: string | undefined;
  },
): Promise<boolean> => {
  const { corporateId, name = corporateId, signaturesRequired, otherNames = [], eik, tppId } = corporate;
  const { payeeVerificationOptOut = false } = corporate;
  const { rowCount } = await client.query(
    `INSERT INTO corporate
       (corporate_id, name, signatures_required, other_names, eik, payee_verification_opt_out, tpp_id)
     VALUES ($1, $2, $3, $4::text[], $5, $6, $7) ON CONFLICT DO NOTHING`,
    [corporateId, name, signaturesRequired, otherNames, eik, payeeVerificationOptOut, tppId],
  );
  return rowCount === 1;
};

export const insertSigner = async (client: ClientBase, psuId: string, corporateId: string): Promise<void> => {
  await client.query('INSERT INTO signer (psu_id, corporate_id) VALUES ($1, $2)', [psuId, corporateId]);
};

/**
 * Inserts an account. Returns false if the IBAN already exists. The balance is zero, because the opening amount is
 * transferred afterwards.
 */
export const insertAccount = async (client: ClientBase, account: AccountToOpen): Promise<boolean> => {
  const owner = { psuId: null, corporateId: null, ...account.owner };
  const { rowCount } = await client.query(
    `WITH ledger AS (
       INSERT INTO ledger_account (id, currency, customer, credit_limit)
       SELECT $1::uuid, $3, true, $8::bigint WHERE NOT EXISTS (SELECT FROM account WHERE iban = $2) RETURNING id)
     INSERT INTO account (id, iban, type, product, status, main, psu_id, corporate_id, holders, instant_limit)
     SELECT id, $2, $4, $5, $6, $7::boolean, $9, $10, $11::text[], $12::bigint FROM ledger`,
    [
      account.id,
      account.iban,
      account.currency,
      account.type,
      account.product,
      account.status,
      account.main,
      account.creditLimit,
      owner.psuId,
      owner.corporateId,
      account.holders ?? [],
      account.instantLimit,
    ],
  );
  return rowCount === 1;
};
