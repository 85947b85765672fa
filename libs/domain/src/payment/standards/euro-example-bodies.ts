import type { JsonObject } from '../../form/form-checks.js';
import type { EuroProduct } from '../payment-products.js';

const transfer = {
  debtorAccount: { iban: 'BG25XSBK92001000000001' },
  creditorAddress: { streetName: 'Taunusanlage', buildingNumber: '12', townName: 'Frankfurt', country: 'DE' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorAgent: 'COBADEFF',
  creditorName: 'Max Mustermann',
  chargeBearer: 'SLEV',
  serviceLevel: 'SEPA',
};

/** A valid body for each product of the euro standard, with every optional element (contract E2). */
export const euroExampleBodies: Readonly<Record<EuroProduct, JsonObject>> = {
  'SEPA-Credit-Transfer': {
    ...transfer,
    endToEndIdentification: 'SEPA-1',
    instructedAmount: { currency: 'EUR', amount: '10.00' },
    remittanceInformationUnstructured: 'Invoice 17',
  },
  'instant-SEPA-credit-transfer': {
    ...transfer,
    endToEndIdentification: 'INST-1',
    instructedAmount: { currency: 'EUR', amount: '10.00' },
    remittanceInformationUnstructured: 'Invoice 18',
  },
  'domestic-budget-transfer-EUR': {
    debtorAccount: { iban: 'BG25XSBK92001000000001' },
    endToEndIdentification: 'DDS-2026-12',
    ultimateDebtor: 'Иван Петров',
    instructedAmount: { currency: 'EUR', amount: '120.00' },
    creditorAccount: { iban: 'BG53XSBV92008400000001' },
    creditorAgent: 'XSBVBGSF',
    creditorName: 'Община Примерна',
    creditorAddress: { townName: 'Примерна', country: 'BG' },
    purposeCode: 'GOVT',
    chargeBearer: 'SLEV',
    remittanceInformationUnstructured: 'Данък сгради 2026',
    serviceLevel: 'SEPA',
    budgetPaymentDetails: {
      taxpayerId: '999999995',
      taxpayerType: 'EIK',
      paymentCategory: '442100',
      obligedPersonName: 'Акме ЕООД',
    },
  },
  'cross-border-credit-transfer': {
    debtorAccount: { iban: 'BG25XSBK92001000000001' },
    endToEndIdentification: 'XB-1',
    instructedAmount: { currency: 'EUR', amount: '10.00' },
    creditorAccount: { iban: 'TR330006100519786457841326' },
    creditorAgent: 'TCZBTR2A',
    creditorName: 'Ayşe Yılmaz',
    creditorAddress: { addressLine: ['İstiklal Caddesi 5'], townName: 'İstanbul', country: 'TR' },
    chargeBearer: 'SHAR',
    remittanceInformationUnstructured: 'Invoice 19',
    serviceLevel: 'SPOT',
  },
};
