import { currencies } from '@xs2a/domain/money/currencies';

/**
 * The sandbox bank's tables, version 1. Amounts are integer minor units.
 *
 * Transfers and entries carry no foreign key to accounts: accounts are never deleted, every writer has locked the
 * account it books on, and the checks would cost a fifth of the ledger's speed. `ledgerViolations` proves it instead.
 * For the same reason {@link transferCompletions} takes the one from a post or void to its hold away.
 */
const tables = `
CREATE TABLE setting (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE psu (
  psu_id text PRIMARY KEY,
  name text NOT NULL,
  password_hash text NOT NULL
);
CREATE TABLE corporate (
  corporate_id text PRIMARY KEY,
  name text NOT NULL,
  signatures_required int NOT NULL CHECK (signatures_required BETWEEN 1 AND 10)
);
CREATE TABLE signer (
  psu_id text NOT NULL REFERENCES psu,
  corporate_id text NOT NULL REFERENCES corporate,
  PRIMARY KEY (psu_id, corporate_id)
);

-- Clearing accounts (customer = false) keep their counters at zero: a running balance there would queue all payments.
CREATE TABLE ledger_account (
  id uuid PRIMARY KEY,
  currency text NOT NULL,
  customer boolean NOT NULL,
  credit_limit bigint NOT NULL DEFAULT 0 CHECK (credit_limit >= 0),
  debits_pending bigint NOT NULL DEFAULT 0 CHECK (debits_pending >= 0),
  debits_posted bigint NOT NULL DEFAULT 0 CHECK (debits_posted >= 0),
  credits_pending bigint NOT NULL DEFAULT 0 CHECK (credits_pending >= 0),
  credits_posted bigint NOT NULL DEFAULT 0 CHECK (credits_posted >= 0),
  CONSTRAINT no_overdraft CHECK (debits_posted + debits_pending <= credits_posted + credit_limit),
  CONSTRAINT readable_as_number CHECK (credits_posted + credits_pending + credit_limit <= 9007199254740991)
) WITH (fillfactor = 70);

CREATE TABLE account (
  id uuid PRIMARY KEY REFERENCES ledger_account,
  number bigint GENERATED ALWAYS AS IDENTITY,
  iban text NOT NULL UNIQUE,
  type text NOT NULL,
  product text NOT NULL,
  status text NOT NULL CHECK (status IN ('enabled', 'blocked', 'closed')),
  main boolean NOT NULL,
  internet_banking boolean NOT NULL DEFAULT true,
  psu_id text REFERENCES psu,
  corporate_id text REFERENCES corporate,
  CHECK (num_nonnulls(psu_id, corporate_id) = 1)
);
CREATE INDEX account_of_psu ON account (psu_id);
CREATE INDEX account_of_corporate ON account (corporate_id);

CREATE TABLE transfer (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('hold', 'post', 'void', 'direct')),
  payment_id uuid,
  pending_id uuid UNIQUE REFERENCES transfer,
  debit_account uuid NOT NULL,
  credit_account uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  at timestamptz NOT NULL,
  CHECK (debit_account <> credit_account),
  CHECK ((kind IN ('post', 'void')) = (pending_id IS NOT NULL)),
  CHECK ((kind = 'direct') = (payment_id IS NULL))
);

-- The history that account information shows. An entry is booked once book_at has come; nothing has to run for that.
CREATE TABLE entry (
  transaction_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  transfer_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  counterparty_name text,
  counterparty_account text,
  remittance text,
  end_to_end_id text,
  bank_transaction_code text,
  value_date date NOT NULL,
  pending_at timestamptz NOT NULL,
  book_at timestamptz NOT NULL,
  CHECK (book_at BETWEEN pending_at AND pending_at + interval '1 hour')
);
CREATE INDEX entry_by_time ON entry (account_id, pending_at, transaction_id);
`;

/**
 * Version 2: an entry is kept as the JSON that account information shows once it is booked (entry-details.ts), in place of the
 * columns that nothing but account information read. Existing entries get theirs; `timeZone` is the bank's.
 */
