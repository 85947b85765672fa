import { describe, expect, it } from '@jest/globals';
import { readEncryptedSearch } from './encrypted-search-page.js';

const read = (form: Record<string, string>) =>
  readEncryptedSearch(new URLSearchParams({ tpp: 'sandbox-tpp', day: '2026-11-27', payee: 'x', ...form }));

describe('the form for a search in encrypted data', () => {
  it('is read without what was left empty', () => {
    expect(read({ amount: ' 12.50 BGN ', lastFour: '', payee: ' Canary ' })).toEqual({
      tppId: 'sandbox-tpp',
      day: '2026-11-27',
      amount: { minor: 1250, currency: 'BGN' },
      payee: 'Canary',
      limit: 100,
    });
    expect(read({ tpp: '', psu: 'maria.p', lastFour: '5678' })).toMatchObject({
      psuId: 'maria.p',
      lastFour: '5678',
    });
  });

  it.each([
    [{ tpp: '' }, 'Enter either a TPP or a PSU-ID.'],
    [{ psu: 'maria.p' }, 'Enter either a TPP or a PSU-ID.'],
    [{ tpp: '', psu: 'x'.repeat(65) }, 'A PSU-ID has 1 to 64 characters.'],
    [{ tpp: 'Maria Petrova' }, 'Enter the client id of a TPP.'],
    [{ day: '' }, 'Enter a TPP and a day.'],
    [{ day: '2026-13-01' }, 'Enter the day as in 2026-11-27.'],
    [{ amount: 'twelve' }, 'Enter the amount with its currency, as in 12.50 BGN.'],
    [{ payee: '' }, 'Enter the end of an account, a payee or an end-to-end id.'],
    [{ lastFour: '123' }, 'Enter the last four letters or digits of the account.'],
    [{ payee: 'x'.repeat(141) }, 'A payee has 1 to 140 characters.'],
    [{ endToEndId: 'x'.repeat(36) }, 'An end-to-end id has 1 to 35 characters.'],
  ])('is refused with what is wrong: %j', (form, wrong) => {
    expect(read(form)).toEqual({ wrong });
  });
});
