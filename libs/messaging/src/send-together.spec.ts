import { describe, expect, it } from '@jest/globals';
import { sendTogether } from './send-together.js';

describe('what is sent in one turn of the event loop', () => {
  it('goes out together, in order, after all of it was handed over', async () => {
    const log: string[] = [];
    const both = ['first', 'second'].map(async (name) => {
      log.push(`handed over ${name}`);
      await Promise.resolve();
      return sendTogether(() => log.push(`sent ${name}`));
    });
    await Promise.all(both);
    expect(log).toEqual(['handed over first', 'handed over second', 'sent first', 'sent second']);
  });

  it('answers what each sending answers, and one that fails fails alone', async () => {
    const outcomes = await Promise.allSettled([
      sendTogether(async () => 'answer'),
      sendTogether(() => {
        throw new TypeError('closed');
      }),
      sendTogether(async () => Promise.reject(new RangeError('late'))),
      sendTogether(() => 4),
    ]);
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      'answer',
      'TypeError: closed',
      'RangeError: late',
      4,
    ]);
  });

  it('does not lose what is handed over while sending', async () => {
    const inner = sendTogether(() => sendTogether(() => 'inner'));
    expect(await inner).toBe('inner');
  });
});
