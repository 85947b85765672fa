import { describe, expect, it } from '@jest/globals';
import { Html } from '@xs2a/html/html';
import { accessPermissions, fundsPermissions } from './permissions.js';

const read = ({ value }: ReturnType<typeof accessPermissions>): readonly (readonly string[])[] => {
  const items = [...(value instanceof Html ? value.text : value).matchAll(/<li(.*?)>(.*?)<\/li>/gs)];
  const texts = (isNo: boolean): string[] =>
    items
      .filter(([, attributes = '']) => attributes.includes('no') === isNo)
      .map(([, , text = '']) => text.replaceAll(/<[^>]*>/g, ''));
  return [texts(false), texts(true)];
};

describe('the permissions of an app (contract 12)', () => {
  it('say in words and not by colour what is included and what is not, and that nothing can be paid', () => {
    expect(read(accessPermissions(new Set(['accounts', 'balances']), 'en'))).toEqual([
      ['Included: name and number of these accounts', 'Included: balances'],
      ['Not included: payments in and out', 'Not included: paying, or changing anything'],
    ]);
  });

  it('of a funds confirmation include one answer and no data', () => {
    expect(read(fundsPermissions('en'))).toEqual([
      ['Included: whether an amount is available: yes or no'],
      [
        'Not included: balances',
        'Not included: payments in and out',
        'Not included: paying, or changing anything',
      ],
    ]);
  });
});
