import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../../testing/profiles.js';
import { paymentFields } from './payment-fields.js';
import { type PaymentProduct, parsePaymentProduct } from '../payment-products.js';
import { hasPurposeCode, purposeCodes } from './purpose-codes.js';
import { validatePayment } from './validate-payment.js';

const rules = {
  profile: makeProfile('production'),
  today: '2026-11-20',
  ownBankCode: 'XSBK',
};
const validationFailures = (product: PaymentProduct, body: unknown): string[] => {
  const result = validatePayment(product, body, rules);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};

const common = {
  debtorAccount: { iban: 'BG25XSBK92001000000001' },
  creditorName: 'Someone',
  remittanceInformationUnstructured: '101%%goods',
};
const sepa = {
  ...common,
  instructedAmount: { currency: 'EUR', amount: '10.00' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  serviceLevel: 'SEPA',
};
const abroad = {
  ...common,
  instructedAmount: { currency: 'USD', amount: '10.00' },
  creditorAccount: { iban: 'TR330006100519786457841326' },
  creditorAddress: { country: 'TR' },
  chargeBearer: 'SHAR',
  serviceLevel: 'SPOT',
};
const budgetDetails = { regulatoryReportType: '1', obligedPersonName: 'Иван Петров' };
const budget = {
  ...common,
  ultimateDebtor: 'Иван Петров',
  instructedAmount: { currency: 'BGN', amount: '10.00' },
  creditorAccount: { iban: 'BG88BNBG96618000195001' },
  purposeCode: 'GOVT',
  serviceLevel: 'NURG',
  budgetPaymentDetails: budgetDetails,
};

/**
 * The table from spec 2.4, copied by hand. Columns: budget, domestic, SEPA, cross-border. M mandatory, O optional,
 * C conditional, - n.a.
 */
const specTable = `
  endToEndIdentification Max35Text OOOO
  debtorAccount DebtorAccount MMMM
  ultimateDebtor Max70Text M---
  instructedAmount Amount MMMM
  creditorAccount CreditorAccount MMMM
  creditorAgent BICFI OOOO
  creditorAgentName Max70Text ---O
  creditorAgentAddress Address ---O
  creditorName Max70Text MMMM
  creditorAddress Address OOOM
  purposeCode PurposeCode M---
  chargeBearer ChargeBearerCode --OC
  remittanceInformationUnstructured Max140Text MMMM
  serviceLevel ServiceLevelCode MMMM
  budgetPaymentDetails BudgetPaymentDetails M---
  debtorId Max35Text ----
  transactionCurrency CurrencyCode ----
  creditorId Max35Text ----
  ultimateCreditor Max70Text ----
  remittanceInformationUnstructuredArray Max140TextArray ----
  remittanceInformationStructured Remittance ----
  requestedExecutionDate ISODate OOOO
  requestedExecutionTime ISODateTime ----`;
const columns: readonly PaymentProduct[] = [
  'domestic-budget-transfer-BGN',
  'domestic-credit-transfer-BGN',
  'SEPA-Credit-Transfer',
  'cross-border-credit-transfer',
];
const short = { mandatory: 'M', optional: 'O', conditional: 'C', 'n.a.': '-' } as const;

describe('the field table (spec 2.4)', () => {
  it('lists every element once, in order, with its type and its rule for every product', () => {
    const rows = paymentFields.map(
      ({ path, type, rules }) => `${path} ${type} ${columns.map((one) => short[rules[one]]).join('')}`,
    );
    expect(rows).toEqual(
      specTable
        .trim()
        .split('\n')
        .map((row) => row.trim()),
    );
  });

  it('accepts an execution date for every product (contract 8)', () => {
    const row = paymentFields.find(({ path }) => path === 'requestedExecutionDate');
    expect(columns.map((one) => row?.rules[one])).toEqual(['optional', 'optional', 'optional', 'optional']);
  });
});

describe('SEPA credit transfer (spec 1.9, 2.4)', () => {
  it.each([
    [{ chargeBearer: 'SLEV' }, []],
    [{ chargeBearer: 'SHAR' }, ['fieldMalformed chargeBearer']],
    [{ serviceLevel: 'URGP' }, ['fieldMalformed serviceLevel']],
    [{ remittanceInformationUnstructured: 'goods' }, ['fieldMalformed remittanceInformationUnstructured']],
    [{ creditorAccount: { iban: 'TR330006100519786457841326' } }, ['productWrong -']],
    [{ instructedAmount: { currency: 'USD', amount: '10.00' } }, ['productWrong -']],
  ])('validates %j', (change, failures) => {
    expect(validationFailures('SEPA-Credit-Transfer', { ...sepa, ...change })).toEqual(failures);
  });
});

describe('a remittance text without a purpose code (spec 2.4)', () => {
  it('is refused with a text that names the page with the list of codes', () => {
    const refused = { ...sepa, remittanceInformationUnstructured: 'goods' };
    const result = validatePayment('SEPA-Credit-Transfer', refused, rules);
    const texts = 'failures' in result ? result.failures.map(({ text }) => text) : [];
    expect(texts).toEqual([expect.stringContaining('/reference/codes')]);
  });
});

describe('cross-border credit transfer (spec 2.4, contract 8)', () => {
  const product = 'cross-border-credit-transfer';
  const noIban = { ...abroad, creditorAccount: { bban: '12345' } };
  const agentAddress = { country: 'US' };

  it('requires a charge bearer, but accepts only SHAR or none if the creditor bank and the currency are both in the EEA', () => {
    const inside = {
      ...abroad,
      instructedAmount: { currency: 'BGN', amount: '1.00' },
      creditorAccount: sepa.creditorAccount,
    };
    expect(validationFailures(product, { ...abroad, chargeBearer: undefined })).toEqual([
      'fieldMissing chargeBearer',
    ]);
    expect(validationFailures(product, { ...inside, chargeBearer: undefined })).toEqual([]);
    expect(validationFailures(product, { ...inside, chargeBearer: 'SHAR' })).toEqual([]);
    expect(validationFailures(product, { ...inside, chargeBearer: 'DEBT' })).toEqual([
      'fieldMalformed chargeBearer',
    ]);
    expect(validationFailures(product, { ...abroad, chargeBearer: 'DEBT' })).toEqual([]);
  });

  it('requires the BIC, or the name and address of the bank, for an account without an IBAN', () => {
    expect(validationFailures(product, noIban)).toEqual(['fieldMissing creditorAgent']);
    expect(validationFailures(product, { ...noIban, creditorAgent: 'CHASUS33' })).toEqual([]);
    expect(validationFailures(product, { ...noIban, creditorAgentName: 'Bank' })).toEqual([
      'fieldMissing creditorAgentAddress',
    ]);
    expect(validationFailures(product, { ...noIban, creditorAgentAddress: agentAddress })).toEqual([
      'fieldMissing creditorAgentName',
    ]);
    expect(
      validationFailures(product, {
        ...noIban,
        creditorAgentName: 'Bank',
        creditorAgentAddress: agentAddress,
      }),
    ).toEqual([]);
  });

  it('refuses the name and address of the bank together with an IBAN or a BIC', () => {
    expect(validationFailures(product, { ...abroad, creditorAgentName: 'Bank' })).toEqual([
      'fieldNotApplicable creditorAgentName',
    ]);
    const both = { ...noIban, creditorAgent: 'CHASUS33', creditorAgentAddress: agentAddress };
    expect(validationFailures(product, both)).toEqual(['fieldNotApplicable creditorAgentAddress']);
  });

  it('refuses a payment that qualifies as domestic (spec 1.9)', () => {
    const change = {
      instructedAmount: { currency: 'BGN', amount: '1.00' },
      creditorAccount: { iban: 'BG26RZBB91551023456789' },
    };
    expect(validationFailures(product, { ...abroad, ...change })).toEqual(['productWrong -']);
  });
});

describe('domestic budget transfer (spec 2.4)', () => {
  const product = 'domestic-budget-transfer-BGN';
  const details = (change: object) => ({ ...budget, budgetPaymentDetails: { ...budgetDetails, ...change } });

  it('accepts accounts with 8 or 3 at position 13 of the IBAN', () => {
    expect(
      validationFailures(product, { ...budget, creditorAccount: { iban: 'BG39BNBG96613100195002' } }),
    ).toEqual([]);
    expect(
      validationFailures(product, { ...budget, creditorAccount: { iban: 'BG26RZBB91551023456789' } }),
    ).toEqual(['fieldMalformed creditorAccount.iban']);
  });

  it.each([
    [{ regulatoryReportType: '7' }, 'fieldMalformed budgetPaymentDetails.regulatoryReportType'],
    [{ regulatoryReportType: undefined }, 'fieldMissing budgetPaymentDetails.regulatoryReportType'],
    [{ obligedPersonName: undefined }, 'fieldMissing budgetPaymentDetails.obligedPersonName'],
    [{ taxpayerId: '123456789' }, 'fieldMalformed budgetPaymentDetails.taxpayerId'],
    [{ taxPayerId: 'x' }, 'fieldMalformed budgetPaymentDetails.taxPayerId'],
    [{ taxpayerType: 'ABC' }, 'fieldMalformed budgetPaymentDetails.taxpayerType'],
    [{ taxpayerType: 'EGN', taxPayerType: 'EGN' }, 'fieldMalformed budgetPaymentDetails.taxpayerType'],
    [{ paymentCategory: '123456' }, 'fieldMalformed budgetPaymentDetails.paymentCategory'],
    [{ documentDate: '2026-02-30' }, 'fieldMalformed budgetPaymentDetails.documentDate'],
    [{ fromDate: '2026-02-01', endDate: '2026-01-31' }, 'fieldMalformed budgetPaymentDetails.endDate'],
    [{ colour: 'blue' }, 'fieldUnknown budgetPaymentDetails.colour'],
  ])('refuses %j', (change, failure) => {
    expect(validationFailures(product, details(change))).toEqual([failure]);
  });

  it('accepts every attribute in both spellings', () => {
    const whole = {
      documentNumber: '17/2026',
      documentDate: '2026-11-01',
      taxPayerId: '1234567890',
      taxPayerType: 'EGN',
      paymentCategory: '110000',
      fromDate: '2026-01-01',
      endDate: '2026-01-01',
    };
    expect(validationFailures(product, details(whole))).toEqual([]);
    expect(validationFailures(product, details({ taxpayerId: '1234567890', taxpayerType: 'PNF' }))).toEqual(
      [],
    );
  });
});

describe('purpose codes (spec 2.4)', () => {
  it('are 81 in total, fifteen of them with layout B', () => {
    expect(new Set(purposeCodes.map(([code]) => code)).size).toBe(81);
    const inB = purposeCodes.filter(([, layout]) => layout === 'B').map(([code]) => code);
    expect(inB.join(' ')).toBe('711 712 721 722 731 732 741 742 743 811 812 821 822 841 842');
  });

  it.each(purposeCodes)('include %s, which is accepted only in layout %s', (code, layout) => {
    expect(hasPurposeCode(`${code}%%text`)).toBe(layout === 'A');
    expect(hasPurposeCode(`${code}%12345%text`)).toBe(layout === 'B');
  });

  it.each([
    '',
    '101',
    '101%%',
    '101%text',
    '999%%text',
    ' 101%%text',
    '711%%',
    '711%1%',
    '711%1',
    '101%% ',
    '711% %text',
    '711%1% ',
  ])('are not found in %j', (text) => {
    expect(hasPurposeCode(text)).toBe(false);
  });
});

describe('product names (contract 1)', () => {
  it.each([
    ['DOMESTIC-credit-transfer-bgn', 'domestic-credit-transfer-BGN'],
    ['domestic-credit-transfers-BGN', 'domestic-credit-transfer-BGN'],
    ['sepa-credit-transfers', 'SEPA-Credit-Transfer'],
    ['cross-border-transfers', 'cross-border-credit-transfer'],
    ['cross-border-credit-transfers', 'cross-border-credit-transfer'],
    ['instant', undefined],
    ['', undefined],
  ])('map %s to %s', (segment, product) => {
    expect(parsePaymentProduct(segment)).toBe(product);
  });
});
