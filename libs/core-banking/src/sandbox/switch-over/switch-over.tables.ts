/** The column of accounts that were converted from leva to euro (contract E6.3). */
export const switchOverTables = `
ALTER TABLE accounts.ledger_account ADD COLUMN converted_at timestamptz;
COMMENT ON COLUMN accounts.ledger_account.converted_at IS
  'since when the account is in euro: its transfers before are in leva and add up to zero; null: never converted';
`;
