import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { listOwnPsus, OwnAccount } from '@xs2a/contracts/sandbox/own-psus.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { ClientBase, Pool } from 'pg';

interface CreatedRow {
  readonly psuId: string;
  readonly name: string;
  readonly corporateId: string | null;
  readonly createdAt: Date;
}
interface AccountRow extends Omit<OwnAccount, 'balance'> {
  readonly psuId: string | null;
  readonly corporateId: string | null;
  readonly currency: string;
  readonly booked: number;
}

/** The position of a person in a list: `<epoch milliseconds>-<PSU-ID>`. */
const cursorForm = /^(\d{1,15})-(psu-[0-9a-f-]{1,36})$/;
const toCursor = ({ createdAt, psuId }: CreatedRow): string => `${createdAt.getTime()}-${psuId}`;

/** Records that the TPP created the person. */
export const insertCreated = async (
  client: ClientBase,
  created: { readonly tppId: string; readonly psuId: string; readonly at: string },
): Promise<void> => {
  await client.query('INSERT INTO created_psu (tpp_id, psu_id, created_at) VALUES ($1, $2, $3)', [
    created.tppId,
    created.psuId,
    created.at,
  ]);
};

/**
 * Returns an SQL condition that is true if the TPP in the SQL expression `tpp` created the person in the SQL expression `psuId`.
 * PostgreSQL evaluates the condition with one index look-up.
 */
export const isCreatedBy = (tpp: string, psuId: string): string =>
  `EXISTS (SELECT FROM created_psu c WHERE c.psu_id = ${psuId} AND c.tpp_id = ${tpp})`;

/**
 * Returns an SQL condition on the row `a` of `account`. It is true if the TPP in the SQL expression `tpp` created the person or the
 * corporate that owns the account, or if `tpp` is null, which permits every account.
 */
export const isAccountOf = (tpp: string): string =>
  `(${tpp}::text IS NULL OR ${isCreatedBy(tpp, 'a.psu_id')}
    OR EXISTS (SELECT FROM corporate c WHERE c.corporate_id = a.corporate_id AND c.tpp_id = ${tpp}))`;

/** The people that a TPP ($1) created before the position ($2, $3), newest first. */
export const createdSql = `SELECT c.psu_id AS "psuId", p.name, s.corporate_id AS "corporateId", c.created_at AS "createdAt"
  FROM created_psu c JOIN psu p ON p.psu_id = c.psu_id LEFT JOIN signer s ON s.psu_id = c.psu_id
  WHERE c.tpp_id = $1 AND (c.created_at, c.psu_id) < ($2::timestamptz, $3)
  ORDER BY c.created_at DESC, c.psu_id DESC LIMIT $4`;

const accountsSql = `SELECT a.psu_id AS "psuId", a.corporate_id AS "corporateId", a.iban, a.status, l.currency,
    l.credits_posted - l.debits_posted AS booked
  FROM account a JOIN ledger_account l ON l.id = a.id
  WHERE a.psu_id = ANY ($1) OR a.corporate_id = ANY ($2) ORDER BY a.main DESC, a.number`;

/** Lists the people that a TPP created, newest first. Throws CallFailed for a cursor that is not `next` of a page. */
export const listCreated = async (
  pool: Pool,
  { tppId, limit, before }: RequestOf<typeof listOwnPsus>,
): Promise<AnswerOf<typeof listOwnPsus>> => {
  const [, atMs, beforePsu = ''] = before === undefined ? [] : (cursorForm.exec(before) ?? []);
  if (before !== undefined && atMs === undefined)
    throw callFailed('fieldMalformed', 'cursor', 'Use a link from an earlier page unchanged.');
  const from = atMs === undefined ? 'infinity' : new Date(Number(atMs));
  const { rows } = await pool.query<CreatedRow>({
    name: 'created-psus',
    text: createdSql,
    // One more than the page, to find out whether there is a next page.
    values: [tppId, from, beforePsu, limit + 1],
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const accounts = await findAccounts(pool, page);
  return {
    psus: page.map(({ psuId, name, corporateId }) => ({
      psuId,
      name,
      corporateId: corporateId ?? undefined,
      accounts: accounts
        .filter((one) => one.psuId === psuId || (corporateId !== null && one.corporateId === corporateId))
        .map(({ iban, status, currency, booked }) => ({
          iban,
          status,
          balance: { minor: booked, currency },
        })),
    })),
    next: last && toCursor(last),
  };
};

const findAccounts = async (pool: Pool, page: readonly CreatedRow[]): Promise<readonly AccountRow[]> => {
  const corporateIds = page.flatMap(({ corporateId }) => corporateId ?? []);
  const { rows } = await pool.query<AccountRow>({
    name: 'accounts-of-created-psus',
    text: accountsSql,
    values: [page.map(({ psuId }) => psuId), corporateIds],
  });
  return rows;
};
