import { call } from '@xs2a/contracts/call';

interface Work {
  readonly id: string;
  /** Milliseconds that it takes. */
  readonly takesMs?: number;
}
interface Done {
  /** The instance that did it. */
  readonly by: string;
}
/** Calls of a service of which tests run two processes (answering-process.ts). */
export const read = call<Work, Done>('svc.twice.read', 'idempotent');
export const write = call<Work & { readonly key?: string }, Done>(
  'svc.twice.write',
  ({ key }) => key !== undefined,
);
