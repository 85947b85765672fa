import { describe, expect, it } from '@jest/globals';
import { bulkBody, placeOfPath } from './bulk-body.js';
import { markets } from '../bank/market.js';
import { exampleCsv } from '../bulk-file/bulk-file.js';
import { readCsvFile } from '../bulk-file/csv-file.js';

const { entries } = readCsvFile(new TextEncoder().encode(exampleCsv));

describe('the body of a bulk payment (contract 9)', () => {
  it('has no debtor and no execution date per entry, and omits options that were not chosen', () => {
    const body = bulkBody(
      entries.slice(0, 1),
      { debtorIban: 'BG1', executionDate: '', batchBooking: false },
      markets.BGN,
    );
    expect(body).toEqual({
      debtorAccount: { iban: 'BG1' },
      payments: [
        {
          endToEndIdentification: 'E2E-1',
          instructedAmount: { amount: '12.50', currency: 'BGN' },
          creditorAccount: { iban: 'BG26RZBB91551023456789' },
          creditorName: 'Петър Иванов',
          remittanceInformationUnstructured: 'Фактура 1',
          serviceLevel: 'NURG',
        },
      ],
    });
    const entered = { debtorIban: 'BG1', executionDate: '2027-01-31', batchBooking: true };
    expect(bulkBody([], entered, markets.BGN)).toEqual({
      debtorAccount: { iban: 'BG1' },
      requestedExecutionDate: '2027-01-31',
      batchBookingPreferred: true,
      payments: [],
    });
  });

  it('is in euro, without a service level, at a bank in euro', () => {
    const entered = { debtorIban: 'BG1', executionDate: '', batchBooking: false };
    const [entry] = Object(bulkBody(entries.slice(0, 1), entered, markets.EUR)).payments;
    expect(entry.instructedAmount).toEqual({ amount: '12.50', currency: 'EUR' });
    expect(entry).not.toHaveProperty('serviceLevel');
  });

  it.each([
    ['payments[17].creditorAccount.iban', { entry: 17, field: 'creditorIban' }],
    ['payments[0].instructedAmount.amount', { entry: 0, field: 'amount' }],
    ['payments[249]', { entry: 249 }],
    ['payments', {}],
    ['debtorAccount.iban', { field: 'debtorIban' }],
    ['requestedExecutionDate', { field: 'executionDate' }],
    ['payments[1].constructor', { entry: 1 }],
  ])('maps the path %s in the bank’s response to %j', (path, place) => {
    expect(placeOfPath(path)).toEqual(place);
  });
});
