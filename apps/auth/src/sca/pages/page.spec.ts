import { describe, expect, it } from '@jest/globals';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import { html } from '@xs2a/html/html';
import { makeLook } from '../../testing/test-look.js';
import type { AuthorisationKind } from '../catalogue/approval-kinds.js';
import { parseOrigin, page, pageHeaders } from './page.js';
import { noNames } from '../review/account-names.js';
import { signInPage } from './sign-in-page.js';
import type { AskedView, StepView } from './step-form.js';
import { accountsPage, codePage, reviewPage, type SentCode } from './step-pages.js';

const look = makeLook();
const own: StepView = { language: 'bg', path: '/sca/payment/a/b', csrf: 'token', version: 1 };
const viewOf = (kind: AuthorisationKind, tppName = 'TPP'): AskedView => ({
  ...own,
  asked: { kind, tppName, hasWayBack: true, picksAccounts: false, minutesLeft: 12 },
});
const view = viewOf('payment');
const known = { names: noNames, profile: { homeCurrency: 'BGN' } } as const;
const account: PsuAccount = {
  iban: 'BG25XSBK92001000000001',
  resourceId: 'a',
  currency: 'BGN',
  type: 'CACC',
  product: 'Current',
  main: true,
  status: 'enabled',
};

describe('page headers (architecture, "The edge")', () => {
  it('allow only stylesheets and pictures from this server and form submissions to it', () => {
    const headers = pageHeaders();
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers).toMatchObject({
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
  });

  it('allow a form to redirect to each origin of the TPP', () => {
    const targets = ['https://tpp.example:8443/a?b', 'https://tpp.example:8443/c', 'http://127.0.0.1:8090/x']
      .map(parseOrigin)
      .filter((origin) => origin !== undefined);
    expect(pageHeaders(targets)['Content-Security-Policy']).toContain(
      "form-action 'self' https://tpp.example:8443 http://127.0.0.1:8090;",
    );
    expect(parseOrigin('data:text/html,x')).toBeUndefined();
    expect(parseOrigin('no uri')).toBeUndefined();
  });
});

describe('a warning about the payee (contract E4.3)', () => {
  it('has the field that confirms it in the same box, before the button', () => {
    const rows = [
      { label: 'Name check', value: html`<p role="alert">Warning</p>`, place: 'payeeCheck' },
    ] as const;
    const warned = reviewPage(view, { rows, hasPayeeWarning: true })(look).text;
    expect(warned).toMatch(
      /class="warning">.*role="alert".*name="payeeWarningRead".*<\/div>.*value="approve"/s,
    );
    expect(reviewPage(view, { rows })(look).text).not.toContain('payeeWarningRead');
  });
});

describe('pages (contract 12)', () => {
  it('work without scripts or inline styles', () => {
    const { text } = page({ language: 'en', title: 'T', body: html`<p>x</p>`, path: '/sca/apps' })(look);
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=|<style/);
    expect(text).toContain('<html lang="en">');
  });

  it('name their fields and buttons as contract 12 requires', () => {
    const listNames = (drawn: ReturnType<typeof signInPage>): string[] =>
      [...drawn(look).text.matchAll(/<(?:input|button)[^>]*\sname="(\w+)"/g)]
        .flatMap(([, name]) => name ?? [])
        .filter((name) => !['csrf', 'step', 'version', 'decision', 'lang'].includes(name));
    expect(listNames(signInPage(view))).toEqual(['psuId', 'password']);
    expect(listNames(accountsPage(view, [account, account], known))).toEqual(['accounts', 'accounts']);
    expect(listNames(reviewPage(view, { rows: [] }))).toEqual([]);
    expect(listNames(codePage(view, { rows: [] }, undefined))).toEqual(['otp']);
    for (const name of ['csrf', 'step']) expect(signInPage(own)(look).text).toContain(`name="${name}"`);
    expect(signInPage(view)(look).text).not.toContain('name="version"');
    expect(codePage(view, { rows: [] }, undefined)(look).text).toContain('name="version"');
  });

  it('offer to approve, refuse and cancel on every page of a flow, and a new code on the last one; the sign-in to the own pages has nothing to refuse or cancel', () => {
    const pages = [
      signInPage(view),
      accountsPage(view, [account], known),
      reviewPage(view, { rows: [] }),
      codePage(view, { rows: [] }, undefined),
    ];
    const decisions = pages.map((drawn) =>
      [...drawn(look).text.matchAll(/name="decision"\s+value="(\w+)"/g)].map(([, value]) => value),
    );
    const all = ['approve', 'refuse', 'cancel'];
    expect(decisions).toEqual([all, all, all, ['approve', 'resend', 'refuse', 'cancel']]);
    const ownText = signInPage(own)(look).text;
    expect([...ownText.matchAll(/name="decision"\s+value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'approve',
    ]);
  });

  it('carry the name, logo, colours, phone and links of the bank, from the profile', () => {
    const brand = { colour: '#123456', colourOnDark: '#abcdef', helpUrl: '/help', privacyUrl: undefined };
    const other = makeLook(brand, 'production');
    const { text } = page({ language: 'bg', title: 'T', body: html`` })(other);
    expect(text).toContain(`<img src="/sca/logo?v=${other.files.logo.version}" alt="" />`);
    expect(text).toContain('<title>T – Банката</title>');
    expect(text).toContain(`/sca/style.css?v=${other.files['style.css'].version}`);
    expect(text).toContain('href="tel:070012345"');
    expect(text).toContain('https://pages.bank.example');
    expect(text).toContain('href="https://api.bank.example/help"');
    expect(text).not.toMatch(/Поверителност|Тестова среда/);
    const style = other.files['style.css'].content.toString();
    expect(style).toContain('--strong: #123456');
    expect(style).toContain('--strong: #abcdef');
  });

  it('say in a sandbox, and only there, that nothing is real', () => {
    expect(page({ language: 'en', title: 'T', body: html`` })(look).text).toContain('no real money');
  });

  it('refuse to start with a picture that the profile names but the folder lacks', () => {
    expect(() => makeLook({ logoFile: 'brand/none.svg' })).toThrow('bank.logoFile');
    expect(() => makeLook({ favicon: 'brand/none.ico' })).toThrow('bank.favicon');
  });

  it('name who asks, on which step the PSU is and how long the request stays open', () => {
    const asked = { ...view.asked, tppName: 'ShopFast', tppIdentifier: 'PSDBG-BNB-12345' };
    const { text } = reviewPage({ ...view, language: 'en', asked }, { rows: [] })(look);
    for (const fact of [
      'Step 2 of 3',
      '12 minutes left',
      '>SF<',
      'PSDBG-BNB-12345',
      'Bulgarian National Bank',
    ])
      expect(text).toContain(fact);
    const german = { ...asked, tppIdentifier: 'PSDDE-BAFIN-9' };
    expect(reviewPage({ ...view, language: 'en', asked: german }, { rows: [] })(look).text).toContain(
      'BAFIN (Germany)',
    );
  });

  it('lead back to the TPP by its name only if the browser returns there', () => {
    const text = (hasWayBack: boolean): string =>
      signInPage({ ...view, language: 'en', asked: { ...view.asked, hasWayBack } })(look).text;
    expect(text(true)).toContain('Cancel and go back to TPP');
    expect(text(false)).toContain('Cancel without approving');
    expect(text(false)).not.toContain('go back');
  });

  it('let a second signer refuse what another person started', () => {
    const text = (isCosigned: boolean): string =>
      reviewPage({ ...view, language: 'en', asked: { ...view.asked, isCosigned } }, { rows: [] })(look).text;
    expect(text(false)).toContain('I did not start this: refuse');
    expect(text(true)).toContain('I do not agree: refuse');
    expect(text(true)).not.toContain('I did not start this');
  });

  it('say next to the button of a review that nothing happens before the code', () => {
    const text = (kind: AuthorisationKind): string =>
      reviewPage({ ...viewOf(kind), language: 'en' }, { rows: [] })(look).text;
    expect(text('payment')).toContain('Nothing is paid until you enter the code.');
    expect(text('order')).toContain('Nothing is set up until you enter the code.');
    expect(text('bulk')).toContain('Nothing is paid until you enter the code.');
    expect(text('consent')).toContain('No access is given until you enter the code.');
  });

  it('show an amount that is too long for a phone in smaller figures', () => {
    const text = (written: string): string =>
      reviewPage(view, { rows: [{ label: 'Amount', value: html`<data>${written}</data>`, isAmount: true }] })(
        look,
      ).text;
    expect(text('BGN 1,234,567.89')).toContain('<dd class="amount">');
    expect(text('BGN 12,345,678.90')).toContain('<dd class="amount long">');
    const sums = ['BGN 1,234,567.89', 'EUR 1,234,567.89'].map((sum) => html`<span class="sum">${sum}</span>`);
    const rows = [{ label: 'Total', value: html`${sums}`, isAmount: true }];
    expect(reviewPage(view, { rows })(look).text).toContain('<dd class="amount">');
  });

  it('name an error in the title, in a linked summary and at its field, and keep the user name', () => {
    const { text } = signInPage({ ...view, language: 'en', notice: 'sign-in-failed' }, 'maria')(look);
    expect(text).toContain('<title>Error: Sign in');
    expect(text).toContain('or call 0700\u00a012\u00a0345.');
    expect(text).toContain('<a href="#psuId" id="error">');
    expect(text).toMatch(
      /name="psuId"[^>]*value="maria"[^>]*aria-invalid="true" aria-describedby="error" autofocus/,
    );
    expect(text).toMatch(/name="password"[^>]*aria-invalid="true" aria-describedby="error"\s*\/>/);
    expect(signInPage(view)(look).text).not.toMatch(/aria-invalid|autofocus/);
  });

  it('leave it to the bank to name missing input, except on the code page, where every form counts', () => {
    const isChecked = [
      signInPage(view),
      accountsPage(view, [account], known),
      reviewPage(view, { rows: [] }),
      codePage(view, { rows: [] }, undefined),
    ].map((drawn) => !/<form[^>]*\snovalidate/.test(drawn(look).text));
    expect(isChecked).toEqual([false, false, false, true]);
  });

  it('say where and when the code was sent, and in a sandbox that none is', () => {
    const text = (sent?: SentCode): string =>
      codePage({ ...view, language: 'en' }, { rows: [] }, sent)(look).text;
    expect(text({ time: '14:02', sentTo: '+359 ••• ••• 42' })).toContain('to +359 ••• ••• 42 at 14:02.');
    expect(text({ time: '14:02' })).toContain('to your usual device at 14:02.');
    expect(text({})).toContain('to your usual device. It approves');
    expect(text()).toContain('it is always 123456');
  });

  it('show TPP and payee names as plain text, whatever they contain', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const { text } = reviewPage(viewOf('payment', evil), { rows: [{ label: 'Payee', value: evil }] })(look);
    expect(text).not.toContain('<img src=x');
    expect(text.match(/&lt;img src=x/g)).toHaveLength(3);
  });

  describe('of several payments', () => {
    const bulk = viewOf('bulk');
    const evil = '<img src=x onerror=alert(1)>';
    const entryOf = (payee: string, own: string) => ({
      payee,
      account: html`<data>BG25</data>`,
      amount: html`<data>1.00</data>`,
      remittance: payee,
      details: [
        { label: 'Obliged person', value: own },
        { label: 'Charges', value: 'none' },
      ],
    });
    const four = ['a', 'b', 'c', 'd', 'e'].map((own) => entryOf(evil, own));
    const reviewed = { rows: [], entries: { entries: four, at: 0, sizes: [5] } };

    it('show every payment as text: three on the review, the others and those on the code page folded', () => {
      const [review = '', code = ''] = [
        reviewPage(bulk, reviewed),
        codePage(bulk, reviewed, { time: '14:02' }),
      ].map((drawn) => drawn(look).text);
      for (const text of [review, code]) {
        expect(text).not.toContain('<img src=x');
        expect(text.match(/&lt;img src=x/g)).toHaveLength(10);
      }
      expect(review).toContain('<h2 id="entries-label">');
      expect(review.split('<details>')[0]?.match(/<strong>/g)).toHaveLength(3);
      expect(review).toContain('<ol class="payments" start="4">');
      expect(code).toMatch(/<details>\s*<summary id="entries-label">/);
    });

    it('say once what all of them share', () => {
      const { text } = reviewPage(bulk, reviewed)(look);
      expect(text.match(/Charges/g)).toHaveLength(1);
      expect(text.match(/Obliged person/g)).toHaveLength(5);
    });

    it('show a long list in numbered, linked parts; the code page shows it open if the PSU has moved to another part', () => {
      const entry = { payee: 'A', account: html``, amount: html``, remittance: '', details: [] };
      const long = { rows: [], entries: { entries: [entry], at: 1, sizes: [250, 1, 40] } };
      const { text } = reviewPage(bulk, long)(look);
      expect(text).toContain('291');
      expect(text).toContain('<ol class="payments" start="251">');
      expect(text).toContain('<span aria-current="true">251</span>');
      expect(
        [...text.matchAll(/<a href="\/sca\/payment\/a\/b\?page=(\d)#entries-label">([^<]*)</g)].map(
          ([, ...parts]) => parts,
        ),
      ).toEqual([
        ['1', '1–250'],
        ['3', '252–291'],
      ]);
      expect(codePage(bulk, { ...long, isPageChosen: true }, undefined)(look).text).toContain(
        '<details open>',
      );
    });
  });
});
