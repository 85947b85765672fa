import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';
import { originOf, page, pageHeaders } from './page.js';
import { reviewPage, signInPage } from './step-pages.js';

const view = { language: 'bg', path: '/sca/payment/a/b', csrf: 'token' } as const;

describe('headers of a page (architecture, "The edge")', () => {
  it('allow nothing but our stylesheet and our forms', () => {
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

  it('let a form end at the TPP, once for each of its origins', () => {
    const targets = ['https://tpp.example:8443/a?b', 'https://tpp.example:8443/c', 'http://127.0.0.1:8090/x']
      .map(originOf)
      .filter((origin) => origin !== undefined);
    expect(pageHeaders(targets)['Content-Security-Policy']).toContain(
      "form-action 'self' https://tpp.example:8443 http://127.0.0.1:8090;",
    );
    expect(originOf('data:text/html,x')).toBeUndefined();
    expect(originOf('no uri')).toBeUndefined();
  });
});

describe('pages (contract 12)', () => {
  it('work without scripts and styles of their own', () => {
    const { text } = page({ language: 'en', title: 'T', body: html`<p>x</p>`, path: '/sca/apps' });
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=|<style/);
    expect(text).toContain('<html lang="en">');
  });

  it('name their fields and buttons as the contract does', () => {
    const { text } = signInPage(view, 'TPP');
    for (const name of ['psuId', 'password', 'csrf', 'step']) expect(text).toContain(`name="${name}"`);
    expect([...text.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'approve',
      'cancel',
    ]);
    const review = reviewPage(view, 'payment', 'TPP', []).text;
    expect([...review.matchAll(/name="decision"\s+value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'approve',
      'refuse',
      'cancel',
    ]);
  });

  it('show a TPP and a payee as text, whatever they call themselves', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const { text } = reviewPage(view, 'payment', evil, [{ label: 'Payee', value: evil }]);
    expect(text).not.toContain('<img');
    expect(text.match(/&lt;img src=x/g)).toHaveLength(2);
  });
});
