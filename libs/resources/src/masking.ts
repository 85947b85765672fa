/** The last four characters of an account number, or none if it is not longer than four. */
export const lastFour = (account: string): string => `…${account.length > 4 ? account.slice(-4) : ''}`;

const ibans = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/g;

const named = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** The names of members that operators may see. */
const shown = named(`
  specversion id source type subject time datacontenttype sequence pos schemaversion actor traceparent
  paymentId consentId basketId paymentIds consentIds authorisationId transactionId holdId postingId resourceId tppId psuId psuCorporateId corporateId
  product paymentType reason failure signaturesRequired psuPicksAccounts recurringIndicator frequencyPerDay
  combinedServiceIndicator access fundsAvailable number reasonCode
  signedAt dueAt bookAt expiresAt executionDate requestedExecutionDate validUntil
  amount minor currency rate creditorAgent serviceLevel chargeBearer purposeCode cashAccountType
`);
/** The names of members that contain an account number or a list of account numbers. */
const accountNumbers = named(`
  iban bban identification debtorIban creditorAccount accounts balances transactions
`);
/** The names of members that contain objects, or lists of objects, whose members are masked individually. */
const containers = named(`
  data order body amount debit fee instructedAmount access accounts balances transactions debtorAccount creditorAccount other
`);

const hidden = '(hidden)';

const maskedMember = (name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => maskedMember(name, one));
  if (typeof value === 'object' && value !== null) return containers.has(name) ? masked(value) : hidden;
  if (accountNumbers.has(name)) return lastFour(String(value));
  if (!shown.has(name)) return hidden;
  return typeof value === 'string' ? value.replace(ibans, lastFour) : value;
};

/**
 * Returns the parts of an event that an operator may see. Only members on the lists above are included, so a new
 * member is hidden until it is added to a list. Account numbers are reduced to their last four characters wherever
 * they appear.
 */
export const masked = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedMember(name, member)]))
    : hidden;
