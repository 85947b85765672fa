import { describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { errorCodes } from './error-codes.js';
import { errorPageOf, errorsPage } from './error-pages.js';

const sandbox = makeProfile('sandbox');
const escaped = (text: string): string => text.replaceAll("'", '&#39;').replaceAll('"', '&quot;');

describe('the pages about errors (contract 3)', () => {
  it('list every code that a call can get, each with a link to its page', () => {
    const list = errorsPage().text;
    const codes = [...new Set(Object.values(failures).map(([, code]) => code))];
    expect([...errorCodes.keys()]).toEqual([...codes].sort());
    for (const code of codes) expect(list).toContain(`<a href="/errors/${code}"><b>`);
  });

  it.each(Object.entries(failures))('have the text, the cause and a remedy of %s', (_failure, row) => {
    const [status, code, text] = row;
    const found = errorCodes.get(code)?.find((one) => one.texts.includes(text) && one.status === status);
    expect(found?.cause).toMatch(/\w/);
    const shown = errorPageOf(code, sandbox)?.text ?? '';
    expect(shown).toContain(escaped(text));
    for (const step of found?.remedy ?? []) expect(shown).toContain(escaped(step));
  });

  it('never show the names by which remedies are stored', () => {
    const all = [...errorCodes.values()].flat().flatMap(({ remedy }) => remedy);
    expect(all.filter((step) => ['token', 'renew', 'repeat'].includes(step))).toEqual([]);
  });

  it('show the rules of fields, and a request of the right form in the currency of the bank', () => {
    const shown = errorPageOf('FORMAT_ERROR', sandbox)?.text ?? '';
    expect(shown).toContain('<code>instructedAmount</code>');
    expect(shown).toContain('&quot;currency&quot;: &quot;BGN&quot;');
    const euro = errorPageOf('FORMAT_ERROR', makeProfile('bg-euro'))?.text;
    expect(euro).toContain('&quot;currency&quot;: &quot;EUR&quot;');
  });

  it('show a cause once, with each text that an answer may have', () => {
    const causes = [...errorCodes.values()].map((cases) =>
      cases.map(({ status, cause, remedy }) => `${status} ${cause} ${remedy.join()}`),
    );
    for (const ofCode of causes) expect(ofCode).toEqual([...new Set(ofCode)]);
  });

  it('do not exist for other codes', () => {
    for (const code of ['NO_SUCH_CODE', '__proto__', 'toString'])
      expect(errorPageOf(code, sandbox)).toBeUndefined();
  });
});
