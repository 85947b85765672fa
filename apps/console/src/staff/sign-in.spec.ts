import { describe, expect, it } from '@jest/globals';
import { ownPath, signInPath } from './sign-in.js';

describe('the page to which a person returns after the sign-in', () => {
  it.each(['/now', '/calls?tpp=a%20b&status=refused', '/', '/payments/x?at=2026-11-27+13%3A44'])(
    'is %s',
    (path) => {
      expect(ownPath(path)).toBe(path);
      const address = new URL(signInPath({ method: 'GET', url: path }), 'http://host');
      expect(address.pathname).toBe('/sign-in');
      expect(address.searchParams.get('to') ?? '/').toBe(path);
    },
  );

  it.each([
    '//evil.example/now',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'now',
    '',
  ])('is never %j', (path) => {
    expect(ownPath(path)).toBeUndefined();
  });

  it('is not the target of a form, because it would be sent again without its content', () => {
    expect(signInPath({ method: 'POST', url: '/psus/lift-sca-lock' })).toBe('/sign-in');
  });
});
