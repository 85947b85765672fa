import { describe, expect, it } from '@jest/globals';
import { StatusFeed } from './status-feed.js';

describe('statuses reported by the bank (contract 11)', () => {
  it('reach the open page of their payment until the page is closed', () => {
    const feed = new StatusFeed();
    const heard: number[] = [];
    const end = feed.listen(['one'], 0, (version) => heard.push(version));
    feed.publish('one');
    feed.publish('another');
    feed.publish('one');
    end();
    feed.publish('one');
    expect(heard).toEqual([1, 2]);
  });

  it('reach the page of a basket, whether they concern the basket or its items', () => {
    const feed = new StatusFeed();
    const heard: number[] = [];
    const end = feed.listen(['basket', 'one', 'two'], 0, (version) => heard.push(version));
    feed.publish('basket');
    feed.publish('two');
    feed.publish('three');
    feed.publish('one');
    end();
    feed.publish('two');
    expect(heard).toEqual([1, 2, 3]);
  });

  it('immediately reach a page that connects later, unless it has already seen them', () => {
    const feed = new StatusFeed();
    feed.publish('one');
    feed.publish('one');
    const heard: string[] = [];
    const listen = (seen: number) =>
      feed.listen(['one'], seen, (version) => heard.push(`${seen} ${version}`));
    listen(1);
    listen(2);
    expect(heard).toEqual(['1 2']);
    expect(feed.version(['one', 'another'])).toBe(2);
    expect(feed.version(['another'])).toBe(0);
  });

  it('are kept for the latest 10,000 payments', () => {
    const feed = new StatusFeed();
    for (let number = 0; number <= 10_000; number += 1) feed.publish(`payment ${number}`);
    expect(feed.version(['payment 0'])).toBe(0);
    expect(feed.version(['payment 1'])).toBe(1);
  });
});
