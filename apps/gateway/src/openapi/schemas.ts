import type { Profile } from '@xs2a/domain/profile/profile';
import { address, budgetPaymentDetails, paymentSchemas } from './payment-schemas.js';
import { currencies } from '@xs2a/domain/money/currencies';
import { amountOrZeroPattern, amountPattern, bicPattern, durationPattern, ibanPattern } from './patterns.js';
import {
  count,
  date,
  flag,
  links,
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

const createdLinks: Schema = {
  ...links('scaRedirect?', 'startAuthorisation?', 'self', 'status', 'scaStatus?'),
  description: 'One person signs: scaRedirect and scaStatus. Several do: startAuthorisation in their place.',
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
const iban = ref('Iban');
const currency = matching('ISO 4217 code.', '^[A-Z]{3}$');
const cashAccountType = matching('ISO 20022 code, such as CACC.', '^[A-Z]{4}$');
/** Currencies that the sandbox bank keeps accounts in. */
const accountCurrency = oneOf('ISO 4217 code', ...currencies.map(({ code }) => code));

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
  bic: { ...text('BIC of the bank', 11), pattern: '^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$' },
  name: text('Name that the PSU gave the account; otherwise that of its product', 70),
  'product?': text('What the bank calls this kind of account', 35),
  'cashAccountType?': text('ISO 20022 code, such as CACC'),
  status: oneOf('Is the account in use?', 'enabled', 'blocked', 'deleted'),
  'ownerName?': text('Name of the owner', 140),
  'balances?': listOf(ref('Balance'), 'With withBalance=true, where the consent allows it'),
  _links: links('balances?', 'transactions?'),
});

const parties = {
  transactionAmount: ref('Amount'),
  'creditorName?': text('Name of the creditor', 140),
  'creditorAccount?': ref('AnyAccount'),
  'debtorName?': text('Name of the debtor', 140),
  'debtorAccount?': ref('AnyAccount'),
  'remittanceInformationUnstructured?': text('Payment text', 140),
};
const endToEndId = text('End-to-end identification of the payment', 35);
const transaction = {
  transactionId: text('Id of the entry', 35),
  'entryReference?': text('Reference of the entry', 35),
  'endToEndId?': endToEndId,
  'batchIndicator?': flag('True: the entry shows payments of a bulk payment together'),
  'batchNumberOfTransactions?': {
    type: 'integer',
    minimum: 1,
    description: 'How many payments a batch entry shows together',
  },
  'bookingDate?': date('Day of booking; absent while pending'),
  'valueDate?': date('Value date; of a pending entry the one expected'),
  ...parties,
  'bankTransactionCode?': text('ISO 20022 code: domain, family, sub-family'),
};

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
  Transaction: object(transaction),
  EntryDetail: object({ ...parties, 'endToEndId?': endToEndId }),
  TransactionDetails: object({
    transactionsDetails: object({
      ...transaction,
      'entryDetails?': listOf(ref('EntryDetail'), 'The payments of a batch entry'),
    }),
  }),
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

const sentReferences: Schema = { ...listOf(ref('AccountReference')), maxItems: 100, uniqueItems: true };
const isEmpty = (name: string): Schema => ({ required: [name], properties: { [name]: { maxItems: 0 } } });
const isFilled = (name: string): Schema => ({ required: [name], properties: { [name]: { minItems: 1 } } });
const accessNames = ['accounts', 'balances', 'transactions'];

