import { plannedOutcomes } from '@xs2a/contracts/sandbox/planned-faults';
import { currencies } from '@xs2a/domain/money/currencies';
import type { OfStandard } from '@xs2a/domain/payment/standards/standards';
import { faultOutcomes, faultyOperations } from '../../sandbox/planned-fault.dto.js';
import { ownThingsSchemas, redirectUri } from './own-things-schemas.js';
import { amountOrZeroPattern, amountPattern, durationPattern } from './patterns.js';
import {
  count,
  flag,
  listOf,
  matching,
  object,
  oneOf,
  ref,
  type Schema,
  sentText,
  setOf,
  text,
  uuid,
} from './schema-parts.js';

const iban = ref('Iban');
const currency = matching('ISO 4217 code.', '^[A-Z]{3}$');

/** The account currencies of the sandbox bank; accounts in leva ended with the lev. */
const accountCurrency = ({ standard }: OfStandard): Schema => {
  const codes = currencies.map(({ code }) => code);
  return oneOf('ISO 4217 code', ...codes.filter((code) => standard === 'lev' || code !== 'BGN'));
};

const names = (description: string): Schema => ({
  ...listOf(ref('OtherName'), description),
  maxItems: 10,
});

/** The members of a new PSU that exist only at a bank in euro (contract E8.4). */
const euroMembers = {
  account: {
    'instantLimit?': matching('The PSU’s limit for one instant payment', amountOrZeroPattern),
    'holders?': names('The other holders of the account'),
  },
  corporate: {
    'corporateName?': sentText('Registered name of a new company', 140),
    'otherNames?': names('Latin and trading names of a new company'),
    'eik?': matching('EIK of a new company, with right check digits', '^[0-9]{9}([0-9]{4})?$'),
    'payeeVerificationOptOut?': flag('True: payees in bulk payments of the new company are not verified'),
  },
};

/** The members of one of the TPP's own calls. */
const ownRequest = {
  time: { type: 'string', format: 'date-time', description: 'When the request arrived, in real time' },
  operation: text('The endpoint, such as initiatePayment'),
  status: count('HTTP status; 499: you disconnected before you had the whole response', 100, 599),
  'code?': text('Error code of a refusal'),
  'path?': text(
    'Field, parameter or header of the first violation; ? for a name that is not part of the interface',
  ),
  requestId: uuid('X-Request-ID of the request'),
} as const;

/** The members of what was sent in one direction. */
const sentMessage = {
  headers: {
    type: 'object',
    description: 'Headers by name in lower case; a value that is not shown is (hidden)',
    additionalProperties: { type: 'string' },
  },
  'body?': text(
    'The body as text, with (hidden) in place of secrets; absent if there was none or it was not read',
  ),
  'bodyCut?': flag('True if the body was longer than 32 KiB, and this is its beginning'),
} as const;

