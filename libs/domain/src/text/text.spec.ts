import { describe, expect, it } from '@jest/globals';
import { codePointLength, isCleanText, isMaxText } from './text.js';

describe('the text check (contract 3)', () => {
  it.each([
    ['NUL', '\u0000'],
    ['new line', '\n'],
    ['tab', '\t'],
    ['DEL', '\u007f'],
    ['C1 control', '\u0085'],
    ['soft hyphen', '\u00ad'],
    ['zero width space', '\u200b'],
    ['zero width joiner', '\u200d'],
    ['left-to-right mark', '\u200e'],
    ['right-to-left override', '\u202e'],
    ['isolate', '\u2066'],
    ['Arabic letter mark', '\u061c'],
    ['byte order mark', '\ufeff'],
    ['line separator', '\u2028'],
    ['paragraph separator', '\u2029'],
    ['lone high surrogate', '\ud800'],
    ['lone low surrogate', '\udc00'],
    ['noncharacter', '\uffff'],
    ['tag character', '\u{e0041}'],
  ])('refuses a %s', (_name, character) => {
    expect(isCleanText(`a${character}b`)).toBe(false);
    expect(isMaxText(`a${character}b`, 70)).toBe(false);
  });

  it.each(['Иван Петров', 'O’Neil & Söhne', '日本', '𝔘𝔫𝔦', 'и\u0306', 'a\u00a0b', '50 €', '<b>'])(
    'accepts %s',
    (text) => {
      expect(isMaxText(text, 70)).toBe(true);
    },
  );

  it('counts code points, not UTF-16 units', () => {
    expect(codePointLength('𝔘𝔫𝔦')).toBe(3);
    expect(isMaxText('😀'.repeat(35), 35)).toBe(true);
    expect(isMaxText('😀'.repeat(36), 35)).toBe(false);
  });

  it.each([
    ['Hangul filler', '\u3164'],
    ['Hangul choseong and jungseong filler', '\u115f\u1160'],
    ['halfwidth Hangul filler', '\uffa0'],
    ['blank Braille pattern', '\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['combining marks', '\u0306\u20e3'],
    ['all of these and spaces', ' \u3164\u00a0\u2800\ufe0f\u3000\u034f '],
  ])('refuses a text that contains only %s, but accepts it together with a letter', (_name, invisible) => {
    expect(isMaxText(invisible, 70)).toBe(false);
    expect(isMaxText(`a${invisible}`, 70)).toBe(true);
  });

  it.each(['', ' ', '\u00a0', 7, null, undefined, ['a']])('refuses %j', (value) => {
    expect(isMaxText(value, 70)).toBe(false);
  });
});
