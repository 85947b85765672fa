import type { LevProduct } from './payment-products.js';

type Body = Readonly<Record<string, unknown>>;

const common = { debtorAccount: { iban: 'BG25XSBK92001000000001' } };

/** A valid body for each product of the lev standard, with every optional element except mutually exclusive ones (spec 2.4). */
export const exampleBodies: Readonly<Record<LevProduct, Body>> = {
  'domestic-credit-transfer-BGN': {
    ...common,
    endToEndIdentification: 'INV-2026-17',
    instructedAmount: { currency: 'BGN', amount: '12.50' },
    creditorAccount: { iban: 'BG26RZBB91551023456789' },
    creditorAgent: 'RZBBBGSF',
    creditorName: 'Петър Иванов',
    creditorAddress: { streetName: 'Витоша', buildingNumber: '1А', townName: 'София', country: 'BG' },
    remittanceInformationUnstructured: 'Фактура 17',
    serviceLevel: 'NURG',
  },
  'domestic-budget-transfer-BGN': {
    ...common,
    endToEndIdentification: 'DDS-2026-10',
    ultimateDebtor: 'Иван Петров',
    instructedAmount: { currency: 'BGN', amount: '310.00' },
    creditorAccount: { iban: 'BG88BNBG96618000195001' },
    creditorAgent: 'BNBGBGSD',
    creditorName: 'НАП',
    creditorAddress: { townName: 'София', country: 'BG' },
    purposeCode: 'GOVT',
    remittanceInformationUnstructured: 'ДДС',
    serviceLevel: 'NURG',
    budgetPaymentDetails: {
      regulatoryReportType: '1',
      documentNumber: 'BG-17',
      documentDate: '2026-11-01',
      taxpayerId: '7501020018',
      taxpayerType: 'EGN',
      paymentCategory: '110000',
      fromDate: '2026-10-01',
      endDate: '2026-10-31',
      obligedPersonName: 'Иван Петров',
    },
  },
  'SEPA-Credit-Transfer': {
    ...common,
    endToEndIdentification: 'SEPA-1',
    instructedAmount: { currency: 'EUR', amount: '10.00' },
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorAgent: 'COBADEFF',
    creditorName: 'Max Mustermann',
    creditorAddress: { country: 'DE' },
    chargeBearer: 'SLEV',
    remittanceInformationUnstructured: '101%%goods',
    serviceLevel: 'SEPA',
  },
  'cross-border-credit-transfer': {
    ...common,
    endToEndIdentification: 'XB-1',
    instructedAmount: { currency: 'BGN', amount: '10.00' },
    creditorAccount: { iban: 'TR330006100519786457841326' },
    creditorAgent: 'TCZBTR2A',
    creditorName: 'Ayşe Yılmaz',
    creditorAddress: { townName: 'İstanbul', country: 'TR' },
    chargeBearer: 'SHAR',
    remittanceInformationUnstructured: '101%%goods',
    serviceLevel: 'SPOT',
  },
};
