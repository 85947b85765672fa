import type { AccountsPort } from './accounts.js';
import type { BookingPort } from './booking.js';
import type { FundsPort } from './funds.js';
import type { PsusPort } from './psus.js';

/**
 * A core bank, as the services of this project see any bank. Another one is connected by implementing these four, or in another
 * language by answering the same over NATS (`nats/`). The checks in `conformance/` verify an implementation.
 */
export interface CoreBank {
  readonly accounts: AccountsPort;
  readonly funds: FundsPort;
  readonly booking: BookingPort;
  readonly psus: PsusPort;
}
