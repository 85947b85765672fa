/** The sandbox bank's tables for instant payments, with the privileges of the role of the accounts service. */
export const instantTables = `
-- The outcome of each instant order, decided when the order is first heard of and never changed.
CREATE TABLE accounts.instant_order (
  payment_id uuid PRIMARY KEY,
  -- null: the payee has the money
  reason_code text CHECK (reason_code ~ '^[A-Z]{2}[0-9]{2}$'),
  -- real time from which the outcome is known
  known_at timestamptz NOT NULL
);

GRANT SELECT, INSERT ON accounts.instant_order TO xs2a_accounts;
-- The entry of an instant payment is booked when it is posted.
GRANT UPDATE (book_at, details) ON accounts.entry TO xs2a_accounts;
`;

/** Allows every ISO 20022 reason code. */
export const reasonCodesTables = `
ALTER TABLE accounts.instant_order DROP CONSTRAINT instant_order_reason_code_check,
  ADD CONSTRAINT reason_code_is_iso CHECK (reason_code ~ '^[A-Z0-9]{4}$');
`;
