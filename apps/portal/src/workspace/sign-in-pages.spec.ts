import { describe, expect, it } from '@jest/globals';
import { signInPage } from './sign-in-pages.js';

describe('the sign-in page of the workspace', () => {
  it('states that a client without a secret cannot sign in, and leads to the registration', () => {
    const { text } = signInPage({ session: { csrf: 'csrf' }, to: '/workspace', fixtures: [] });
    expect(text).toContain('The workspace and Certify need a client with a secret.');
    expect(text).toContain('<code>private_key_jwt</code>');
    expect(text).toContain('href="/workspace/register"');
  });
});
