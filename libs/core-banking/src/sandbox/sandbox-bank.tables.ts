/**
 * The sandbox bank's tables, with minimal privileges for the role of the accounts service. Amounts are whole minor
 * units.
 *
 * Transfers and entries have no foreign keys to accounts, and posts and voids have none to their holds. Accounts
 * and holds are never deleted, every writer locks the account on which it books and looks up the hold, and
 * checking foreign keys would make the ledger about a fifth slower. `ledgerViolations` verifies the references
 * instead.
 */
export const sandboxBankTables = `
-- Values that all instances share: the key of cursors, and the offset of the sandbox clock.
CREATE TABLE accounts.setting (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- Customers, and the corporates for which they sign.
CREATE TABLE accounts.psu (
  psu_id text PRIMARY KEY,
  name text NOT NULL,
  password_hash text NOT NULL
);
CREATE TABLE accounts.corporate (
  corporate_id text PRIMARY KEY,
  name text NOT NULL,
  signatures_required int NOT NULL CHECK (signatures_required BETWEEN 1 AND 10)
);
CREATE TABLE accounts.signer (
  psu_id text NOT NULL REFERENCES accounts.psu,
  corporate_id text NOT NULL REFERENCES accounts.corporate,
  PRIMARY KEY (psu_id, corporate_id)
);

-- Balances. Clearing accounts (customer = false) keep their counters at zero: a running balance there would queue all payments.
CREATE TABLE accounts.ledger_account (
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

-- Customers' accounts. The service may change the status, nothing else.
CREATE TABLE accounts.account (
  id uuid PRIMARY KEY REFERENCES accounts.ledger_account,
  number bigint GENERATED ALWAYS AS IDENTITY,
  iban text NOT NULL UNIQUE,
  type text NOT NULL,
  product text NOT NULL,
  status text NOT NULL CHECK (status IN ('enabled', 'blocked', 'closed')),
  main boolean NOT NULL,
  internet_banking boolean NOT NULL DEFAULT true,
  psu_id text REFERENCES accounts.psu,
  corporate_id text REFERENCES accounts.corporate,
  CHECK (num_nonnulls(psu_id, corporate_id) = 1)
);
CREATE INDEX account_of_psu ON accounts.account (psu_id);
CREATE INDEX account_of_corporate ON accounts.account (corporate_id);

-- Double entry: added and read, never changed. A payment may have further legs, a change of currency and a fee (ledger-ids.ts).
CREATE TABLE accounts.transfer (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('hold', 'post', 'void', 'direct')),
  payment_id uuid,
  pending_id uuid,
  debit_account uuid NOT NULL,
  credit_account uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  at timestamptz NOT NULL,
  leg text NOT NULL DEFAULT 'payment' CHECK (leg IN ('payment', 'exchange', 'fee')),
  CHECK (debit_account <> credit_account),
  CHECK ((kind IN ('post', 'void')) = (pending_id IS NOT NULL)),
  CHECK ((kind = 'direct') = (payment_id IS NULL))
);
-- A hold is completed once only.
CREATE UNIQUE INDEX transfer_completion ON accounts.transfer (pending_id) WHERE pending_id IS NOT NULL;
-- The check of the ledger against the payments reads these in pages.
CREATE INDEX transfer_of_payment ON accounts.transfer (payment_id) WHERE payment_id IS NOT NULL;

-- The history that account information shows, each entry as the JSON that is returned once it is booked (entry-details.ts). An entry
-- is booked once book_at has come; nothing has to run for that. The payments of a batch are one entry, whose amount is the sum of
-- their holds that are not voided.
CREATE TABLE accounts.entry (
  transaction_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  transfer_id uuid,
  amount bigint NOT NULL CHECK (amount <> 0),
  remittance text,
  end_to_end_id text,
  value_date date NOT NULL,
  pending_at timestamptz NOT NULL,
  book_at timestamptz NOT NULL,
  details text NOT NULL,
  batch_id uuid,
  CHECK (book_at BETWEEN pending_at AND pending_at + interval '1 hour'),
  CONSTRAINT of_a_transfer_or_a_batch CHECK (num_nonnulls(transfer_id, batch_id) = 1)
);
CREATE INDEX entry_by_time ON accounts.entry (account_id, pending_at, transaction_id);
CREATE INDEX entry_of_batch ON accounts.entry (batch_id) WHERE batch_id IS NOT NULL;

-- The text of one payment in the entry of a batch, and what the creditor's own entry says. Never changed.
CREATE TABLE accounts.batch_payment (
  hold_id uuid PRIMARY KEY,
  entry_id uuid NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  remittance text,
  end_to_end_id text,
  details text NOT NULL
);
CREATE INDEX batch_payment_by_entry ON accounts.batch_payment (entry_id, place);

-- Outcomes that a TPP asked the sandbox to simulate for a PSU. In the database, so that all instances see them.
CREATE TABLE accounts.simulation (
  psu_id text PRIMARY KEY REFERENCES accounts.psu,
  outcome text NOT NULL,
  calls_left int NOT NULL CHECK (calls_left >= 0),
  -- Payments that already met the outcome: a payment that is asked about again meets it again and is not counted.
  payments uuid[] NOT NULL DEFAULT '{}'
);

GRANT SELECT, INSERT, UPDATE ON accounts.setting TO xs2a_accounts;
GRANT SELECT, INSERT ON accounts.psu, accounts.corporate, accounts.signer, accounts.account, accounts.transfer, accounts.batch_payment
  TO xs2a_accounts;
GRANT UPDATE (status) ON accounts.account TO xs2a_accounts;
GRANT SELECT, INSERT, UPDATE (debits_pending, debits_posted, credits_pending, credits_posted) ON accounts.ledger_account
  TO xs2a_accounts;
GRANT SELECT, INSERT, DELETE ON accounts.entry TO xs2a_accounts;
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts.simulation TO xs2a_accounts;
`;

/**
 * What the bank needs to know about its customers once it pays in euro: the limits of instant payments, and the
 * names by which payees are verified (contract E8.4).
 */
export const euroCustomerColumns = `
ALTER TABLE accounts.account
  ADD COLUMN holders text[] NOT NULL DEFAULT '{}',
  ADD COLUMN instant_limit bigint;
ALTER TABLE accounts.corporate
  ADD COLUMN other_names text[] NOT NULL DEFAULT '{}',
  ADD COLUMN eik text,
  ADD COLUMN payee_verification_opt_out boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN accounts.account.holders IS 'names of the holders other than the owner';
COMMENT ON COLUMN accounts.account.instant_limit IS 'highest amount of an instant payment, in minor units';
COMMENT ON COLUMN accounts.corporate.other_names IS 'Latin and trading names';
`;

/** Which TPP created which people (contract 13). The primary key is the order in which they are listed. */
export const createdPsuTable = `
-- The people that a TPP created.
CREATE TABLE accounts.created_psu (
  tpp_id text NOT NULL,
  created_at timestamptz NOT NULL,
  psu_id text NOT NULL REFERENCES accounts.psu,
  PRIMARY KEY (tpp_id, created_at, psu_id)
);
GRANT SELECT, INSERT ON accounts.created_psu TO xs2a_accounts;
`;

/** Which TPP created which corporate; only that TPP adds signers to it (contract 13). */
export const corporateTppColumn = `
ALTER TABLE accounts.corporate ADD COLUMN tpp_id text;
COMMENT ON COLUMN accounts.corporate.tpp_id IS 'the TPP that created it; null for the corporates that everybody shares';
`;
