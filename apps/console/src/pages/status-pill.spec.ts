import { describe, expect, it } from '@jest/globals';
import { basketStatuses } from '@xs2a/domain/basket/basket-transitions';
import { consentStatuses } from '@xs2a/domain/consent/consent-transitions';
import { paymentStatuses } from '@xs2a/domain/payment/payment-state';
import { statusLegend, statusPill } from './status-pill.js';

describe('a status on a page', () => {
  it.each([...paymentStatuses, ...basketStatuses, ...consentStatuses])(
    '%s has a meaning and a line of the legend',
    (status) => {
      expect(statusPill(status).text).toMatch(/title="[A-Z][^"]{10,}"/);
      const legend = statusLegend(consentStatuses.includes(status as never) ? 'consents' : 'payments').text;
      expect(legend).toContain(`<dt>${status}`);
    },
  );

  it('says a code of ISO 20022 in words', () => {
    expect(statusPill('ACSC').text).toContain('settled');
  });

  it('shows a status of a newer release as it is', () => {
    expect(statusPill('NEWS').text).toBe('<span class="pill neutral" title="">NEWS</span>');
  });
});
