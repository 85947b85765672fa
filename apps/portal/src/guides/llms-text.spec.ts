import { describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { errorCodes } from '../errors/error-codes.js';
import { guides } from './guides.js';
import { llmsText } from './llms-text.js';

const baseUrl = 'https://bank.example';
const sandbox = makeProfile('sandbox');

describe('llms.txt', () => {
  it.each([
    [guides.lev, sandbox],
    [guides.euro, makeProfile('bg-euro')],
  ])('has each guide, and each error code that the bank returns', (all, profile) => {
    const text = llmsText(all, baseUrl, profile);
    for (const { name, title } of all) {
      expect(text).toContain(`[${title}](${baseUrl}/guides/${name})`);
      expect(text).toContain(`\n# ${title}\n`);
    }
    for (const code of errorCodes.keys())
      expect(text.includes(`[${code}](${baseUrl}/errors/${code}): `)).toBe(
        code !== 'TIMESTAMP_INVALID' || profile !== sandbox,
      );
  });

  it('has the limit on payee verifications only at a bank that verifies payees', () => {
    const [, , text] = failures.payeeQuestionsExceeded;
    expect(llmsText(guides.lev, baseUrl, sandbox)).not.toContain(text);
    expect(llmsText(guides.euro, baseUrl, makeProfile('bg-euro'))).toContain(text);
  });

  it('has complete addresses, so that it can be read anywhere', () => {
    const links = [...llmsText(guides.lev, baseUrl, sandbox).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, href = '']) => href,
    );
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter((href) => !/^(?:https:|#)/.test(href))).toEqual([]);
  });
});