const callAndTppSchemas: Readonly<Record<string, Schema>> = {
  RequestList: object({ requests: listOf(ref('RecordedRequest')), _links: ref('PageLinks') }),
  SentRequest: object(
    {
      method: text('HTTP method'),
      url: text('Path and query as you sent them; the values of secret parameters are (hidden)'),
      ...sentMessage,
    },
    'What you sent',
  ),
  SentResponse: object(sentMessage, 'What the bank sent'),
  RecordedRequest: object({
    ...ownRequest,
    'failure?': text('Name of the rule that the call violated, such as fieldMalformed'),
    'request?': ref('SentRequest'),
    'response?': ref('SentResponse'),
  }),
  RequestDetails: object({ requests: listOf(ref('RecordedRequest')) }),
  ClockTime: object({ now: { type: 'string', format: 'date-time', description: 'The time of the sandbox' } }),
  ClockAdvance: object({
    advance: matching('ISO 8601 duration, at most ten years, such as PT1M or P90D', durationPattern),
  }),
  ClockMove: object({
    clientId: text('Who moved it'),
    advance: matching('ISO 8601 duration by which it was moved', durationPattern),
    movedAt: { type: 'string', format: 'date-time', description: 'When, in real time' },
  }),
  ClockMoveList: object({ moves: listOf(ref('ClockMove')) }),
  NewTpp: object({
    name: sentText('Name that PSUs see', 70),
    redirectUris: setOf(redirectUri, 10),
    // No uniqueItems here, because generated Java clients do not compile with a set of enum values.
    roles: {
      ...listOf(oneOf('PSD2 role', 'PSP_AI', 'PSP_PI', 'PSP_IC'), 'Each role at most once'),
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
  TppCredentials: object({ clientId: text('Client id'), 'clientSecret?': text('Shown only once') }),
  TppStatus: object({ status: oneOf('Whether the TPP may call the API', 'active', 'blocked') }),
  TppChanged: object({
    clientId: text('Client id'),
    status: oneOf('Whether the TPP may call the API', 'active', 'blocked'),
  }),
  AccountStatus: object({
    status: oneOf('New status of the account', 'enabled', 'blocked', 'closed'),
  }),
  AccountChanged: object({
    iban: text('Account', 34),
    status: oneOf('New status of the account', 'enabled', 'blocked', 'closed'),
  }),
};

const faultyOperation = oneOf(
  'Name of the operation, as in this description; initiatePayment and the like are for orders and bulk payments too',
  ...faultyOperations,
);

const simulationSchemas: Readonly<Record<string, Schema>> = {
  Simulation: object({
    psuId: text('PSU to whom the simulation applies'),
    outcome: oneOf(
      'insufficient-funds: funds confirmations return false, and due payments lack funds; core-bank-down: the core bank is down for funds confirmations, sign-in to a payment and settlement; reject: the bank rejects the payment once the PSU has signed in; slow: these calls take 1.5 seconds longer; none: ends the simulation',
      'insufficient-funds',
      'core-bank-down',
      'reject',
      'slow',
      'none',
    ),
    'calls?': count('Number of times the outcome occurs; 1 when absent', 1, 100),
  }),
  FaultPlan: object({
    operation: faultyOperation,
    outcome: oneOf(
      'unavailable: 503, and nothing is done; too-many-requests: 429, and nothing is done; lost-answer: the call is done, and its connection ends without an answer; none: ends the plan',
      ...faultOutcomes,
    ),
    'calls?': count('Number of calls that fail; 1 when absent', 1, 100),
  }),
  PlannedFault: object({
    operation: faultyOperation,
    outcome: oneOf('What happens', ...plannedOutcomes),
    calls: count('Number of calls that will still fail', 1, 100),
  }),
  PlannedFaults: object({ faults: listOf(ref('PlannedFault')) }),
  Deposited: object({ transactionId: text('Id of the entry in the history', 35) }),
};

const newAccount = (profile: OfStandard): Schema =>
  object({
    currency: accountCurrency(profile),
    opening: matching('Opening balance, such as 100.00', amountOrZeroPattern),
    'creditLimit?': matching('How far the account may go below zero', amountOrZeroPattern),
    'type?': oneOf('ISO 20022 code of the account, CACC when absent', 'CACC', 'SVGS'),
    ...(profile.standard === 'euro' ? euroMembers.account : {}),
  });

const newPsu = (profile: OfStandard): Schema =>
  object({
    'name?': sentText('Name of the person', 70),
    'accounts?': {
      ...listOf(
        ref('NewAccount'),
        'At least one; ignored for a PSU who joins a company, because the company already has accounts',
      ),
      maxItems: 10,
    },
    'corporateId?': matching(
      'Assigns the accounts to a new company, or adds the PSU to the signers of yours or of a shared one',
      '^[A-Za-z0-9._-]{1,35}$',
    ),
    'signaturesRequired?': count('Signatures that a payment needs; more than 1 only with corporateId', 1, 10),
    ...(profile.standard === 'euro' ? euroMembers.corporate : {}),
  });

/** The bodies and responses of the sandbox endpoints (contract 13). */
export const sandboxSchemas = (profile: OfStandard): Readonly<Record<string, Schema>> => ({
  ...callAndTppSchemas,
  ...ownThingsSchemas,
  NewAccount: newAccount(profile),
  NewPsu: newPsu(profile),
  ...(profile.standard === 'euro' ? { OtherName: sentText('Name', 140) } : {}),
  PsuAccount: object({ iban, currency }),
  Psu: object({
    psuId: text('The id with which the PSU signs in'),
    password: text('Password on the bank’s pages'),
    accounts: listOf(ref('PsuAccount')),
  }),
  Deposit: object({
    amount: matching('Amount, such as 50.00', amountPattern),
    currency: accountCurrency(profile),
  }),
  ...simulationSchemas,
});
