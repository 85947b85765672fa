import { describe, expect, it } from '@jest/globals';
import { StatusFeed, type ToldStatus } from './status-feed.js';

describe('the statuses that the bank tells (contract 11)', () => {
  it('an open page hears each status of its own payment, and none after it was closed', () => {
    const feed = new StatusFeed();
    const heard: ToldStatus[] = [];
    const end = feed.listen('one', 0, (status) => heard.push(status));
    feed.tell('one', 'ACSP');
    feed.tell('another', 'RJCT');
    feed.tell('one', 'ACSC');
    end();
    feed.tell('one', 'CANC');
    expect(heard).toEqual([
      { transactionStatus: 'ACSP', version: 1 },
      { transactionStatus: 'ACSC', version: 2 },
    ]);
  });

  it('a page that connects after a status was told hears the latest at once, unless it has seen it', () => {
    const feed = new StatusFeed();
    feed.tell('one', 'ACSP');
    feed.tell('one', 'ACSC');
    const heard: string[] = [];
    const listen = (version: number) =>
      feed.listen('one', version, (status) => heard.push(`${version} ${status.transactionStatus}`));
    listen(1);
    listen(2);
    expect(heard).toEqual(['1 ACSC']);
    expect(feed.latest('one')).toEqual({ transactionStatus: 'ACSC', version: 2 });
    expect(feed.latest('another')).toBeUndefined();
  });

  it('keeps the latest of 10,000 payments', () => {
    const feed = new StatusFeed();
    for (let number = 0; number <= 10_000; number += 1) feed.tell(`payment ${number}`, 'ACSC');
    expect(feed.latest('payment 0')).toBeUndefined();
    expect(feed.latest('payment 1')?.version).toBe(1);
  });
});
