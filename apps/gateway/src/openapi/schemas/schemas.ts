import type { Profile } from '@xs2a/domain/profile/profile';
import { paymentStatuses } from '@xs2a/domain/payment/payment-state';
import { productsOffered } from '@xs2a/domain/payment/product-offers';
import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { basketSchemas } from './basket-schemas.js';
import { bulkSchemas } from './bulk-schemas.js';
import {
  addressSchema,
  budgetDetailsSchema,
  paymentSchemas,
  submittedAddress,
  submittedBudgetDetails,
} from './payment-schemas.js';
import { amountPattern, bicPattern, ibanPattern } from './patterns.js';
import {
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
  text,
  uuid,
} from './schema-parts.js';
import { oauthSchemas } from './oauth-schemas.js';
import { periodicSchemas } from './periodic-schemas.js';
import { withPayees } from './payee-schemas.js';
import { instantSchemas, offersInstant } from './instant-schemas.js';
import { sandboxSchemas } from './sandbox-schemas.js';

/** The links that several objects have, under the names that generated clients give them. */
const linkSchemas: Readonly<Record<string, Schema>> = {
  CreatedLinks: {
    ...links('scaRedirect?', 'startAuthorisation?', 'self', 'status', 'scaStatus?'),
    description: 'For one signer, scaRedirect and scaStatus; for several, startAuthorisation instead.',
  },
  ConsentLinks: links('self', 'status', 'account?'),
  PageLinks: links('first?', 'next?'),
};

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

const message = object({
  category: oneOf('Severity', 'ERROR', 'WARNING'),
  code: text('Berlin Group code; see the table of errors'),
  'path?': text('The field, header or parameter concerned'),
  text: text('What to do about it', 500),
});

