import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { sendTogether } from './send-together.js';

const unexpected = (error: Error): void => {
  throw error;
};

describe('what is sent in one turn of the event loop', () => {
  it('goes out together, in order, after all of it was handed over', async () => {
    const log: string[] = [];
    for (const name of ['first', 'second']) {
      log.push(`handed over ${name}`);
      sendTogether(() => log.push(`sent ${name}`), unexpected);
    }
    await turn();
    expect(log).toEqual(['handed over first', 'handed over second', 'sent first', 'sent second']);
  });

  it('what cannot be sent fails alone', async () => {
    const log: string[] = [];
    const failed = (error: Error): void => {
      log.push(String(error));
    };
    sendTogether(() => {
      throw new TypeError('closed');
    }, failed);
    sendTogether(() => log.push('sent'), failed);
    await turn();
    expect(log).toEqual(['TypeError: closed', 'sent']);
  });

  it('does not lose what is handed over while sending', async () => {
    const inner = new Promise((resolve) => {
      sendTogether(() => sendTogether(() => resolve('inner'), unexpected), unexpected);
    });
    expect(await inner).toBe('inner');
  });
});