export const entryDetails = (timeZone: string): string => `
ALTER TABLE entry ADD COLUMN details text;
UPDATE entry SET details = '{"transactionId":"' || told.id || '","entryReference":"' || told.id
  || '","bookingDate":"' || to_char(book_at AT TIME ZONE '${timeZone}', 'YYYY-MM-DD') || '"'
  || coalesce(',"endToEndId":' || to_json(end_to_end_id), '') || ',"valueDate":"' || value_date
  || '","transactionAmount":{"currency":"' || told.currency || '","amount":"' || told.amount || '"}'
  || coalesce(',"' || told.party || 'Name":' || to_json(counterparty_name), '')
  || coalesce(',"' || told.party || 'Account":' || told.account, '')
  || coalesce(',"remittanceInformationUnstructured":' || to_json(remittance), '')
  || coalesce(',"bankTransactionCode":' || to_json(bank_transaction_code), '') || '}'
FROM (
  SELECT e.transaction_id, replace(e.transaction_id::text, '-', '') AS id, l.currency,
    CASE WHEN e.amount < 0 THEN 'creditor' ELSE 'debtor' END AS party,
    CASE WHEN e.amount < 0 THEN '-' ELSE '' END || abs(e.amount) / c.units
      || CASE c.decimals WHEN 0 THEN '' ELSE '.' || lpad((abs(e.amount) % c.units)::text, c.decimals, '0') END AS amount,
    CASE
      WHEN e.counterparty_account ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'
        THEN json_build_object('iban', e.counterparty_account)
      WHEN e.counterparty_account ~ '^[a-zA-Z0-9]{1,30}$' THEN json_build_object('bban', e.counterparty_account)
      WHEN e.counterparty_account IS NOT NULL
        THEN json_build_object('other', json_build_object('identification', left(e.counterparty_account, 35)))
    END::text AS account
  FROM entry e JOIN ledger_account l ON l.id = e.account_id
  JOIN (VALUES ${currencies.map(({ code, decimals }) => `('${code}', ${decimals}, ${10 ** decimals}::bigint)`).join(', ')})
    AS c (code, decimals, units) ON c.code = l.currency
) AS told WHERE told.transaction_id = entry.transaction_id;
ALTER TABLE entry ALTER COLUMN details SET NOT NULL, DROP COLUMN counterparty_name, DROP COLUMN counterparty_account,
  DROP COLUMN bank_transaction_code;
`;

/** The tables, with the least rights for the service's role: transfers may be added and read, never changed. */
export const sandboxBankTables = (role: string): string => `${tables}
GRANT SELECT, INSERT, UPDATE ON setting TO ${role};
GRANT SELECT, INSERT ON psu, corporate, signer, account, transfer TO ${role};
GRANT SELECT, INSERT, UPDATE (debits_pending, debits_posted, credits_pending, credits_posted) ON ledger_account TO ${role};
GRANT SELECT, INSERT, DELETE ON entry TO ${role};
`;

/**
 * Version 2: a payment may have further legs (ledger-ids.ts), a change of currency and a fee. Existing transfers
 * are the payment itself.
 */
export const transferLegs = `ALTER TABLE transfer
  ADD COLUMN leg text NOT NULL DEFAULT 'payment' CHECK (leg IN ('payment', 'exchange', 'fee'))`;

/**
 * Version 3: an index of the completions alone lets a hold be completed once only. The writer looks the hold up in the same
 * transaction, and holds are never deleted, so no foreign key is needed, which would read, lock and write the hold again.
 */
export const transferCompletions = `
CREATE UNIQUE INDEX transfer_completion ON transfer (pending_id) WHERE pending_id IS NOT NULL;
ALTER TABLE transfer DROP CONSTRAINT transfer_pending_id_fkey, DROP CONSTRAINT transfer_pending_id_key;
`;

/** Reverts version 3. */
export const transferCompletionsChecked = `
ALTER TABLE transfer ADD CONSTRAINT transfer_pending_id_key UNIQUE (pending_id),
  ADD CONSTRAINT transfer_pending_id_fkey FOREIGN KEY (pending_id) REFERENCES transfer;
DROP INDEX transfer_completion;
`;

/**
 * Version 4: the payments of a batch are one entry, whose amount is the sum of their holds that are not voided. A row of
 * `batch_payment` is the text of one payment in that entry, and what the creditor's own entry says; it is never changed.
 */
export const batchEntries = (role: string): string => `
ALTER TABLE entry ADD COLUMN batch_id uuid, ALTER COLUMN transfer_id DROP NOT NULL,
  ADD CONSTRAINT of_a_transfer_or_a_batch CHECK (num_nonnulls(transfer_id, batch_id) = 1);
CREATE INDEX entry_of_batch ON entry (batch_id) WHERE batch_id IS NOT NULL;
CREATE TABLE batch_payment (
  hold_id uuid PRIMARY KEY,
  entry_id uuid NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  remittance text,
  end_to_end_id text,
  details text NOT NULL
);
CREATE INDEX batch_payment_by_entry ON batch_payment (entry_id, place);
GRANT SELECT, INSERT ON batch_payment TO ${role};
`;

/** Reverts version 4, as long as no batch is booked. */
export const withoutBatchEntries = `
DROP TABLE batch_payment;
ALTER TABLE entry DROP COLUMN batch_id, ALTER COLUMN transfer_id SET NOT NULL;
`;