const accountDetails = object({
  resourceId: uuid('The id of the account in this API; it never changes'),
  iban,
  currency,
  bic: { ...text('BIC of the bank', 11), pattern: '^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$' },
  name: text('Name that the PSU gave the account; otherwise the name of its product', 70),
  'product?': text('What the bank calls this kind of account', 35),
  'cashAccountType?': text('ISO 20022 code, such as CACC'),
  status: oneOf('Status of the account', 'enabled', 'blocked', 'deleted'),
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
const entry = {
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
  'valueDate?': date('Value date; for a pending entry, the expected one'),
  ...parties,
  'bankTransactionCode?': text('ISO 20022 code: domain, family, sub-family'),
};

const exchangeRate = object({
  sourceCurrency: text('ISO 4217 code'),
  targetCurrency: text('ISO 4217 code'),
  unitCurrency: text('ISO 4217 code of the currency of which the rate buys one unit'),
  exchangeRate: text('Exchange rate'),
  quotationDate: date('Day of the rate'),
});

/** What entries from before the lev ended have in addition (contract E5.2). */
const convertedEntry = {
  'accountCurrencyAmount?': ref('Amount'),
  'currencyExchange?': listOf(ref('ReportExchangeRate'), 'The rate at which an amount in leva became euro'),
};

const accountSchemas = (transaction: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> => ({
  AccountDetails: accountDetails,
  Account: object({ account: ref('AccountDetails') }),
  AccountList: object({ accounts: listOf(ref('AccountDetails')) }),
  Balance: object({
    balanceAmount: ref('Amount'),
    balanceType: oneOf(
      'Both with the credit limit. interimAvailable: balance at the end of the previous day without pending items, updated since by each deposit and each payment that has become ACSC, and in a new account the opening balance; expected: booked balance plus pending items',
      'interimAvailable',
      'expected',
    ),
    'creditLimitIncluded?': flag('Whether the amount includes the credit limit'),
    'referenceDate?': date('Day of the balance'),
  }),
  Balances: object({ account: ref('AccountReference'), balances: listOf(ref('Balance')) }),
  Transaction: object(transaction),
  EntryDetail: object({ ...parties, 'endToEndId?': endToEndId }),
  TransactionWithEntries: object({
    ...transaction,
    'entryDetails?': listOf(ref('EntryDetail'), 'The payments of a batch entry'),
  }),
  TransactionDetails: object({ transactionsDetails: ref('TransactionWithEntries') }),
  Transactions: object({
    account: ref('AccountReference'),
    'balances?': listOf(ref('Balance')),
    transactions: ref('AccountReport'),
  }),
  AccountReport: object({
    'booked?': listOf(ref('Transaction')),
    'pending?': listOf(ref('Transaction')),
    _links: links('account', 'first?', 'next?', 'previous?'),
  }),
});

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
  description:
    'Fill every array that you send with IBANs, or send all three empty to let the PSU choose at the bank',
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
  recurringIndicator: flag('Whether the consent may be used more than once'),
  validUntil: date('Last day on which the consent is valid'),
  frequencyPerDay: { type: 'integer', minimum: 1, maximum: 4 },
  lastActionDate: date('Day of the last change'),
  consentStatus: ref('ConsentStatus'),
  _links: ref('ConsentLinks'),
};

const consentSchemas = ({
  consentMaxDays,
}: Pick<Profile, 'consentMaxDays'>): Readonly<Record<string, Schema>> => ({
  Access: access,
  AccessRequest: accessRequest,
  ConsentRequest: {
    ...object({
      access: ref('AccessRequest'),
      recurringIndicator: flag(
        'False for a one-off consent: each call once per account, until 20 minutes after the first answer',
      ),
      validUntil: date(
        `Last day on which the consent is valid; the bank limits it to ${consentMaxDays} days ahead`,
      ),
      frequencyPerDay: {
        type: 'integer',
        format: 'int64',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Calls per day without the PSU; values above 4 count as 4. Must be 1 if recurringIndicator is false',
      },
      combinedServiceIndicator: {
        oneOf: [{ type: 'boolean' }, oneOf('As text', 'true', 'false')],
        description: 'Whether payments follow in the same session',
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
    _links: ref('CreatedLinks'),
  }),
  Consent: object(consent),
  ListedConsent: object({ consentId: uuid('Id of the consent'), ...consent }),
  ConsentList: object({ consents: listOf(ref('ListedConsent')), _links: ref('PageLinks') }),
  ConsentStatus: oneOf('Status of the consent', ...consentStatuses),
  ConsentStatusAnswer: object({ consentStatus: ref('ConsentStatus') }),
});

const bban = matching('Account number that is not an IBAN', '^[A-Za-z0-9]{1,30}$');

const firstSchemas: Readonly<Record<string, Schema>> = {
  Iban: matching('IBAN in electronic format: no spaces, capital letters, correct check digits.', ibanPattern),
  BICFI: matching('BIC of 8 or 11 characters (ISO 9362).', bicPattern),
  Link: object({ href: text('Path on this host, or a full URL for scaRedirect') }),
  Amount: object({
    currency,
    amount: {
      type: 'string',
      pattern: '^-?[0-9]{1,14}(\\.[0-9]{1,3})?$',
      description: 'Decimal number with a point; may be negative',
    },
  }),
  InstructedAmount: object({
    currency,
    amount: matching(
      'Above zero, with no more decimals than the currency has, at most 2^53 − 1 minor units',
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
    'Has exactly one of these members',
  ),
  CreditorAccount: {
    ...object({
      'iban?': iban,
      'bban?': bban,
      'other?': ref('OtherAccount'),
      'currency?': currency,
      'cashAccountType?': cashAccountType,
    }),
    description: 'iban or, where the product allows it, bban or other; exactly one of them',
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
    'schemeNameCode?': sentText('Code of the identification scheme', 35),
    'schemeNameProprietary?': sentText('Name of the identification scheme', 35),
    'issuer?': sentText('Issuer of the identification', 35),
  }),
};

/** The schemas of the objects in a payment whose members depend on the standard. */
const standardSchemas = ({
  address,
  budgetAttributes,
  previous,
}: PaymentStandard): Readonly<Record<string, Schema>> => ({
  Address: addressSchema(address),
  BudgetPaymentDetails: budgetDetailsSchema(budgetAttributes),
  ...(previous === undefined
    ? {}
    : {
        SubmittedAddress: submittedAddress(address, previous.address),
        SubmittedBudgetPaymentDetails: submittedBudgetDetails(budgetAttributes, previous.budgetAttributes),
      }),
});

const generalSchemas: Readonly<Record<string, Schema>> = {
  TppMessage: message,
  Errors: object({ tppMessages: { ...listOf(ref('TppMessage')), minItems: 1 } }),
  TransactionStatus: oneOf(
    'ISO 20022 status of the payment',
    ...paymentStatuses.filter((status) => status !== 'PART'),
  ),
  AnyTransactionStatus: oneOf(
    'ISO 20022 status of a payment, an order or a bulk payment. PART: only of a bulk payment',
    ...paymentStatuses,
  ),
  ScaStatus: object({
    scaStatus: oneOf(
      'received: the PSU has not signed in or, for a consent, has not approved it; psuIdentified: the PSU has signed in, does not occur for a consent; psuAuthenticated: not used; finalised: signed; failed: refused, cancelled or too late; exempted: not needed, because enough other persons have signed or because a basket with this item was signed',
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
    'transactionFeeIndicator?': flag('Whether the bank charges a fee for the payment'),
    'estimatedTotalAmount?': ref('Amount'),
    _links: ref('CreatedLinks'),
  }),
  PaymentStatus: object({
    transactionStatus: ref('TransactionStatus'),
    'fundsAvailable?': flag('Whether the payment was covered when it was due; absent until then.'),
    'tppMessages?': listOf(ref('TppMessage'), 'Why it was rejected or not executed'),
  }),
  FundsRequest: object({
    'cardNumber?': sentText('Card number', 35),
    'account?': ref('AccountReference'),
    'payee?': sentText('Name of the payee', 70),
    instructedAmount: ref('InstructedAmount'),
  }),
  FundsAnswer: object({ fundsAvailable: flag('Whether the expected balance covers the amount') }),
  Live: object({ status: oneOf('Alive', 'live') }),
  Ready: object({
    ok: flag('Ready for requests'),
    checks: { type: 'object', additionalProperties: oneOf('Result', 'ok', 'down') },
    degraded: listOf(text('Component that works, but lags behind')),
  }),
};

type SchemaProfile = Pick<Profile, 'products' | 'offers' | 'standard' | 'consentMaxDays'>;

/** All schemas of the document, by name. */
export const schemasFor = (
  profile: SchemaProfile & Pick<Profile, 'payeeVerification'>,
): Readonly<Record<string, Schema>> => {
  const schemas = schemasOfEveryProfile(profile);
  const withInstant = offersInstant(profile) ? { ...schemas, ...instantSchemas(schemas) } : schemas;
  return profile.payeeVerification === 'off' ? withInstant : withPayees(withInstant);
};

const schemasOfEveryProfile = (profile: SchemaProfile): Readonly<Record<string, Schema>> => ({
  ...firstSchemas,
  ...linkSchemas,
  ...standardSchemas(standardOf(profile)),
  ...generalSchemas,
  ...oauthSchemas,
  ...paymentSchemas(profile.products, standardOf(profile)),
  ...periodicSchemas(productsOffered('periodic-payments', profile), profile),
  ...bulkSchemas(productsOffered('bulk-payments', profile), standardOf(profile)),
  ...(profile.offers.includes('signing-baskets') ? basketSchemas : {}),
  ...consentSchemas(profile),
  ...accountSchemas(profile.standard === 'euro' ? { ...entry, ...convertedEntry } : entry),
  ...(profile.standard === 'euro' ? { ReportExchangeRate: exchangeRate } : {}),
  ...sandboxSchemas(profile),
});
