import { describe, expect, it } from '@jest/globals';
import { isBasic } from './basic-authentication.js';

const encode = (text: string): string => Buffer.from(text).toString('base64');

describe('the Authorization header of a client (RFC 6749, 2.3.1)', () => {
  it.each([
    ['id and secret', `Basic ${encode('tpp:secret')}`],
    ['a scheme in another case', `bASIC ${encode('tpp:secret')}`],
    ['no padding', `Basic ${encode('tpp:secr').replaceAll('=', '')}`],
    ['a secret with a colon', `Basic ${encode('tpp:a:b')}`],
    ['form-encoded parts', `Basic ${encode('a%3Ab:c%2Fd+e')}`],
  ])('is valid Basic authentication with %s', (_name, value) => {
    expect(isBasic(value)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['only a scheme', 'Basic'],
    ['a scheme and a space', 'Basic '],
    ['another scheme', `Bearer ${encode('tpp:secret')}`],
    ['no colon', 'Basic eA=='],
    ['no base64', 'Basic ****'],
    ['base64url', 'Basic dHBwOj8_Pz8_'],
    ['base64 of an impossible length', 'Basic dHBwO'],
    ['wrong padding', 'Basic dHBwOnM==='],
    ['no id', `Basic ${encode(':secret')}`],
    ['no secret', `Basic ${encode('tpp:')}`],
    ['a broken escape', `Basic ${encode('tpp:%zz')}`],
    ['a control character', `Basic ${encode('tpp:a%00b')}`],
    ['trailing data', `Basic ${encode('tpp:secret')} x`],
    ['two spaces', `Basic  ${encode('tpp:secret')}`],
  ])('is not valid Basic authentication with %s', (_name, value) => {
    expect(isBasic(value)).toBe(false);
  });
});
