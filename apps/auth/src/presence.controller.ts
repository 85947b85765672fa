import { Controller } from '@nestjs/common';
import { authPresent } from '@xs2a/contracts/auth.contract';
import { Handles } from '@xs2a/calls/handles';

/** Tells a gateway that is waiting for a page that this server is up and still working on it. */
@Controller()
export class PresenceController {
  @Handles(authPresent)
  present(): Record<string, never> {
    return {};
  }
}
