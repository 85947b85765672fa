import { idempotencyFailures } from '@xs2a/contracts/call';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { isJsonObject, getMember } from '@xs2a/domain/form/form-checks';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { checkKey, type OwnedKey, executeIdempotently } from '@xs2a/postgres/idempotent-execution';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { randomInt, randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { inventedNames } from '../data/invented-names.js';
import { toClearingAccount } from '../ledger/ledger-ids.js';
import { insertTransfers, moveCounters, type Transfer } from '../ledger/ledger-writes.js';
import { insertCreated } from './created-psus.js';
import { bulgarianIban, freshAccountNumber } from './new-iban.js';
import { productNames } from './new-account.dto.js';
import { isCorporateId } from './new-psu.dto.js';
import { type WishedAccount, wishedPsu, type WishedPsu } from './new-psu-rules.js';
import { hashPassword } from './password.js';
import { type AccountToOpen, insertAccount, insertCorporate, insertPsu, insertSigner } from './people.js';

export interface NewPsuOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly bankCode: string;
  readonly homeCurrency: string;
  readonly hashKeys: HashKeys;
  /** The TPP that creates the person and may list the person later. */
  readonly tppId?: string;
}
export interface CreatedPsu {
  readonly psuId: string;
  readonly password: string;
  readonly accounts: readonly { readonly iban: string; readonly currency: string }[];
}

/**
 * Creates a person with accounts, so that tests do not interfere with each other (contract 13). If the id of an
 * existing corporate is given, the person becomes another signer of that corporate's accounts and no account is
 * opened. The corporate that one TPP created is refused to another, who would otherwise see its balances.
 */
export const createPsu = async (
  options: NewPsuOptions,
  body: unknown,
  idempotencyKey?: OwnedKey,
): Promise<Created> =>
  inTransaction(options.pool, async (client) => {
    const outcome = await executeIdempotently<Created>(
      client,
      underKey(options, idempotencyKey),
      (answer) => 'psuId' in answer,
      () => admit(client, options, body),
    );
    return 'answer' in outcome ? outcome.answer : { failures: [idempotencyFailures[outcome.taken]] };
  }).catch((error: unknown) => {
    if (error instanceof CorporateRefused) return { failures: [error.failure] };
    throw error;
  });

/** Returns the failures of {@link createPsu} that do not depend on the body; empty if there are none. */
export const checkNewPsu = async (
  options: Pick<NewPsuOptions, 'pool' | 'clock' | 'hashKeys'>,
  idempotencyKey: OwnedKey | undefined,
): Promise<readonly Failure[]> =>
  inTransaction(options.pool, async (client) => {
    const taken = await checkKey(client, underKey(options, idempotencyKey));
    return taken === undefined ? [] : [idempotencyFailures[taken]];
  });

const underKey = (
  { clock, hashKeys }: Pick<NewPsuOptions, 'clock' | 'hashKeys'>,
  key: OwnedKey | undefined,
) => ({
  key,
  nowMs: clock.nowMs(),
  hashKeys,
});

type Created = CreatedPsu | { readonly failures: readonly Failure[] };

const admit = async (client: ClientBase, options: NewPsuOptions, body: unknown): Promise<Created> => {
  const corporateId = isJsonObject(body) ? getMember(body, 'corporateId') : undefined;
  const joins = await findCorporate(client, corporateId, options.tppId);
  const context = { homeCurrency: options.homeCurrency, needsAccounts: joins === undefined };
  const checked = wishedPsu(body, context);
  if ('failures' in checked) return checked;
  const { wish } = checked;
  const psuId = `psu-${randomUUID().slice(0, 13)}`;
  const password = randomToken(12);
  const passwordHash = await hashPassword(password);
  await insertPsu(client, { psuId, name: wish.name ?? inventedName(), passwordHash });
  const { tppId, clock } = options;
  if (tppId !== undefined) await insertCreated(client, { tppId, psuId, at: clock.now() });
  if (wish.corporateId === undefined) {
    return { psuId, password, accounts: await openAccounts(client, options, wish, { psuId }) };
  }
  const accounts = await joinCorporate(client, options, { ...wish, corporateId: wish.corporateId }, psuId);
  return { psuId, password, accounts };
};

