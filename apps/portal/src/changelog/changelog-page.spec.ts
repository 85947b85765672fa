import { describe, expect, it } from '@jest/globals';
import { changelogPage } from './changelog-page.js';

describe('the changelog', () => {
  it('shows the changes of each version, newest first', () => {
    const { text } = changelogPage();
    const versions = [...text.matchAll(/<h2 id="v([^"]+)">/g)].map(([, version]) => version);
    expect(versions).toEqual(['Unreleased', '0.1.0']);
    for (const section of text.split('<h2 id="v').slice(1)) expect(section).toMatch(/<li>/);
    expect(text).toContain('<a href="/changelog" aria-current="true">');
  });
});
