import { describe, expect, it } from '@jest/globals';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { onceAnswered } from './once-answered.js';

const noStream = new JetStreamApiError({ code: 404, err_code: 10_059, description: 'stream not found' });

describe('a request to JetStream while a cluster elects its leaders', () => {
  it('is repeated until a response arrives', async () => {
    let asked = 0;
    const answer = await onceAnswered('the end of PAYMENTS', async () => {
      asked += 1;
      if (asked < 3) throw new errors.TimeoutError();
      return 7;
    });
    expect([answer, asked]).toEqual([7, 3]);
  });

  it('fails with the name of the request and the last error if no response arrives', async () => {
    const silent = onceAnswered(
      'the end of PAYMENTS',
      async () => Promise.reject(new errors.TimeoutError()),
      1,
    );
    await expect(silent).rejects.toThrow(/^the end of PAYMENTS: no answer for 0.001 s; TimeoutError/);
  });

  it.each([
    ['of a stream that is not there', noStream],
    ['by a connection that is closed', new errors.ClosedConnectionError()],
  ])('is not repeated %s', async (_when, error) => {
    let asked = 0;
    const unknown = onceAnswered('the end of PAYMENTS', async () => {
      asked += 1;
      throw error;
    });
    await expect(unknown).rejects.toBe(error);
    expect(asked).toBe(1);
  });
});
