import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('html', () => {
  it('escapes every interpolated value, in text and in attributes', () => {
    const evil = `<script>alert('x')</script>" onload="y" &amp;`;
    const { text } = html`<p title="${evil}">${evil}</p>`;
    const escaped = '&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onload=&quot;y&quot; &amp;amp;';
    expect(text).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('keeps other html unchanged, joins lists and omits undefined', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(
      html`<ul>
        ${items}${undefined}${7}
      </ul>`.text.replaceAll(/\s+/g, ''),
    ).toBe('<ul><li>a</li><li>&lt;b&gt;</li>7</ul>');
  });
});
