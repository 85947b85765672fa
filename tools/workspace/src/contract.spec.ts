import { describe, expect, it } from '@jest/globals';
import { basketLifecycle } from '@xs2a/domain/basket/basket-transitions';
import { consentStatuses } from '@xs2a/domain/consent/consent-transitions';
import { failures } from '@xs2a/domain/failure/failures';
import { lifecycles } from '@xs2a/domain/payment/payment-transitions';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { repositoryFiles, readText } from './sources.js';

const chapters = repositoryFiles().filter((file) => /^docs\/contract\/\d\d-.*\.md$/.test(file));
const contract = chapters.map(readText).join('\n');
const chapter = (number: string): string =>
  readText(chapters.find((file) => file.startsWith(`docs/contract/${number}-`)) ?? '');

const sandbox = makeProfile('sandbox');
const production = makeProfile('production');

/** Status and code as written in the contract: "404 `RESOURCE_UNKNOWN`". */
const written = new Set(
  [...contract.matchAll(/\b([45]\d\d) `([A-Z_]+)`/g)].map(([, status, code]) => `${status} ${code}`),
);
/** Status and code of every error except internal ones, which the contract does not list. */
const refusals = new Set(
  Object.entries(failures)
    .filter(([name]) => name !== 'internal')
    .map(([, [status, code]]) => `${status} ${code}`),
);

describe('the contract chapters match the tables in the domain', () => {
  it('for every status and code of an error', () => {
    expect([...refusals].filter((refusal) => !written.has(refusal))).toEqual([]);
    expect([...written].filter((refusal) => !refusals.has(refusal))).toEqual([]);
  });

  it.each([
    ['05', 'consents', consentStatuses],
    ['08', 'single payments', Object.values(lifecycles.payments).map(({ status }) => status)],
    ['09', 'periodic orders', Object.values(lifecycles['periodic-payments']).map(({ status }) => status)],
    ['09', 'bulk payments', Object.values(lifecycles['bulk-payments']).map(({ status }) => status)],
    ['10', 'baskets', Object.values(basketLifecycle).flatMap(({ status }) => status ?? [])],
  ])('chapter %s names every status of %s', (number, _what, statuses) => {
    expect(statuses.length).toBeGreaterThan(5);
    expect(statuses.filter((status) => !new RegExp(String.raw`\b${status}\b`).test(chapter(number)))).toEqual(
      [],
    );
  });

  it.each<readonly [chapter: string, words: string]>([
    ['04', `${sandbox.userTokenSeconds} s`],
    ['04', `${sandbox.applicationTokenSeconds.toLocaleString('en')} s`],
    ['04', `${sandbox.authorizationCodeSeconds} s`],
    ['04', `${sandbox.refreshTokenSeconds / 3600} h in the sandbox profile`],
    ['04', `${production.refreshTokenSeconds / 86_400} days in the production profile`],
    ['05', `within ${sandbox.consentAuthorisationSeconds / 3600} hours`],
    ['05', `at most ${sandbox.consentMaxDays} days ahead`],
    ['05', `at most ${sandbox.unattendedPerDay}`],
    ['05', `${sandbox.oneOffConsentSeconds / 60} minutes after the first answered`],
    ['08', `not signed ${sandbox.authorisationSeconds / 60} minutes after the POST`],
    ['08', `${sandbox.bookingDelaySeconds / 60} minutes after the pending entry`],
  ])('chapter %s states the figure in the profiles: %s', (number, words) => {
    expect(chapter(number).replace(/\s+/g, ' ')).toContain(words);
  });
});
