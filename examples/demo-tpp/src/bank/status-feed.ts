import { LRUCache } from 'lru-cache';

type Listener = (version: number) => void;

/**
 * The maximum number of resources in memory. The one with the oldest change is removed first; its page still shows
 * the bank's response.
 */
const maxResources = 10_000;

/**
 * Counts how many changes of each resource the bank has sent, in this process's memory, and keeps the open pages
 * that wait for the next change. The change itself is not stored, because a page reads it from the bank.
 */
export class StatusFeed {
  private readonly counts = new LRUCache<string, number>({ max: maxResources });
  private readonly listeners = new Map<string, Set<() => void>>();

  /**
   * The joint version of these resources. It grows with each change that the bank sends, so that a page can detect
   * a missed change.
   */
  version(resourceIds: readonly string[]): number {
    return resourceIds.reduce((sum, id) => sum + (this.counts.peek(id) ?? 0), 0);
  }

  publish(resourceId: string): void {
    const count = (this.counts.peek(resourceId) ?? 0) + 1;
    this.counts.set(resourceId, count);
    for (const changed of this.listeners.get(resourceId) ?? []) changed();
  }

  /**
   * Calls the listener with each version of these resources above `seen`, immediately if there already is one.
   * Returns a function that stops it.
   */
  listen(resourceIds: readonly string[], seen: number, listener: Listener): () => void {
    const changed = (): void => listener(this.version(resourceIds));
    for (const id of resourceIds) this.listeners.set(id, (this.listeners.get(id) ?? new Set()).add(changed));
    if (this.version(resourceIds) > seen) changed();
    return () => {
      for (const id of resourceIds) {
        const listeners = this.listeners.get(id);
        listeners?.delete(changed);
        if (listeners?.size === 0) this.listeners.delete(id);
      }
    };
  }
}
