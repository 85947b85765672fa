import { describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { errorPageOf } from '../errors/error-pages.js';
import { requestPage } from './requests-pages.js';

const messages = ['instructedAmount.amount', 'serviceLevel', 'creditorName'].map((path) => ({
  category: 'ERROR',
  code: 'FORMAT_ERROR',
  path,
  text: `<b>${path}</b> is wrong.`,
}));
const profile = makeProfile('sandbox');
const requestId = '6f2c1f0e-8a3b-4c55-9d7e-0a1b2c3d4e5f';
const pageOf = (tppMessages: readonly object[], body = JSON.stringify({ tppMessages })): string =>
  requestPage({
    session: { csrf: 'csrf', tpp: { clientId: 'id', clientSecret: 'secret' } },
    requestId,
    requests: [
      {
        time: '2027-03-01T10:00:00.000Z',
        operation: 'initiatePayment',
        status: 400,
        code: 'FORMAT_ERROR',
        failure: 'fieldMalformed',
        path: 'instructedAmount.amount',
        requestId,
        response: { headers: {}, body },
      },
    ],
    profile,
    baseUrl: 'http://127.0.0.1:8080',
    today: '2027-03-01',
    redirectUris: [],
    canBeTried: () => true,
  }).text;

describe('the explanation of a refused call', () => {
  it('lists every violation in the answer, with the code, field, text and rule of each', () => {
    const page = pageOf(messages);
    expect(page).toContain('All 3 violations');
    for (const { path } of messages) {
      expect(page).toContain(`at <code>${path}</code>`);
      expect(page).toContain(`&lt;b&gt;${path}&lt;/b&gt; is wrong.`);
    }
  });

  it('omits the list of violations if the answer has only one, which the page already explains', () => {
    expect(pageOf(messages.slice(0, 1))).not.toContain('violations');
  });

  it('advises what the answer advised, and the text of its failure if the answer was not stored', () => {
    const specific = '&lt;b&gt;instructedAmount.amount&lt;/b&gt; is wrong.';
    expect(pageOf(messages.slice(0, 1))).toContain(specific);
    const unknown = pageOf([], '(hidden)');
    expect(unknown).toContain(failures.fieldMalformed[2]);
    expect(unknown).toContain('The answer was not stored.');
    expect(pageOf(messages)).not.toContain('The answer was not stored.');
    expect(pageOf(messages.slice(0, 1))).not.toContain(failures.fieldMalformed[2]);
  });

  it('omits the list of violations if the answer was not stored', () => {
    expect(pageOf([], '(hidden)')).not.toContain('violations');
  });

  it('links each cited rule to the section of the portal that contains the rule', () => {
    const links = [...pageOf(messages).matchAll(/href="\/errors\/(\w+)(?:#([^"]+))?"/g)];
    const anchors = links.flatMap(([, code = '', anchor]) =>
      anchor === undefined ? [] : [{ code, anchor }],
    );
    expect(anchors.map(({ anchor }) => anchor)).toContain('rule-initiatePayment-serviceLevel');
    for (const { code, anchor } of anchors)
      expect(errorPageOf(code, profile)?.text).toContain(`id="${anchor}"`);
    expect(pageOf(messages)).toContain('<a href="/errors/FORMAT_ERROR">Errors by situation</a>');
  });
});
