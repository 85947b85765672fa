import { call } from '@xs2a/contracts/call';

interface Work {
  readonly id: string;
  /** Duration in milliseconds. */
  readonly takesMs?: number;
}
interface Done {
  /** The instance that handled the call. */
  readonly by: string;
}
/** Calls to a service that tests run as two processes (answering-process.ts). */
export const read = call<Work, Done>('svc.twice.read', 'idempotent');
export const write = call<Work & { readonly key?: string }, Done>(
  'svc.twice.write',
  ({ key }) => key !== undefined,
);
