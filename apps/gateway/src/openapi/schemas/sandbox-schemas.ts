import { currencies } from '@xs2a/domain/money/currencies';
import { amountOrZeroPattern, amountPattern, durationPattern } from './patterns.js';
import {
  count,
  listOf,
  matching,
  object,
  oneOf,
  ref,
  type Schema,
  sentText,
  setOf,
  text,
} from './schema-parts.js';

const iban = ref('Iban');
const currency = matching('ISO 4217 code.', '^[A-Z]{3}$');
/** The account currencies of the sandbox bank. */
const accountCurrency = oneOf('ISO 4217 code', ...currencies.map(({ code }) => code));

/** The bodies and responses of the sandbox endpoints (contract 13). */
export const sandboxSchemas: Readonly<Record<string, Schema>> = {
  ClockTime: object({ now: { type: 'string', format: 'date-time', description: 'The time of the sandbox' } }),
  ClockAdvance: object({
    advance: matching('ISO 8601 duration, at most ten years, such as PT1M or P90D', durationPattern),
  }),
  NewTpp: object({
    name: sentText('Name that PSUs see', 70),
    redirectUris: setOf(
      {
        ...matching('https, or http to a loopback host; without fragment', '^https?://[!-~]+$'),
        maxLength: 2000,
      },
      10,
    ),
    // No uniqueItems here, because generated Java clients do not compile with a set of enum values.
    roles: {
      ...listOf(oneOf('PSD2 role', 'PSP_AI', 'PSP_PI', 'PSP_IC'), 'Each once'),
      minItems: 1,
      maxItems: 3,
    },
    'organizationIdentifier?': matching(
      'The identifier in your QWAC, such as PSDBG-BNB-12345',
      '^PSD[A-Z]{2}-[A-Z]{2,8}-[!-~]{1,100}$',
    ),
    'certificate?': text('Your QWAC as PEM: the identifier is read from it, and it must include the roles'),
    'jwks?': {
      type: 'object',
      description: 'Public keys (RFC 7517), for private_key_jwt: EC P-256, or RSA of at least 2048 bits',
      required: ['keys'],
      properties: { keys: { ...listOf({ type: 'object' }), minItems: 1, maxItems: 10 } },
    },
    'tokenEndpointAuthMethod?': oneOf(
      'How the client authenticates at the token endpoint; client_secret_basic when absent',
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'tls_client_auth',
      'none',
    ),
  }),
  TppCredentials: object({ clientId: text('Client id'), 'clientSecret?': text('Shown this once') }),
  TppStatus: object({ status: oneOf('May the TPP call?', 'active', 'blocked') }),
  TppChanged: object({
    clientId: text('Client id'),
    status: oneOf('May the TPP call?', 'active', 'blocked'),
  }),
  AccountStatus: object({
    status: oneOf('New status of the account', 'enabled', 'blocked', 'closed'),
  }),
  AccountChanged: object({
    iban: text('Account', 34),
    status: oneOf('New status of the account', 'enabled', 'blocked', 'closed'),
  }),
  NewPsu: object({
    'name?': sentText('Name of the person', 70),
    'accounts?': {
      ...listOf(
        object({
          currency: accountCurrency,
          opening: matching('Opening balance, such as 100.00', amountOrZeroPattern),
          'creditLimit?': matching('How far the account may go below zero', amountOrZeroPattern),
          'type?': oneOf('ISO 20022 code of the account, CACC when absent', 'CACC', 'SVGS'),
        }),
        'At least one; omitted for a PSU who joins a company, which already has accounts',
      ),
      maxItems: 10,
    },
    'corporateId?': matching(
      'Assigns the accounts to a company, or adds the PSU to its signers',
      '^[A-Za-z0-9._-]{1,35}$',
    ),
    'signaturesRequired?': count('Signatures a payment needs; above 1 with corporateId only', 1, 10),
  }),
  Psu: object({
    psuId: text('The id with which the PSU signs in'),
    password: text('Password on the bank’s pages'),
    accounts: listOf(object({ iban, currency })),
  }),
  Deposit: object({ amount: matching('Such as 50.00', amountPattern), currency: accountCurrency }),
  Simulation: object({
    psuId: text('Whom it happens to'),
    outcome: oneOf(
      'insufficient-funds: funds confirmations answer false, due payments find no funds; core-bank-down: funds confirmation, sign-in to a payment and settlement find the core bank down; reject: the bank rejects the payment once the PSU has signed in; slow: takes 1.5 seconds longer; none: ends the simulation',
      'insufficient-funds',
      'core-bank-down',
      'reject',
      'slow',
      'none',
    ),
    'calls?': count('Number of times; once when absent', 1, 100),
  }),
  Deposited: object({ transactionId: text('Id of the entry in the history', 35) }),
};