const accessRequest: Schema = {
  ...object({ 'accounts?': sentReferences, 'balances?': sentReferences, 'transactions?': sentReferences }),
  description: 'All arrays that are sent with IBANs; or all three empty: the PSU picks at the bank',
  minProperties: 1,
  not: {
    allOf: [
      { anyOf: accessNames.map(isEmpty) },
      { anyOf: [{ maxProperties: 2 }, ...accessNames.map(isFilled)] },
    ],
  },
};

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
  Access: access,
  AccessRequest: accessRequest,
  ConsentRequest: {
    ...object({
      access: ref('AccessRequest'),
      recurringIndicator: flag('May the consent be used more than once?'),
      validUntil: date('Last day; the bank shortens it to 90 days ahead'),
      frequencyPerDay: {
        type: 'integer',
        format: 'int64',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Calls per day without the PSU; 4 at most count. 1 where recurringIndicator is false',
      },
      combinedServiceIndicator: {
        oneOf: [{ type: 'boolean' }, oneOf('As text', 'true', 'false')],
        description: 'Will payments follow in the same session?',
      },
    }),
    not: {
      required: ['recurringIndicator', 'frequencyPerDay'],
      properties: { recurringIndicator: { enum: [false] }, frequencyPerDay: { minimum: 2 } },
    },
  },
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
    // Without uniqueItems: of a set of enumerated values a generated Java client does not compile.
    roles: {
      ...listOf(oneOf('PSD2 role', 'PSP_AI', 'PSP_PI', 'PSP_IC'), 'Each once'),
      minItems: 1,
      maxItems: 3,
    },
    'organizationIdentifier?': matching(
      'Of your QWAC, such as PSDBG-BNB-12345',
      '^PSD[A-Z]{2}-[A-Z]{2,8}-[!-~]{1,100}$',
    ),
    'certificate?': text('Your QWAC as PEM: the identifier is read from it, and it must hold the roles'),
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
    status: oneOf('What the account is for from now on', 'enabled', 'blocked', 'closed'),
  }),
  AccountChanged: object({
    iban: text('Account', 34),
    status: oneOf('What the account is for from now on', 'enabled', 'blocked', 'closed'),
  }),
  NewPsu: object({
    'name?': sentText('Name of the person', 70),
    'accounts?': {
      ...listOf(
        object({
          currency: accountCurrency,
          opening: matching('Balance to begin with, such as 100.00', amountOrZeroPattern),
          'creditLimit?': matching('How far the account may go below zero', amountOrZeroPattern),
          'type?': oneOf('ISO 20022 code of the account, CACC when absent', 'CACC', 'SVGS'),
        }),
        'At least one; left out by a PSU who joins a company, whose accounts are there already',
      ),
      maxItems: 10,
    },
    'corporateId?': matching(
      'Makes the accounts those of a company, or joins its signers',
      '^[A-Za-z0-9._-]{1,35}$',
    ),
    'signaturesRequired?': count('Signatures a payment needs; above 1 with corporateId only', 1, 10),
  }),
  Psu: object({
    psuId: text('What the person signs in with'),
    password: text('Password on the bank’s pages'),
    accounts: listOf(object({ iban, currency })),
  }),
  Deposit: object({ amount: matching('Such as 50.00', amountPattern), currency: accountCurrency }),
  Simulation: object({
    psuId: text('Whom it happens to'),
    outcome: oneOf(
      'insufficient-funds: funds confirmations answer false, due payments find no funds; core-bank-down: funds confirmation, sign-in to a payment and settlement find the core bank away; reject: the bank rejects the payment when the PSU has signed in; slow: 1.5 seconds more; none: ends it',
      'insufficient-funds',
      'core-bank-down',
      'reject',
      'slow',
      'none',
    ),
    'calls?': count('How often; once when absent', 1, 100),
  }),
  Deposited: object({ transactionId: text('Id of the entry in the history', 35) }),
};

const bban = matching('Account number that is no IBAN', '^[A-Za-z0-9]{1,30}$');

const generalSchemas: Readonly<Record<string, Schema>> = {
  Iban: matching('IBAN in electronic format: no spaces, capital letters, right check digits.', ibanPattern),
  BICFI: matching('BIC of 8 or 11 characters (ISO 9362).', bicPattern),
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
    amount: matching(
      'Above zero, no more decimals than the currency, at most 2^53 − 1 minor units',
      amountPattern,
    ),
  }),
  AccountReference: object({
    iban,
    'currency?': { ...currency, description: 'ISO 4217 code; if sent, it must be the account’s.' },
    'cashAccountType?': cashAccountType,
  }),
  AnyAccount: object(
    {
      'iban?': iban,
      'bban?': bban,
      'other?': object({ identification: text('Proprietary identification', 35) }),
    },
    'One of the three',
  ),
  CreditorAccount: {
    ...object({
      'iban?': iban,
      'bban?': bban,
      'other?': ref('OtherAccount'),
      'currency?': currency,
      'cashAccountType?': cashAccountType,
    }),
    description: 'iban; where the product allows it bban or other, never two of them',
    not: {
      anyOf: [
        { required: ['iban', 'bban'] },
        { required: ['iban', 'other'] },
        { required: ['bban', 'other'] },
        { not: { anyOf: [{ required: ['iban'] }, { required: ['bban'] }, { required: ['other'] }] } },
      ],
    },
  },
  OtherAccount: object({
    identification: sentText('Proprietary identification', 35),
    'schemeNameCode?': sentText('Code of its scheme', 35),
    'schemeNameProprietary?': sentText('Name of its scheme', 35),
    'issuer?': sentText('Who gave it', 35),
  }),
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
    'cardNumber?': sentText('Card', 35),
    'account?': ref('AccountReference'),
    'payee?': sentText('Where the money is to be spent', 70),
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
