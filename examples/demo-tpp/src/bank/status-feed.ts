import { LRUCache } from 'lru-cache';

type Listener = (version: number) => void;

/**
 * The maximum number of resources in memory. The resource with the oldest change is removed first; its page can
 * still read the status from the bank.
 */
const maxResources = 10_000;

/**
 * Counts the changes that the bank has reported for each resource, in this process's memory, and keeps a list of
 * the open pages that wait for the next change. The change itself is not stored, because a page reads it from the
 * bank.
 */
export class StatusFeed {
  private readonly counts = new LRUCache<string, number>({ max: maxResources });
  private readonly listeners = new Map<string, Set<() => void>>();

  /**
   * Returns the joint version of the given resources. It grows with each change that the bank reports, so that a
   * page can detect a missed change.
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
   * Calls the listener with each version of the given resources above `seen`, immediately if such a version
   * already exists. Returns a function that stops listening.
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
