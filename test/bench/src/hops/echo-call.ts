import { call } from '@xs2a/contracts/call';

export interface Echoed {
  readonly transactionStatus: string;
}
/** The only call of the transport hop. */
export const echo = call<Echoed, Echoed>('svc.bench.echo', 'idempotent');
