import { describe, expect, it } from '@jest/globals';
import { readConfig, sharedSecrets } from '../config.js';
import { SharedSecrets } from './shared-secrets.js';

const [one, other] = ['a'.repeat(32), 'b'.repeat(40)];

describe('secrets that two programs share (contract 4)', () => {
  it('are all accepted, and nothing else is', () => {
    const secrets = new SharedSecrets([one, other]);
    expect([secrets.accepts(one), secrets.accepts(other)]).toEqual([true, true]);
    for (const sent of [undefined, '', 'a', `${one}a`, `${one} ${other}`, [one], 'c'.repeat(32)])
      expect([sent, secrets.accepts(sent)]).toEqual([sent, false]);
    expect(new SharedSecrets([]).accepts('')).toBe(false);
  });

  it('are read from one setting and must have at least 32 characters each', () => {
    const read = (SECRET?: string) => readConfig({ SECRET: sharedSecrets() }, { SECRET }).SECRET;
    expect(read(one)).toEqual([one]);
    expect(read(`${one}  ${other}\n`)).toEqual([one, other]);
    for (const wrong of ['', ' ', 'short', `${one} short`, `${one},${'ä'.repeat(32)}`, undefined])
      expect(() => read(wrong)).toThrow('SECRET');
  });
});
