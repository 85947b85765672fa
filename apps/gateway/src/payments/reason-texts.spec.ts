import { describe, expect, it } from '@jest/globals';
import { reasonCodes } from '@xs2a/domain/payment/instant/instant-answer';
import { reasonOfRefusal } from '@xs2a/domain/payment/instant/instant-payments';
import { paymentStatusJson } from './payment-json.js';

const message = (reasonCode: string) =>
  paymentStatusJson({ transactionStatus: 'RJCT', reasonCode })['tppMessages'];

describe('the status of a rejected instant payment (contract E3.4)', () => {
  it('has the reason code and says that the account was not charged', () => {
    expect(paymentStatusJson({ transactionStatus: 'RJCT', reasonCode: 'AB05' })).toEqual({
      transactionStatus: 'RJCT',
      fundsAvailable: undefined,
      reasonCode: 'AB05',
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          text: 'The payee’s bank did not answer in time. The account was not charged.',
        },
      ],
    });
  });

  it('has the warning FUNDS_NOT_AVAILABLE as well with AM04', () => {
    const status = paymentStatusJson({
      transactionStatus: 'RJCT',
      fundsAvailable: false,
      reasonCode: 'AM04',
    });
    expect(status).toMatchObject({
      fundsAvailable: false,
      tppMessages: [
        { category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE' },
        { category: 'ERROR', code: 'PAYMENT_FAILED' },
      ],
    });
  });

  it('explains every code that this bank gives, and each code of another bank in general words', () => {
    const codes = [
      ...Object.values(reasonCodes),
      ...Object.values(reasonOfRefusal),
      'AC01',
      'AC04',
      'AB08',
      'MS03',
    ];
    const general = JSON.stringify(message('ZZ99'));
    const texts = [...new Set(codes)].map((code) => JSON.stringify(message(code)));
    expect(new Set([general, ...texts]).size).toBe(texts.length + 1);
    expect(general).toContain('The account was not charged.');
  });
});
