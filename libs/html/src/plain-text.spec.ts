import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { amountFigure, ibanFigure } from './figures.js';
import { html } from './html.js';
import { plainText } from './plain-text.js';

describe('the plain text of HTML', () => {
  it('contains one line for each paragraph and list item, as a browser displays it', () => {
    const lines = html`<p class="notice">
        <svg><path d="M1 2" /></svg><span>One</span>
      </p>
      <ul>
        <li>two &amp; three</li>
        <li>four</li>
      </ul>`;
    expect(plainText(lines)).toBe('One\ntwo & three\nfour');
    expect(plainText(ibanFigure('BG80BNBG96611020345678'))).toBe('BG80BNBG96611020345678');
    expect(plainText(amountFigure({ amount: '12.50', currency: 'BGN' }, 'en'))).toContain('12.50');
  });

  it('replaces each run of white space with one space, as a browser does', () => {
    expect(plainText(html`<b>ACC 12</b>`)).toBe('ACC 12');
  });

  it('returns unchanged every text that was escaped into the HTML', () => {
    const texts = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !/\s/.test(text));
    fc.assert(fc.property(texts, (text) => expect(plainText(html`<b title="x">${text}</b>`)).toBe(text)));
  });
});
