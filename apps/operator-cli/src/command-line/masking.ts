/** An account number as its last four characters; a shorter one not at all. */
export const lastFour = (account: string): string => `…${account.length > 4 ? account.slice(-4) : ''}`;

const ibans = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/g;

const named = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** Values that an operator may see. */
const shown = named(`
  specversion id source type subject time datacontenttype sequence pos schemaversion actor traceparent
  paymentId consentId basketId paymentIds consentIds authorisationId transactionId holdId postingId resourceId tppId psuId psuCorporateId corporateId
  product paymentType reason failure signaturesRequired psuPicksAccounts recurringIndicator frequencyPerDay
  combinedServiceIndicator access fundsAvailable
  signedAt dueAt bookAt expiresAt executionDate requestedExecutionDate validUntil
  amount minor currency rate creditorAgent serviceLevel chargeBearer purposeCode cashAccountType
`);
/** Account numbers, single or in a list. */
const accountNumbers = named(`
  iban bban identification debtorIban creditorAccount accounts balances transactions
`);
/** Objects, and lists of them, that are looked into. */
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
 * An operator may see this of an event: the members on the lists above and no others, so that a new member is hidden until
 * somebody puts it on a list. Account numbers are their last four characters, wherever they stand.
 */
export const masked = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedMember(name, member)]))
    : hidden;
