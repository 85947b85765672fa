import { describe, expect, it } from '@jest/globals';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import { html } from '@xs2a/html/html';
import { bankLook } from './bank-look.js';
import { parseOrigin, page, pageHeaders } from './page.js';
import { accountsPage, codePage, reviewPage, signInPage } from './step-pages.js';

const look = bankLook({
  name: { bg: 'Банка', en: 'Bank' },
  colour: '#123456',
  bic: 'XSBKBGSF',
  colourOnDark: '#abcdef',
  logo: 'M1 2z',
});
const view = { language: 'bg', path: '/sca/payment/a/b', csrf: 'token', version: 1 } as const;
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
  it('allow only stylesheets from this server and form submissions to it', () => {
    const headers = pageHeaders();
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
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
    expect(listNames(signInPage(view, 'TPP'))).toEqual(['psuId', 'password']);
    expect(listNames(accountsPage(view, 'TPP', [account, account]))).toEqual(['accounts', 'accounts']);
    expect(listNames(reviewPage(view, 'payment', 'TPP', { rows: [] }))).toEqual([]);
    expect(listNames(codePage(view, { rows: [] }, true))).toEqual(['otp']);
    for (const name of ['csrf', 'step']) expect(signInPage(view)(look).text).toContain(`name="${name}"`);
    expect(signInPage(view)(look).text).not.toContain('name="version"');
    expect(codePage(view, { rows: [] }, true)(look).text).toContain('name="version"');
  });

  it('offer to approve, refuse and cancel on every page of a flow', () => {
    const pages = [
      signInPage(view, 'TPP'),
      accountsPage(view, 'TPP', [account]),
      reviewPage(view, 'payment', 'TPP', { rows: [] }),
      codePage(view, { rows: [] }, true),
    ];
    const decisions = pages.map((drawn) =>
      [...drawn(look).text.matchAll(/name="decision"\s+value="(\w+)"/g)].map(([, value]) => value),
    );
    expect(decisions).toEqual(pages.map(() => ['approve', 'refuse', 'cancel']));
    const own = signInPage(view)(look).text;
    expect([...own.matchAll(/name="decision"\s+value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'approve',
      'cancel',
    ]);
  });

  it('carry the name, logo and colours of the bank, from the profile', () => {
    const { text } = page({ language: 'bg', title: 'T', body: html`` })(look);
    expect(text).toContain('<path d="M1 2z" />');
    expect(text).toContain('<title>T – Банка</title>');
    expect(text).toContain(`/sca/style.css?v=${look.styleHash}`);
    expect(look.style).toContain('--strong: #123456');
    expect(look.style).toContain('--strong: #abcdef');
  });

  it('show TPP and payee names as plain text, whatever they contain', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const { text } = reviewPage(view, 'payment', evil, { rows: [{ label: 'Payee', value: evil }] })(look);
    expect(text).not.toContain('<img');
    expect(text.match(/&lt;img src=x/g)).toHaveLength(2);
  });

  it('show every payment of a bulk payment as text, expanded on the review page and collapsed on the code page', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const entry = {
      payee: evil,
      account: html`<data>BG25</data>`,
      amount: html`<data>1.00</data>`,
      remittance: evil,
      details: [{ label: 'Obliged person', value: evil }],
    };
    const reviewed = { rows: [], entries: { entries: [entry, entry], at: 0, sizes: [2] } };
    const [review, code] = [reviewPage(view, 'bulk', 'TPP', reviewed), codePage(view, reviewed, false)].map(
      (drawn) => drawn(look).text,
    );
    for (const text of [review, code]) {
      expect(text).not.toContain('<img');
      expect(text?.match(/&lt;img src=x/g)).toHaveLength(6);
      expect(text).toMatch(/role="region" aria-labelledby="entries-label" tabindex="0"/);
    }
    expect(review).not.toContain('<details>');
    expect(code).toMatch(/<details>\s*<summary id="entries-label">/);
  });

  it('show a long list in numbered, linked parts; the code page shows it expanded if the PSU has moved to another part', () => {
    const entry = { payee: 'A', account: html``, amount: html``, remittance: '', details: [] };
    const reviewed = { rows: [], entries: { entries: [entry], at: 1, sizes: [250, 1, 40] } };
    const { text } = reviewPage(view, 'bulk', 'TPP', reviewed)(look);
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
    expect(codePage(view, { ...reviewed, isPageChosen: true }, true)(look).text).toContain('<details open>');
  });
});
