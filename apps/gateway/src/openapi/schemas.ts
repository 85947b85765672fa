import type { Profile } from '@xs2a/domain/profile/profile';
import { address, budgetPaymentDetails, paymentSchemas } from './payment-schemas.js';
import { date, flag, links, listOf, object, oneOf, ref, type Schema, text, uuid } from './schema-parts.js';

/** One person signs: scaRedirect and scaStatus; several do: startAuthorisation. */
const createdLinks: Schema = {
  oneOf: [links('scaRedirect', 'self', 'status', 'scaStatus'), links('startAuthorisation', 'self', 'status')],
};

const transactionStatuses = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'ACSC', 'RJCT', 'CANC'];
const consentStatuses = [
  'received',
  'partiallyAuthorised',
  'valid',
  'rejected',
  'revokedByPsu',
  'terminatedByTpp',
  'expired',
];
const iban: Schema = {
  type: 'string',
  pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$',
  description: 'IBAN in electronic format: no spaces, capital letters.',
};
const currency: Schema = { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' };
const amountPattern = '^(0|[1-9][0-9]{0,13})(\\.[0-9]{1,3})?$';

const message = object({
  category: oneOf('How serious it is', 'ERROR', 'WARNING'),
  code: text('Code of the Berlin Group, see the table of errors'),
  'path?': text('The field, header or parameter that it is about'),
  text: text('What to do about it', 500),
});

const accountDetails = object({
  resourceId: uuid('The id of the account in this API; it stays the same for good'),
  iban,
  currency,
  'name?': text('Name that the PSU or the bank gave the account', 70),
  'product?': text('What the bank calls this kind of account', 35),
  'cashAccountType?': text('ISO 20022 code, such as CACC'),
  status: oneOf('Is the account in use?', 'enabled', 'blocked', 'deleted'),
  'ownerName?': text('Name of the owner', 140),
  'balances?': listOf(ref('Balance'), 'With withBalance=true, where the consent allows it'),
  _links: links('balances?', 'transactions?'),
});

const transaction = object({
  transactionId: text('Id of the entry', 35),
  'entryReference?': text('Reference of the entry', 35),
  'endToEndId?': text('End-to-end identification of the payment', 35),
  'bookingDate?': date('Day of booking; absent while pending'),
  'valueDate?': date('Value date; of a pending entry the one expected'),
  transactionAmount: ref('Amount'),
  'creditorName?': text('Name of the creditor', 140),
  'creditorAccount?': ref('AnyAccount'),
  'debtorName?': text('Name of the debtor', 140),
  'debtorAccount?': ref('AnyAccount'),
  'remittanceInformationUnstructured?': text('Payment text', 140),
  'bankTransactionCode?': text('ISO 20022 code: domain, family, sub-family'),
});

const accountSchemas: Readonly<Record<string, Schema>> = {
  AccountDetails: accountDetails,
  Account: object({ account: ref('AccountDetails') }),
  AccountList: object({ accounts: listOf(ref('AccountDetails')) }),
  Balance: object({
    balanceAmount: ref('Amount'),
    balanceType: oneOf('See the balance types', 'interimAvailable', 'expected'),
    'creditLimitIncluded?': flag('Does the amount include the credit limit?'),
    'referenceDate?': date('Day of the balance'),
  }),
  Balances: object({ account: ref('AccountReference'), balances: listOf(ref('Balance')) }),
  Transaction: transaction,
  TransactionDetails: object({ transactionsDetails: ref('Transaction') }),
  Transactions: object({
    account: ref('AccountReference'),
    'balances?': listOf(ref('Balance')),
    transactions: object({
      'booked?': listOf(ref('Transaction')),
      'pending?': listOf(ref('Transaction')),
      _links: links('account', 'first?', 'next?', 'previous?'),
    }),
  }),
};

const access = object({
  'accounts?': listOf(ref('AccountReference')),
  'balances?': listOf(ref('AccountReference')),
  'transactions?': listOf(ref('AccountReference')),
});

const consent = {
  access: ref('Access'),
  recurringIndicator: flag('May the consent be used more than once?'),
  validUntil: date('Last day'),
  frequencyPerDay: { type: 'integer', minimum: 1, maximum: 4 },
  lastActionDate: date('Day of the last change'),
  consentStatus: ref('ConsentStatus'),
  _links: links('self', 'status', 'account?'),
};

const consentSchemas: Readonly<Record<string, Schema>> = {
  Access: { ...access, description: 'All arrays with IBANs; or all three empty: the PSU picks at the bank' },
  ConsentRequest: object({
    access: ref('Access'),
    recurringIndicator: flag('May the consent be used more than once?'),
    validUntil: date('Last day; the bank shortens it to 90 days ahead'),
    frequencyPerDay: {
      type: 'integer',
      minimum: 1,
      description: 'Calls per day without the PSU; 4 at most count',
    },
    combinedServiceIndicator: {
      oneOf: [{ type: 'boolean' }, oneOf('As text', 'true', 'false')],
      description: 'Will payments follow in the same session?',
    },
  }),
  ConsentCreated: object({
    consentStatus: oneOf('Status', 'received'),
    consentId: uuid('Id of the consent'),
    _links: createdLinks,
  }),
  Consent: object(consent),
  ConsentList: object({
    consents: listOf(object({ consentId: uuid('Id of the consent'), ...consent })),
    _links: links('first?', 'next?'),
  }),
  ConsentStatus: oneOf('Where the consent is in its life', ...consentStatuses),
  ConsentStatusAnswer: object({ consentStatus: ref('ConsentStatus') }),
};

const sandboxSchemas: Readonly<Record<string, Schema>> = {
  ClockTime: object({ now: { type: 'string', format: 'date-time', description: 'The time of the sandbox' } }),
  ClockAdvance: object({ advance: text('ISO 8601 duration, at most ten years, such as PT1M or P90D') }),
  NewTpp: object({
    name: text('Name that PSUs see'),
    redirectUris: { ...listOf(text('https, or http to a loopback host')), minItems: 1 },
    roles: { ...listOf(oneOf('PSD2 role', 'PSP_AI', 'PSP_PI', 'PSP_IC')), minItems: 1 },
    'organizationIdentifier?': text('Of your QWAC, such as PSDBG-BNB-12345'),
    'certificate?': text('Your QWAC as PEM: the identifier is read from it, and it must hold the roles'),
    'jwks?': { type: 'object', description: 'Public keys, for private_key_jwt' },
    'tokenEndpointAuthMethod?': text('How the client authenticates at the token endpoint'),
  }),
  TppCredentials: object({ clientId: text('Client id'), 'clientSecret?': text('Shown this once') }),
  TppStatus: object({ status: oneOf('May the TPP call?', 'active', 'blocked') }),
  TppChanged: object({
    clientId: text('Client id'),
    status: oneOf('May the TPP call?', 'active', 'blocked'),
  }),
  AccountStatus: object({
    status: oneOf('What the account is for from now on', 'enabled', 'blocked', 'closed'),
  }),
  AccountChanged: object({
    iban: text('Account', 34),
    status: oneOf('What the account is for from now on', 'enabled', 'blocked', 'closed'),
  }),
  NewPsu: object({
    'name?': text('Name of the person'),
    accounts: listOf(
      object({
        currency,
        opening: text('Balance to begin with, such as 100.00'),
        'creditLimit?': text('How far the account may go below zero'),
        'type?': text('ISO 20022 code of the account, CACC when absent'),
      }),
    ),
    'corporateId?': text('Makes the accounts those of a company, or joins its signers'),
    'signaturesRequired?': {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      description: 'Signatures a payment needs',
    },
  }),
  Psu: object({
    psuId: text('What the person signs in with'),
    password: text('Password on the bank’s pages'),
    accounts: listOf(object({ iban, currency })),
  }),
  Deposit: object({ amount: { type: 'string', pattern: amountPattern }, currency }),
  Simulation: object({
    psuId: text('Whom it happens to', 64),
    outcome: oneOf(
      'insufficient-funds: funds confirmations answer false, due payments find no funds; core-bank-down: funds confirmation, sign-in to a payment and settlement find the core bank away; reject: the bank rejects the payment when the PSU has signed in; slow: 1.5 seconds more; none: ends it',
      'insufficient-funds',
      'core-bank-down',
      'reject',
      'slow',
      'none',
    ),
    'calls?': { type: 'integer', minimum: 1, maximum: 100, description: 'How often; once when absent' },
  }),
  Deposited: object({ transactionId: text('Id of the entry in the history', 35) }),
};

const generalSchemas: Readonly<Record<string, Schema>> = {
  Link: object({ href: text('Path on this host, or a full URL for scaRedirect') }),
  Amount: object({
    currency,
    amount: {
      type: 'string',
      pattern: '^-?[0-9]{1,14}(\\.[0-9]{1,3})?$',
      description: 'Signed, with a point',
    },
  }),
  InstructedAmount: object({
    currency,
    amount: {
      type: 'string',
      pattern: amountPattern,
      description: 'Above zero, no more decimals than the currency',
    },
  }),
  AccountReference: object({
    iban,
    'currency?': { ...currency, description: 'ISO 4217 code; if sent, it must be the account’s.' },
    'cashAccountType?': { type: 'string', pattern: '^[A-Z]{4}$' },
  }),
  AnyAccount: {
    oneOf: [
      object({ iban }),
      object({ bban: { type: 'string', pattern: '^[a-zA-Z0-9]{1,30}$' } }),
      object({ other: object({ identification: text('Proprietary identification', 35) }) }),
    ],
  },
  CreditorAccount: {
    type: 'object',
    description: 'iban; where the product allows it bban or other.identification',
    properties: {
      iban,
      bban: { type: 'string', pattern: '^[a-zA-Z0-9]{1,30}$' },
      other: { type: 'object', required: ['identification'], properties: { identification: text('Id', 35) } },
      currency,
      cashAccountType: { type: 'string', pattern: '^[A-Z]{4}$' },
    },
    additionalProperties: false,
  },
  Address: address,
  BudgetPaymentDetails: budgetPaymentDetails,
  TppMessage: message,
  Errors: object({ tppMessages: { ...listOf(ref('TppMessage')), minItems: 1 } }),
  TransactionStatus: oneOf('ISO 20022 status of the payment', ...transactionStatuses),
  ScaStatus: object({
    scaStatus: oneOf(
      'How far the PSU has come',
      'received',
      'psuIdentified',
      'psuAuthenticated',
      'finalised',
      'failed',
      'exempted',
    ),
  }),
  AuthorisationStarted: object({
    scaStatus: oneOf('Status', 'received'),
    authorisationId: uuid('Id of the authorisation'),
    _links: links('scaRedirect', 'scaStatus'),
  }),
  Authorisations: object({ authorisationIds: listOf(text('Id of an authorisation')) }),
  PaymentInitiated: object({
    transactionStatus: oneOf('Status', 'RCVD'),
    paymentId: uuid('Id of the payment'),
    'transactionFees?': ref('Amount'),
    'transactionFeeIndicator?': flag('Does the payment cost a fee?'),
    'estimatedTotalAmount?': ref('Amount'),
    _links: createdLinks,
  }),
  PaymentStatus: object({
    transactionStatus: ref('TransactionStatus'),
    'fundsAvailable?': flag('Was the payment covered when it was due? Absent before.'),
    'tppMessages?': listOf(ref('TppMessage'), 'Why it was not executed or was rejected'),
  }),
  FundsRequest: object({
    'cardNumber?': text('Card', 35),
    'account?': ref('AccountReference'),
    'payee?': text('Where the money is to be spent', 70),
    instructedAmount: ref('InstructedAmount'),
  }),
  FundsAnswer: object({ fundsAvailable: flag('Does the expected balance cover the amount?') }),
  Live: object({ status: oneOf('Alive', 'live') }),
  Ready: object({
    ok: flag('Ready for requests'),
    checks: { type: 'object', additionalProperties: oneOf('Result', 'ok', 'down') },
    degraded: listOf(text('What works, but is behind')),
  }),
  OAuthError: {
    type: 'object',
    required: ['error'],
    properties: { error: text('Code of RFC 6749'), error_description: text('What is wrong') },
  },
};

/** Every schema of the document, by name. */
export const schemasFor = ({ products }: Pick<Profile, 'products'>): Readonly<Record<string, Schema>> => ({
  ...generalSchemas,
  ...paymentSchemas(products),
  ...consentSchemas,
  ...accountSchemas,
  ...sandboxSchemas,
});
