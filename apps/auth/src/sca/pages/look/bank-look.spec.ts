import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { resultPage } from '../end-pages.js';
import { followBankLook, lookPath, readBankLook } from './bank-look.js';

const folder = resolve(import.meta.dirname, '../../../../../../docs/how-to/example-brand');
const settings = { BASE_URL: 'https://api.vitosha.example', PROFILE_FILE: resolve(folder, 'profile.json') };
const bank: unknown = JSON.parse(readFileSync(resolve(folder, 'bank.json'), 'utf8'));
const look = readBankLook(makeProfile('production', { bank }), settings);

describe('the brand of a bank (docs/how-to/brand-the-pages.md)', () => {
  it('is data: the example changes the name, the logo, the colours, the phone and the links of a page', () => {
    const ended = { kind: 'payment', tppName: 'ShopFast', outcome: { kind: 'authorised' } } as const;
    const { text } = resultPage({ language: 'en', path: '/sca/payment/a/b' }, ended)(look);
    for (const fact of [
      'Vitosha Bank',
      lookPath(look, 'logo'),
      lookPath(look, 'favicon'),
      'href="tel:+35925550100"',
      'https://vitosha.example/help/open-banking',
      'https://vitosha.example/privacy',
      'https://api.vitosha.example',
    ])
      expect(text).toContain(fact);
    expect(text).not.toMatch(/Sandbox|no real money/);
    const style = look.files['style.css'].content.toString();
    for (const colour of ['#7a1f4b', '#f2a3c4']) expect(style).toContain(colour);
    expect(look.files.logo).toMatchObject({ mediaType: 'image/svg+xml' });
  });

  it.each([
    ['sandbox', true],
    ['bg-euro', true],
    ['production', false],
    ['bg-euro-production', false],
  ] as const)('says of a sandbox that it is one, with a link to its page: %s', (profile, isSandbox) => {
    const file = resolve(folder, `../../../deploy/profiles/${profile}.json`);
    const { sandboxUrl } = readBankLook(makeProfile(profile), { ...settings, PROFILE_FILE: file });
    expect(sandboxUrl).toBe(isSandbox ? 'https://api.vitosha.example/' : undefined);
  });

  it('has another address for each content, so that browsers may keep a file', () => {
    const { files } = look;
    expect(new Set(Object.values(files).map(({ version }) => version)).size).toBe(3);
    const other = readBankLook(makeProfile('sandbox'), {
      ...settings,
      PROFILE_FILE: resolve(folder, '../../../deploy/profiles/sandbox.json'),
    });
    expect(lookPath(other, 'style.css')).not.toBe(lookPath(look, 'style.css'));
  });

  it('changes with the profile when the bank switches to euro, without a restart', () => {
    const profile = { ...makeProfile('production', { bank }) };
    const follow = followBankLook(profile, settings);
    expect(follow()).toBe(follow());
    Object.assign(
      profile,
      makeProfile('bg-euro-production', { bank: { ...Object(bank), phone: '+359 2 111' } }),
    );
    expect(follow().phone).toBe('+359 2 111');
  });
});