/** Thrown to roll back the creation of a person who cannot join the corporate. */
class CorporateRefused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.failure);
  }
}
const signaturesDiffer = fail(
  'fieldMalformed',
  'signaturesRequired',
  'This corporate was created with another number of signatures. Send that number, or leave the field out.',
);
const corporateOfAnother = fail(
  'fieldMalformed',
  'corporateId',
  'Another TPP created this corporate. Choose another corporateId.',
);

type Opened = CreatedPsu['accounts'];

/**
 * Returns the id of a corporate to which the TPP may add signers, or undefined. A corporate of another TPP is undefined like an
 * unused id, so that a request body which cannot create a corporate does not reveal which ids other TPPs use.
 */
const findCorporate = async (
  client: ClientBase,
  corporateId: unknown,
  tppId: string | undefined,
): Promise<string | undefined> => {
  if (!isCorporateId(corporateId)) return undefined;
  const { rows } = await client.query<{ id: string }>(
    'SELECT corporate_id AS id FROM corporate WHERE corporate_id = $1 AND (tpp_id IS NULL OR tpp_id = $2)',
    [corporateId, tppId],
  );
  return rows[0]?.id;
};

/**
 * Makes the person a signer of a corporate. The first person creates the corporate with its accounts; later ones
 * join it. Throws CorporateRefused if another TPP created the corporate, or if it requires a different number of
 * signatures than requested.
 */
const joinCorporate = async (
  client: ClientBase,
  options: NewPsuOptions,
  wish: WishedPsu & { readonly corporateId: string },
  psuId: string,
): Promise<Opened> => {
  const { corporateId } = wish;
  const { tppId } = options;
  const corporate = {
    ...wish.corporate,
    corporateId,
    signaturesRequired: wish.signaturesRequired ?? 1,
    tppId,
  };
  const isNew = await insertCorporate(client, corporate);
  await insertSigner(client, psuId, corporateId);
  if (isNew) return openAccounts(client, options, wish, { corporateId });
  const { rows } = await client.query<{ signatures: number; creator: string | null }>(
    'SELECT signatures_required AS signatures, tpp_id AS creator FROM corporate WHERE corporate_id = $1',
    [corporateId],
  );
  const [found] = rows;
  if (typeof found?.creator === 'string' && found.creator !== tppId)
    throw new CorporateRefused(corporateOfAnother);
  if (wish.signaturesRequired !== undefined && wish.signaturesRequired !== found?.signatures)
    throw new CorporateRefused(signaturesDiffer);
  const { rows: accounts } = await client.query<{ iban: string; currency: string }>(
    `SELECT a.iban, l.currency FROM account a JOIN ledger_account l ON l.id = a.id
     WHERE a.corporate_id = $1 ORDER BY a.number`,
    [corporateId],
  );
  return accounts;
};

const openAccounts = async (
  client: ClientBase,
  options: NewPsuOptions,
  { accounts }: WishedPsu,
  owner: AccountToOpen['owner'],
): Promise<Opened> => {
  const at = options.clock.now();
  const opened: AccountToOpen[] = [];
  const transfers: Transfer[] = [];
  for (const [index, wished] of accounts.entries()) {
    const account = await openAccount(client, options.bankCode, wished, owner, index === 0);
    opened.push(account);
    if (wished.opening > 0) {
      transfers.push({
        id: randomUUID(),
        kind: 'direct',
        debitAccount: toClearingAccount('incoming', account.currency),
        creditAccount: account.id,
        amount: wished.opening,
        at,
      });
    }
  }
  await insertTransfers(client, transfers);
  await moveCounters(client, transfers);
  return opened.map(({ iban, currency }) => ({ iban, currency }));
};

const openAccount = async (
  client: ClientBase,
  bankCode: string,
  { currency, type, creditLimit, holders, instantLimit }: WishedAccount,
  owner: AccountToOpen['owner'],
  main: boolean,
): Promise<AccountToOpen> => {
  for (;;) {
    const account: AccountToOpen = {
      id: randomUUID(),
      iban: bulgarianIban(bankCode, freshAccountNumber(randomInt(2 ** 40) / 2 ** 40)),
      currency,
      type,
      product: productNames[type] ?? type,
      status: 'enabled',
      main,
      creditLimit,
      owner,
      holders,
      instantLimit,
    };
    if (await insertAccount(client, account)) return account;
  }
};

const inventedName = (): string => {
  const { given, family } = inventedNames;
  return `${given[randomInt(given.length)] ?? ''} ${family[randomInt(family.length)] ?? ''}`;
};
