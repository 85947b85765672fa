import { describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import {
  basketRejections,
  fundsNotAvailable,
  paymentRejections,
  textOfReason,
} from '@xs2a/domain/failure/status-messages';
import { explainedCodes } from '@xs2a/domain/payment/instant/instant-answer';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { errorCodes } from './error-codes.js';
import { fieldRules } from '@xs2a/refusals/field-rules';
import { ruleOfFailure, ruleOfField } from '@xs2a/refusals/rules';
import { errorPageOf, errorsPage } from './error-pages.js';
import { rewordings } from './rewordings.js';

const sandbox = makeProfile('sandbox');
const ofPayees = makeProfile('bg-euro');
const escaped = (text: string): string => text.replaceAll("'", '&#39;').replaceAll('"', '&quot;');

describe('the portal’s section about errors (contract 3)', () => {
  it('lists every error code that a call can return, each with a link to the page of the code', () => {
    const list = errorsPage().text;
    const codes = [...new Set([...Object.values(failures).map(([, code]) => code), 'FUNDS_NOT_AVAILABLE'])];
    expect([...errorCodes.keys()]).toEqual([...codes].sort());
    for (const code of codes) expect(list).toContain(`<a href="/errors/${code}"><b>`);
  });

  it.each(Object.entries(failures))('shows the text, the cause and a remedy of %s', (_failure, row) => {
    const [status, code, text] = row;
    const found = errorCodes.get(code)?.find((one) => one.texts.includes(text) && one.status === status);
    expect(found?.cause).toMatch(/\w/);
    const shown = errorPageOf(code, ofPayees)?.text ?? '';
    expect(shown).toContain(escaped(text));
    for (const step of found?.remedy ?? []) expect(shown).toContain(escaped(step));
  });

  it.each([
    ['FUNDS_NOT_AVAILABLE', fundsNotAvailable.text],
    ...[...Object.values(paymentRejections), ...Object.values(basketRejections)].map((text) => [
      'PAYMENT_FAILED',
      text,
    ]),
    ...explainedCodes.map((reason) => ['PAYMENT_FAILED', textOfReason(reason)]),
  ])('shows the cause and a remedy of a code in the status of a payment or basket: %s %s', (code, text) => {
    const found = errorCodes
      .get(code ?? '')
      ?.find((one) => one.status === 200 && one.texts.includes(text ?? ''));
    expect(found?.cause).toMatch(/^In `tppMessages` of the status\. \w/);
    expect(found?.remedy).not.toEqual([]);
    expect(errorPageOf(code ?? '', ofPayees)?.text).toContain(escaped(text ?? ''));
  });

  it('omits reasons of instant payments and the end of the lev at a bank that has neither', () => {
    for (const text of [textOfReason('AB05'), paymentRejections['lev-ended']])
      expect(errorPageOf('PAYMENT_FAILED', sandbox)?.text).not.toContain(escaped(text));
  });

  it('shows FUNDS_NOT_AVAILABLE as a warning in the status of an accepted payment', () => {
    const shown = errorPageOf('FUNDS_NOT_AVAILABLE', sandbox)?.text ?? '';
    expect(shown).toContain('&quot;category&quot;: &quot;WARNING&quot;');
    expect(shown).toContain('&quot;transactionStatus&quot;: &quot;ACCP&quot;');
  });

  it('shows the limit on payee verifications only at a bank that verifies payees', () => {
    const [, , text] = failures.payeeQuestionsExceeded;
    expect(errorPageOf('ACCESS_EXCEEDED', ofPayees)?.text).toContain(escaped(text));
    expect(errorPageOf('ACCESS_EXCEEDED', sandbox)?.text).not.toContain(escaped(text));
  });

  it('says of a code that this bank never returns it, and whom it is for', () => {
    const never = 'This bank does not return this code';
    expect(errorPageOf('TIMESTAMP_INVALID', sandbox)?.text).toContain(never);
    expect(errorPageOf('TIMESTAMP_INVALID', sandbox)?.text).toContain(
      'where banks ask this bank about a payee',
    );
    expect(errorPageOf('TIMESTAMP_INVALID', ofPayees)?.text).not.toContain(never);
    for (const code of errorCodes.keys())
      if (code !== 'TIMESTAMP_INVALID') expect(errorPageOf(code, sandbox)?.text).not.toContain(never);
  });

  it('names each field’s operations as the reference does', () => {
    const text = errorPageOf('FORMAT_ERROR', sandbox)?.text.replaceAll(/\s+/g, ' ') ?? '';
    expect(text).toMatch(/<code>startDate<\/code> <span class="quiet" >initiatePeriodicPayment<\/span/);
    expect(text).toMatch(/<code>payments<\/code> <span class="quiet" >initiateBulkPayment<\/span/);
    expect(text).toMatch(/<code>validUntil<\/code> <span class="quiet" >createConsent<\/span/);
  });

  it('links to pages of the portal instead of documents that a TPP cannot open', () => {
    const pages = [...errorCodes.keys()].map((code) => errorPageOf(code, sandbox)?.text ?? '').join('\n');
    expect(pages).not.toMatch(/contract \d|spec(?:ification)? \d|purpose-codes\.ts|gateway/);
    for (const address of ['follow-a-payment#what-is-safe-to-repeat', 'test-your-tpp', 'profiles'])
      expect(pages).toContain(`<a href="/guides/${address}">`);
    expect(pages).toContain('in the <a href="/reference/codes">layout of its row</a>');
  });

  it.each(rewordings)('rewords only a passage that a rule contains: %s', (from) => {
    const ofFields = Object.keys(fieldRules).map((key) => {
      const [operation = '', name = ''] = key.split(' ');
      return ruleOfField(operation, name);
    });
    const texts = [...Object.keys(failures).map(ruleOfFailure), ...ofFields].map((rule) => rule?.text ?? '');
    expect(texts.filter((text) => text.includes(from))).not.toEqual([]);
  });

  it('names each status in which a payment, an order, a bulk payment or a basket can be cancelled', () => {
    const shown = errorPageOf('CANCELLATION_INVALID', sandbox)?.text ?? '';
    expect(shown).toContain('cancelled in RCVD, PATC and ACCP');
    expect(shown).toContain('standing order can be cancelled in ACSP');
  });

  it('names a newer consent as a cause of CONSENT_EXPIRED', () => {
    expect(errorPageOf('CONSENT_EXPIRED', sandbox)?.text).toContain(
      'newer recurring consent of the same TPP',
    );
  });

  it('states that an answer can contain a more specific text than the page lists', () => {
    for (const code of ['FORMAT_ERROR', 'ACCESS_EXCEEDED', 'CONSENT_EXPIRED'])
      expect(errorPageOf(code, sandbox)?.text).toContain('specific to a field or header');
    // This code is only in the status of a payment, which has no other text.
    expect(errorPageOf('FUNDS_NOT_AVAILABLE', sandbox)?.text).not.toContain('specific to a field');
  });

  it('names calls of the sandbox by their complete path', () => {
    for (const code of errorCodes.keys())
      expect(errorPageOf(code, sandbox)?.text).not.toMatch(/(?:GET|POST|DELETE) \/(?:tpps?|clock|psus)\b/);
  });

  it('replaces every internal name of a remedy with text', () => {
    const all = [...errorCodes.values()].flat().flatMap(({ remedy }) => remedy);
    expect(all.filter((step) => ['token', 'renew', 'repeat'].includes(step))).toEqual([]);
  });

  it('shows the rules of fields, and an example amount in the currency of the bank', () => {
    const shown = errorPageOf('FORMAT_ERROR', sandbox)?.text ?? '';
    expect(shown).toContain('<code>instructedAmount</code>');
    expect(shown).toContain('&quot;currency&quot;: &quot;BGN&quot;');
    const euro = errorPageOf('FORMAT_ERROR', makeProfile('bg-euro'))?.text;
    expect(euro).toContain('&quot;currency&quot;: &quot;EUR&quot;');
  });

  it('shows each cause once, with every text that an answer can contain', () => {
    const causes = [...errorCodes.values()].map((cases) =>
      cases.map(({ status, cause, remedy }) => `${status} ${cause} ${remedy.join()}`),
    );
    for (const ofCode of causes) expect(ofCode).toEqual([...new Set(ofCode)]);
  });

  it('has no page for an unknown code', () => {
    for (const code of ['NO_SUCH_CODE', '__proto__', 'toString'])
      expect(errorPageOf(code, sandbox)).toBeUndefined();
  });
});
