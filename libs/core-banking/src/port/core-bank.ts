import type { AccountsPort } from './accounts.js';
import type { BookingPort } from './booking.js';
import type { FundsPort } from './funds.js';
import type { PsusPort } from './psus.js';

/**
 * A core bank, as the services of this project see any bank: implement these four to bring another one. Whoever does can
 * ask `conformance/` whether it behaves; a bank in another language answers the same over NATS (`nats/`).
 */
export interface CoreBank {
  readonly accounts: AccountsPort;
  readonly funds: FundsPort;
  readonly booking: BookingPort;
  readonly psus: PsusPort;
}
