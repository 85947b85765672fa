import { describe, expect, it } from '@jest/globals';
import { PsuTags } from './psu-tags.js';

const [one, other] = ['a'.repeat(32), 'b'.repeat(32)];
const tags = (...secrets: string[]): PsuTags => new PsuTags({ CONSOLE_COOKIE_SECRET: secrets });

describe('tags of PSUs in recorded actions', () => {
  it('are the same for one PSU-ID, as the sign-in form reads it, and differ for others', () => {
    expect(tags(one).of('maria.p')).toMatch(/^psu [0-9a-f]{12}$/);
    expect(tags(one).of(' maria.p ')).toBe(tags(one).of('maria.p'));
    expect(tags(one).of('maria.q')).not.toBe(tags(one).of('maria.p'));
  });

  it('cannot be computed without the first secret', () => {
    expect(tags(one, other).of('maria.p')).toBe(tags(one).of('maria.p'));
    expect(tags(other).of('maria.p')).not.toBe(tags(one).of('maria.p'));
  });

  it('name no PSU if there is no secret', () => {
    expect(new PsuTags({ CONSOLE_COOKIE_SECRET: undefined }).of('maria.p')).toBe('psu');
  });
});
