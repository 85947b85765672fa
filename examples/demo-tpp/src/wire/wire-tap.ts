import type { Clock } from '@xs2a/runtime/clock';
import { LRUCache } from 'lru-cache';
import { AsyncLocalStorage } from 'node:async_hooks';
import { blankBody, blankHeaders, blankPath } from './blank.js';
import type { Click, Wire, WireMessage } from './wire.js';

/** The maximum number of resources whose visitor is known. A push about an older one is not shown. */
const maxResources = 10_000;

const message = (headers: Headers, text: string): WireMessage => ({
  headers: blankHeaders(headers),
  body: blankBody(text, headers.get('content-type') ?? ''),
});

/** Records the HTTP calls that each visitor causes, and the notifications about what the visitor initiated. */
export class WireTap {
  private readonly current = new AsyncLocalStorage<{ readonly wire: Wire; readonly click: Click }>();
  /** By the bank's id. Weak, so that an ended session is not kept. */
  private readonly owners = new LRUCache<string, WeakRef<Wire>>({ max: maxResources });

  constructor(
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly sender: typeof fetch = fetch,
  ) {}

  /** Runs `work`, and records every call in it for the visitor. `text`: what the visitor did. */
  during<Result>(wire: Wire, text: string, work: () => Result): Result {
    return this.current.run({ wire, click: { text, atMs: this.clock.nowMs() } }, work);
  }

  /** Sends a request like the global `fetch`. A call that no visitor caused is not recorded. */
  readonly fetch: typeof fetch = async (input, init) => {
    const visitor = this.current.getStore();
    if (visitor === undefined) return this.sender(input, init);
    const { wire, click } = visitor;
    // A copy, only for the record: its body is read.
    const copy = new Request(input, init);
    const sent = {
      click,
      isPush: false,
      method: copy.method,
      path: blankPath(new URL(copy.url)),
      request: message(copy.headers, await copy.text()),
    };
    const startMs = this.clock.nowMs();
    const elapsed = (): number => Math.max(0, this.clock.nowMs() - startMs);
    try {
      const response = await this.sender(input, init);
      const ms = elapsed();
      const answer = message(response.headers, await response.clone().text());
      const requestId = response.headers.get('x-request-id') ?? undefined;
      wire.add({ ...sent, status: response.status, ms, requestId, answer });
      return response;
    } catch (error) {
      wire.add({ ...sent, status: undefined, ms: elapsed(), requestId: undefined, answer: undefined });
      throw error;
    }
  };

  /** Shows later notifications about a resource to the visitor who initiated it just now. */
  follow(resourceId: string): void {
    const wire = this.current.getStore()?.wire;
    if (wire !== undefined) this.owners.set(resourceId, new WeakRef(wire));
  }

  /** Records a verified notification about a resource, for the visitor who initiated it. */
  received(resourceId: string, headers: Readonly<Record<string, string>>, body: string): void {
    const sent = new Headers(headers);
    this.owners
      .get(resourceId)
      ?.deref()
      ?.add({
        click: { text: 'The bank reported a change', atMs: this.clock.nowMs() },
        isPush: true,
        method: 'POST',
        path: '/notifications',
        status: 204,
        ms: 0,
        requestId: sent.get('x-request-id') ?? undefined,
        request: message(sent, body),
        answer: { headers: [], body: '' },
      });
  }
}
