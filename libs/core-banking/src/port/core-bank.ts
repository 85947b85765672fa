import type { AccountsPort } from './accounts.js';
import type { BookingPort } from './booking.js';
import type { FundsPort } from './funds.js';
import type { PayeesPort } from './payees.js';
import type { InstantPort } from './instant.js';
import type { PsusPort } from './psus.js';

/**
 * A core bank, as seen by our services. To connect another bank, implement these five ports, or provide the same
 * operations over NATS in any language (`nats/`). The checks in `conformance/` verify an implementation.
 */
export interface CoreBank {
  readonly accounts: AccountsPort;
  readonly funds: FundsPort;
  readonly booking: BookingPort;
  readonly instant: InstantPort;
  readonly psus: PsusPort;
  readonly payees: PayeesPort;
}
